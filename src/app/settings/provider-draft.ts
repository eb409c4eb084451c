import type { ProviderName } from "../providers/names.ts";
import { createTyped, type Typed } from "./field.ts";

/** What was typed into a provider's form and isn't saved. */
export interface ProviderDraft {
  readonly address: Typed;
  readonly model: Typed;
  readonly key: Typed;
}

const drafts = new Map<ProviderName, ProviderDraft>();

/** It lasts as long as the page: a look at another provider, or a click beside the dialog, loses nothing. */
export function providerDraft(name: ProviderName): ProviderDraft {
  const known = drafts.get(name);
  if (known !== undefined) return known;
  const draft = { address: createTyped(), model: createTyped(), key: createTyped() };
  drafts.set(name, draft);
  return draft;
}
