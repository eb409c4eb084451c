import { accessSync, constants, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Call, CallAround, CallResult, CallWays } from "../../../embedded/watcher.ts";
import { breathe } from "../breathe.ts";
import { withoutLinks } from "../disk/without-links.ts";
import { programCommand } from "./command.ts";
import { fileKind, shellNames } from "./shebang.ts";

/** Programs that may exist even if no file on the PATH shows them. */
const builtIn = new Set(["node", "npm", "npx", "corepack", "pnpm", "yarn", "python", "python3"]);

/**
 * Decides what a command name means, beyond what just-bash knows:
 *
 * - The shell's own command wins over a program of the same name in one of the WebContainer's program folders (`system`). A program in a folder that
 *   the session put on the PATH before those wins over both.
 * - A file runs according to its kind: a shell script in this shell, another script by its interpreter, anything else by the WebContainer. A file
 *   that begins with `#!` need not be executable, because the project stores no modes.
 * - `bash -e file` and the like, and the options in a script's first line, mean the same as in the embedded shell (`shells`).
 * - A name that is nowhere on the PATH is searched for in the nearest `node_modules/.bin`.
 */
export function createAround(system: readonly string[], isOwn: (name: string) => boolean, shells: CallAround): CallAround {
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
        if (own && shellNames.has(name)) return shells.command(call, { ...ways, go: () => ways.go(true) });
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
        case "script":
          return shells.file(call, ways);
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

/** just-bash caches where it found a command, even after the PATH has changed. */
function forgetPlace({ interpreter, name }: Call): void {
  const { state } = interpreter.ctx;
  if ("hashTable" in state && state.hashTable instanceof Map) state.hashTable.delete(name);
}

/** Whether a folder that comes before the WebContainer's own on the PATH has a program of that name. */
function isBefore(call: Call, system: readonly string[]): boolean {
  const { cwd, env } = variablesOf(call);
  for (const folder of (env.get("PATH") ?? "").split(":")) {
    if (folder === "/usr/bin" || folder === "/bin" || system.includes(folder)) return false;
    if (folder !== "" && canRun(resolve(cwd, folder, call.name))) return true;
  }
  return false;
}

/** `command -v`. just-bash's version does not know programs, so this adds the path of anything else that can be run. */
async function whereIs(call: Call, ways: CallWays): Promise<CallResult> {
  const { args } = call;
  const first = args.findIndex((arg) => !arg.startsWith("-") || arg === "--");
  const options = args.slice(0, first === -1 ? args.length : first);
  const names = args.slice(options.length).filter((arg, i) => i > 0 || arg !== "--");
  const isLong = options.some((option) => option.includes("V"));
  const whole = { stdout: "", stderr: "", exitCode: 0 };
  for (const name of names) {
    // oxlint-disable-next-line no-await-in-loop -- they are printed in order.
    const result = await ways.command("command", [...options, "--", name]);
    const path = result.exitCode === 0 ? null : fileOf(call, name);
    whole.stdout += path === null ? result.stdout : isLong ? `${name} is ${path}\n` : `${path}\n`;
    if (path !== null) continue;
    whole.stderr += result.stderr;
    whole.exitCode ||= result.exitCode;
  }
  return whole;
}

/** The file that would run for a name; null if there is none. */
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
    // The file does not exist or can't be executed.
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
