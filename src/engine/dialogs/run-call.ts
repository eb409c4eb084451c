import type { Files } from "../../fs/files.ts";
import type { Call } from "../format/model.ts";
import type { Event } from "../machine/model.ts";
import { limits } from "../limits.ts";
import { admitChanges } from "../permissions.ts";
import type { RunOutcome, Sandbox } from "../sandbox/sandbox.ts";
import { commandResult } from "../tools/run-command.ts";
import type { Plan, PlannedTool } from "../tools/tool.ts";
import type { Dispatched } from "./dispatch.ts";
import type { Extra } from "./store.ts";

export interface RunContext {
  readonly dialogId: string;
  readonly files: Files;
  readonly sandbox: Sandbox;
  readonly signal: AbortSignal;
  readonly now: () => Date;
  dispatch(event: Event, extra?: Extra): Promise<Dispatched>;
  /** The human is told, beside the result. */
  notice(message: string): void;
}

/** How often a plan is made anew because a file that it read was changed meanwhile. */
const attempts = 5;

/**
 * Effect, claim and result are one transaction: the call happened exactly once, or not at all. `happened` is called when it
 * did; a call that could not be stored is answered with an error instead.
 */
export async function runPlanned(
  call: Call,
  tool: PlannedTool,
  context: RunContext,
  happened?: (version: number) => void,
): Promise<Dispatched> {
  for (let attempt = 1; ; attempt += 1) {
    const plan = await tool.plan(call.input, { files: context.files });
    const done = await finish(call, plan, context);
    if (done.ok) happened?.(done.version);
    if (!changedMeanwhile(done, plan) || attempt === attempts) return giveUp(call, done, context);
    // What the plan read is no longer so: nothing was stored, and it is planned again.
  }
}

async function finish(call: Call, plan: Plan, context: RunContext): Promise<Dispatched> {
  const done = await context.dispatch({ type: "finished", id: call.id, result: plan.result, time: context.now().toISOString() }, plan);
  if (done.ok && plan.notice !== undefined) context.notice(plan.notice);
  return done;
}

function changedMeanwhile(done: Dispatched, extra: Extra): boolean {
  if (done.ok || !("failure" in done)) return false;
  const { failure } = done;
  return failure.kind === "conflict" && extra.expect.some(({ path }) => path === failure.path);
}

/** Stores that nothing came of it, so that the turn can go on: a full disk is the model's and the human's to hear of. */
async function giveUp(call: Call, done: Dispatched, context: RunContext): Promise<Dispatched> {
  if (done.ok || !("failure" in done) || done.failure.kind === "fenced") return done;
  const error = failureText(done.failure);
  return context.dispatch({ type: "finished", id: call.id, result: { success: false, error }, time: context.now().toISOString() });
}

function failureText(failure: Extract<Dispatched, { failure: unknown }>["failure"]): string {
  switch (failure.kind) {
    case "full":
      return "the browser's storage is full; nothing was changed";
    case "conflict":
      return `${failure.path} kept changing while this ran; nothing was changed. Read it again and retry.`;
    default:
      return `could not be stored (${failure.kind}); nothing was changed`;
  }
}

/**
 * A command runs outside the store: it is claimed first, strictly, and never run again. What it changed is stored in one
 * transaction with its result, before the next command of any dialog starts.
 */
export async function runCommand(call: Call, context: RunContext): Promise<Dispatched> {
  const claimed = await context.dispatch({ type: "claimed", id: call.id, time: context.now().toISOString() });
  if (!claimed.ok) return claimed;
  const { command } = call.input;
  if (typeof command !== "string") throw new TypeError("run_command was started without its input having been checked");
  let stored: Promise<Dispatched> | undefined;
  const outcome = await context.sandbox.run(command, {
    session: context.dialogId,
    timeoutMs: limits.commandMs,
    maxBytes: limits.commandOutputBytes,
    signal: context.signal,
    async commit(ended) {
      stored = storeOutcome(call, ended, context);
      // Whether it was stored is told below; the sandbox only waits for it.
      await stored.catch(() => undefined);
    },
  });
  // A command that was aborted while it waited for its turn has nothing to commit, and is answered all the same.
  return stored ?? storeOutcome(call, outcome, context);
}

async function storeOutcome(call: Call, outcome: RunOutcome, context: RunContext): Promise<Dispatched> {
  for (let attempt = 1; ; attempt += 1) {
    const admitted = await admitChanges(outcome.changes, { files: context.files });
    const result = commandResult(outcome, admitted.notes);
    const done = await context.dispatch({ type: "finished", id: call.id, result, time: context.now().toISOString() }, admitted);
    if (!changedMeanwhile(done, admitted) || attempt === attempts) {
      if (done.ok) for (const notice of admitted.notices) context.notice(notice);
      return giveUp(call, done, context);
    }
  }
}
