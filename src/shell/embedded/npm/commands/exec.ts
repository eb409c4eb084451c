import { NpmError } from "../failure.ts";
import { idealTree } from "../install/ideal.ts";
import { reify } from "../install/reify.ts";
import { readManifest } from "../manifest.ts";
import { type Npm, quote } from "../npm.ts";
import { readJson } from "../project/json-file.ts";
import { parseSpec, satisfiesSpec, splitSpec } from "../spec.ts";
import { shell } from "./run.ts";

/** Where packages that only run are installed: outside the project, and gone with the shell. */
const cacheFolder = "/tmp/_npx";

/** `npx command args…` and `npm exec -- command args…`. */
export async function exec(npm: Npm, words: readonly string[]): Promise<number> {
  const packages = npm.call.options.get("package") ?? [];
  const text = npm.call.options.get("call")?.at(-1);
  const [first, ...args] = words;
  if (text !== undefined) {
    const bins = packages.length === 0 ? [] : [await fetched(npm, packages)];
    return shell(npm, text, npm.context.cwd, { npm_lifecycle_event: "npx" }, bins);
  }
  if (first === undefined)
    throw new NpmError("EUSAGE", [
      "",
      "npx: a command is needed; there is no interactive shell here",
      "",
      "Usage:",
      "npx <pkg>[@<version>] [args...]",
    ]);
  const call = (command: string, bins: readonly string[]): Promise<number> =>
    shell(
      npm,
      [command, ...args].map(quote).join(" "),
      npm.context.cwd,
      { npm_lifecycle_event: "npx", npm_lifecycle_script: command },
      bins,
    );
  if (packages.length > 0) {
    const local = packages.every((given) => isInstalled(npm, given));
    return call(first, local ? [] : [await fetched(npm, packages)]);
  }
  // The project's own packages come first, by the command's name.
  if (hasBin(npm, first)) return call(first, []);
  const { name } = splitSpec(first);
  if (name !== null && isInstalled(npm, first)) {
    const command = binOf(npm, npm.prefix, name);
    if (command !== null) return call(command, []);
  }
  const bin = await fetched(npm, [first]);
  const installed = name ?? first;
  const folder = bin.slice(0, -"/node_modules/.bin".length);
  const command = binOf(npm, folder, installed);
  if (command === null) throw new NpmError(null, "could not determine executable to run");
  return call(command, [bin]);
}

function hasBin(npm: Npm, command: string): boolean {
  if (command.includes("/")) return false;
  for (let folder = npm.prefix; ; folder = folder.slice(0, folder.lastIndexOf("/"))) {
    if (npm.host.files.stat(`${folder === "/" ? "" : folder}/node_modules/.bin/${command}`)?.kind === "file") return true;
    if (folder === "" || folder === "/") return false;
  }
}

function isInstalled(npm: Npm, given: string): boolean {
  const { name, spec } = splitSpec(given);
  if (name === null) return false;
  const file = readJson(npm.host.files, `${npm.prefix}/node_modules/${name}/package.json`);
  if (file === null) return false;
  const { version = "", name: packageName = name } = readManifest(file.value);
  return satisfiesSpec({ version, packageName, resolved: "installed" }, parseSpec(name, spec)) && parseSpec(name, spec).type !== "tag";
}

/** The command that a package runs as: its only command, or the one with the package's name. */
function binOf(npm: Npm, project: string, name: string): string | null {
  const file = readJson(npm.host.files, `${project}/node_modules/${name}/package.json`);
  if (file === null) return null;
  const { bin, name: packageName = name } = readManifest(file.value);
  const own = packageName.split("/").at(-1) ?? packageName;
  const names = Object.keys(bin);
  if (Object.hasOwn(bin, own)) return own;
  return new Set(Object.values(bin)).size === 1 ? (names[0] ?? null) : null;
}

/** Installs packages outside the project, unless they are already there. Returns the folder of their commands. */
async function fetched(npm: Npm, packages: readonly string[]): Promise<string> {
  const dependencies: Record<string, string> = {};
  for (const given of packages) {
    const { name, spec } = splitSpec(given);
    if (name === null) {
      const parsed = parseSpec("package", given);
      throw new NpmError(null, `${given}: ${parsed.type === "refused" ? parsed.why : "it is no package's name"}`);
    }
    dependencies[name] = spec === "" ? "latest" : spec;
  }
  const key = Object.entries(dependencies)
    .map(([name, spec]) => `${name}@${spec}`)
    .toSorted()
    .join("+")
    .replaceAll(/[^\w.@+-]/g, "_");
  const prefix = `${cacheFolder}/${key}`;
  const inside: Npm = { ...npm, prefix, out: () => undefined };
  const bin = `${prefix}/node_modules/.bin`;
  const { files } = npm.host;
  if (files.stat(`${prefix}/package.json`) !== null) return bin;
  // npm asks the user here. Vibey itself asks whether the network may be used.
  if (npm.config.text("yes") === "false")
    throw new NpmError(null, `npx canceled due to missing packages and no YES option: ${JSON.stringify(packages)}`);
  const none: ReadonlySet<string> = new Set();
  const { root, lock } = await idealTree(inside, {
    pkg: { dependencies },
    explicit: none,
    updateNames: none,
    start: "nothing",
    full: false,
  });
  await reify(inside, {
    root,
    lock,
    clean: false,
    saveLock: false,
    packageText: () => ({ path: `${prefix}/package.json`, text: `${JSON.stringify({ dependencies }, null, 2)}\n` }),
  });
  return bin;
}
