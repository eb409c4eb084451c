import { decode } from "@msgpack/msgpack";
import type { WebContainerAnswer } from "./page-messages.ts";

/** The files of an export, by their paths relative to the exported folder. */
export interface Snapshot {
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Symbolic links, which a project can't keep. */
  readonly links: readonly string[];
}

/** An export, or a file in it, can't be read; the message says what was found. */
export class SnapshotError extends Error {
  override readonly name = "SnapshotError";
}

/**
 * Reads the client's export: the bytes of a snapshot (msgpack of `{d: {name: {f: {c, b?} | {l}} | {d}}}`, where `c` is text or, with `b`, one byte
 * per UTF-16 unit), or its tree (`{name: {file: {contents} | {symlink}} | {directory}}`). Throws `SnapshotError`.
 */
export function readSnapshot(exported: Extract<WebContainerAnswer, { readonly kind: "snapshot" | "tree" }>): Snapshot {
  const files = new Map<string, Uint8Array>();
  const links: string[] = [];
  if (exported.kind === "tree") readFolder(exported.tree, "", files, links);
  else readFolder(unpack(exported.bytes), "", files, links);
  return { files, links };
}

function unpack(bytes: Uint8Array): unknown {
  let root: unknown;
  try {
    root = decode(bytes);
  } catch (error) {
    throw new SnapshotError(`the snapshot is no msgpack: ${String(error)}`);
  }
  const folder = field(root, "d");
  if (folder === undefined) throw new SnapshotError("the snapshot has no folder at its root");
  return folder;
}

function readFolder(folder: unknown, prefix: string, files: Map<string, Uint8Array>, links: string[]): void {
  if (typeof folder !== "object" || folder === null) throw new SnapshotError(`${prefix || "the root"} is no folder`);
  for (const [name, entry] of Object.entries(folder)) {
    const path = prefix + name;
    const inner = field(entry, "d") ?? field(entry, "directory");
    if (inner !== undefined) readFolder(inner, `${path}/`, files, links);
    else {
      const file = field(entry, "f") ?? field(entry, "file");
      if (field(file, "l") !== undefined || field(file, "symlink") !== undefined) links.push(path);
      else files.set(path, contentOf(file, path));
    }
  }
}

function contentOf(file: unknown, path: string): Uint8Array {
  const content = field(file, "c") ?? field(file, "contents");
  if (content instanceof Uint8Array) return content;
  if (typeof content !== "string") throw new SnapshotError(`${path} has no content`);
  return field(file, "b") === true ? Uint8Array.from(content, (unit) => unit.charCodeAt(0)) : new TextEncoder().encode(content);
}

/** Reads an own property. */
function field(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the value is unknown anyway.
  return (value as Readonly<Record<string, unknown>>)[name];
}
