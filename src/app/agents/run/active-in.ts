import type { RunAgentState, RunView } from "../../../protocol/index.ts";

const works: ReadonlySet<RunAgentState> = new Set(["running", "queued", "paused", "asks"]);

/** The unfinished agents of runs that this file defines. */
export const activeIn = (runs: readonly RunView[], path: string): readonly { readonly runId: string; readonly dialogId: string }[] =>
  runs.flatMap(({ runId, agents }) =>
    agents.flatMap(({ dialogId, file, state }) => (file === path && works.has(state) ? [{ runId, dialogId }] : [])),
  );
