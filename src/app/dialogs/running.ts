import { type Accessor, createSignal } from "solid-js";
import type { DialogView, OutputView, ViewFrame } from "../../protocol/index.ts";

export type Head = Omit<DialogView, "messages">;

type OutputFrame = Extract<ViewFrame, { type: "output" }>;

/** Characters of output that are kept, as the engine keeps them. */
const maxOutputLength = 20_000;

/** The command that runs, as this page sees it. The object stays the same while it prints. */
export interface Running {
  readonly callId: string;
  /** `performance.now()` when the page first knew of it. */
  readonly seen: number;
  /** The page saw it begin; else it runs longer than that. */
  readonly fromStart: boolean;
  readonly output: Accessor<OutputView | null>;
}

/** What is known of the output after one more piece. Another command's output is forgotten. */
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

/** Follows the command that runs. Output is shown once a frame of the screen, however many pieces it comes in. */
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
    /** Everything of the dialog but its messages was told; `known`: something of this dialog was before. */
    head(head: Head, known: boolean) {
      const callId = head.activity?.kind === "running" ? head.activity.callId : null;
      const same = callId === (running()?.callId ?? null);
      // While a result is being stored, nothing is said of the output anymore; it stands until the result does.
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
