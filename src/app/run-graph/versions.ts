import type { HistoryCommit, Step } from "../../protocol/index.ts";

/**
 * `<dialogId>/<section>`: the message that the agent was working on when it made this change at the end of its turn; null: no agent of this run made
 * it.
 */
export function activationOf(steps: readonly Step[], commit: string): string | null {
  const at = steps.findIndex((step) => step.what === "turn" && step.commit === commit);
  const turn = steps[at];
  if (turn === undefined) return null;
  const message = steps.slice(0, at).findLast(({ what, dialogId }) => what === "message" && dialogId === turn.dialogId);
  return `${turn.dialogId}/${message?.section ?? 0}`;
}

/** The versions that existed at that moment, by the time of the commit; null: the present. */
export const versionsUntil = (commits: readonly HistoryCommit[], time: string | null): readonly HistoryCommit[] =>
  time === null ? commits : commits.filter((commit) => Date.parse(commit.time) <= Date.parse(time));
