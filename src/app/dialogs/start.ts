import { createSignal } from "solid-js";
import type { ProviderName } from "../providers/names.ts";
import * as t from "../texts/start.ts";

export interface StartDeps {
  /** False: the key is locked, and the user leaves it so. */
  readonly ready: (provider: ProviderName) => Promise<boolean>;
  readonly opened: (dialogId: string) => void;
  readonly failed: (message: string) => void;
}

/** The code is loaded at the first click, or a moment after the page. */
export const loadStart = () => import("./start-with.ts");

/** Starts the first dialog, whose agent reads doc-main.md. Without a provider, the user chooses between the demo and a provider of their own. */
export function createStarter(deps: StartDeps) {
  const [choosing, setChoosing] = createSignal(false);
  const [starting, setStarting] = createSignal(false);

  const notLoaded = (error: unknown) => deps.failed(t.notStarted(error instanceof Error ? error.message : String(error)));
  async function startWith(provider: ProviderName) {
    if (starting()) return;
    setChoosing(false);
    setStarting(true);
    try {
      const dialog = await (await loadStart()).startFirst(provider);
      if (dialog.ok) deps.opened(dialog.dialogId);
      else deps.failed(t.notStarted(dialog.message));
    } catch (error) {
      notLoaded(error);
    }
    setStarting(false);
  }

  return {
    /** No provider is configured, and the user has to choose. */
    choosing,
    starting,
    cancel: () => setChoosing(false),
    startWith,
    async start() {
      try {
        const provider = await (await loadStart()).defaultProvider();
        if (provider === null) setChoosing(true);
        else if (await deps.ready(provider)) await startWith(provider);
      } catch (error) {
        notLoaded(error);
      }
    },
  };
}
export type Starter = ReturnType<typeof createStarter>;
