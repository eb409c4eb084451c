import type { HandOver } from "../app/pwa/messages.ts";

/** An open page of the app. */
export interface OpenPage {
  readonly id: string;
  readonly visibilityState: DocumentVisibilityState;
  postMessage(message: HandOver, transfer: Transferable[]): void;
}

/**
 * Milliseconds: for open pages to answer before a load goes ahead without their keys, for the others once one has answered, and for the loaded
 * page to fetch what was collected.
 */
export const patience = { answerMs: 1_000, othersMs: 200, heldMs: 30_000 };

/**
 * Carries the session's keys over a reload, from the engine of the page that goes to that of the page that comes. They are in this worker's
 * memory from the moment a page of the app begins to load until that page has fetched them, `heldMs` at most, and nowhere else: the
 * worker neither reads nor stores them, and a closed tab, which loads nothing, leaves nothing here.
 */
export interface KeyCarrier {
  /** Asks the open pages for their keys, on behalf of the page `id` that is being loaded. Never rejects. */
  collect(id: string, pages: readonly OpenPage[]): Promise<void>;
  /** Gives the page `id` what was collected for it, once: what each page held that answered, none when there is nothing. */
  give(id: string, port: Pick<MessagePort, "postMessage">): void;
}

export function createKeyCarrier({ answerMs, othersMs, heldMs } = patience): KeyCarrier {
  const held = new Map<string, readonly unknown[]>();

  /** What a page holds; a page that was loaded a moment ago may not have fetched its own yet. */
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
      // A page out of sight may be frozen; a load doesn't wait for one while a page in sight can answer.
      const inSight = pages.filter(({ visibilityState }) => visibilityState === "visible");
      // All of them: this worker can't tell which one is of the project that loads, and the first to answer may be of another.
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
