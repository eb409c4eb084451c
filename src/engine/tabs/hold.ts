import type { TabsWorld } from "./world.ts";

/** A Web Lock that is wanted, then held, until it is let go. */
export interface Hold {
  /** Gives the lock up, or the wish for it. */
  release(): void;
}

export interface HoldEvents {
  readonly held: () => void;
  /** Another one has stolen the lock. */
  readonly stolen?: () => void;
  /** The browser gives no locks: a site's storage is blocked, or its address is not secure. Left out: it is reported. */
  readonly refused?: (error: unknown) => void;
}

/** Waits for the lock and holds it. `steal`: takes it at once from anyone who has it; `shared`: with all others who want it so. */
export function hold(
  { locks, report }: Pick<TabsWorld, "locks" | "report">,
  name: string,
  events: HoldEvents,
  way: "exclusive" | "shared" | "steal" = "exclusive",
): Hold {
  const waiting = new AbortController();
  let letGo: (() => void) | undefined;
  let released = false;
  // Async, since there may be no locks at all.
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
