import type { Change, Files, FileStat } from "../../src/fs/files.ts";
import { type Path, parsePath } from "../../src/fs/path.ts";

export function path(text: string): Path {
  const parsed = parsePath(text);
  if (!parsed.ok) throw new Error(`${text}: ${parsed.failure.why}`);
  return parsed.path;
}

/**
 * The changes of one commit, one per line. The word after the path is the data; `_` means no data.
 *
 *     write a one          write a one head:two three      (a list of pieces, the second one open as "head")
 *     append a two         append a head:two
 *     patch a head:three   close a head:three
 *     rename a b           remove a                        fold a
 */
export function changes(text: string): Change[] {
  return text
    .split(/[\n;]/)
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map(change);
}

function change(line: string): Change {
  const [op = "", name = "", ...words] = line.split(/\s+/);
  const pieces = words.map(piece);
  const [first = { data: "" }] = pieces;
  switch (op) {
    case "write":
      return { op, path: path(name), data: pieces.length === 1 && first.open === undefined ? first.data : pieces };
    case "append":
      return { op, path: path(name), ...first };
    case "patch":
      return { op, path: path(name), label: first.open ?? "", data: first.data };
    case "close":
      return { op: "patch", path: path(name), label: first.open ?? "", data: first.data, close: true };
    case "rename":
      return { op, from: path(name), to: path(words[0] ?? "") };
    case "remove":
    case "fold":
      return { op, path: path(name) };
    default:
      throw new Error(`no such change: ${line}`);
  }
}

function piece(word: string): { data: string; open?: string } {
  const [, label, given = ""] = /^(?:(\w+):)?(.*)$/.exec(word) ?? [];
  const data = given === "_" ? "" : given;
  return label === undefined ? { data } : { data, open: label };
}

/** All files with their texts, such as `a=onetwo b=`. */
export async function texts(files: Files): Promise<string> {
  const all: string[] = [];
  for (const { path: name } of await files.list()) all.push(`${name}=${await textOf(files, name)}`);
  return all.join(" ");
}

export async function textOf(files: Files, name: Path): Promise<string> {
  const content = await files.read(name);
  if (!content) throw new Error(`${name} is not there`);
  return new TextDecoder("utf-8", { ignoreBOM: true, fatal: true }).decode(content.bytes);
}

/** Everything that is visible of a project from outside. */
export async function everything(files: Files): Promise<{ stats: FileStat[]; texts: string }> {
  return { stats: await files.list(), texts: await texts(files) };
}

/** Commits, and expects success. */
export async function commit(files: Files, text: string | Change[]): Promise<number> {
  const result = await files.commit(typeof text === "string" ? changes(text) : text, { durability: "relaxed" });
  if (!result.ok) throw new Error(`${JSON.stringify(text)}: ${JSON.stringify(result.failure)}`);
  return result.version;
}
