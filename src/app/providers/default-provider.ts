import { readProvider } from "../model/api/calls.ts";
import { keep, kept } from "../ui/keep.ts";
import type { ProviderName } from "./names.ts";

type Real = Exclude<ProviderName, "demo">;
const real: readonly Real[] = ["claude", "openai"];
const key = "vibey provider";

/** Remembers on this device which provider a person chose last. The demo is no one's usual provider. */
export function rememberProvider(name: string) {
  if (real.some((known) => known === name)) keep(key, name);
}

/** The order in which providers are tried: the one chosen last, then Claude, then OpenAI. */
export const inOrder = (chosen: string | null): readonly Real[] => real.toSorted((a, b) => Number(b === chosen) - Number(a === chosen));

/** The provider that a new dialog takes: the first that is configured, be its key locked; null when none is. */
export async function defaultProvider(): Promise<Real | null> {
  for (const name of inOrder(kept(key))) {
    const answer = await readProvider(name);
    if (answer.ok && (answer.value.configured || answer.value.key === "locked")) return name;
  }
  return null;
}
