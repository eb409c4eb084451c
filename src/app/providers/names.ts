/** The providers that agents can think with. The demo is scripted and needs nothing. */
export type ProviderName = "claude" | "openai" | "demo";

export const providers: readonly { readonly name: ProviderName; readonly label: string }[] = [
  { name: "claude", label: "Claude" },
  { name: "openai", label: "OpenAI" },
  { name: "demo", label: "Demo (scripted)" },
];
