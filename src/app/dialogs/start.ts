import { createSignal } from "solid-js";
import { startDialog } from "../model/api/calls.ts";
import { opened } from "../model/api/opened.ts";
import type { ProviderName } from "../providers/names.ts";
import * as t from "../texts/start.ts";

export interface StartDeps {
  /** False: the key is locked, and the person leaves it so. */
  readonly ready: (provider: ProviderName) => Promise<boolean>;
  readonly opened: (dialogId: string) => void;
  readonly failed: (message: string) => void;
}

/** The ball's first push: one dialog whose agent reads doc-main.md. Without a provider a person chooses between a demo and an own one. */
export function createStarter(deps: StartDeps) {
  const [choosing, setChoosing] = createSignal(false);
  const [starting, setStarting] = createSignal(false);

  async function startWith(provider: ProviderName) {
    if (starting()) return;
    setChoosing(false);
    setStarting(true);
    const dialog = await opened(await startDialog({ provider, prompt: t.firstPrompt, slug: "start" }));
    setStarting(false);
    if (dialog.ok) deps.opened(dialog.dialogId);
    else deps.failed(t.notStarted(dialog.message));
  }

  return {
    /** No provider is configured, and a person has to choose. */
    choosing,
    starting,
    cancel: () => setChoosing(false),
    startWith,
    async start() {
      let provider: ProviderName | null;
      try {
        const { usualProvider } = await import("../providers/usual.ts");
        provider = await usualProvider();
      } catch (error) {
        deps.failed(t.notStarted(error instanceof Error ? error.message : String(error)));
        return;
      }
      if (provider === null) setChoosing(true);
      else if (await deps.ready(provider)) await startWith(provider);
    },
  };
}
export type Starter = ReturnType<typeof createStarter>;
