import type { Change, FileStat, FileContent, Files } from "../../fs/files.ts";
import type { Path } from "../../fs/path.ts";
import { parsePath } from "../../fs/path.ts";
import { limits } from "../limits.ts";
import { agentPath, isMainDoc, guardMainDoc, writeRefusal } from "../permissions.ts";
import { type Plan, refuse } from "./tool.ts";

export type Target =
  | { readonly ok: true; readonly path: Path; /** With its bytes when it is doc-main.md. */ readonly current: FileStat | FileContent | null }
  | { readonly ok: false; readonly error: string };

/** The file that an agent's tool names, when the agent may write there and a file can be there. */
export async function openTarget(text: string, files: Pick<Files, "stat" | "read" | "list">): Promise<Target> {
  const named = agentPath(text);
  if (!named.ok) return { ok: false, error: `path: ${named.why}` };
  const { path } = named;
  const refusal = writeRefusal(path);
  if (refusal !== null) return { ok: false, error: `path: ${refusal}` };
  const current = isMainDoc(path) ? await files.read(path) : await files.stat(path);
  if (current !== null) return { ok: true, path, current };
  for (const folder of foldersOf(path)) {
    if ((await files.stat(folder)) !== null) return { ok: false, error: `path: ${folder} is a file, so ${path} can't be in it` };
  }
  if ((await files.list(`${path}/`)).length > 0) return { ok: false, error: `path: ${path} is a folder` };
  return { ok: true, path, current };
}

function foldersOf(path: Path): Path[] {
  const folders: Path[] = [];
  for (let slash = path.indexOf("/"); slash >= 0; slash = path.indexOf("/", slash + 1)) {
    const parsed = parsePath(path.slice(0, slash));
    if (parsed.ok) folders.push(parsed.path);
  }
  return folders;
}

/** The plan that leaves the file with this text, unless the text is too long or would change doc-main.md's authority lines. */
export function planWrite(target: { readonly path: Path; readonly current: FileStat | FileContent | null }, text: string, message: string): Plan {
  const { path, current } = target;
  const size = new TextEncoder().encode(text).length;
  if (size > limits.fileBytes) return refuse(`the file would have ${size} bytes; a file has at most ${limits.fileBytes}`);
  if (isMainDoc(path)) {
    const before = current === null ? null : "bytes" in current ? new TextDecoder().decode(current.bytes) : undefined;
    if (before === undefined) throw new TypeError("doc-main.md is guarded by its content");
    const guarded = guardMainDoc(before, text);
    if (!guarded.ok) return refuse(guarded.error, guarded.notice);
  }
  const change: Change = { op: "write", path, data: text };
  return { changes: [change], expect: [{ path, version: current?.version ?? null }], result: { success: true, message } };
}

/** The text of a file; null when it is no UTF-8 text. A byte order mark stays. */
export function decodeText(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}
