import { syntaxTree } from "@codemirror/language";
import { Prec, RangeSetBuilder } from "@codemirror/state";
import { Decoration, type DecorationSet, type EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";
import { Tree } from "@lezer/common";
import { frontMatterEnd } from "../front-matter.ts";
import { highlightTree, tagHighlighter, tags } from "@lezer/highlight";

/** Class names for the style sheet. */
const names = tagHighlighter([
  { tag: tags.strong, class: "md-strong" },
  { tag: tags.emphasis, class: "md-em" },
  { tag: tags.strikethrough, class: "md-del" },
  { tag: [tags.comment, tags.meta, tags.angleBracket, tags.tagName], class: "md-mark" },
]);

/** Calls `give` for each highlighted piece between `from` and `to`, with its class names, in text order. Visits only the groups in that range. */
export function eachLook(tree: Tree, from: number, to: number, give: (from: number, to: number, names: string) => void): void {
  for (const [nth, group] of tree.children.entries()) {
    const at = tree.positions[nth] ?? 0;
    if (at >= to) break;
    if (group instanceof Tree && at + group.length > from)
      highlightTree(
        group,
        names,
        (start, end, look) => give(at + start, at + end, look),
        Math.max(0, from - at),
        Math.min(group.length, to - at),
      );
  }
}

const decorations = new Map<string, Decoration>();
function decorationOf(look: string): Decoration {
  const known = decorations.get(look) ?? Decoration.mark({ class: look });
  decorations.set(look, known);
  return known;
}

/** CodeMirror's `syntaxHighlighting` would visit all blocks of the text at each key press. */
class Looks {
  decorations: DecorationSet;
  #tree: Tree;
  /** How far the text was drawn. */
  #drawnTo: number;

  constructor(view: EditorView) {
    this.#tree = syntaxTree(view.state);
    this.#drawnTo = view.viewport.to;
    this.decorations = this.#draw(view);
  }

  update({ state, view, changes, viewportChanged }: ViewUpdate): void {
    const tree = syntaxTree(state);
    const drawnTo = changes.mapPos(this.#drawnTo, 1);
    // The old decorations stay until the parser has reached this part again.
    if (tree.length < view.viewport.to && drawnTo >= view.viewport.to) {
      this.decorations = this.decorations.map(changes);
      this.#drawnTo = drawnTo;
    } else if (tree !== this.#tree || viewportChanged) {
      this.#tree = tree;
      this.#drawnTo = view.viewport.to;
      this.decorations = this.#draw(view);
    }
  }

  #draw({ visibleRanges, state }: EditorView): DecorationSet {
    const found = new RangeSetBuilder<Decoration>();
    const front = frontMatterEnd(state);
    for (const range of visibleRanges)
      eachLook(this.#tree, Math.max(front, range.from), range.to, (from, to, look) => found.add(from, to, decorationOf(look)));
    return found.finish();
  }
}

/** Draws strong, emphasized and struck-through text and the marks of Markdown. */
export const looks = Prec.high(ViewPlugin.fromClass(Looks, { decorations: (plugin) => plugin.decorations }));
