import { readDialog } from "../model/api/calls.ts";
import type { EngineEvents } from "../model/api/events.ts";
import { currentProject } from "../model/current-project.ts";
import type { Notices } from "../ui/notices.ts";
import { createCare } from "./care.ts";
import * as t from "../texts/care.ts";

/** Takes care of the project in this page. Returns a function that stops it. */
export function startCare(events: EngineEvents, notices: Notices, exportAll: () => void): () => void {
  const care = createCare({
    store: localStorage,
    project: currentProject(),
    now: () => Date.now(),
    persisted: async () => (await navigator.storage?.persisted?.()) ?? false,
    persist: async () => (await navigator.storage?.persist?.()) ?? false,
    async isReal(dialogId) {
      const dialog = await readDialog(dialogId);
      return dialog.ok && dialog.value.provider !== "demo";
    },
    remind: (message) => notices.add({ message, action: { label: t.exportAll, run: exportAll } }),
  });
  // One after another: two events at once are counted as two, but ask only once.
  let last: Promise<void> = Promise.resolve();
  const listener = (event: Parameters<typeof care>[0]) => {
    // Of several tabs, only the visible one counts and asks.
    if (document.visibilityState === "hidden") return;
    last = last.then(() => care(event)).catch((error: unknown) => console.error(error));
  };
  events.listeners.add(listener);
  return () => void events.listeners.delete(listener);
}
