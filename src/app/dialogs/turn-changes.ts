import { type Accessor, createEffect, createSignal, on } from "solid-js";
import type { HistoryCommit, RestoreAnswer } from "../../engine/api.ts";
import type { Answer } from "../api/calls.ts";
import { createListener, type EngineEvents } from "../api/events.ts";
import { readCommit, readHistory, undo } from "../api/history.ts";

/** Commits of a dialog among which those of its last turn are looked for. */
const newest = 20;

/** What the last turn of a dialog changed. */
export interface TurnChanges {
  /** The ids of its commits, newest first; never empty. */
  readonly commits: readonly string[];
  readonly files: number;
}

/** The commits since a moment. A commit's time is in whole seconds, rounded down. */
export function commitsSince(commits: readonly HistoryCommit[], since: string): HistoryCommit[] {
  const from = Math.floor(Date.parse(since) / 1_000) * 1_000;
  return commits.filter(({ time }) => Date.parse(time) >= from);
}

async function find(dialogId: string, since: string): Promise<TurnChanges | null> {
  const answer = await readHistory({ dialog: dialogId, limit: newest });
  // A history that can't be read says so where it is shown; here nothing is offered then.
  if (!answer.ok) return null;
  const own = commitsSince(answer.value.commits, since);
  const [first] = own;
  if (first === undefined) return null;
  const commits = own.map(({ id }) => id);
  if (own.length === 1) return { commits, files: first.filesChanged };
  const each = await Promise.all(commits.map(readCommit));
  const paths = new Set(each.flatMap((one) => (one.ok ? one.value.changes.map(({ path }) => path) : [])));
  return { commits, files: paths.size };
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

/** Takes a turn's commits back, the newest first. What was left as it is anywhere counts as left. */
export async function undoTurn({ commits }: TurnChanges): Promise<Answer<Pick<RestoreAnswer, "changed" | "kept">>> {
  const changed = new Set<string>();
  const kept = new Set<string>();
  for (const id of commits) {
    const answer = await undo({ id });
    if (!answer.ok) return changed.size === 0 ? answer : { ...answer, message: `${answer.message} A part was undone before that.` };
    for (const path of answer.value.changed) changed.add(path);
    for (const path of answer.value.kept) kept.add(path);
  }
  return { ok: true, etag: null, value: { changed: Array.from(changed).filter((path) => !kept.has(path)), kept: Array.from(kept) } };
}
