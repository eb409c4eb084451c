import type { Provider, ProviderName } from "./provider.ts";

/** A provider whose code is fetched when it is first asked. Code that can't be fetched is answered like a network that is not there. */
export function lazyProvider(name: ProviderName, load: () => Promise<Provider>): Provider {
  let loading: Promise<Provider> | undefined;
  const loaded = () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
  const message = (error: unknown) =>
    `Vibey's own code for ${name} could not be loaded: ${error instanceof Error ? error.message : String(error)}`;
  return {
    name,
    async *stream(request, signal) {
      const provider = await loaded().catch((error: unknown) => message(error));
      if (typeof provider === "string") yield { type: "end", stop: { kind: "error", reason: "unreachable", message: provider } };
      else yield* provider.stream(request, signal);
    },
    async models(signal) {
      const provider = await loaded().catch((error: unknown) => message(error));
      return typeof provider === "string" ? { ok: false, message: provider } : provider.models(signal);
    },
  };
}
