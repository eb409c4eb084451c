import type { TabsWorld } from "./world.ts";

/** A Web Lock that is requested, then held until it is released. */
export interface Hold {
  /** Releases the lock, or cancels the request. */
  release(): void;
}

export interface HoldEvents {
  readonly held: () => void;
  /** Another one has stolen the lock. */
  readonly stolen?: () => void;
  /** The browser provides no locks: the site's storage is blocked, or its address is not secure. If absent, this is reported. */
  readonly refused?: (error: unknown) => void;
}

/** Waits for the lock and holds it. `steal`: takes it at once from its holder. `shared`: holds it together with others who request it as shared. */
export function hold(
  { locks, report }: Pick<TabsWorld, "locks" | "report">,
  name: string,
  events: HoldEvents,
  way: "exclusive" | "shared" | "steal" = "exclusive",
): Hold {
  const waiting = new AbortController();
  let letGo: (() => void) | undefined;
  let released = false;
  // Async, because the browser may have no locks at all.
  const request = async () =>
    locks.request(name, way === "steal" ? { steal: true } : { mode: way, signal: waiting.signal }, () => {
      if (released) return undefined;
      return new Promise<void>((resolve) => {
        letGo = resolve;
        events.held();
      });
    });
  request().catch((error: unknown) => {
    if (released) return;
    if (letGo) events.stolen?.();
    else (events.refused ?? report)(error);
  });
  return {
    release() {
      released = true;
      if (letGo) letGo();
      else waiting.abort();
    },
  };
}
