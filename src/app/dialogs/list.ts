import { createMemo, createSignal } from "solid-js";
import type { DialogListing, LiveEvent } from "../../protocol/index.ts";
import { listDialogFacts, listDialogs } from "../model/api/calls.ts";
import { createListener, type EngineEvents } from "../model/api/events.ts";
import { groupOf } from "./dialog-group.ts";

type ListEvent = Extract<LiveEvent, { type: "dialog" | "dialog_removed" }>;

/** The list after an event. A dialog whose status changed comes first; one that only does something else keeps its place. */
export function afterEvent(dialogs: readonly DialogListing[], event: ListEvent, now: number): readonly DialogListing[] {
  const old = dialogs.find(({ dialogId }) => dialogId === event.dialogId);
  if (event.type === "dialog_removed") return old === undefined ? dialogs : dialogs.filter((other) => other !== old);
  const { dialogId } = event;
  if (dialogId === null) return dialogs;
  const { filename, status, activity, waitingFor, wants, asks, tokens, cost, launchedBy, answers, side } = event.data;
  const told = { dialogId, filename, status, activity, waitingFor, wants, asks, tokens, cost, launchedBy, answers, side };
  if (old?.filename === filename) return dialogs.map((other) => (other === old ? { ...old, ...told } : other));
  return [{ ...told, mtime: now }, ...dialogs.filter((other) => other !== old)];
}

/** The listing with what is newly known of it; of what it is itself it knows best. */
function withFacts(one: DialogListing, known: DialogListing | undefined): DialogListing {
  if (known === undefined || known.filename !== one.filename) return one;
  const { waitingFor, wants, asks, tokens, cost, launchedBy, answers, side } = known;
  return {
    ...one,
    waitingFor: one.waitingFor ?? waitingFor,
    wants: one.wants ?? wants,
    asks: one.asks ?? asks,
    tokens: one.tokens ?? tokens,
    cost: one.cost ?? cost,
    launchedBy: one.launchedBy ?? launchedBy,
    answers: one.answers ?? answers,
    side: one.side ?? side,
  };
}

/** All dialogs with their status and what they do now, kept fresh for the life of the owner. */
export function createDialogList(events: EngineEvents) {
  const [dialogs, setDialogs] = createSignal<readonly DialogListing[]>([]);
  const [loaded, setLoaded] = createSignal(false);
  const [problem, setProblem] = createSignal<string | null>(null);

  let turn = 0;
  /** What happened since the list was asked for, which the answer may not know of; null while nothing is asked. */
  let meanwhile: ListEvent[] | null = null;

  async function refresh() {
    const mine = ++turn;
    meanwhile = [];
    const answer = await listDialogs();
    // An answer that is older than another changes nothing.
    if (mine !== turn) return;
    if (answer.ok) setDialogs(meanwhile.reduce((list, event) => afterEvent(list, event, Date.now()), answer.value));
    meanwhile = null;
    // Whether a dialog waits or was stopped is known of those that were looked into.
    if (dialogs().some(({ status, waitingFor }) => status === "waiting" && waitingFor === null)) void look();
    setProblem(answer.ok ? null : answer.message);
    setLoaded(true);
  }

  /** Adds what is found out by looking into dialogs, which takes a moment; a list that is newer says nothing about it. */
  async function look(which: "newest" | "all" = "newest") {
    const answer = await listDialogFacts(which);
    // Without it the list says less, and nothing wrong.
    if (!answer.ok) return;
    const facts = new Map(answer.value.map((one) => [one.dialogId, one]));
    setDialogs(dialogs().map((one) => withFacts(one, facts.get(one.dialogId))));
  }

  createListener(events, (event) => {
    if (event.type === "hello") void refresh();
    if (event.type !== "dialog" && event.type !== "dialog_removed") return;
    meanwhile?.push(event);
    setDialogs(afterEvent(dialogs(), event, Date.now()));
  });

  const waitingInOrder = createMemo(() =>
    dialogs()
      .filter((dialog) => groupOf(dialog) === "waiting")
      .toSorted((a, b) => a.mtime - b.mtime),
  );

  return {
    dialogs,
    loaded,
    problem,
    refresh,
    look,
    /** How many wait for a person. */
    waiting: () => waitingInOrder().length,
    /** Those that wait for a person, the one that has waited longest first. */
    waitingInOrder,
  };
}
export type DialogList = ReturnType<typeof createDialogList>;
