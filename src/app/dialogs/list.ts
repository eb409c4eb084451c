import { createMemo, createSignal } from "solid-js";
import type { Activity, DialogListing } from "../../engine/api.ts";
import { listDialogs } from "../api/calls.ts";
import { createListener, type EngineEvents } from "../api/events.ts";

/** All dialogs with their status and what they do now, kept fresh for the life of the owner. */
export function createDialogList(events: EngineEvents) {
  const [dialogs, setDialogs] = createSignal<readonly DialogListing[]>([]);
  const [activities, setActivities] = createSignal<ReadonlyMap<string, Activity>>(new Map());
  const [loaded, setLoaded] = createSignal(false);
  const [problem, setProblem] = createSignal<string | null>(null);

  let turn = 0;

  async function refresh() {
    const mine = ++turn;
    const answer = await listDialogs();
    // An answer that is older than another changes nothing.
    if (mine !== turn) return;
    if (answer.ok) setDialogs(answer.value);
    setProblem(answer.ok ? null : answer.message);
    setLoaded(true);
  }

  createListener(events, (event) => {
    if (event.type === "hello") {
      setActivities(new Map());
      void refresh();
    } else if (event.type === "dialog-removed") {
      setDialogs(dialogs().filter(({ dialogId }) => dialogId !== event.dialogId));
    } else if (event.type === "dialog") {
      const next = new Map(activities());
      if (event.activity === null) next.delete(event.dialogId);
      else next.set(event.dialogId, event.activity);
      setActivities(next);
      const old = dialogs().find(({ dialogId }) => dialogId === event.dialogId);
      if (old?.filename === event.filename) return;
      const { dialogId, filename, status } = event;
      setDialogs([{ dialogId, filename, status, mtime: Date.now() }, ...dialogs().filter((other) => other !== old)]);
    }
  });

  const waiting = createMemo(() => dialogs().filter(({ status }) => status === "waiting").length);

  return {
    dialogs,
    loaded,
    problem,
    refresh,
    activity: (dialogId: string): Activity | null => activities().get(dialogId) ?? null,
    /** How many wait for a person. */
    waiting,
  };
}
export type DialogList = ReturnType<typeof createDialogList>;
