import type { MessageView, PartView, Step } from "../../protocol/index.ts";

/** How much of a dialog had been written at a moment. */
export interface DialogSnapshot {
  /** The last section; -1: none. */
  readonly section: number;
  /** The number of texts in that section. */
  readonly texts: number;
  /** The requested calls, and the calls that had a result. */
  readonly calls: ReadonlySet<string>;
  readonly results: ReadonlySet<string>;
}

/** The state of a dialog after the first `count` steps. */
export function snapshotAt(steps: readonly Step[], count: number, dialogId: string): DialogSnapshot {
  let [section, texts] = [-1, 0];
  const [calls, results] = [new Set<string>(), new Set<string>()];
  for (let at = 0; at < Math.min(count, steps.length); at += 1) {
    const step = steps[at];
    if (step === undefined || step.dialogId !== dialogId) continue;
    if (step.section !== undefined && step.section > section) [section, texts] = [step.section, 0];
    if (step.what === "text" && step.section === section) texts += 1;
    if (step.what === "call") calls.add(step.call);
    if (step.what === "result") results.add(step.call);
  }
  return { section, texts, calls, results };
}

/**
 * The message as it was then; null: it didn't exist. A text that was still being written is left out, because it becomes an event only when it is
 * complete.
 */
export function messageAt(message: MessageView, index: number, cut: DialogSnapshot): MessageView | null {
  if (index > cut.section) return null;
  let texts = 0;
  const parts = message.parts.flatMap((part): PartView[] => {
    if (part.kind === "meta") return [];
    if (part.kind === "text") return message.role === "user" || index < cut.section || ++texts <= cut.texts ? [part] : [];
    if (!cut.calls.has(part.call.id)) return [];
    return cut.results.has(part.call.id) ? [part] : [{ kind: "call", call: { ...part.call, result: null, state: "pending" } }];
  });
  return { ...message, parts };
}
