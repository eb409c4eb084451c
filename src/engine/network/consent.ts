import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { NetworkAsk } from "../../protocol/index.ts";
import { showActivity } from "../projections/show-activity.ts";
import type { Live, LiveChange } from "../dialogs/live.ts";
import type { EventBus } from "../events.ts";
import { limits } from "../../protocol/limits.ts";
import type { HostWord } from "../../dialog/ids.ts";
import { exceeds, isClosed, networkNow } from "../turn/machine/user-permissions.ts";

/**
 * `said`: the dialog's file now has a decision, or the request must be asked about again with the new state. `less`: the answer allows less than is
 * needed. `stopped`: the command no longer waits. `nowhere`: the command is not the dialog's current activity, so the question can't be shown.
 * `crowded`: too many other hosts wait.
 */
export type ConsentOutcome = "said" | "less" | "stopped" | "nowhere" | "crowded";

/** Asks the user about hosts: one host at a time in each dialog, and once per host, however many requests wait for the answer. */
export interface Consent {
  /** Waits until the user has decided whether `ask.host` may be reached for `ask.needs`, which the dialog's file does not decide yet. */
  ask(live: Live, callId: string, ask: Unnamed, signal: AbortSignal): Promise<ConsentOutcome>;
}

/** A question gets its name when it is first asked. */
export type Unnamed = Omit<NetworkAsk, "question">;

/** Whether the user's word settles what is needed, either way. */
export function decides(word: HostWord | undefined, needs: NetworkAsk["needs"]): boolean {
  return word !== undefined && (word === "refused" || isClosed(word) || !exceeds(needs, word));
}

interface Question {
  readonly callId: string;
  readonly ask: NetworkAsk;
  readonly waiting: Set<(asked: ConsentOutcome) => void>;
}

export function createConsent(bus: EventBus): Consent {
  const open = new WeakMap<Live, DialogConsent>();
  return {
    ask(live, callId, ask, signal) {
      let consent = open.get(live);
      if (!consent) open.set(live, (consent = createDialogConsent(live, bus)));
      return consent.ask(callId, ask, signal);
    },
  };
}

interface DialogConsent {
  ask(callId: string, ask: Unnamed, signal: AbortSignal): Promise<ConsentOutcome>;
}

/** The questions of one dialog, the shown one first. A change of the dialog settles them, so it does not matter who answers, or how. */
function createDialogConsent(live: Live, bus: EventBus): DialogConsent {
  let questions: readonly Question[] = [];
  let count = 0;

  /** Unique for every question, and depends on its content. */
  function nameOf(callId: string, ask: Unnamed): string {
    count += 1;
    return bytesToHex(sha256(utf8ToBytes(JSON.stringify([live.id, callId, count, ask])))).slice(0, 16);
  }

  function remove(question: Question, asked: ConsentOutcome): void {
    questions = questions.filter((one) => one !== question);
    for (const settle of question.waiting) settle(asked);
  }

  function look(change: LiveChange): void {
    if (change.kind === "text") return;
    const isOver = change.kind === "replaced" || change.kind === "gone";
    const said = networkNow(live.state);
    const [first] = questions;
    for (const question of questions) {
      if (isOver || !runs(live, question.callId)) remove(question, "nowhere");
      else {
        const { host, needs, now } = question.ask;
        const word = said.get(host) ?? null;
        if (decides(word ?? undefined, needs)) remove(question, "said");
        // The shown question was answered with less than needed. Two cases are asked again with the current word: "any method", because sending data
        // of the project is a separate question, and questions that were not shown.
        else if (word !== now) remove(question, question === first && word !== "any method" ? "less" : "said");
      }
    }
    show();
  }

  /** Shows the first question, if any, with the running command. */
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
        let question = questions.find((one) => one.ask.host === ask.host && one.ask.needs === ask.needs);
        if (!question) {
          if (questions.length >= limits.networkQuestions) return resolve("crowded");
          question = { callId, ask: { question: nameOf(callId, ask), ...ask }, waiting: new Set() };
          questions = [...questions, question];
        }
        const { waiting } = question;
        const own = question;
        const settle = (how: ConsentOutcome): void => {
          signal.removeEventListener("abort", leave);
          waiting.delete(settle);
          resolve(how);
        };
        const leave = (): void => {
          settle("stopped");
          if (waiting.size > 0) return;
          remove(own, "stopped");
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
