import { createSignal, onCleanup, type Accessor } from "solid-js";
import type { FoundFile, SearchFrame } from "../../protocol/index.ts";
import { openSearch, unreachable } from "../model/api/calls.ts";
import { frames } from "../model/api/frames.ts";
import { visible } from "../calls/visible.ts";
import { fileAt, fileTitle } from "../history/paths.ts";
import { type FileRef, formatRoute } from "../model/route.ts";
import type { Row } from "../ui/Sidebar.tsx";
import * as t from "../texts/docs-search.ts";
import type { TextRange } from "./editor-mount.ts";
import { dialogFile } from "./names.ts";
import { onChange } from "../ui/on-change.ts";

/** Milliseconds without a key press until the engine is asked. */
const pause = 150;
/** Milliseconds in which results are collected before they are shown. */
const gather = 60;
/** Shorter search words are in nearly every text. */
const fewest = 2;

export interface Search {
  readonly found: readonly FoundFile[];
  readonly running: boolean;
  /** A note to show beside the results; null if there is none. */
  readonly note: string | null;
}

/** Every result as a row that opens its file at the line. */
export function foundRows({ found }: Search, open: (ref: FileRef, place: TextRange) => void): Row[] {
  return found.flatMap(({ path, lines, more }) => {
    const ref = fileAt(path);
    const dialog = ref.kind === "doc" ? dialogFile(ref.name) : null;
    return lines.map(({ line, from, to, text, at }, nth): Row => {
      const before = visible(text.slice(0, at)).trimStart();
      const hit = visible(text.slice(at, at + to - from));
      const isLast = nth === lines.length - 1;
      return {
        key: `found:${path}:${line}`,
        href: formatRoute({ tab: "docs", file: ref }),
        title: visible(dialog?.slug ?? fileTitle(path)),
        hint: t.placeHint(visible(path), line),
        side: isLast && more > 0 ? t.lineAndMore(line, more) : t.lineAt(line),
        note: before + hit + visible(text.slice(at + to - from)),
        marked: { from: before.length, to: before.length + hit.length },
        mark: "none",
        current: false,
        remove: null,
        run: () => open(ref, { line, from, to }),
      };
    });
  });
}

const nothing: Search = { found: [], running: false, note: null };

/** The places in files that contain `words`, as they are found. A newer search ends the older one. */
export function createSearch(words: Accessor<string>): Accessor<Search> {
  const [search, setSearch] = createSignal<Search>(nothing);
  let stop = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function ask(asked: string, { signal }: AbortController) {
    const answer = await openSearch(asked, signal);
    if (signal.aborted) return;
    if (!answer.ok) {
      setSearch({ ...nothing, note: t.notSearched(answer.message) });
      return;
    }
    let found: FoundFile[] = [];
    let shown = performance.now();
    try {
      for await (const frame of frames<SearchFrame>(answer.value)) {
        if (signal.aborted) return;
        if (frame.type === "found") found = [...found, frame];
        if (frame.type === "end") {
          const unread = frame.unread > 0 ? t.unread(frame.unread) : "";
          const cut = frame.cut ? t.cutShort : "";
          setSearch({ found, running: false, note: [cut, unread].filter((part) => part !== "").join(" ") || null });
        } else if (performance.now() - shown > gather) {
          shown = performance.now();
          setSearch({ found, running: true, note: null });
        }
      }
    } catch (error) {
      if (!signal.aborted) setSearch({ found, running: false, note: t.notSearched(unreachable(error).message) });
    }
  }
  onChange(words, (asked) => {
    stop.abort();
    clearTimeout(timer);
    stop = new AbortController();
    if (asked.trim().length < fewest) {
      setSearch(nothing);
      return;
    }
    setSearch({ ...search(), running: true, note: null });
    const mine = stop;
    timer = setTimeout(() => void ask(asked.trim(), mine), pause);
  });
  onCleanup(() => {
    stop.abort();
    clearTimeout(timer);
  });
  return search;
}
