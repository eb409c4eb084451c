import type { ProviderDesk } from "../providers/desk.ts";
import { parseBaseURL } from "../providers/base-url.ts";
import type { PriceStore } from "../settings.ts";
import { findPrice, type Price, type PriceRow } from "./price.ts";

/** What tokens cost: as the human says, else as the provider's own list of models does. A price that neither says is not known. */
export interface Prices {
  /** null: nobody says. */
  of(provider: string, model: string): Price | null;
  /** The address of a provider; null: it is reached nowhere, and costs nothing. */
  origin(provider: string): string | null;
  /** The addresses of all providers, as they are set now. */
  origins(): readonly string[];
  /** The human's, in their order. */
  own(): readonly PriceRow[];
  /** What the providers' lists say, as far as they were read; the code of the providers is loaded for it. */
  listed(): Promise<readonly PriceRow[]>;
  /** Takes the place of all that the human said before. Answers when it is stored. */
  change(rows: readonly PriceRow[]): Promise<void>;
}

export async function openPrices(settings: PriceStore, providers: Pick<ProviderDesk, "addresses" | "provider">): Promise<Prices> {
  let own = await settings.readPrices();

  function origin(provider: string): string | null {
    for (const [name, base] of providers.addresses()) if (name === provider) return originOf(base);
    return null;
  }

  return {
    origin,
    origins: () => [...new Set(Array.from(providers.addresses().values(), originOf))],
    of(provider, model) {
      const at = origin(provider);
      return at === null ? null : (findPrice(own, at, model) ?? findPrice(providers.provider(provider)?.prices?.() ?? [], at, model));
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

/** An address that can't be read is reached by nobody; it is told as it was typed. */
function originOf(base: string): string {
  const read = parseBaseURL(base);
  return read.ok ? new URL(read.base).origin : base;
}
