import type { EditorState, Range } from "@codemirror/state";
import type { Decoration, EditorView } from "@codemirror/view";
import { hidden, marks } from "./looks.ts";

/** Adjacent ranges of these decorations are drawn as one. Otherwise each would have an element of its own, and a line may have thousands of marks. */
const joined: ReadonlySet<Decoration> = new Set([hidden, marks.faint]);

/** A range of the text, by offsets. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Collects the decorations, and answers questions about the text while drawing. */
export interface Canvas {
  readonly state: EditorState;
  readonly found: readonly Range<Decoration>[];
  /** Whether the user is editing in this range. Never in a text without the focus. */
  readonly touches: (from: number, to: number) => boolean;
  /** Whether the user is editing in this line. */
  readonly onLine: (pos: number) => boolean;
  /** `pos`, or the offset after the space that follows it. */
  readonly pastSpace: (pos: number) => number;
  readonly add: (decoration: Decoration, from: number, to: number) => void;
  readonly addLine: (decoration: Decoration, at: number) => void;
  /** Calls `give` for each line of `node` that is in `within`, with the line's offset and its index within the node, from 0. */
  readonly eachLine: (node: Stretch, within: Stretch, give: (from: number, nth: number) => void) => void;
}

export function createCanvas({ state, hasFocus }: Pick<EditorView, "state" | "hasFocus">): Canvas {
  const found: Range<Decoration>[] = [];
  /** The index in `found` of the last range of a decoration. */
  const last = new Map<Decoration, number>();
  const touches = (from: number, to: number) => hasFocus && state.selection.ranges.some((range) => range.to >= from && range.from <= to);
  return {
    state,
    found,
    touches,
    onLine(pos) {
      const { from, to } = state.doc.lineAt(pos);
      return touches(from, to);
    },
    pastSpace: (pos) => (state.sliceDoc(pos, pos + 1) === " " ? pos + 1 : pos),
    add(decoration, from, to) {
      if (from >= to) return;
      const at = last.get(decoration) ?? found.length;
      const before = found[at];
      if (before?.to === from && joined.has(decoration)) found[at] = decoration.range(before.from, to);
      else {
        last.set(decoration, found.length);
        found.push(decoration.range(from, to));
      }
    },
    addLine: (decoration, at) => void found.push(decoration.range(at)),
    eachLine(node, within, give) {
      let at = state.doc.lineAt(Math.max(node.from, within.from));
      const first = state.doc.lineAt(node.from).number;
      for (;;) {
        give(at.from, at.number - first);
        if (at.to >= Math.min(node.to, within.to) || at.number >= state.doc.lines) return;
        at = state.doc.line(at.number + 1);
      }
    },
  };
}
