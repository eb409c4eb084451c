import * as t from "../texts/webcontainer.ts";
import type { ClientFrame, Container } from "./client.ts";

/** Milliseconds until a boot without an answer counts as failed. */
export const bootMs = 20_000;

/** Milliseconds that a slow frame has to respond, before another boot request reloads it. */
export const frameMs = 60_000;

export interface BootWorld {
  readonly boot: () => Promise<Container>;
  /** Whether this page is cross-origin isolated. Otherwise no container starts. */
  readonly isolated: () => boolean;
  readonly online: () => boolean;
  readonly frame: ClientFrame;
}

export type Booted = { readonly container: Container } | { readonly why: string };

/**
 * The page's only container. The client's boot may never end, must not be called again before it has ended, and reports nothing until then. So a boot
 * is given up after `bootMs`, and later requests get the container as soon as it exists after all.
 */
export function createBooter(world: BootWorld) {
  let pending: Promise<Booted> | null = null;
  /** When the frame was last loaded. */
  let since = 0;
  let running: Container | null = null;
  /** Why this page can't have a container anymore. */
  let dead: string | null = null;
  /** The callers that wait for the container. */
  const waiting = new Set<(booted: Booted) => void>();
  /** Whether the container was given up and not requested since. */
  let givenUp = false;

  async function boot(): Promise<Booted> {
    try {
      const container = await world.boot();
      if (dead !== null) return { why: dead };
      if (givenUp) {
        container.teardown();
        return { why: t.notRunning };
      }
      running = container;
      return { container };
    } catch (error) {
      return { why: t.bootRefused(error instanceof Error ? error.message : String(error)) };
    } finally {
      pending = null;
    }
  }

  function silence(): string {
    if (world.frame.state() === "refused") return t.policyRefuses;
    if (!world.online()) return t.offline;
    switch (world.frame.state()) {
      case "spoken":
        return t.hostStuck;
      case "loaded":
        return t.hostSilent;
      default:
        return t.hostNotReached;
    }
  }

  return {
    /** The container; null while there is none. */
    running: () => running,
    /** Settles within `bootMs`, and never rejects. */
    async boot(): Promise<Booted> {
      if (running !== null) return { container: running };
      if (dead !== null) return { why: dead };
      if (!world.isolated()) return { why: t.notIsolated };
      // If the frame can't be loaded, the client would wait forever.
      if (!world.online()) return { why: t.offline };
      givenUp = false;
      if (pending === null) {
        since = performance.now();
        pending = Promise.resolve().then(boot);
      } else if (performance.now() - since >= frameMs) {
        since = performance.now();
        world.frame.reload();
      }
      let stopWaiting = (): void => undefined;
      const without = new Promise<Booted>((resolve) => {
        const timer = setTimeout(() => resolve({ why: silence() }), bootMs);
        waiting.add(resolve);
        stopWaiting = () => {
          clearTimeout(timer);
          waiting.delete(resolve);
        };
      });
      const booted = await Promise.race([pending, without]);
      stopWaiting();
      return booted;
    },
    /** Gives up the container that is running or being booted. Another one can be booted then. */
    tearDown() {
      givenUp = true;
      for (const tell of waiting) tell({ why: t.notRunning });
      const container = running;
      running = null;
      try {
        container?.teardown();
      } catch (error) {
        // It had already ended.
        console.info("The container was torn down before.", error);
      }
    },
    /** The client's frame is gone, and the client never creates another one. */
    kill(why: string) {
      dead = why;
      running = null;
      for (const tell of waiting) tell({ why });
    },
  };
}
export type Booter = ReturnType<typeof createBooter>;
