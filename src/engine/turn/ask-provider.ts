import { agentOf } from "../../dialog/agent.ts";
import { grants } from "../../dialog/authority.ts";
import { grantedValues } from "../../dialog/grants.ts";
import { withoutLast } from "../../dialog/sections.ts";
import type { Activity } from "../../protocol/index.ts";
import type { Sandbox } from "../../shell/sandbox.ts";
import { turnLimitReason } from "../agents/turn-limit.ts";
import type { Costs } from "../cost/gate.ts";
import { type Live, sendFrame, type Work } from "../dialogs/live.ts";
import { subjectsOf } from "../dialogs/subjects.ts";
import type { FileReads } from "../projections/file-reads.ts";
import type { Provider } from "../providers/provider.ts";
import type { DocLimits } from "../scheduler/read-doc-limits.ts";
import type { Runs } from "../scheduler/runs.ts";
import type { Event } from "./machine/model.ts";
import { isUndecided, lastCalls } from "./machine/queries.ts";
import { queuedIn } from "./machine/queued.ts";
import { tokensUsed } from "./machine/usage.ts";
import { respond } from "./respond.ts";
import { runStopReason } from "./run-slot.ts";
import { type SystemDeps, systemOf } from "./system-of.ts";
import type { Toolbox } from "./toolbox.ts";

export interface AskDeps extends SystemDeps {
  /** The provider with this name. Null if there is none. */
  readonly provider: (name: string) => Provider | null;
  readonly costs: Pick<Costs, "held" | "of">;
  readonly docLimits: Pick<DocLimits, "read">;
  readonly runs: Runs;
  readonly fileReads: Pick<FileReads, "asked">;
  readonly toolbox: Pick<Toolbox, "definitions">;
  readonly sandbox: Pick<Sandbox, "simpleCommands">;
  readonly now: () => Date;
  readonly later: (then: () => void, ms: number) => void;
}

export interface Asked {
  readonly provider: string;
  readonly model: string;
  /** The dialog waited in the queue before. */
  readonly waited: boolean;
}

/** How the turn handles the events of a request. */
export interface AskHooks {
  /** Makes an event in the dialog's order and stores it. Null means no event. Returns false if the response is no longer awaited. */
  readonly dispatch: (make: () => Event | null) => Promise<boolean>;
  readonly activity: (activity: Activity) => void;
}

export type AskProvider = (live: Live, work: Work, asked: Asked, hooks: AskHooks) => Promise<void>;

/** Asks a provider for one response, unless a limit prevents the request. Always ends with one `ended` event, unless the dialog is stopped. */
export function createAskProvider(deps: AskDeps): AskProvider {
  return async (live, work, { provider: name, model, waited }, hooks) => {
    const now = () => deps.now().toISOString();
    type Stop = Extract<Event, { type: "ended" }>["stop"];
    const end = (stop: Stop) => hooks.dispatch(() => ({ type: "ended", stop, usage: null, window: null, tail: null, time: now() }));
    work.writer = null;
    work.usage = null;
    hooks.activity({ kind: "thinking" });
    const provider = deps.provider(name);
    if (!provider) {
      await end({ kind: "error", reason: "bad-request", message: `the provider ${name} isn't set up here. Choose another one.` });
      return;
    }
    if ((waited || queuedIn(live.state.dialog) !== null) && !(await hooks.dispatch(() => ({ type: "asked", time: now() })))) return;
    const { dialog, turn } = live.state;
    // The section for the answer is already open. The request covers the sections before it.
    const asked = withoutLast(dialog);
    const { cost: limit = null } = await deps.docLimits.read();
    const held =
      turnLimitReason(asked) ??
      (await runStopReason(live.id, asked, deps.runs)) ??
      (await deps.costs.held({ dialogId: live.id, dialog: asked, turn, provider, model, limit }));
    if (live.work !== work) return;
    if (held !== null) {
      await end({ kind: "limit", which: held });
      return;
    }
    deps.fileReads.asked(live.id);
    const agent = agentOf(asked);
    const system = await systemOf(agent, deps);
    if (live.work !== work) return;
    await respond(
      live,
      work,
      provider,
      {
        dialog: asked,
        model,
        system,
        tools: deps.toolbox.definitions(asked),
        tokensSoFar: tokensUsed(asked),
        maxTokens: agent?.bounds.maxTokens ?? null,
      },
      {
        dispatch: hooks.dispatch,
        async subjects() {
          const { dialog: answered } = live.state;
          if (grantedValues(grants(answered)).length === 0) return new Map();
          return subjectsOf(lastCalls(answered).filter(isUndecided), deps.sandbox);
        },
        chunk: (content) => sendFrame(live, { type: "chunk", content }),
        activity: hooks.activity,
        cost: (usage) => deps.costs.of(name, model, usage),
        now: deps.now,
        later: deps.later,
      },
    );
  };
}
