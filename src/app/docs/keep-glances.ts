import { type Accessor, createEffect, createRoot } from "solid-js";
import type { EngineEvents, Heard } from "../model/api/events.ts";
import type { TextStore } from "./drafts.ts";
import { dropGlances, glanceKey, type StoredText } from "./glance.ts";
import { mainDoc } from "./names.ts";

/**
 * The maximum length of a kept text, in UTF-16 units. Reading a longer one would take longer than the engine's answer, and it would take space from
 * drafts.
 */
const longest = 100_000;
/** Milliseconds that a text must stay unchanged before it is kept. */
const pause = 1_000;

export interface GlanceParts {
  readonly store: TextStore;
  readonly project: string;
  readonly events: EngineEvents;
  /** Like `shownFile`. */
  readonly file: Accessor<(() => StoredText | null) | null>;
  /** Whether writing is allowed now. */
  readonly allowed: () => boolean;
}

/**
 * Keeps what the next start shows before its engine answers: the stored text of the file that was last on the screen, and of doc-main.md, which an
 * address without a file shows. Returns a function that stops it.
 */
export function keepGlances({ store, project, events, file, allowed }: GlanceParts): () => void {
  let shown: StoredText | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function keep() {
    clearTimeout(timer);
    if (shown === null || !allowed()) return;
    const own = glanceKey(project, shown.file);
    const main = glanceKey(project, `doc:${mainDoc}`);
    dropGlances(store, (key) => key !== own && key !== main);
    try {
      if (shown.text.length > longest) store.removeItem(own);
      else store.setItem(own, JSON.stringify({ text: shown.text, etag: shown.etag }));
    } catch (error) {
      if (!(error instanceof DOMException)) throw error;
      // The store is full. The next start has to wait for its engine.
      store.removeItem(own);
    }
  }
  const stopFollowing = createRoot((dispose) => {
    createEffect(() => {
      clearTimeout(timer);
      shown = file()?.() ?? null;
      if (shown !== null) timer = setTimeout(keep, pause);
    });
    return dispose;
  });
  const hide = () => {
    if (document.visibilityState === "hidden") keep();
  };
  /** Deleted files must not be shown again, wherever they were deleted. */
  const removed = (event: Heard) => {
    const goes = ofRemoved(event);
    if (goes === null) return;
    if (shown !== null && goes(glanceKey(project, shown.file))) shown = null;
    dropGlances(store, goes);
  };
  function ofRemoved(event: Heard): ((key: string) => boolean) | null {
    if (event.type === "dialog_removed") return (key) => event.dialogId !== null && key.includes(event.dialogId);
    if ((event.type !== "file" && event.type !== "deed") || event.data.change !== "removed") return null;
    const own = glanceKey(project, event.type === "file" ? `doc:${event.data.name}` : `deed:${event.data.path}`);
    return (key) => key === own;
  }
  addEventListener("pagehide", keep);
  document.addEventListener("visibilitychange", hide);
  events.listeners.add(removed);
  return () => {
    stopFollowing();
    clearTimeout(timer);
    removeEventListener("pagehide", keep);
    document.removeEventListener("visibilitychange", hide);
    events.listeners.delete(removed);
  };
}
