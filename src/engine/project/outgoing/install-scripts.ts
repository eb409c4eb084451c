import { foldedName } from "../../../fs/git-name.ts";
import type { Path } from "../../../fs/path.ts";
import type { Finding } from "./finding.ts";

/**
 * Finds package scripts that run on installation. Installers read `package.json` differently: Bun accepts comments, and uses the first of two
 * `scripts`. Anything that an installer may treat as such a script counts.
 */

/** The scripts that npm, pnpm, Yarn and Bun run. */
const events = [
  "preinstall",
  "install",
  "postinstall",
  "prepublish",
  "preprepare",
  "prepare",
  "postprepare",
  "dependencies",
  "pnpm:devPreinstall",
];

/** Without `dependencies`, which is also the name of a section in almost every package. */
const eventKey = new RegExp(`["'](?:${events.filter((name) => name !== "dependencies").join("|")})["']\\s*:`);

/** Lock files as text: each may lead to a package by its path. */
const locks = ["package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock"];

/** A package in `node_modules` that is named by its path, on a file system that may ignore case. */
const installedPath = /(?:file:|link:|portal:|workspace:|resolved["']?\s*:\s*["'])[^"'\n]*node_modules/i;

/** Folding a name like this changes only its case. */
const plain = /^[\w.-]*\w$/;

export async function installScripts(paths: readonly Path[], read: (path: Path) => Promise<Uint8Array | null>): Promise<Finding[]> {
  const findings: Finding[] = [];
  const installed: Path[] = [];
  let leadsToInstalled = false;
  const textOf = async (path: Path): Promise<string | null> => {
    const bytes = await read(path);
    return bytes && withoutEscapes(new TextDecoder().decode(bytes));
  };
  const look = (path: Path, text: string | null) => {
    if (text === null || !hasScript(text)) return;
    findings.push({ path, level: "listed", reason: { kind: "runs", when: "packages-installed", program: "npm install" } });
  };
  for (const path of paths) {
    const last = path.slice(path.lastIndexOf("/") + 1);
    const name = plain.test(last) ? last.toLowerCase() : foldedName(last);
    const isManifest = name === "package.json";
    if (!isManifest && !locks.includes(name)) continue;
    if (/(?:^|\/)node_modules\//i.test(path)) {
      if (isManifest) installed.push(path);
      continue;
    }
    const text = await textOf(path);
    if (isManifest) look(path, text);
    leadsToInstalled ||= text !== null && (isManifest ? dependsOnInstalled(text) : installedPath.test(text));
  }
  // Installers ignore packages in `node_modules`, unless a dependency refers to one by its path.
  if (leadsToInstalled) for (const path of installed) look(path, await textOf(path));
  return findings;
}

/** The text with escaped letters of names decoded. */
function withoutEscapes(text: string): string {
  return text.replace(/^\ufeff/, "").replaceAll(/\\u00([2-7][0-9a-f])/gi, (escape, code: string) => {
    const letter = String.fromCharCode(Number.parseInt(code, 16));
    return letter === '"' || letter === "\\" ? escape : letter;
  });
}

function hasScript(text: string): boolean {
  const scripts = parsed(text)?.["scripts"];
  if (typeof scripts === "object" && scripts !== null && events.some((name) => Object.hasOwn(scripts, name))) return true;
  const isPlain = parsed(text) !== null && (text.match(/"scripts"\s*:/g)?.length ?? 0) < 2;
  return !isPlain && eventKey.test(text);
}

const wanted = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies", "workspaces", "overrides", "resolutions"];

function dependsOnInstalled(text: string): boolean {
  const manifest = parsed(text);
  return manifest === null ? /node_modules/i.test(text) : wanted.some((key) => /node_modules/i.test(JSON.stringify(manifest[key]) ?? ""));
}

/** Null if the text is not a JSON object. */
function parsed(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
