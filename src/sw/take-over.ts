import type { HandOver } from "../app/pwa/messages.ts";

/** An open page of the app. */
export interface OpenPage {
  readonly id: string;
  readonly visibilityState: DocumentVisibilityState;
  postMessage(message: HandOver, transfer: Transferable[]): void;
}

/**
 * Milliseconds that a load waits for open pages to send keys, for the other pages once one has sent keys, and until collected keys are dropped if the
 * loaded page doesn't fetch them.
 */
export const patience = { answerMs: 1_000, othersMs: 200, heldMs: 30_000 };

/**
 * Carries the session's keys over a reload, from the engine of the old page to the engine of the new one. The keys are in this worker's memory from
 * the moment a page of the app begins to load until that page has fetched them, at most for `heldMs`, and nowhere else. The worker neither reads nor
 * stores them. A closed tab loads nothing, so it leaves nothing here.
 */
export interface KeyCarrier {
  /** Asks the open pages for their keys, for the page `id` that is being loaded. Never rejects. */
  collect(id: string, pages: readonly OpenPage[]): Promise<void>;
  /** Gives page `id` what was collected for it, once: the keys of each page that answered. Empty if there are none. */
  give(id: string, port: Pick<MessagePort, "postMessage">): void;
}

export function createKeyCarrier({ answerMs, othersMs, heldMs } = patience): KeyCarrier {
  const held = new Map<string, readonly unknown[]>();

  /** The keys of a page. A page that was loaded a moment ago may not have fetched its own keys yet. */
  function ask(page: OpenPage): Promise<readonly unknown[]> {
    const own = held.get(page.id);
    if (own !== undefined) return Promise.resolve(own);
    const { port1, port2 } = new MessageChannel();
    return new Promise<readonly unknown[]>((resolve) => {
      port1.addEventListener("message", ({ data }: MessageEvent<unknown>) => resolve(data === null ? [] : [data]), { once: true });
      port1.start();
      setTimeout(() => resolve([]), answerMs);
      page.postMessage({ kind: "hand-over-keys" }, [port2]);
    }).finally(() => port1.close());
  }

  return {
    async collect(id, pages) {
      if (id === "") return;
      // A hidden page may be frozen. A load doesn't wait for it if a visible page can answer.
      const inSight = pages.filter(({ visibilityState }) => visibilityState === "visible");
      // Asks all of them: this worker can't tell which page has the same project, and the first to answer may have another.
      const answers = (inSight.length > 0 ? inSight : pages).map(ask);
      const found: unknown[] = [];
      const one = new Promise<void>((resolve) => {
        const take = (keys: readonly unknown[]): void => {
          found.push(...keys);
          if (keys.length > 0) resolve();
        };
        for (const answer of answers) void answer.then(take);
      });
      await Promise.race([Promise.all(answers), one.then(() => new Promise((resolve) => setTimeout(resolve, othersMs)))]);
      if (found.length === 0) return;
      held.set(id, found);
      setTimeout(() => held.delete(id), heldMs);
    },
    give(id, port) {
      port.postMessage(held.get(id) ?? []);
      held.delete(id);
    },
  };
}
