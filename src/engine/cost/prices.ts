import type { ProviderRegistry } from "../providers/provider-registry.ts";
import { parseBaseURL } from "../providers/base-url.ts";
import type { PriceStore } from "../settings/settings.ts";
import type { ListPrices } from "./list.ts";
import type { UsedPrice } from "./lines.ts";
import { findPrice, type PriceRow } from "./price.ts";

/**
 * The price of tokens: the user's own, or else that in the provider's model list, or else that in the list that comes with Vibey. If none has it,
 * the price is unknown.
 */
export interface Prices {
  /** Null if no price is known. The list that comes with Vibey counts once it is loaded (`prepare`). */
  of(provider: string, model: string, at: Date): UsedPrice | null;
  /** Loads the list that comes with Vibey. Also resolves if that fails: then the list is empty, and the next call tries again. */
  prepare(): Promise<void>;
  /** The prices in that list for the providers' addresses. Null if it could not be loaded. */
  builtIn(at: Date): Promise<BuiltInPrices | null>;
  /** The origin of a provider's address. Null for a provider without an address, which costs nothing. */
  origin(provider: string): string | null;
  /** The current origins of all providers. */
  origins(): readonly string[];
  /** The user's prices, in their order. */
  own(): readonly PriceRow[];
  /** The prices in the providers' lists, as far as they were read. Loads the providers' code. */
  listed(): Promise<readonly PriceRow[]>;
  /** Replaces all of the user's prices. Resolves when they are stored. */
  change(rows: readonly PriceRow[]): Promise<void>;
}

export interface BuiltInPrices {
  readonly date: string;
  readonly rows: readonly PriceRow[];
}

export interface PricesDeps {
  readonly loadList: () => Promise<ListPrices>;
  readonly report: (error: unknown) => void;
}

export async function openPrices(
  settings: PriceStore,
  providers: Pick<ProviderRegistry, "addresses" | "provider">,
  { loadList, report }: PricesDeps,
): Promise<Prices> {
  let own = await settings.readPrices();
  let list: ListPrices | null = null;

  async function prepare(): Promise<void> {
    try {
      list ??= await loadList();
    } catch (error) {
      report(error);
    }
  }

  const origins = () => [...new Set(Array.from(providers.addresses().values(), originOf))];

  function origin(provider: string): string | null {
    for (const [name, base] of providers.addresses()) if (name === provider) return originOf(base);
    return null;
  }

  return {
    origin,
    origins,
    prepare,
    of(provider, model, at) {
      const where = origin(provider);
      if (where === null) return null;
      const yours = findPrice(own, where, model);
      if (yours) return { price: yours, source: { by: "you" } };
      const theirs = findPrice(providers.provider(provider)?.prices?.() ?? [], where, model);
      if (theirs) return { price: theirs, source: { by: "provider" } };
      const listed = list?.of(where, model, at);
      return list && listed ? { price: listed, source: { by: "list", date: list.date } } : null;
    },
    async builtIn(at) {
      await prepare();
      const known = list;
      if (known === null) return null;
      return { date: known.date, rows: origins().flatMap((where) => known.rows(where, at).map((row) => ({ origin: where, ...row }))) };
    },
    own: () => own,
    async listed() {
      const lists = await Promise.all(
        Array.from(providers.addresses().keys(), async (name) => {
          const provider = providers.provider(name);
          await provider?.prepare?.();
          return provider?.prices?.() ?? [];
        }),
      );
      return lists.flat();
    },
    async change(rows) {
      await settings.writePrices(rows);
      own = rows;
    },
  };
}

/** An address that can't be parsed reaches nothing. It is returned as typed. */
function originOf(base: string): string {
  const read = parseBaseURL(base);
  return read.ok ? new URL(read.base).origin : base;
}
