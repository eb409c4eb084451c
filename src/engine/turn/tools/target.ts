import type { Files } from "../../../fs/files.ts";
import { type Path, parsePath } from "../../../fs/path.ts";
import type { JsonObject } from "../../../dialog/model.ts";
import { limits } from "../../../protocol/limits.ts";
import { agentPath, guardMainDoc, isMainDoc, isMemoryPath, writeRefusal } from "../../../protocol/write-rules.ts";
import { maxMemoryLength } from "./memory.ts";
import { type Plan, refuse } from "./tool.ts";

/** A file that an agent may write, in its current state. */
export interface Target {
  readonly path: Path;
  /** Null if there is no such file. */
  readonly current: { readonly version: number; readonly bytes: Uint8Array } | null;
}

export type OpenedTarget = { readonly ok: true; readonly target: Target } | { readonly ok: false; readonly error: string };

/**
 * Opens the file that a tool's `path` names, if the agent may write it and a file can exist there. `memory` is the agent's own memory file. Null
 * if it has none.
 */
export async function openTarget(
  text: string,
  { files, memory }: { readonly files: Pick<Files, "stat" | "read" | "list">; readonly memory: Path | null },
): Promise<OpenedTarget> {
  const named = agentPath(text);
  if (!named.ok) return { ok: false, error: `path: ${named.why}` };
  const { path } = named;
  const refusal = path === memory ? null : writeRefusal(path);
  if (refusal !== null) return { ok: false, error: `path: ${refusal}` };
  const current = await files.read(path);
  if (current !== null) return { ok: true, target: { path, current } };
  for (const folder of foldersOf(path)) {
    if ((await files.stat(folder)) !== null) return { ok: false, error: `path: ${folder} is a file, so ${path} can't be in it` };
  }
  if ((await files.list(`${path}/`)).length > 0) return { ok: false, error: `path: ${path} is a folder` };
  return { ok: true, target: { path, current: null } };
}

function foldersOf(path: Path): Path[] {
  const folders: Path[] = [];
  for (let slash = path.indexOf("/"); slash >= 0; slash = path.indexOf("/", slash + 1)) {
    const parsed = parsePath(path.slice(0, slash));
    if (parsed.ok) folders.push(parsed.path);
  }
  return folders;
}

/** Plans to write this text to the file, unless it is too long or would change the authority lines of doc-main.md. */
export function planWrite({ path, current }: Target, wanted: string, result: JsonObject): Plan {
  const text = isMainDoc(path) ? withoutMark(wanted) : wanted;
  const size = new TextEncoder().encode(text).length;
  if (size > limits.fileBytes) return refuse(`the file would have ${size} bytes; a file has at most ${limits.fileBytes}`);
  if (isMemoryPath(path) && text.length > maxMemoryLength)
    return refuse(`a memory has at most ${maxMemoryLength} characters; this would have ${text.length}. Keep what still matters`);
  if (isMainDoc(path)) {
    const guard = guardMainDoc(current && new TextDecoder().decode(current.bytes), text);
    if (!guard.ok) return refuse(guard.error, guard.notice);
  }
  return {
    changes: [{ op: "write", path, data: text }],
    expect: [{ path, version: current?.version ?? null }],
    result: { success: true, ...result },
  };
}

/** Removes a byte order mark, because not every reader would see an authority line behind it. */
function withoutMark(text: string): string {
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}
