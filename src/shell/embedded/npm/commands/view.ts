import semver from "semver";
import { NpmError } from "../failure.ts";
import { notFound, projectName } from "../install/ideal.ts";
import { isRecord, textOf } from "../manifest.ts";
import { type Npm, needPackage, readPackage } from "../npm.ts";
import { pickVersion } from "../registry/pick.ts";
import { parseSpec, splitSpec } from "../spec.ts";
import { installedTree } from "./list.ts";

/** `npm view`. */
export async function view(npm: Npm): Promise<number> {
  const [given = ".", ...fields] = npm.call.operands;
  const { name, spec } = given === "." ? { name: textOf(readPackage(npm)?.value["name"]) ?? null, spec: "" } : splitSpec(given);
  if (name === null) throw new NpmError(null, `${given} is no package's name`);
  const packument = await npm.registry.packument(name, true);
  if (packument instanceof Error) throw packument.code === "E404" ? notFound(packument, `${name}@${spec || "*"}`) : packument;
  const wanted = parseSpec(name, spec === "" ? "latest" : spec);
  const versions =
    wanted.type === "range"
      ? [...packument.versions.keys()]
          .filter((version) => semver.satisfies(version, wanted.fetch, true))
          .toSorted((a, b) => semver.compare(a, b, true))
      : null;
  const picked = pickVersion(packument, wanted);
  if (picked instanceof Error) {
    throw new NpmError("E404", [
      `404 No match found for version ${spec}`,
      "404",
      `404  The requested resource '${given}' could not be found or you do not have permission to access it.`,
    ]);
  }
  const all = versions ?? [picked.version ?? ""];
  if (fields.length === 0 && !npm.config.flag("json")) {
    summary(npm, packument, all.at(-1) ?? "");
    return 0;
  }
  const seen = all.map((version) => {
    const manifest = packument.versions.get(version);
    const whole: Record<string, unknown> = {
      ...packument.raw,
      versions: [...packument.versions.keys()].toSorted((a, b) => semver.compare(a, b, true)),
      ...(isRecord(manifest) ? manifest : {}),
    };
    return {
      version,
      values:
        fields.length === 0
          ? whole
          : Object.fromEntries(fields.map((field) => [field, pathOf(whole, field)] as const).filter(([, value]) => value !== undefined)),
    };
  });
  const many = all.length > 1;
  if (npm.config.flag("json")) {
    const answers = seen
      .map(({ values }) => (fields.length === 1 ? values[fields[0] ?? ""] : values))
      .filter((value) => value !== undefined);
    if (answers.length > 0) npm.out(JSON.stringify(answers.length === 1 ? answers[0] : answers, null, 2));
    return 0;
  }
  for (const { version, values } of seen) {
    for (const [field, value] of Object.entries(values)) {
      const label = `${many ? `${name}@${version} ` : ""}${fields.length > 1 ? `${field} = ` : ""}`;
      const quoted = label === "" || typeof value !== "string" ? show(value) : `'${value}'`;
      npm.out(`${label}${quoted}`);
    }
  }
  return 0;
}

function show(value: unknown): string {
  return typeof value === "string" ? value : inspect(value, "");
}

/** Prints a value like Node does: strings in single quotes, short lists on one line. */
function inspect(value: unknown, indent: string): string {
  if (typeof value === "string") return `'${value.replaceAll("'", "\\'")}'`;
  if (typeof value !== "object" || value === null) return String(value);
  const inner = `${indent}  `;
  const items = Array.isArray(value)
    ? value.map((each: unknown) => inspect(each, inner))
    : Object.entries(value).map(([key, each]) => `${/^[A-Za-z_$][\w$]*$/.test(key) ? key : `'${key}'`}: ${inspect(each, inner)}`);
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  if (items.length === 0) return `${open}${close}`;
  const line = `${open} ${items.join(", ")} ${close}`;
  if (line.length <= 72 && !line.includes("\n") && items.length <= 6) return line;
  return `${open}\n${items.map((item) => `${inner}${item}`).join(",\n")}\n${indent}${close}`;
}

function pathOf(value: unknown, field: string): unknown {
  if (isRecord(value) && Object.hasOwn(value, field)) return value[field];
  let found: unknown = value;
  for (const key of field.split(/[.[\]]+/).filter((each) => each !== "")) {
    if (Array.isArray(found)) found = found[Number(key)];
    else if (isRecord(found)) found = found[key];
    else return undefined;
  }
  return found;
}

function summary(
  npm: Npm,
  packument: { readonly name: string; readonly tags: ReadonlyMap<string, string>; readonly versions: ReadonlyMap<string, unknown> },
  version: string,
): void {
  const manifest = packument.versions.get(version);
  const raw = isRecord(manifest) ? manifest : {};
  const deps = isRecord(raw["dependencies"]) ? Object.entries(raw["dependencies"]) : [];
  const dist = isRecord(raw["dist"]) ? raw["dist"] : {};
  const license = textOf(raw["license"]) ?? "Proprietary";
  npm.out(
    `\n${packument.name}@${version} | ${license} | deps: ${deps.length === 0 ? "none" : deps.length} | versions: ${packument.versions.size}`,
  );
  const description = textOf(raw["description"]);
  if (description !== undefined) npm.out(description);
  const homepage = textOf(raw["homepage"]);
  if (homepage !== undefined) npm.out(homepage);
  const deprecated = textOf(raw["deprecated"]);
  if (deprecated !== undefined) npm.out(`\nDEPRECATED ⚠️  - ${deprecated}`);
  const bins = isRecord(raw["bin"]) ? Object.keys(raw["bin"]) : typeof raw["bin"] === "string" ? [packument.name] : [];
  if (bins.length > 0) npm.out(`\nbin: ${bins.join(", ")}`);
  npm.out(
    `\ndist\n.tarball: ${textOf(dist["tarball"]) ?? ""}${textOf(dist["integrity"]) === undefined ? "" : `\n.integrity: ${textOf(dist["integrity"])}`}`,
  );
  if (deps.length > 0) npm.out(`\ndependencies:\n${deps.map(([name, spec]) => `${name}: ${String(spec)}`).join("\n")}`);
  npm.out(`\ndist-tags:\n${[...packument.tags].map(([tag, each]) => `${tag}: ${each}`).join("\n")}`);
}

/** `npm outdated`. */
export async function outdated(npm: Npm): Promise<number> {
  needPackage(npm);
  const root = installedTree(npm);
  const names = npm.call.operands;
  const edges = [...root.edgesOut.values()].filter(
    (edge) => (names.length === 0 || names.includes(edge.name)) && !edge.peer && edge.parsed.type !== "refused",
  );
  const rows: { readonly name: string; readonly current: string | null; readonly wanted: string; readonly latest: string }[] = [];
  for (const edge of edges) {
    const packument = await npm.registry.packument(edge.parsed.name, false);
    if (packument instanceof Error) throw packument.code === "E404" ? notFound(packument, `${edge.name}@${edge.spec}`) : packument;
    const wanted = pickVersion(packument, edge.parsed);
    const latest = packument.tags.get("latest") ?? "";
    const current = edge.to?.version ?? null;
    const best = wanted instanceof Error ? "" : (wanted.version ?? "");
    if (current !== best || best !== latest) rows.push({ name: edge.name, current, wanted: best, latest });
  }
  rows.sort((a, b) => a.name.localeCompare(b.name, "en"));
  if (npm.config.flag("json")) {
    npm.out(
      JSON.stringify(
        Object.fromEntries(
          rows.map(({ name, current, wanted, latest }) => [
            name,
            {
              ...(current === null ? {} : { current }),
              wanted,
              latest,
              dependent: projectName(npm),
              ...(current === null ? {} : { location: `${npm.prefix}/node_modules/${name}` }),
            },
          ]),
        ),
        null,
        2,
      ),
    );
  } else if (rows.length > 0) {
    const table = [
      ["Package", "Current", "Wanted", "Latest", "Location", "Depended by"],
      ...rows.map(({ name, current, wanted, latest }) => [
        name,
        current ?? "MISSING",
        wanted,
        latest,
        current === null ? "-" : `node_modules/${name}`,
        projectName(npm),
      ]),
    ];
    const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
    for (const row of table)
      npm.out(
        row
          .map((cell, i) => (i === 0 || i === 4 ? cell.padEnd(widths[i] ?? 0) : i === 5 ? cell : cell.padStart(widths[i] ?? 0)))
          .join("  "),
      );
  }
  return rows.length > 0 ? 1 : 0;
}
