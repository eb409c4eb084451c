import { createSignal, type Accessor } from "solid-js";
import type { PricesAnswer, PriceView } from "../../protocol/index.ts";
import { readPrices, writePrices } from "./load.ts";

type Own = readonly PriceView[];

export interface OwnPrices {
  /** The prices as last read; null: not read yet. */
  readonly prices: Accessor<PricesAnswer | null>;
  /** Why the last reading failed; null if it didn't. */
  readonly unread: Accessor<string | null>;
  /** Changes the list as it is stored at that time, because another tab may have changed it. Resolves to why it was not changed, or to null. */
  readonly change: (make: (own: Own) => Own | string) => Promise<string | null>;
  readonly reread: () => Promise<void>;
}

/** The model prices, read at once. Changes are made one after another. */
export function createOwnPrices(): OwnPrices {
  const [prices, setPrices] = createSignal<PricesAnswer | null>(null);
  const [unread, setUnread] = createSignal<string | null>(null);
  let last: Promise<unknown> = Promise.resolve();

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = last.then(work);
    last = mine;
    return mine;
  }
  const reread = () =>
    inTurn(async () => {
      const now = await readPrices();
      if (now.ok) setPrices(now.value);
      setUnread(now.ok ? null : now.message);
    });
  void reread();
  return {
    prices,
    unread,
    reread,
    change: (make) =>
      inTurn(async () => {
        const now = await readPrices();
        const next = now.ok ? make(now.value.own) : now.message;
        if (typeof next === "string") return next;
        const answer = await writePrices(next);
        if (answer.ok) setPrices(answer.value);
        return answer.ok ? null : answer.message;
      }),
  };
}
