import { type Accessor, createSignal, onCleanup } from "solid-js";
import type { FilesThenAnswer, HistoryFilesAnswer, WrittenFile, WrittenOp } from "../../protocol/index.ts";
import { type Answer, ask, encodePath, json } from "../model/api/calls.ts";
import { createLatest } from "../model/api/latest.ts";
import { onChange } from "../ui/on-change.ts";

/** Milliseconds for which the slider must not move. */
const pause = 150;

/** The paths of all files at that moment, sorted: those of the commit, changed by the calls since. */
export function pathsThen(committed: readonly string[], written: readonly WrittenFile[]): readonly string[] {
  const paths = new Set(committed);
  for (const { path, gone } of written)
    if (gone) paths.delete(path);
    else paths.add(path);
  return [...paths].toSorted();
}

/** A file's text at that moment, from the text in the history and the calls since; null: the file didn't exist. `undefined`: not known. */
export function textThen(committed: string | null, ops: readonly WrittenOp[]): string | null | undefined {
  let text: string | null | undefined = committed;
  for (const op of ops) {
    if (op.op === "write") text = op.text;
    else if (op.op === "delete") text = null;
    else if (op.op === "edit" && typeof text === "string" && text.split(op.old).length === 2) text = text.replace(op.old, () => op.text);
    else text = undefined;
  }
  return text;
}

/** The paths at the moment of an event, once the slider has stopped; null: not known yet. */
export function createFilesThen(cursor: Accessor<string | null>) {
  const [still, setStill] = createSignal<string | null>(null);
  let timer: ReturnType<typeof setTimeout> | undefined;
  onCleanup(() => clearTimeout(timer));
  onChange(cursor, (now) => {
    clearTimeout(timer);
    timer = setTimeout(() => setStill(now), now === null ? 0 : pause);
  });
  const answer = createLatest(still, async (event) => (event === null ? null : { event, paths: await readPaths(event) }));
  return {
    /** The event at which the slider last stopped; null: the present. */
    event: (): string | null => (cursor() === null ? null : still()),
    /** The paths of the previous moment show until those of this moment are known. */
    paths(): readonly string[] | null {
      const found = answer();
      return found !== null && cursor() !== null && found.paths.ok ? found.paths.value : null;
    },
    problem(): string | null {
      const found = answer();
      return found === null || found.paths.ok || cursor() === null ? null : found.paths.message;
    },
  };
}

const filesThen = (event: string, path?: string) =>
  json<FilesThenAnswer>(`agents/log/files?${new URLSearchParams({ event, ...(path === undefined ? {} : { path }) })}`);

async function readPaths(event: string): Promise<Answer<readonly string[]>> {
  const then = await filesThen(event);
  if (!then.ok) return then;
  const { commit, written } = then.value;
  const committed = commit === null ? null : await json<HistoryFilesAnswer>(`history/${commit}/files`);
  if (committed?.ok === false) return committed;
  return { ok: true, value: pathsThen(committed?.value.files ?? [], written), etag: null };
}

/** The text of a file at the moment of an event; `undefined`: not known, or the file isn't text. */
export async function readTextThen(event: string, path: string): Promise<Answer<string | null | undefined>> {
  const then = await filesThen(event, path);
  if (!then.ok) return then;
  const { commit, ops } = then.value;
  const committed = commit === null ? null : await readCommitted(commit, path);
  if (committed?.ok === false) return committed;
  return { ok: true, value: textThen(committed?.value ?? null, ops), etag: null };
}

async function readCommitted(commit: string, path: string): Promise<Answer<string | null>> {
  const found = await ask(`history/${commit}/file/${encodePath(path)}`, (response) => response.text());
  return found.ok || found.kind !== "missing" ? found : { ok: true, value: null, etag: null };
}
