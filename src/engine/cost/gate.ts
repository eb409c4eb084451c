import type { EventBus } from "../events.ts";
import type { Dialog, Meta } from "../../dialog/model.ts";
import { sectionAt, sectionCount, standing, standingBefore } from "../../dialog/sections.ts";
import { limits } from "../../protocol/limits.ts";
import { metaOf } from "../turn/machine/queries.ts";
import type { Turn } from "../turn/machine/model.ts";
import type { Provider } from "../providers/provider.ts";
import type { Usage } from "./usage.ts";
import { type CostLimit, periodStart, reachedWords, spentSince, unknownPriceWords, unreadableWords } from "./limit.ts";
import type { Cost } from "./lines.ts";
import type { Ledger } from "./ledger.ts";
import { costOf, isFree, priceOf } from "./price.ts";
import type { Prices } from "./prices.ts";

/** The cost of responses, and whether another request is allowed. */
export interface Costs {
  /** The current cost of these tokens. Null if neither the provider nor a price list gives one. */
  of(provider: string, model: string, usage: Usage | null): Cost | null;
  /**
   * Why the provider may not be asked now, in the words of a `> Stop: limit …` line. Null if it may. Counts only what is stored: the cost of
   * responses that are still running is not known yet, so the limit can be exceeded by the responses in progress.
   */
  held(asking: Asking): Promise<string | null>;
  /** How much of the limit is spent, in nanodollars. */
  spent(limit: CostLimit): Promise<number>;
}

export interface Asking {
  readonly dialogId: string;
  /** The dialog before the response that would be requested. */
  readonly dialog: Dialog;
  readonly turn: Pick<Turn, "pastCost"> | null;
  readonly provider: Pick<Provider, "name" | "prepare">;
  readonly model: string;
  readonly limit: CostLimit | null;
}

export interface CostsDeps {
  readonly prices: Pick<Prices, "of" | "origin" | "prepare">;
  readonly ledger: Ledger;
  readonly bus: EventBus;
  readonly now: () => Date;
}

export function createCosts({ prices, ledger, bus, now }: CostsDeps): Costs {
  let told = -Infinity;

  /** At most once per `limits.limitNoticeMs`, not for each dialog. */
  function tell(message: string, dialogId: string): void {
    const time = now().getTime();
    if (Math.abs(time - told) < limits.limitNoticeMs) return;
    told = time;
    bus.emit({ type: "notice", data: { kind: "limit", message } }, { dialogId });
  }

  /** The dialogs with unreadable files about which the user was told. */
  let toldDamaged: readonly string[] = [];

  function tellDamaged(damaged: readonly string[]): void {
    const news = damaged.filter((dialogId) => !toldDamaged.includes(dialogId));
    toldDamaged = damaged;
    for (const dialogId of news) {
      const message = `The file of the dialog ${dialogId} is damaged, so the spending limit may not count all of its cost.`;
      bus.emit({ type: "notice", data: { kind: "limit", message } }, { dialogId });
    }
  }

  async function read(limit: CostLimit): Promise<{ readonly spent: number; readonly damaged: readonly string[] }> {
    const since = periodStart(limit, now().getTime());
    const dialogs = await ledger.read({ since });
    return { spent: spentSince(dialogs, since), damaged: dialogs.flatMap(({ dialogId, damaged }) => (damaged ? [dialogId] : [])) };
  }

  return {
    spent: async (limit) => (await read(limit)).spent,
    of(provider, model, usage) {
      if (usage === null) return null;
      if (usage.cost !== undefined) return { nanos: usage.cost, reported: true };
      const used = prices.of(provider, model, now());
      if (used === null) return null;
      const price = priceOf(usage, used.price);
      return { nanos: costOf(usage, price), reported: false, price: { price, source: used.source } };
    },
    async held({ dialogId, dialog, turn, provider, model, limit }) {
      // Load the price list now, because the cost is computed as soon as the response ends.
      if (prices.origin(provider.name) !== null) await prices.prepare();
      if (limit === null || turn?.pastCost === true || prices.origin(provider.name) === null) return null;
      // The provider's own price list is available once its code is loaded.
      await provider.prepare?.();
      const price = prices.of(provider.name, model, now());
      if (price && isFree(price.price)) return null;
      const { spent: sum, damaged } = await read(limit);
      tellDamaged(damaged);
      if (sum >= limit.nanos) {
        tell("Spending limit reached (doc-main.md: > Limit: cost). Agents are waiting for you.", dialogId);
        return reachedWords(sum, limit);
      }
      // Without a readable file, no one could tell when this dialog reaches the limit. Other dialogs continue.
      if (damaged.includes(dialogId)) return unreadableWords;
      const known = price === null ? costWasKnown(dialog, provider.name, model) : !tellsNothing(dialog, provider.name, model);
      return known || standing(dialog).costUnknown ? null : unknownPriceWords;
    },
  };
}

const says = (lines: readonly Meta[], name: string) => lines.some(({ key }) => key === name);

/**
 * Whether the last complete response came from this model and reported no tokens. Then a price doesn't help, neither for that response nor for
 * the next.
 */
function tellsNothing(dialog: Dialog, provider: string, model: string): boolean {
  for (let at = sectionCount(dialog) - 1; at >= 0; at--) {
    const section = sectionAt(dialog, at);
    if (section?.role !== "assistant" || says(metaOf(section), "Stop")) continue;
    const here = standingBefore(dialog, at + 1);
    return here.provider === provider && here.model === model && !says(metaOf(section), "Usage") && !says(metaOf(section), "Cost");
  }
  return false;
}

/** Whether the last response of this model in the dialog reported its cost. Then the next one will, too. */
function costWasKnown(dialog: Dialog, provider: string, model: string): boolean {
  for (let at = sectionCount(dialog) - 1; at >= 0; at--) {
    const section = sectionAt(dialog, at);
    if (section?.role !== "assistant" || !says(metaOf(section), "Usage")) continue;
    const here = standingBefore(dialog, at + 1);
    return here.provider === provider && here.model === model && says(metaOf(section), "Cost");
  }
  return false;
}
