import { isBrokenOff, isOutOfTokens } from "../turn/machine/queries.ts";
import { isParked } from "../turn/machine/queued.ts";
import { appliedLine } from "../../dialog/redefined.ts";
import { pauseLine, runLimitLine, runLimitNames, type RunLimits } from "../../dialog/run.ts";
import type { Meta } from "../../dialog/model.ts";
import type { RunView } from "../../protocol/index.ts";
import { tokenLimitReason } from "../scheduler/guardrails.ts";
import type { Queue } from "../scheduler/queue.ts";
import { runView } from "../scheduler/run-view.ts";
import type { Runs } from "../scheduler/runs.ts";
import { emptyPut, type Outcome, type PutDialog } from "./outcome.ts";
import type { Live } from "./live.ts";

export interface RunChange {
  readonly runId: string;
  /** The agent that the change is for. Null for the whole run. */
  readonly dialogId: string | null;
  readonly paused: boolean | null;
  readonly limits: Partial<RunLimits>;
  readonly status: "aborted" | "cleared" | null;
  /** Whether the agent `dialogId` is told its current definition. */
  readonly apply: boolean;
}

/** The runs of the project, and the user's changes to them. */
export interface RunCommands {
  /** Newest first. */
  list(): Promise<readonly RunView[]>;
  /** Null if there is no such run, or no such agent in it. */
  change(wanted: RunChange): Promise<Outcome<RunView> | null>;
}

export interface RunCommandsDeps {
  readonly runs: Runs;
  readonly queue: Pick<Queue, "running" | "waiting" | "hold" | "wake">;
  /** Continues a dialog whose turn was cut off, or stops a dialog. */
  readonly dialogs: {
    get(id: string): Promise<Live | null>;
    put(id: string, wanted: PutDialog): Promise<Outcome<Live>>;
    setStatus(id: string, status: "waiting"): Promise<Outcome<Live>>;
  };
  /** Writes the user's lines into a dialog. */
  readonly say: (dialogId: string, lines: readonly Meta[]) => Promise<Outcome<Live>>;
  /** Delivers the pending signals to a dialog. */
  readonly signalled: (dialogId: string) => void;
  readonly now: () => Date;
}

export function createRunCommands({ runs, queue, dialogs, say, signalled, now }: RunCommandsDeps): RunCommands {
  /** Continues the dialogs that broke off, from their text, oldest first. Then delivers signals that were sent in the meantime. */
  async function continueDialogs(ids: readonly string[], brokeOff = isBrokenOff): Promise<void> {
    for (const id of ids) {
      const live = await dialogs.get(id);
      if (live && live.state.turn === null && brokeOff(live.state.dialog)) await dialogs.put(id, { ...emptyPut, again: true });
    }
    for (const id of ids) signalled(id);
  }

  /** Holds the queue while agents are stopped, so that no waiting agent takes the slot of a stopped one. */
  async function abort(ids: readonly string[]): Promise<void> {
    const release = queue.hold();
    try {
      await Promise.all(ids.map((id) => dialogs.setStatus(id, "waiting")));
    } finally {
      release();
    }
  }

  return {
    async list() {
      await runs.readAll();
      return runs.roots().flatMap((run) => runView(run, runs) ?? []);
    },
    async change({ runId, dialogId, paused, limits, status, apply }) {
      await runs.read(runId);
      const about = runs.member(dialogId ?? runId);
      if (about?.run !== runId || runs.member(runId)?.run !== runId) return null;
      const time = now().toISOString();
      const members = runs.members(runId).map((member) => member.dialogId);
      const run = runs.now(runId);
      const held = tokenLimitReason({ ...run, limits: { ...run.limits, ...limits } });
      // A run that has used up its tokens gets the same number again.
      const tokens = dialogId === null && paused === false && held !== null ? { tokens: run.tokens + run.limits.tokens } : {};
      const said = { ...limits, ...tokens };
      const halts = paused ?? (status === "aborted" && dialogId === null ? true : null);
      const lines = [
        ...runLimitNames.flatMap((name) => (said[name] === undefined ? [] : [runLimitLine(name, said[name])])),
        ...(halts === null ? [] : [pauseLine(dialogId === null ? "run" : "agent", halts, time)]),
        ...(apply ? [appliedLine(time)] : []),
      ];
      if (lines.length > 0) {
        const done = await say(dialogId ?? runId, lines);
        if (!done.ok) return done;
      }
      queue.wake();
      if (apply) signalled(dialogId ?? runId);
      if (status === "aborted") {
        // An agent that is paused between two calls has begun, although it waits in the queue. Others may have begun while the pause was written.
        const begun = [...queue.running(), ...queue.waiting().filter(({ state }) => isParked(state.dialog))];
        const running = begun.flatMap(({ id }) => (runs.member(id)?.run === runId ? [id] : []));
        // A finished dialog stays finished.
        await abort(dialogId === null ? running : about.status === "done" ? [] : [dialogId]);
      } else if (status === "cleared") {
        const queued = runs.members(runId).flatMap((member) => (member.isQueued ? [member.dialogId] : []));
        await abort(dialogId === null ? queued : queued.filter((id) => id === dialogId));
      } else if (paused === false) await continueDialogs(dialogId === null ? members : [dialogId]);
      else if (said.tokens !== undefined && held === null) await continueDialogs(members, isOutOfTokens);
      const view = runView(runId, runs);
      return view && { ok: true, value: view };
    },
  };
}
