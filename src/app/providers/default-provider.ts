import { readProvider } from "../model/api/calls.ts";
import { keep, kept } from "../ui/keep.ts";
import type { ProviderName } from "./names.ts";

type Real = Exclude<ProviderName, "demo">;
const real: readonly Real[] = ["claude", "openai"];
const key = "vibey provider";

/** Remembers on this device which provider the user chose last. The demo doesn't count. */
export function rememberProvider(name: string) {
  if (real.some((known) => known === name)) keep(key, name);
}

/** The order in which providers are tried: the one chosen last, then Claude, then OpenAI. */
export const inOrder = (chosen: string | null): readonly Real[] => real.toSorted((a, b) => Number(b === chosen) - Number(a === chosen));

/** The provider for a new dialog: the first one that is configured, even if its key is locked; null if there is none. */
export async function defaultProvider(): Promise<Real | null> {
  for (const name of inOrder(kept(key))) {
    const answer = await readProvider(name);
    if (answer.ok && (answer.value.configured || answer.value.key === "locked")) return name;
  }
  return null;
}
