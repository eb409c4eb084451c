import { createEffect, createSignal, onCleanup, Show } from "solid-js";
import { type GrowingText, whole } from "./growing.ts";
import type { createMarkdownView } from "./view.ts";
import type { createWrittenView } from "./written.ts";

interface Views {
  readonly createMarkdownView: typeof createMarkdownView;
  readonly createWrittenView: typeof createWrittenView;
}
const [views, setViews] = createSignal<Views | null>(null);
/** UTF-16 units that are shown until the code has loaded. */
const beginning = 4_000;
let loading: Promise<void> | undefined;

/** Loads the Markdown code once. Until then, texts show as written. If that fails, the next text tries again. */
export function loadMarkdown(): Promise<void> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function load() {
  const [{ createMarkdownView }, { createWrittenView }] = await Promise.all([import("./view.ts"), import("./written.ts")]);
  setViews({ createMarkdownView, createWrittenView });
}

export function Markdown(props: { text: string | GrowingText; complete: boolean }) {
  void loadMarkdown();
  return (
    <Show when={views()} fallback={<div class="prose plain">{whole(props.text).slice(0, beginning)}</div>}>
      {(now) => <Rendered create={now().createMarkdownView} text={props.text} complete={props.complete} />}
    </Show>
  );
}

/** A text as its author wrote it. Only fenced code and addresses are recognized. */
export function AsWritten(props: { text: string }) {
  void loadMarkdown();
  return (
    <Show when={views()} fallback={<div class="prose plain">{props.text.slice(0, beginning)}</div>}>
      {(now) => {
        const root = document.createElement("div");
        root.className = "prose";
        // The function stays the same for the life of the page.
        // oxlint-disable-next-line solid/reactivity
        const show = now().createWrittenView(root);
        createEffect(() => show(props.text));
        return root;
      }}
    </Show>
  );
}

/** Streamed text arrives in many pieces per frame. It is shown once per frame. */
function Rendered(props: { create: typeof createMarkdownView; text: string | GrowingText; complete: boolean }) {
  const root = document.createElement("div");
  root.className = "prose";
  // The function stays the same for the life of the page.
  // oxlint-disable-next-line solid/reactivity
  const show = props.create(root);
  let frame = 0;
  let first = true;
  createEffect(() => {
    const text = props.text;
    const complete = props.complete;
    cancelAnimationFrame(frame);
    if (first || complete) void show(text, complete);
    else frame = requestAnimationFrame(() => void show(text, complete));
    first = false;
  });
  onCleanup(() => cancelAnimationFrame(frame));
  return root;
}
