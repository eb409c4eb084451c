import { systemDeps } from "./deps.ts";
import { offlineMessage } from "./offline.ts";
import type { Provider, ProviderName } from "./provider.ts";

/** A provider whose code is loaded on first use. If it can't be loaded, a stream ends as if the server were unreachable. */
export function lazyProvider(name: ProviderName, load: () => Promise<Provider>, online = systemDeps.online): Provider {
  let loading: Promise<Provider> | undefined;
  let provider: Provider | null = null;
  const loaded = () => {
    loading ??= load().then(
      (made) => (provider = made),
      (error: unknown) => {
        loading = undefined;
        throw error;
      },
    );
    return loading;
  };
  const message = (error: unknown) =>
    !online()
      ? offlineMessage
      : `Couldn't load the part of Vibey that talks to ${name}. Check your connection, then try again. (${error instanceof Error ? error.message : String(error)})`;
  return {
    name,
    prepare: () =>
      loaded().then(
        () => undefined,
        () => undefined,
      ),
    window: (model) => provider?.window(model) ?? null,
    prices: () => provider?.prices?.() ?? [],
    voice: async (...asked) => (await loaded()).voice?.(...asked),
    async *stream(request, signal) {
      const answered = await unlessAborted(
        loaded().catch((error: unknown) => message(error)),
        signal,
      );
      if (answered === null) yield { type: "end", stop: { kind: "aborted" } };
      else if (typeof answered === "string") yield { type: "end", stop: { kind: "error", reason: "unreachable", message: answered } };
      else yield* answered.stream(request, signal);
    },
    async models(signal) {
      const answered = await unlessAborted(
        loaded().catch((error: unknown) => message(error)),
        signal,
      );
      if (answered === null) return { ok: false, message: "Stopped." };
      return typeof answered === "string" ? { ok: false, message: answered } : answered.models(signal);
    },
  };
}

/** Null: the signal aborted first. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | null> {
  if (signal.aborted) return Promise.resolve(null);
  return new Promise((resolve) => {
    const stop = () => resolve(null);
    signal.addEventListener("abort", stop, { once: true });
    void work.then(resolve).finally(() => signal.removeEventListener("abort", stop));
  });
}
