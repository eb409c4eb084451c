import { createMemo, createSignal, onCleanup, onMount } from "solid-js";
import { onMac, shownKeys } from "../ui/commands.ts";
import * as t from "../texts/find-in-dialog.ts";
import { callHas, messagesWith, rangesOf } from "./find.ts";
import type { OpenDialog } from "./open-dialog.ts";
import { onChange } from "../ui/on-change.ts";

/** The maximum number of matches that are marked. */
const maxMarked = 500;
/** The maximum number of animation frames to wait until a distant message is in the page. */
const maxFrames = 30;

export interface FindBarProps {
  readonly dialog: OpenDialog;
  readonly list: () => HTMLElement | undefined;
  /** Scrolls a message into view. */
  readonly show: (index: number) => void;
  readonly close: () => void;
}

/** Finds text in a dialog, including messages that are not in the page because no one has scrolled to them. */
export default function FindBar(props: FindBarProps) {
  const [words, setWords] = createSignal("");
  const [at, setAt] = createSignal(-1);
  const [box, setBox] = createSignal<HTMLInputElement>();
  const found = createMemo(() =>
    messagesWith(
      props.dialog.slots().map((slot) => slot.message()),
      words().trim(),
    ),
  );
  const status = () => {
    if (words().trim() === "") return "";
    if (found().length === 0) return t.nowhere;
    return t.place(at() + 1, found().length);
  };
  let frame = 0;
  onMount(() => {
    box()?.focus();
    box()?.select();
  });
  onCleanup(() => {
    cancelAnimationFrame(frame);
    mark([]);
  });
  // The newest match comes first.
  onChange(words, () => goTo(found().length - 1));

  function goTo(next: number) {
    const { length } = found();
    const wrapped = length === 0 ? -1 : (next + length) % length;
    setAt(wrapped);
    const index = found()[wrapped];
    cancelAnimationFrame(frame);
    mark([]);
    if (index === undefined) return;
    props.show(index);
    look(index, maxFrames);
  }
  /** A distant message appears in the page a moment later. */
  function look(index: number, frames: number) {
    const article = props.list()?.querySelector(`article[data-message="${index}"]`);
    if (article === null || article === undefined) {
      if (frames > 0) frame = requestAnimationFrame(() => look(index, frames - 1));
      return;
    }
    openCalls(article, index);
    reveal(article, maxFrames);
  }
  /** The contents of a call appear a moment after it opens, too. */
  function reveal(article: Element, frames: number) {
    const ranges = rangesOf(article, words().trim(), maxMarked);
    if (ranges.length === 0 && frames > 0) {
      frame = requestAnimationFrame(() => reveal(article, frames - 1));
      return;
    }
    mark(ranges);
    (ranges[0]?.startContainer.parentElement ?? article).scrollIntoView({ block: "center" });
  }
  /** Opens calls that contain the text, so that it is visible. */
  function openCalls(article: Element, index: number) {
    const parts = props.dialog.slots().at(index)?.message().parts ?? [];
    const calls = parts.flatMap((part) => (part.kind === "call" ? [part.call] : []));
    const lines = article.querySelectorAll<HTMLDetailsElement>("details.call");
    calls.forEach((call, nth) => {
      const line = lines[nth];
      if (line && callHas(call, words().trim())) line.open = true;
    });
  }
  function onKey(event: KeyboardEvent) {
    if (event.isComposing) return;
    if (event.key === "Escape") props.close();
    else if (event.key === "Enter" || event.key === "F3") goTo(at() + (event.shiftKey ? -1 : 1));
    else return;
    event.preventDefault();
  }
  return (
    <search class="find">
      <input
        ref={setBox}
        type="search"
        aria-label={t.find}
        placeholder={t.hint}
        value={words()}
        onInput={(event) => setWords(event.currentTarget.value)}
        onKeyDown={onKey}
      />
      <output>{status()}</output>
      <button
        type="button"
        class="quiet"
        disabled={found().length < 2}
        title={shownKeys("Shift+Enter", onMac())}
        onClick={() => goTo(at() - 1)}
      >
        <span aria-hidden="true">↑</span>
        <span class="unseen">{t.before}</span>
      </button>
      <button type="button" class="quiet" disabled={found().length < 2} title={shownKeys("Enter", onMac())} onClick={() => goTo(at() + 1)}>
        <span aria-hidden="true">↓</span>
        <span class="unseen">{t.next}</span>
      </button>
      <button type="button" class="cross quiet" aria-label={t.close} onClick={() => props.close()}>
        ×
      </button>
    </search>
  );
}

/** Marks ranges without changing the page, if the browser can. */
function mark(ranges: readonly Range[]) {
  if (!("highlights" in CSS)) return;
  if (ranges.length === 0) CSS.highlights.delete("found");
  else CSS.highlights.set("found", new Highlight(...ranges));
}
