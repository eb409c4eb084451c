import { accessSync, constants, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Call, CallAround, CallResult, CallWays } from "../../../embedded/interpreter.ts";
import { breathe } from "../breathe.ts";
import { withoutLinks } from "../disk/without-links.ts";
import { programCommand } from "./command.ts";
import { fileKind } from "./shebang.ts";

/** They may be there without a file on the PATH that says so. */
const builtIn = new Set(["node", "npm", "npx", "corepack", "pnpm", "yarn", "python", "python3"]);

/**
 * What a name on a command line means, beyond what just-bash knows:
 *
 * - A command of the shell's own comes before a program of the same name in one of the WebContainer's folders of programs (`system`); one that the
 *   session put on the PATH before those comes first.
 * - A file is run as what it is: a script of a shell by this shell, another script by its interpreter, anything else by the WebContainer. It need not be
 *   executable when it begins with `#!`, since the project keeps no modes.
 * - A name that is nowhere on the PATH is looked for in the nearest `node_modules/.bin`.
 */
export function createAround(system: readonly string[], isOwn: (name: string) => boolean): CallAround {
  return {
    async command(call, ways) {
      await breathe();
      const { name } = call;
      if (name.includes("/")) {
        const path = resolve(folderOf(call), name);
        return isScriptWithoutMode(path) ? ways.file(path, call.args) : ways.go(false);
      }
      if (name === "command" && /^-[pvV]*[vV]/.test(call.args[0] ?? "")) return whereIs(call, ways);
      if (isOwn(name)) {
        const own = !isBefore(call, system);
        if (!own) forgetPlace(call);
        return own && isRecursiveGrep(call) ? withoutLinks.run(true, () => ways.go(true)) : ways.go(own);
      }
      forgetPlace(call);
      const result = await ways.go(false);
      if (!isNotFound(result, name)) return result;
      const local = inNearestBin(folderOf(call), name);
      if (local !== null) return ways.file(local, call.args);
      return builtIn.has(name) ? ways.command(programCommand, [name, ...call.args]) : result;
    },
    async file(call, ways) {
      if (system.includes(dirname(call.name))) return ways.command(programCommand, [call.name, ...call.args]);
      const kind = statSync(call.name, { throwIfNoEntry: false })?.isFile() === true ? fileKind(call.name) : null;
      switch (kind?.kind) {
        case "program":
          return ways.command(programCommand, [call.name, ...call.args]);
        case "with":
          if (isOwn(kind.program)) return ways.command(kind.program, [...kind.args, call.name, ...call.args]);
          return ways.command(programCommand, [kind.program, ...kind.args, call.name, ...call.args]);
        default:
          return ways.go(false);
      }
    },
  };
}

type Variables = { readonly cwd: string; readonly env: ReadonlyMap<string, string> };

function variablesOf({ interpreter }: Call): Variables {
  const { state } = interpreter.ctx;
  if (!("cwd" in state && typeof state.cwd === "string" && "env" in state && state.env instanceof Map))
    throw new Error("just-bash keeps its variables elsewhere: was it updated?");
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- checked just before.
  return state as Variables;
}

const folderOf = (call: Call): string => variablesOf(call).cwd;

/** just-bash remembers where it found a command, also when the PATH is another one. */
function forgetPlace({ interpreter, name }: Call): void {
  const { state } = interpreter.ctx;
  if ("hashTable" in state && state.hashTable instanceof Map) state.hashTable.delete(name);
}

/** A program of that name lies in a folder that the PATH has before the WebContainer's own. */
function isBefore(call: Call, system: readonly string[]): boolean {
  const { cwd, env } = variablesOf(call);
  for (const folder of (env.get("PATH") ?? "").split(":")) {
    if (folder === "/usr/bin" || folder === "/bin" || system.includes(folder)) return false;
    if (folder !== "" && canRun(resolve(cwd, folder, call.name))) return true;
  }
  return false;
}

/** `command -v`, of which just-bash's knows no programs: the name of a file is added for whatever else could be run. */
async function whereIs(call: Call, ways: CallWays): Promise<CallResult> {
  const { args } = call;
  const first = args.findIndex((arg) => !arg.startsWith("-") || arg === "--");
  const options = args.slice(0, first === -1 ? args.length : first);
  const names = args.slice(options.length).filter((arg, i) => i > 0 || arg !== "--");
  const isLong = options.some((option) => option.includes("V"));
  const whole = { stdout: "", stderr: "", exitCode: 0 };
  for (const name of names) {
    // oxlint-disable-next-line no-await-in-loop -- in their order.
    const result = await ways.command("command", [...options, "--", name]);
    const path = result.exitCode === 0 ? null : fileOf(call, name);
    whole.stdout += path === null ? result.stdout : isLong ? `${name} is ${path}\n` : `${path}\n`;
    if (path !== null) continue;
    whole.stderr += result.stderr;
    whole.exitCode ||= result.exitCode;
  }
  return whole;
}

/** The file that a name would be run from; null: none. */
function fileOf(call: Call, name: string): string | null {
  if (name === "" || name.includes("/")) return null;
  const { cwd, env } = variablesOf(call);
  for (const folder of (env.get("PATH") ?? "").split(":")) {
    const path = resolve(cwd, folder, name);
    if (folder !== "" && canRun(path)) return path;
  }
  return inNearestBin(cwd, name) ?? (name === "node" ? process.execPath : null);
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    // That is the answer.
    return false;
  }
}

function isScriptWithoutMode(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat?.isFile() !== true || (stat.mode & 0o111) !== 0) return false;
  const kind = fileKind(path);
  return kind.kind === "with" || (kind.kind === "script" && kind.marked);
}

function inNearestBin(from: string, name: string): string | null {
  for (let folder = from; ; folder = dirname(folder)) {
    const path = resolve(folder, "node_modules/.bin", name);
    if (statSync(path, { throwIfNoEntry: false })?.isFile() === true) return path;
    if (folder === dirname(folder)) return null;
  }
}

function isRecursiveGrep({ name, args }: Call): boolean {
  return /^[ef]?grep$/.test(name) && args.some((arg) => /^(?:-[a-zA-Z]*r[a-zA-Z]*|--recursive)$/.test(arg));
}

function isNotFound({ exitCode, stderr }: CallResult, name: string): boolean {
  return exitCode === 127 && stderr.startsWith(`bash: ${name}: command not `);
}
