import { demo } from "../texts/providers.ts";

/** The providers of models. The demo is scripted and needs nothing. */
export type ProviderName = "claude" | "openai" | "demo";

/** The providers that need a key. */
export const keyed: readonly ProviderName[] = ["claude", "openai"];

export const providers: readonly { readonly name: ProviderName; readonly label: string }[] = [
  { name: "claude", label: "Claude" },
  { name: "openai", label: "OpenAI" },
  { name: "demo", label: demo },
];
