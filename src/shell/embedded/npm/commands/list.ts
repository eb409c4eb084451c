import { readManifest } from "../manifest.ts";
import { type Npm, readPackage } from "../npm.ts";
import { projectNode } from "../install/ideal.ts";
import { readActual } from "../project/actual.ts";
import { addEntries } from "../project/lock-file.ts";
import type { Edge } from "../tree/node.ts";
import type { PackageNode } from "../tree/node.ts";
import { markFlags } from "../tree/flags.ts";

/** The packages in node_modules, as a tree below package.json. */
export function installedTree(npm: Npm): PackageNode {
  const root = projectNode(npm, readManifest(readPackage(npm)?.value ?? {}));
  addEntries(root, readActual(npm.host.files, npm.prefix), npm.config.flag("legacy-peer-deps"));
  markFlags(root);
  return root;
}

interface Row {
  readonly text: string;
  readonly kids: readonly Row[];
}

/** `npm ls`. */
export function list(npm: Npm): number {
  const root = installedTree(npm);
  const given = npm.config.text("depth");
  const names = npm.call.operands;
  const depth = npm.config.flag("all") || given === "Infinity" || names.length > 0 ? Number.POSITIVE_INFINITY : Number(given ?? "0");
  const problems: string[] = [];
  const seen = new Set<PackageNode>();
  const { name, version } = root.pkg;
  const title = `${name ?? root.name}${version === undefined ? "" : `@${version}`} ${npm.prefix}`;

  function rows(node: PackageNode, level: number): Row[] {
    const all: { readonly name: string; readonly row: Row }[] = [];
    for (const edge of node.edgesOut.values()) {
      const row = rowOf(edge, level);
      if (row !== null) all.push({ name: edge.name, row });
    }
    for (const child of node.children.values()) {
      if (!child.extraneous || node.edgesOut.has(child.name)) continue;
      problems.push(`extraneous: ${child.name}@${child.version} ${npm.prefix}/${child.location}`);
      all.push({
        name: child.name,
        row: { text: `${child.name}@${child.version} extraneous`, kids: level < depth ? rows(child, level + 1) : [] },
      });
    }
    return all.toSorted((a, b) => a.name.localeCompare(b.name, "en")).map(({ row }) => row);
  }

  function rowOf(edge: Edge, level: number): Row | null {
    const { to } = edge;
    const by = edge.from === root ? "the root project" : `${edge.from.name}@${edge.from.version}`;
    if (to === null) {
      if (edge.optional)
        return edge.type === "optional" && level === 0 ? { text: `UNMET OPTIONAL DEPENDENCY ${edge.name}@${edge.spec}`, kids: [] } : null;
      problems.push(`missing: ${edge.name}@${edge.spec}, required by ${by}`);
      return { text: `UNMET DEPENDENCY ${edge.name}@${edge.spec}`, kids: [] };
    }
    const alias = to.packageName === to.name ? "" : `npm:${to.packageName}@`;
    const overridden = edge.spec === edge.rawSpec ? "" : " overridden";
    let text = `${to.name}@${alias}${to.version}${overridden}`;
    if (!edge.valid) {
      problems.push(`invalid: ${to.name}@${to.version} ${npm.prefix}/${to.location}`);
      text += ` invalid: "${edge.spec}" from ${by === "the root project" ? by : edge.from.location}`;
    }
    if (seen.has(to) && edge.from !== to.parent) return { text: `${text} deduped`, kids: [] };
    if (edge.from !== to.parent && level > 0 && to.parent === root && root.edgesOut.has(to.name))
      return { text: `${text} deduped`, kids: [] };
    seen.add(to);
    return { text, kids: level < depth ? rows(to, level + 1) : [] };
  }

  const all = rows(root, 0);
  const wanted = names.length === 0 ? all : filtered(all, names);
  if (npm.config.flag("json")) npm.out(JSON.stringify(jsonOf(root, depth, problems), null, 2));
  else if (npm.config.flag("parseable"))
    for (const node of [root, ...seen]) npm.out(`${npm.prefix}${node === root ? "" : `/${node.location}`}`);
  else npm.out(`${title}\n${wanted.length === 0 ? "└── (empty)\n" : draw(wanted, "")}`);
  // As in npm, extraneous packages are only reported in the list.
  if (problems.some((problem) => !problem.startsWith("extraneous: "))) {
    npm.error("ELSPROBLEMS", problems);
    return 1;
  }
  return names.length > 0 && wanted.length === 0 ? 1 : 0;
}

/** The rows that lead to one of the named packages. */
function filtered(rows: readonly Row[], names: readonly string[]): Row[] {
  return rows.flatMap((row) => {
    const kids = filtered(row.kids, names);
    return kids.length > 0 || names.some((name) => row.text === name || row.text.startsWith(`${name}@`) || row.text.split(" ")[0] === name)
      ? [{ text: row.text, kids }]
      : [];
  });
}

function draw(rows: readonly Row[], indent: string): string {
  return rows
    .map(({ text, kids }, i) => {
      const last = i === rows.length - 1;
      return `${indent}${last ? "└" : "├"}─${kids.length > 0 ? "┬" : "─"} ${text}\n${draw(kids, `${indent}${last ? "  " : "│ "}`)}`;
    })
    .join("");
}

function jsonOf(root: PackageNode, depth: number, problems: readonly string[]): Record<string, unknown> {
  const seen = new Set<PackageNode>();
  const about = ({ to, spec, rawSpec }: Edge, level: number): Record<string, unknown> => {
    if (to === null) return { required: spec, missing: true };
    const known = seen.has(to);
    seen.add(to);
    const { version, resolved } = to;
    return { version, ...(resolved === null ? {} : { resolved }), overridden: spec !== rawSpec, ...(known ? {} : one(to, level + 1)) };
  };
  const one = (node: PackageNode, level: number): Record<string, unknown> => {
    const edges = [...node.edgesOut.values()]
      .filter((edge) => edge.to !== null || !edge.optional)
      .toSorted((a, b) => a.name.localeCompare(b.name, "en"));
    const inside = level > depth ? [] : edges.map((edge) => [edge.name, about(edge, level)] as const);
    return inside.length > 0 ? { dependencies: Object.fromEntries(inside) } : {};
  };
  const { name, version } = root.pkg;
  return {
    ...(version === undefined ? {} : { version }),
    name: name ?? root.name,
    ...(problems.length > 0 ? { problems } : {}),
    ...one(root, 0),
  };
}
