import { fromBytes, toBytes } from "../../encoding.ts";
import type { SyncFiles } from "../../sync-files.ts";
import { NpmError } from "../failure.ts";
import { isRecord } from "../manifest.ts";

/** A JSON file that is written back with its original layout. */
export interface JsonFile {
  readonly path: string;
  readonly value: Readonly<Record<string, unknown>>;
  readonly indent: string;
  readonly newline: string;
}

export const defaultLayout = { indent: "  ", newline: "\n" };

/** Null: the file does not exist. */
export function readJson(files: SyncFiles, path: string): JsonFile | null {
  if (files.stat(path)?.kind !== "file") return null;
  const text = fromBytes(files.read(path), undefined).replace(/^\uFEFF/, "");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new NpmError("EJSONPARSE", [
      `JSON.parse Invalid JSON in ${path}: ${error instanceof Error ? error.message : String(error)}`,
      "JSON.parse Failed to parse JSON data.",
      "JSON.parse Note: package.json must be actual JSON, not just JavaScript.",
    ]);
  }
  if (!isRecord(value)) throw new NpmError("EJSONPARSE", `JSON.parse ${path} holds no object`);
  return { path, value, indent: /^[ \t]+(?=")/m.exec(text)?.[0] ?? defaultLayout.indent, newline: text.includes("\r\n") ? "\r\n" : "\n" };
}

/** Writes the file only if its content differs, so that an unchanged file counts as untouched. */
export function writeText(files: SyncFiles, path: string, text: string): void {
  const bytes = toBytes(text, undefined);
  if (files.stat(path)?.kind === "file" && fromBytes(files.read(path), undefined) === text) return;
  const folder = path.slice(0, path.lastIndexOf("/"));
  if (folder !== "") files.makeFolder(folder, true);
  files.write(path, bytes);
}

export function jsonText(value: unknown, { indent, newline }: Pick<JsonFile, "indent" | "newline">): string {
  return `${JSON.stringify(value, null, indent)}\n`.replaceAll("\n", newline);
}

/** Sorts keys as npm does in lock files: those of `first`, then the others by name; objects come last. */
export function sortedKeys(value: unknown, first: readonly string[]): unknown {
  if (!isRecord(value)) return value;
  const rank = (key: string): number => {
    const at = first.indexOf(key);
    return at < 0 ? first.length : at;
  };
  const entries = Object.entries(value).toSorted(
    ([a, one], [b, other]) => Number(isRecord(one)) - Number(isRecord(other)) || rank(a) - rank(b) || a.localeCompare(b, "en"),
  );
  return Object.fromEntries(entries.map(([key, each]) => [key, sortedKeys(each, first)]));
}
