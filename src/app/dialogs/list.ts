import { createMemo, createSignal } from "solid-js";
import type { DialogListing, LiveEvent } from "../../protocol/index.ts";
import { listDialogFacts, listDialogs } from "../model/api/calls.ts";
import { createListener, type EngineEvents } from "../model/api/events.ts";
import { groupOf } from "./dialog-group.ts";

type ListEvent = Extract<LiveEvent, { type: "dialog" | "dialog_removed" }>;

/** The list after an event. A dialog whose status changed moves to the top. If only its activity changed, it keeps its place. */
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

/** The listing, completed with facts known from elsewhere. The listing's own values win. */
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

/** All dialogs with their status and activity, kept up to date until the owner is disposed. */
export function createDialogList(events: EngineEvents) {
  const [dialogs, setDialogs] = createSignal<readonly DialogListing[]>([]);
  const [loaded, setLoaded] = createSignal(false);
  const [problem, setProblem] = createSignal<string | null>(null);

  let turn = 0;
  /** Events since the list was requested, which the answer may not include; null while no request is open. */
  let meanwhile: ListEvent[] | null = null;

  async function refresh() {
    const mine = ++turn;
    meanwhile = [];
    const answer = await listDialogs();
    // Ignore an answer if a newer request was made.
    if (mine !== turn) return;
    if (answer.ok) setDialogs(meanwhile.reduce((list, event) => afterEvent(list, event, Date.now()), answer.value));
    meanwhile = null;
    // The list doesn't say what these dialogs wait for, or whether they were stopped. Their files do.
    if (dialogs().some(({ status, waitingFor }) => status === "waiting" && waitingFor === null)) void look();
    setProblem(answer.ok ? null : answer.message);
    setLoaded(true);
  }

  /** Adds facts from inside the dialogs, which takes a moment. A newer list doesn't have them. */
  async function look(which: "newest" | "all" = "newest") {
    const answer = await listDialogFacts(which);
    // Without the facts, the list shows less, but is still correct.
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
    /** How many dialogs wait for the user. */
    waiting: () => waitingInOrder().length,
    /** The dialogs that wait for the user; the one that has waited longest comes first. */
    waitingInOrder,
  };
}
export type DialogList = ReturnType<typeof createDialogList>;
