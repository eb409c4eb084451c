import type { EditorState, Range } from "@codemirror/state";
import type { Decoration, EditorView } from "@codemirror/view";
import { hidden, marks } from "./looks.ts";

/** Stretches of these that touch are drawn as one: each would have an element of its own, and a line may have thousands of marks. */
const joined: ReadonlySet<Decoration> = new Set([hidden, marks.faint]);

/** A stretch of the text, by offsets. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Where it is gathered what is drawn otherwise than it is written, and what one asks the text while drawing. */
export interface Canvas {
  readonly state: EditorState;
  readonly found: readonly Range<Decoration>[];
  /** Whether someone writes there: in a text without the focus no one does. */
  readonly touches: (from: number, to: number) => boolean;
  /** Whether someone writes in the line. */
  readonly onLine: (pos: number) => boolean;
  /** The end of what stands up to `pos`, with the space behind it if there is one. */
  readonly pastSpace: (pos: number) => number;
  readonly add: (decoration: Decoration, from: number, to: number) => void;
  readonly addLine: (decoration: Decoration, at: number) => void;
  /** Each line of `node` that is in `within`: where it begins, and the index of the node it is, from 0 on. */
  readonly eachLine: (node: Stretch, within: Stretch, give: (from: number, nth: number) => void) => void;
}

export function createCanvas({ state, hasFocus }: Pick<EditorView, "state" | "hasFocus">): Canvas {
  const found: Range<Decoration>[] = [];
  /** Where in `found` the last stretch of a decoration stands. */
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
