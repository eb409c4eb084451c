import { createSignal } from "solid-js";
import type { Frame } from "../../engine/api.ts";
import { readProvider, startDialog, unreachable } from "../api/calls.ts";
import { frames } from "../api/frames.ts";

const firstPrompt = "Please read doc-main.md and start.";

export interface StartDeps {
  readonly opened: (dialogId: string) => void;
  readonly failed: (message: string) => void;
}

async function hasKey(): Promise<boolean> {
  const answer = await readProvider("claude");
  return answer.ok && answer.value.configured;
}

/** The ball's first push: one dialog whose agent reads doc-main.md. Without a key a person chooses between a demo and a key. */
export function createStarter({ opened, failed }: StartDeps) {
  const [choosing, setChoosing] = createSignal(false);
  const [starting, setStarting] = createSignal(false);

  async function startWith(provider: "claude" | "demo") {
    if (starting()) return;
    setChoosing(false);
    setStarting(true);
    const answer = await startDialog({ provider, prompt: firstPrompt, slug: "start" });
    const refused = answer.ok ? await untilOpen(answer.value) : answer.message;
    setStarting(false);
    if (refused !== null) failed(`The agent could not be started: ${refused}`);
  }

  /** The dialog opens as soon as it is stored; its own stream tells the rest. */
  async function untilOpen(response: Response): Promise<string | null> {
    try {
      for await (const frame of frames<Frame>(response)) {
        if (frame.type === "error") return frame.error;
        if (frame.type === "dialog" || frame.type === "tool_request") {
          opened(frame.dialogId);
          return null;
        }
        if (frame.type === "done") {
          opened(frame.result.dialogId);
          return null;
        }
      }
      return "the engine said nothing.";
    } catch (error) {
      return unreachable(error).message;
    }
  }

  return {
    /** No key is there, and a person has to choose. */
    choosing,
    starting,
    cancel: () => setChoosing(false),
    startWith,
    async start() {
      if (await hasKey()) await startWith("claude");
      else setChoosing(true);
    },
    usualProvider: async () => ((await hasKey()) ? "claude" : "demo"),
  };
}
export type Starter = ReturnType<typeof createStarter>;
