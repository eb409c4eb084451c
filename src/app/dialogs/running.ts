import { type Accessor, createSignal } from "solid-js";
import type { DialogView, OutputView, ViewFrame } from "../../protocol/index.ts";

export type Head = Omit<DialogView, "messages">;

type OutputFrame = Extract<ViewFrame, { type: "output" }>;

/** Characters of output that are kept, the same as in the engine. */
const maxOutputLength = 20_000;

/** The running command, as this page sees it. The object stays the same while the command prints. */
export interface Running {
  readonly callId: string;
  /** `performance.now()` when the page first knew of it. */
  readonly seen: number;
  /** Whether the page saw it start. If not, it has been running longer than `seen` says. */
  readonly fromStart: boolean;
  readonly output: Accessor<OutputView | null>;
}

/** The output after one more piece. Output of another command is dropped. */
export function afterOutput(output: OutputView | null, { callId, stream, text }: OutputFrame): OutputView {
  const before: OutputView = output?.callId === callId ? output : { callId, text: "", progress: null };
  if (stream === "progress") return { ...before, progress: text === "" ? null : text };
  return { ...before, text: theEnd(before.text + text) };
}

function theEnd(text: string): string {
  if (text.length <= maxOutputLength) return text;
  const cut = text.slice(-maxOutputLength);
  const first = cut.charCodeAt(0);
  return first >= 0xdc00 && first <= 0xdfff ? cut.slice(1) : cut;
}

/** Follows the running command. Output is shown at most once per animation frame, however many pieces arrive. */
export function createRunning(now: () => number = () => performance.now()) {
  const [output, setOutput] = createSignal<OutputView | null>(null);
  const [running, setRunning] = createSignal<Running | null>(null);
  let latest: OutputView | null = null;
  let frame = 0;

  function show(view: OutputView | null) {
    cancelAnimationFrame(frame);
    frame = 0;
    latest = view;
    setOutput(view);
  }
  return {
    running,
    /** Everything about the dialog except its messages has arrived. `known`: something about this dialog was known before. */
    head(head: Head, known: boolean) {
      const callId = head.activity?.kind === "running" ? head.activity.callId : null;
      const same = callId === (running()?.callId ?? null);
      // While a result is being stored, no more output is reported. The output stays until the result arrives.
      if (head.output !== null || !same) show(head.output?.callId === callId ? head.output : null);
      if (same) return;
      setRunning(callId === null ? null : { callId, seen: now(), fromStart: known, output });
    },
    add(piece: OutputFrame) {
      latest = afterOutput(latest, piece);
      if (frame === 0) frame = requestAnimationFrame(() => show(latest));
    },
    clear() {
      show(null);
      setRunning(null);
    },
  };
}
