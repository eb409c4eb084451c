import type { Dialog } from "../../../dialog/model.ts";
import type { Timers } from "../deps.ts";
import type { Provider, ProviderEvent } from "../provider.ts";
import { build } from "./build.ts";
import { face, isFacePrompt } from "./face.ts";
import { namedStep } from "./named.ts";
import { nextStepOf, type Step } from "./script.ts";
import { teamStep } from "./team.ts";

/** The one model of the demo; its name says what it is. */
export const demoModel = "scripted";

/** Milliseconds between two pieces of text: slow enough to read along, fast enough that no one has to wait. */
const pieceMs = 24;

/**
 * A provider for the first minute, without a key and without the network. Its answers depend only on the dialog, and say that they are
 * scripted. It reports no usage, because it uses nothing.
 */
export function demoProvider(deps: { readonly timers: Pick<Timers, "after"> }): Provider {
  function pause(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const stop = deps.timers.after(ms, finish);
      signal.addEventListener("abort", finish, { once: true });
      function finish(): void {
        stop();
        signal.removeEventListener("abort", finish);
        resolve();
      }
    });
  }

  return {
    name: "demo",
    async *stream(request, signal): AsyncGenerator<ProviderEvent> {
      const step = nextStep(request.dialog, request.system);
      for (const text of pieces(step.text)) {
        await pause(pieceMs, signal);
        if (signal.aborted) break;
        yield { type: "text", text };
      }
      for (const { id, name, input } of step.calls) {
        if (signal.aborted) break;
        yield { type: "call", id, name, input: { ok: true, value: input } };
      }
      yield { type: "end", stop: { kind: signal.aborted ? "aborted" : "end" } };
    },
    window: () => null,
    models: async () => ({ ok: true, models: [demoModel] }),
  };
}

/** The next answer in any dialog. The story is the same for all prompts. An agent that a file defines says that it can't answer. */
export function nextStep(dialog: Dialog, system: string): Step {
  const inRun = teamStep(dialog, system);
  if (inRun) return inRun;
  const named = namedStep(dialog);
  if (named) return named;
  const prompt = dialog.sections.find((section) => section.role === "user")?.parts.find((part) => part.kind === "text");
  return nextStepOf(prompt && isFacePrompt(prompt.text) ? face : build, dialog, system);
}

/** Splits a text into pieces of two words. */
function pieces(text: string): string[] {
  return text.match(/\S+\s*(?:\S+\s*)?/g) ?? [];
}
