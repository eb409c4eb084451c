import { stdinLatin1 } from "../../commands/answer.ts";
import { NpmError } from "../failure.ts";
import { namesOf, readManifest } from "../manifest.ts";
import { isSilent, needPackage, type Npm, quote } from "../npm.ts";
import type { JsonFile } from "../project/json-file.ts";
import { nodeVersion, npmVersion } from "../registry/pick.ts";

/** `npm run`, `npm test`, `npm start` and similar commands in the project. */
export async function run(npm: Npm, name: string | undefined, args: readonly string[]): Promise<number> {
  const own = needPackage(npm);
  if (name === undefined) {
    list(npm, own, namesOf(own.value["scripts"]));
    return 0;
  }
  const failure = await runIn(npm, own, name, args);
  if (failure !== null && failure.command === null) throw new NpmError(null, failure.lines);
  return failure?.exitCode ?? 0;
}

/** The command that failed; or, if there is no such script, null and lines that say so. */
export type Failure = { readonly exitCode: number } & (
  | { readonly command: string }
  | { readonly command: null; readonly lines: readonly string[] }
);

/** Runs a script of the package in `npm.prefix`, with those before and after it. Null: it succeeded. */
export async function runIn(npm: Npm, own: JsonFile, name: string, args: readonly string[]): Promise<Failure | null> {
  const scripts = namesOf(own.value["scripts"]);
  const script =
    (Object.hasOwn(scripts, name) ? scripts[name] : undefined) ??
    (name === "start" && npm.host.files.stat(`${npm.prefix}/server.js`) !== null ? "node server.js" : name === "env" ? "env" : undefined);
  if (script === undefined) {
    if (npm.config.flag("if-present")) return null;
    const where = npm.inWorkspaces && npm.prefix !== npm.root ? ` --workspace=${idOf(own)}` : "";
    const lines = [`Missing script: "${name}"`, ...similar(name, scripts), "", "To see a list of scripts, run:", `  npm run${where}`];
    return { exitCode: 1, command: null, lines };
  }
  const given = { ...scripts, [name]: script };
  for (const event of npm.config.flag("ignore-scripts") ? [name] : [`pre${name}`, name, `post${name}`]) {
    const text = given[event];
    if (text === undefined) continue;
    const words = event === name ? args : [];
    const exitCode = await runScript(npm, own, event, text, words);
    if (exitCode !== 0) return { exitCode, command: [text, ...words.map(quote)].join(" ") };
  }
  return null;
}

/** Runs those of the named scripts that exist, one after another; stops at the first that fails. */
export async function runEvents(npm: Npm, own: JsonFile, events: readonly string[]): Promise<number> {
  const scripts = namesOf(own.value["scripts"]);
  for (const event of events) {
    const script = scripts[event];
    const code = script === undefined ? 0 : await runScript(npm, own, event, script, []);
    if (code !== 0) {
      npm.warn(`script "${event}" of this project failed with exit code ${code}`);
      return code;
    }
  }
  return 0;
}

async function runScript(npm: Npm, own: JsonFile, event: string, script: string, args: readonly string[]): Promise<number> {
  const { name = "", version = "" } = readManifest(own.value);
  const line = [script, ...args.map(quote)].join(" ");
  if (!isSilent(npm)) {
    const id = name === "" ? "" : `${name}${version === "" ? "" : `@${version}`} `;
    npm.out(`\n> ${id}${event}\n> ${[script, ...args].join(" ").trim().replaceAll("\n", "\n> ")}\n`);
  }
  return shell(npm, line, npm.prefix, { ...packageVariables(own), npm_lifecycle_event: event, npm_lifecycle_script: script });
}

/** Runs shell text with the project's commands first in PATH. Its output is npm's own output. */
export async function shell(
  npm: Npm,
  text: string,
  cwd: string,
  variables: Readonly<Record<string, string>>,
  bins: readonly string[] = [],
): Promise<number> {
  const { context, prefix } = npm;
  if (!context.exec) throw new NpmError(null, "there is no shell to run it with");
  const env: Record<string, string> = {
    ...variables,
    PATH: [...bins, ...binFolders(prefix), context.env.get("PATH") ?? "/usr/bin:/bin"].join(":"),
    INIT_CWD: context.cwd,
    npm_command: "run-script",
    npm_config_user_agent: `npm/${npmVersion} node/v${nodeVersion} linux wasm32 workspaces/${npm.inWorkspaces}`,
    npm_config_registry: npm.registry.address,
    npm_config_local_prefix: npm.root,
    npm_execpath: "/usr/bin/npm",
    npm_node_execpath: "/usr/bin/node",
    npm_package_json: `${prefix}/package.json`,
    NODE: "/usr/bin/node",
  };
  const names = Object.keys(env).join(" ");
  npm.showOutput();
  // just-bash caches where it found a command, even if PATH changes later. What it finds here must not be used outside, and vice versa.
  const done = await context.exec(`hash -r\nexport ${names}\n${text}`, {
    cwd,
    env: { ...context.exportedEnv, ...env },
    stdin: stdinLatin1(context),
    stdinKind: "bytes",
    signal: npm.host.signal(),
  });
  await context.exec("hash -r", { cwd });
  npm.print(done);
  return done.exitCode;
}

function binFolders(prefix: string): string[] {
  const folders: string[] = [];
  for (let folder = prefix; ; folder = folder.slice(0, folder.lastIndexOf("/"))) {
    folders.push(`${folder === "/" ? "" : folder}/node_modules/.bin`);
    if (folder === "" || folder === "/") return folders;
  }
}

/** `npm_package_*`: the part of package.json that npm passes on. */
function packageVariables(own: JsonFile): Record<string, string> {
  const variables: Record<string, string> = {};
  const put = (key: string, value: unknown): void => {
    if (typeof value === "object" && value !== null)
      for (const [inner, each] of Object.entries(value)) put(`${key}_${inner.replaceAll(/[^\w]/g, "_")}`, each);
    else if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") variables[key] = String(value);
  };
  for (const key of ["name", "version", "config", "engines", "bin"]) put(`npm_package_${key}`, own.value[key]);
  return variables;
}

/** The name and version of a package, as in `a@1.0.0`. */
export function idOf(own: JsonFile): string {
  const { name = "", version } = readManifest(own.value);
  return name === "" || version === undefined ? name : `${name}@${version}`;
}

/** The scripts that npm runs by itself or by a command of their name. */
const lifecycle = new Set([
  ..."prepare prepublishOnly prepack postpack dependencies".split(" "),
  ..."install publish restart start stop test uninstall version".split(" ").flatMap((name) => [`pre${name}`, name, `post${name}`]),
  "prepublish",
]);

export function list(npm: Npm, own: JsonFile, scripts: Readonly<Record<string, string>>): void {
  if (isSilent(npm)) return undefined;
  if (npm.config.flag("json")) return npm.out(JSON.stringify(scripts, null, 2));
  const names = Object.keys(scripts);
  const print = (title: string, keys: readonly string[]): void => {
    if (keys.length > 0) npm.out(`${title}\n${keys.map((key) => `  ${key}\n    ${scripts[key]}`).join("\n")}`);
  };
  const first = names.filter((key) => lifecycle.has(key));
  print(`Lifecycle scripts included in ${idOf(own)}:`, first);
  print(
    first.length > 0 ? "available via `npm run`:" : `Scripts available in ${idOf(own)} via \`npm run\`:`,
    names.filter((key) => !lifecycle.has(key)),
  );
  return undefined;
}

/** npm's suggestions for a misspelled name. */
function similar(name: string, scripts: Readonly<Record<string, string>>): string[] {
  const near = Object.keys(scripts)
    .filter((key) => distance(key, name) <= Math.max(1, name.length * 0.4))
    .slice(0, 3);
  if (near.length === 0) return [];
  return [
    "",
    `Did you mean ${near.length === 1 ? "this" : "one of these"}?`,
    ...near.map((key) => `  npm run ${key} # run the "${key}" package script`),
  ];
}

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[b.length] ?? 0;
}
