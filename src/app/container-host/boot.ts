import * as t from "../texts/webcontainer.ts";
import type { ClientFrame, Container } from "./client.ts";

/** Milliseconds after which a boot that says nothing is said to have failed. */
export const bootMs = 20_000;

/** Milliseconds that a frame has to speak, however slow, before it is reloaded for someone who asks again. */
export const frameMs = 60_000;

export interface BootWorld {
  readonly boot: () => Promise<Container>;
  /** Whether this page is isolated from other sites, without which no container starts. */
  readonly isolated: () => boolean;
  readonly online: () => boolean;
  readonly frame: ClientFrame;
}

export type Booted = { readonly container: Container } | { readonly why: string };

/**
 * The page's one container. The client's boot may never end, must not be called again before it has, and nothing can be told from it
 * meanwhile; so here it is waited for `bootMs`, and anyone who asks later gets it as soon as it is there after all.
 */
export function createBooter(world: BootWorld) {
  let pending: Promise<Booted> | null = null;
  /** When the frame was last loaded. */
  let since = 0;
  let running: Container | null = null;
  /** Why this page can have none anymore. */
  let dead: string | null = null;
  /** Who waits for it. */
  const waiting = new Set<(booted: Booted) => void>();
  /** No one has asked for it since it was given up. */
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
      // A frame that could not be loaded would keep the client waiting.
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
    /** Gives up the container that runs, or is waited for; another one can be booted. */
    tearDown() {
      givenUp = true;
      for (const tell of waiting) tell({ why: t.notRunning });
      const container = running;
      running = null;
      try {
        container?.teardown();
      } catch (error) {
        // It had ended by itself.
        console.info("The container was torn down before.", error);
      }
    },
    /** The client's frame is gone, and it never makes another one. */
    kill(why: string) {
      dead = why;
      running = null;
      for (const tell of waiting) tell({ why });
    },
  };
}
export type Booter = ReturnType<typeof createBooter>;
