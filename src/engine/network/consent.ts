import type { NetworkAsk } from "../api.ts";
import { showActivity } from "../dialogs/show-activity.ts";
import type { Live, LiveChange } from "../dialogs/live.ts";
import type { EventBus } from "../events.ts";
import { limits } from "../limits.ts";
import { networkNow } from "../machine/words.ts";

/**
 * `said`: the dialog's file holds the human's word about the host now. `stopped`: nobody waits for it any more.
 * `nowhere`: the command is not what the dialog is busy with, so that there is no place to ask. `crowded`: too many other hosts wait.
 */
export type Asked = "said" | "stopped" | "nowhere" | "crowded";

/** Asks the human about hosts: one at a time in each dialog, and each host once, however many requests wait for it. */
export interface Consent {
  /** Waits until the human has said a word about `ask.host`, which the dialog's file does not hold yet. */
  ask(live: Live, callId: string, ask: NetworkAsk, signal: AbortSignal): Promise<Asked>;
}

interface Question {
  readonly callId: string;
  readonly ask: NetworkAsk;
  readonly waiting: Set<(asked: Asked) => void>;
}

export function createConsent(bus: EventBus): Consent {
  const open = new WeakMap<Live, Desk>();
  return {
    ask(live, callId, ask, signal) {
      let desk = open.get(live);
      if (!desk) open.set(live, (desk = createDesk(live, bus)));
      return desk.ask(callId, ask, signal);
    },
  };
}

interface Desk {
  ask(callId: string, ask: NetworkAsk, signal: AbortSignal): Promise<Asked>;
}

/** The questions of one dialog, the one that is asked first. They are settled by what the dialog becomes, so it does not matter who answers, and how. */
function createDesk(live: Live, bus: EventBus): Desk {
  let questions: readonly Question[] = [];

  function remove(question: Question, asked: Asked): void {
    questions = questions.filter((one) => one !== question);
    for (const settle of question.waiting) settle(asked);
  }

  function look(change: LiveChange): void {
    if (change.kind === "text") return;
    const isOver = change.kind === "replaced" || change.kind === "gone";
    const said = networkNow(live.state);
    for (const question of questions) {
      if (isOver || !runs(live, question.callId)) remove(question, "nowhere");
      else if (said.has(question.ask.host)) remove(question, "said");
    }
    show();
  }

  /** The first question, or none, beside the command that runs. */
  function show(): void {
    const [first] = questions;
    if (!first) live.watchers.delete(look);
    const { activity } = live;
    const ask = first?.ask ?? null;
    if (activity?.kind !== "running" || activity.ask === ask) return;
    showActivity(live, { ...activity, ask }, bus);
  }

  return {
    ask(callId, ask, signal) {
      if (signal.aborted) return Promise.resolve("stopped");
      if (live.gone || !runs(live, callId)) return Promise.resolve("nowhere");
      return new Promise((resolve) => {
        let question = questions.find((one) => one.ask.host === ask.host);
        if (!question) {
          if (questions.length >= limits.networkQuestions) return resolve("crowded");
          question = { callId, ask, waiting: new Set() };
          questions = [...questions, question];
        }
        const { waiting } = question;
        const asked = question;
        const settle = (how: Asked): void => {
          signal.removeEventListener("abort", leave);
          waiting.delete(settle);
          resolve(how);
        };
        const leave = (): void => {
          settle("stopped");
          if (waiting.size > 0) return;
          remove(asked, "stopped");
          show();
        };
        waiting.add(settle);
        signal.addEventListener("abort", leave);
        live.watchers.add(look);
        show();
      });
    },
  };
}

function runs({ activity }: Live, callId: string): boolean {
  return activity?.kind === "running" && activity.callId === callId;
}
