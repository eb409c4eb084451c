import { type Accessor, createEffect, createSignal, on } from "solid-js";
import type { RestoreAnswer } from "../../protocol/index.ts";
import type { Answer } from "../model/api/calls.ts";
import { createListener, type EngineEvents } from "../model/api/events.ts";
import { readCommit, readHistory, undo } from "../model/api/history.ts";
import * as t from "../texts/messages.ts";

/** Commits of a dialog among which those of its last turn are looked for. */
const newest = 20;

/** What the last turn of a dialog changed. */
export interface TurnChanges {
  /** The ids of its commits, newest first; never empty. */
  readonly commits: readonly string[];
  readonly files: number;
  /** It was undone, by these commits, newest first, in so many files; null: it was not, or not as a whole. */
  readonly undone: { readonly commits: readonly string[]; readonly files: number } | null;
}

/** The second in which something was said, in ISO 8601; null where its time is none. A commit's time may be in whole seconds, rounded down. */
export function wholeSecond(time: string): string | null {
  const at = Date.parse(time);
  return Number.isNaN(at) ? null : new Date(Math.floor(at / 1_000) * 1_000).toISOString();
}

async function find(dialogId: string, since: string): Promise<TurnChanges | null> {
  const second = wholeSecond(since);
  if (second === null) return null;
  const answer = await readHistory({ dialog: dialogId, since: second, limit: newest });
  // A history that can't be read says so where it is shown; here nothing is offered then.
  if (!answer.ok) return null;
  const own = answer.value.commits;
  const [first] = own;
  if (first === undefined) return null;
  const commits = own.map(({ id }) => id);
  // The newest commit was undone first, so the last undo is that of the oldest one.
  const undos = own.flatMap(({ undone }) => undone ?? []).toReversed();
  const by = undos.map((one) => one.by);
  const isUndone = undos.length === own.length;
  if (own.length === 1)
    return { commits, files: first.filesChanged, undone: isUndone ? { commits: by, files: undos[0]?.files ?? 0 } : null };
  const files = await countFiles(commits);
  return { commits, files, undone: isUndone ? { commits: by, files: await countFiles(by) } : null };
}

/** Of how many files these commits are. One that can't be read counts none. */
async function countFiles(commits: readonly string[]): Promise<number> {
  const each = await Promise.all(commits.map(readCommit));
  return new Set(each.flatMap((one) => (one.ok ? one.value.changes.map(({ path }) => path) : []))).size;
}

/** What is asked for: the dialog, and the time of the last word to it; null while an agent works. */
export interface Turn {
  readonly dialogId: string;
  readonly since: string;
}

/** The changes of the last turn, once they are in the history; for the life of the owner. */
export function createTurnChanges(turn: Accessor<Turn | null>, events: EngineEvents): Accessor<TurnChanges | null> {
  const [changes, setChanges] = createSignal<TurnChanges | null>(null, { equals: (a, b) => JSON.stringify(a) === JSON.stringify(b) });
  const [news, setNews] = createSignal(0);
  let asked = 0;
  createListener(events, (event) => {
    if (event.type === "history") setNews(news() + 1);
  });
  createEffect(
    on([() => turn()?.dialogId, () => turn()?.since, news], ([dialogId, since], before) => {
      if (before === undefined || before[0] !== dialogId || before[1] !== since) setChanges(null);
      if (dialogId !== undefined && since !== undefined) void look(dialogId, since);
      else asked++;
    }),
  );
  async function look(dialogId: string, since: string) {
    const mine = ++asked;
    const found = await find(dialogId, since);
    if (mine === asked) setChanges(found);
  }
  return changes;
}

/** Takes these commits back, in this order. What was left as it is anywhere counts as left. */
export async function undoAll(commits: readonly string[]): Promise<Answer<RestoreAnswer>> {
  const changed = new Set<string>();
  const kept = new Set<string>();
  const damaged = new Set<string>();
  let commit: string | null = null;
  for (const id of commits) {
    const answer = await undo({ id });
    if (!answer.ok) return changed.size === 0 ? answer : { ...answer, message: t.partDone(answer.message) };
    commit = answer.value.commit ?? commit;
    for (const path of answer.value.changed) changed.add(path);
    for (const path of answer.value.kept) kept.add(path);
    for (const path of answer.value.damaged) damaged.add(path);
  }
  const left = [...kept, ...damaged];
  const read = Array.from(changed).filter((path) => !left.includes(path));
  return { ok: true, etag: null, value: { ok: true, changed: read, kept: [...kept], damaged: [...damaged], commit } };
}

/** "Changed 4 files", "Changed 4 files, undone since", "Changed 4 files, 3 of them undone since". */
export function turnWords({ files, undone }: Pick<TurnChanges, "files" | "undone">): string {
  if (undone === null) return t.changedFiles(files);
  return undone.files < files ? t.changedPartUndone(files, undone.files) : t.changedUndone(files);
}
