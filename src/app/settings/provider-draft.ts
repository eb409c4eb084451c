import type { ProviderName } from "../providers/names.ts";
import { createTyped, type Typed } from "./field.ts";

/** Unsaved input in a provider's form. */
export interface ProviderDraft {
  readonly address: Typed;
  readonly model: Typed;
  readonly key: Typed;
}

const drafts = new Map<ProviderName, ProviderDraft>();

/** Drops typed keys that aren't saved, when the settings close. From then on, they are nowhere in the page. */
export function forgetTypedKeys(): void {
  for (const { key } of drafts.values()) key.set(null);
}

/** Lives as long as the page, so that switching providers or closing settings keeps an unsaved address and model. */
export function providerDraft(name: ProviderName): ProviderDraft {
  const known = drafts.get(name);
  if (known !== undefined) return known;
  const draft = { address: createTyped(), model: createTyped(), key: createTyped() };
  drafts.set(name, draft);
  return draft;
}
