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

/** Milliseconds between two pieces of text: slow enough to be read along, fast enough not to be waited for. */
const pieceMs = 24;

/**
 * A provider without a key and without a network, for the first minute. It answers from the dialog alone and says that it
 * is scripted. It reports no usage: it used nothing.
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

/** The next answer to any dialog. Whatever the prompt asks for, the story is the same; an agent of a file says that it can't answer. */
export function nextStep(dialog: Dialog, system: string): Step {
  const inRun = teamStep(dialog, system);
  if (inRun) return inRun;
  const named = namedStep(dialog);
  if (named) return named;
  const prompt = dialog.sections.find((section) => section.role === "user")?.parts.find((part) => part.kind === "text");
  return nextStepOf(prompt && isFacePrompt(prompt.text) ? face : build, dialog, system);
}

/** Two words at a time. */
function pieces(text: string): string[] {
  return text.match(/\S+\s*(?:\S+\s*)?/g) ?? [];
}
