import type { FsStat } from "just-bash/browser";
import { type Context, stdinBytes } from "./answer.ts";

/** The working directory and the files. */
export type Place = Pick<Context, "fs" | "cwd">;

export type Read = { readonly ok: true; readonly bytes: Uint8Array } | { readonly ok: false; readonly why: string };

export function absolute(context: Place, path: string): string {
  return context.fs.resolvePath(context.cwd, path);
}

export async function statOf(context: Place, path: string): Promise<FsStat | null> {
  const at = absolute(context, path);
  return (await context.fs.exists(at)) ? context.fs.stat(at) : null;
}

/** The same for a link itself, whether or not its target exists. */
export async function linkStatOf(context: Place, path: string): Promise<FsStat | null> {
  try {
    return await context.fs.lstat(absolute(context, path));
  } catch (error) {
    if (/^(?:ENOENT|ENOTDIR)\b/.test(error instanceof Error ? error.message : "")) return null;
    throw error;
  }
}

/** Reads a file; `-` is standard input. */
export async function readInput(context: Context, path: string): Promise<Read> {
  if (path === "-" || path === "/dev/stdin") return { ok: true, bytes: stdinBytes(context) };
  const stat = await statOf(context, path);
  if (stat === null) return { ok: false, why: "No such file or directory" };
  if (stat.isDirectory) return { ok: false, why: "Is a directory" };
  return { ok: true, bytes: await context.fs.readFileBuffer(absolute(context, path)) };
}

/** Writes a file. Returns why that failed, or null. */
export async function writeOutput(context: Place, path: string, bytes: Uint8Array): Promise<string | null> {
  try {
    await context.fs.writeFile(absolute(context, path), bytes);
    return null;
  } catch (error) {
    return reasonOf(error);
  }
}

/** Creates a folder and those above it. Returns why that failed, or null. */
export async function makeFolders(context: Place, path: string): Promise<string | null> {
  try {
    await context.fs.mkdir(absolute(context, path), { recursive: true });
    return null;
  } catch (error) {
    return reasonOf(error);
  }
}

/** The system's text for an error whose message starts with the system's code. */
export function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const code = /^E[A-Z]+(?=: )/.exec(message)?.[0] ?? "";
  return sayings.get(code) ?? message.slice(code === "" ? 0 : code.length + 2);
}

const sayings = new Map([
  ["ENOENT", "No such file or directory"],
  ["EISDIR", "Is a directory"],
  ["ENOTDIR", "Not a directory"],
  ["EEXIST", "File exists"],
  ["ENOTEMPTY", "Directory not empty"],
]);

export interface Entry {
  /** As the user would write it: below the given path. */
  readonly path: string;
  readonly stat: FsStat;
}

/**
 * Yields the path and everything below it: a folder before its contents, names in order. Leaves out paths for which `skip` is true, with everything
 * below them. A link to a file counts as that file; other links are left out.
 */
export async function* walk(context: Place, path: string, skip: (path: string) => boolean = () => false): AsyncGenerator<Entry> {
  if (skip(path)) return;
  const at = absolute(context, path);
  const stat = await context.fs.stat(at);
  yield { path, stat };
  if (!stat.isDirectory) return;
  for (const name of await context.fs.readdir(at)) {
    const below = path.endsWith("/") ? path + name : `${path}/${name}`;
    const isLink = (await context.fs.lstat(absolute(context, below))).isSymbolicLink;
    if (!isLink || (await statOf(context, below))?.isFile === true) yield* walk(context, below, skip);
  }
}

/** Converts a shell pattern to a regular expression. `*` and `?` match slashes, as in tar and zip. */
export function globExpression(pattern: string): string {
  return pattern.replaceAll(/[.+^${}()|\\]|\*|\?/g, (found) => (found === "*" ? ".*" : found === "?" ? "." : `\\${found}`));
}

/** The mode in the format of `ls -l`. */
export function flagsOf({ isDirectory, isSymbolicLink = false, mode }: Pick<FsStat, "isDirectory" | "mode"> & Partial<FsStat>): string {
  return (
    (isSymbolicLink ? "l" : isDirectory ? "d" : "-") +
    "rwxrwxrwx".replaceAll(/./g, (letter, i: number) => (mode & (1 << (8 - i)) ? letter : "-"))
  );
}
