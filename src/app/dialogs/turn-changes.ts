import { type Accessor, createSignal } from "solid-js";
import type { RestoreAnswer } from "../../protocol/index.ts";
import type { Answer } from "../model/api/calls.ts";
import { createListener, type EngineEvents } from "../model/api/events.ts";
import { readCommit, readHistory, undo } from "../model/api/history.ts";
import * as t from "../texts/messages.ts";
import { onChange } from "../ui/on-change.ts";

/** How many of a dialog's newest commits are searched for those of its last turn. */
const newest = 20;

/** What the last turn of a dialog changed. */
export interface TurnChanges {
  /** The ids of its commits, newest first; never empty. */
  readonly commits: readonly string[];
  readonly files: number;
  /** The commits that undid it, newest first, and how many files they changed; null: it was not undone, or only partly. */
  readonly undone: { readonly commits: readonly string[]; readonly files: number } | null;
}

/** The time rounded down to a whole second, in ISO 8601; null if it isn't a valid time. A commit's time may be in whole seconds, rounded down. */
export function wholeSecond(time: string): string | null {
  const at = Date.parse(time);
  return Number.isNaN(at) ? null : new Date(Math.floor(at / 1_000) * 1_000).toISOString();
}

async function find(dialogId: string, since: string): Promise<TurnChanges | null> {
  const second = wholeSecond(since);
  if (second === null) return null;
  const answer = await readHistory({ dialog: dialogId, since: second, limit: newest });
  // If the history can't be read, the history page says so. Here, nothing is offered.
  if (!answer.ok) return null;
  const own = answer.value.commits;
  const [first] = own;
  if (first === undefined) return null;
  const commits = own.map(({ id }) => id);
  // The newest commit was undone first, so the last undo is that of the oldest commit.
  const undos = own.flatMap(({ undone }) => undone ?? []).toReversed();
  const by = undos.map((one) => one.by);
  const isUndone = undos.length === own.length;
  if (own.length === 1)
    return { commits, files: first.filesChanged, undone: isUndone ? { commits: by, files: undos[0]?.files ?? 0 } : null };
  const files = await countFiles(commits);
  return { commits, files, undone: isUndone ? { commits: by, files: await countFiles(by) } : null };
}

/** The number of files that these commits changed. A commit that can't be read counts as none. */
async function countFiles(commits: readonly string[]): Promise<number> {
  const each = await Promise.all(commits.map(readCommit));
  return new Set(each.flatMap((one) => (one.ok ? one.value.changes.map(({ path }) => path) : []))).size;
}

/** The dialog, and the time of the last message to it; null while an agent works. */
export interface Turn {
  readonly dialogId: string;
  readonly since: string;
}

/** The changes of the last turn, once they are in the history; updated until the owner is disposed. */
export function createTurnChanges(turn: Accessor<Turn | null>, events: EngineEvents): Accessor<TurnChanges | null> {
  const [changes, setChanges] = createSignal<TurnChanges | null>(null, { equals: (a, b) => JSON.stringify(a) === JSON.stringify(b) });
  const [news, setNews] = createSignal(0);
  let asked = 0;
  createListener(events, (event) => {
    if (event.type === "history") setNews(news() + 1);
  });
  onChange([() => turn()?.dialogId, () => turn()?.since, news], ([dialogId, since], before) => {
    if (before === undefined || before[0] !== dialogId || before[1] !== since) setChanges(null);
    if (dialogId !== undefined && since !== undefined) void look(dialogId, since);
    else asked++;
  });
  async function look(dialogId: string, since: string) {
    const mine = ++asked;
    const found = await find(dialogId, since);
    if (mine === asked) setChanges(found);
  }
  return changes;
}

/** Undoes these commits in this order. A file that any of them left unchanged counts as left unchanged. */
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

/** "Changed 4 files", "Changed 4 files (undone)", "Changed 4 files (3 undone)". */
export function turnWords({ files, undone }: Pick<TurnChanges, "files" | "undone">): string {
  if (undone === null) return t.changedFiles(files);
  return undone.files < files ? t.changedPartUndone(files, undone.files) : t.changedUndone(files);
}
