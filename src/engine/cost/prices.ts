import type { ProviderRegistry } from "../providers/provider-registry.ts";
import { parseBaseURL } from "../providers/base-url.ts";
import type { PriceStore } from "../settings/settings.ts";
import type { ListPrices } from "./list.ts";
import type { UsedPrice } from "./lines.ts";
import { findPrice, type PriceRow } from "./price.ts";

/**
 * What tokens cost: as the user says, else as the provider's own list of models does, else by the list that comes with Vibey. A price that
 * none of them says is not known.
 */
export interface Prices {
  /** null: no price is known. The list that comes with Vibey counts once it is loaded (`prepare`). */
  of(provider: string, model: string, at: Date): UsedPrice | null;
  /** Loads the list that comes with Vibey. Resolves also when that fails: then it says nothing, and the next call tries again. */
  prepare(): Promise<void>;
  /** What that list says of the providers' addresses; null: it could not be loaded. */
  builtIn(at: Date): Promise<BuiltInPrices | null>;
  /** The address of a provider; null: it is reached nowhere, and costs nothing. */
  origin(provider: string): string | null;
  /** The addresses of all providers, as they are set now. */
  origins(): readonly string[];
  /** The user's, in their order. */
  own(): readonly PriceRow[];
  /** What the providers' lists say, as far as they were read; the code of the providers is loaded for it. */
  listed(): Promise<readonly PriceRow[]>;
  /** Takes the place of all that the user said before. Answers when it is stored. */
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

/** An address that can't be read is reached by no one; it is told as it was typed. */
function originOf(base: string): string {
  const read = parseBaseURL(base);
  return read.ok ? new URL(read.base).origin : base;
}
