import type { Context } from "../commands/answer.ts";
import { fromBytes, toBytes } from "../encoding.ts";
import type { ShellHost } from "../host.ts";
import { type Call, type Config, defaultRegistry, readConfig, registryAddress } from "./config.ts";
import { errorText, NpmError } from "./failure.ts";
import { type JsonFile, defaultLayout, readJson } from "./project/json-file.ts";
import { workspaceRoot } from "./project/workspaces.ts";
import { createRegistry, type Registry } from "./registry/registry.ts";

/** A call of npm. */
export interface Npm {
  readonly host: ShellHost;
  readonly context: Context;
  readonly call: Call;
  readonly config: Config;
  /** The absolute folder of the project that npm works on. */
  readonly prefix: string;
  /** The project that lists `prefix` as a workspace; otherwise `prefix`. */
  readonly root: string;
  /** Whether the command is for workspaces of the project: `-w` or `--workspaces`. */
  readonly inWorkspaces: boolean;
  readonly registry: Registry;
  /** When the command began, in milliseconds since 1970. */
  readonly started: number;
  /** Milliseconds since 1970. */
  now(): number;
  out(line: string): void;
  warn(line: string): void;
  /** Prints an error that does not end the command. */
  error(code: string | null, lines: readonly string[]): void;
  /** Prints an empty line between two errors. */
  blankError(): void;
  /** Shows the output so far; the command that npm runs shows its own output next. */
  showOutput(): void;
  /** Prints the output of a command that npm has run, which was already shown. */
  print(done: Printed): void;
  /** Throws if the command must stop. */
  checkpoint(): void;
}

export interface Printed {
  readonly stdout: string;
  readonly stderr: string;
  readonly stdoutKind?: "text" | "bytes";
  readonly stdoutEncoding?: "binary";
}

export interface NpmResult {
  stdout: string;
  stderr: string;
}

/**
 * Options that are refused because they would change the result and are not supported. Other unsupported npm options are accepted without an effect.
 */
const refused: readonly (readonly [name: string, why: string])[] = [
  ["offline", "nothing is kept of what was fetched before"],
  ["tag", "write the tag after the name, as in name@next"],
  ["save-bundle", "packages can't be published from here"],
  ["install-strategy", "packages are placed as npm's own, hoisted strategy does"],
  ["script-shell", "scripts are run by this shell"],
  ["userconfig", "settings are those of .npmrc in the home folder and in the project"],
  ["long", "there are the short lists"],
];

export function createNpm(host: ShellHost, context: Context, call: Call, result: NpmResult): Npm {
  const env = context.exportedEnv === undefined ? context.env : new Map(Object.entries(context.exportedEnv));
  const given = call.options.get("prefix")?.at(-1) ?? call.options.get("cwd")?.at(-1);
  const prefix = given === undefined ? findPrefix(host, context.cwd) : context.fs.resolvePath(context.cwd, given);
  const config = readConfig({ files: host.files, folders: [...new Set([env.get("HOME") ?? "/", prefix])], env, call });
  const silent = config.flag("silent") || config.text("loglevel") === "silent";
  const warn = (line: string): void => {
    if (!silent && config.text("loglevel") !== "error") result.stderr += `npm warn ${line}\n`;
  };
  for (const warning of call.warnings) warn(warning);
  if (config.hasSecret) warn("config .npmrc holds a password or a token; it is not used here and never sent");
  if (config.flag("global"))
    throw new NpmError(null, "Nothing can be installed globally here; leave out -g, and run the command with npx.");
  const inWorkspaces = config.list("workspace").length > 0 || config.flag("workspaces");
  if (inWorkspaces && config.text("workspaces") === "false")
    throw new NpmError(null, "Cannot use --no-workspaces and --workspace at the same time");
  for (const [name, why] of refused) {
    const value = call.options.get(name)?.at(-1);
    if (value !== undefined && value !== "false") throw new NpmError(null, `--${name} is not here: ${why}`);
  }
  const now = (): number => Date.now();
  const terminal = host.terminal(context);
  const shown = { stdout: 0, stderr: 0 };
  return {
    host,
    context,
    call,
    config,
    prefix,
    root: workspaceRoot(host.files, prefix),
    inWorkspaces,
    started: now(),
    now,
    registry: createRegistry({ host, address: registryAddress(config.text("registry") ?? defaultRegistry), scopes: config.scopes, now }),
    out: (line) => void (result.stdout += `${line}\n`),
    warn,
    error: (code, lines) => void (result.stderr += errorText(new NpmError(code, lines))),
    blankError: () => void (result.stderr += "\n"),
    showOutput() {
      for (const stream of ["stdout", "stderr"] as const) {
        terminal?.(stream, result[stream].slice(shown[stream]));
        shown[stream] = result[stream].length;
      }
    },
    print({ stdout, stderr, stdoutKind, stdoutEncoding }) {
      const bytes = stdoutKind === "bytes" || stdoutEncoding === "binary";
      result.stdout += bytes ? fromBytes(toBytes(stdout, "latin1"), undefined) : stdout;
      result.stderr += stderr;
      shown.stdout = result.stdout.length;
      shown.stderr = result.stderr.length;
    },
    checkpoint() {
      if (host.stop() !== null) throw new NpmError(null, "stopped before everything was there; nothing was changed");
    },
  };
}

/** The nearest project folder upwards, or the working directory if there is none. */
function findPrefix(host: ShellHost, cwd: string): string {
  for (let folder = cwd; ; folder = folder.slice(0, folder.lastIndexOf("/"))) {
    const inside = /(?:^|\/)node_modules(?:\/|$)/.test(folder);
    if (!inside && (host.files.stat(`${folder}/package.json`) !== null || host.files.stat(`${folder}/node_modules`)?.kind === "folder"))
      return folder || "/";
    if (folder === "" || folder === "/") return cwd;
  }
}

export const packagePath = (npm: Npm): string => `${npm.prefix === "/" ? "" : npm.prefix}/package.json`;

/** The project's package.json; null if there is none. */
export function readPackage(npm: Npm): JsonFile | null {
  return readJson(npm.host.files, packagePath(npm));
}

export function needPackage(npm: Npm): JsonFile {
  const path = packagePath(npm);
  return (
    readPackage(npm) ??
    (() => {
      throw new NpmError("ENOENT", [
        "syscall open",
        `path ${path}`,
        "errno -2",
        `enoent Could not read package.json: Error: ENOENT: no such file or directory, open '${path}'`,
        "enoent This is related to npm not being able to find a file.",
        "enoent",
      ]);
    })()
  );
}

export const emptyPackage = (npm: Npm): JsonFile => ({ path: packagePath(npm), value: {}, ...defaultLayout });

export function isSilent({ config }: Npm): boolean {
  return config.flag("silent") || config.text("loglevel") === "silent";
}

/** Formats a duration like npm does: `321ms`, `2s`, `1m`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))}ms`;
  return ms < 60_000 ? `${Math.round(ms / 1000)}s` : `${Math.round(ms / 60_000)}m`;
}

export function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
