import { codeFolding, foldEffect, foldKeymap, foldedRanges, foldService, syntaxTree, unfoldEffect } from "@codemirror/language";
import type { EditorState } from "@codemirror/state";
import { EditorView, gutter, GutterMarker, keymap } from "@codemirror/view";
import type { SyntaxNode } from "@lezer/common";
import { frontMatterEnd } from "./front-matter.ts";
import * as t from "../../texts/docs-editor.ts";

const marks = /^ {0,3}(#{1,6})(?:[ \t]|$)/;

/** Whether there is a heading, according to the syntax known so far. */
function isHeading(state: EditorState, pos: number): boolean {
  if (pos < frontMatterEnd(state)) return false;
  for (let node: SyntaxNode | null = syntaxTree(state).resolveInner(pos, 1); node !== null; node = node.parent)
    if (/^(?:ATX|Setext)Heading\d$/.test(node.name)) return true;
  return false;
}

/** The section of a heading: up to the next heading of the same or a higher level. */
function section(state: EditorState, lineStart: number): { from: number; to: number } | null {
  const { doc } = state;
  const first = doc.lineAt(lineStart);
  const level = marks.exec(first.text)?.[1]?.length;
  if (level === undefined || !isHeading(state, first.from + first.text.indexOf("#"))) return null;
  let end = doc.length;
  let at = first.to + 1;
  for (const text of doc.iterLines(first.number + 1)) {
    const deep = text.includes("#") ? marks.exec(text)?.[1]?.length : undefined;
    if (deep !== undefined && deep <= level && isHeading(state, at + text.indexOf("#"))) {
      end = at - 1;
      break;
    }
    at += text.length + 1;
  }
  // The empty lines before the next heading stay visible.
  while (end > first.to && doc.lineAt(end).text.trim() === "" && doc.lineAt(end).from > first.to) end = doc.lineAt(end).from - 1;
  return end > first.to ? { from: first.to, to: end } : null;
}

/** Asks the tree only for lines with heading marks: in a long text, finding a node takes long. */
function startsSection(state: EditorState, pos: number): boolean {
  const { text, from } = state.doc.lineAt(pos);
  return marks.test(text) && isHeading(state, from + text.indexOf("#"));
}

class Sign extends GutterMarker {
  readonly open: boolean;
  constructor(open: boolean) {
    super();
    this.open = open;
  }
  override toDOM() {
    const dom = document.createElement("span");
    dom.className = this.open ? "md-fold" : "md-fold md-fold-closed";
    dom.title = this.open ? t.foldSection : t.unfoldSection;
    return dom;
  }
}
const [toFold, toUnfold] = [new Sign(true), new Sign(false)];

/** The folded range at the end of a heading's line. */
function foldAt(state: EditorState, { from }: { readonly from: number }): { from: number; to: number } | null {
  const end = state.doc.lineAt(from).to;
  let found: { from: number; to: number } | null = null;
  foldedRanges(state).between(end, end, (start, to) => {
    if (start === end) found = { from: start, to };
  });
  return found;
}

/**
 * Sections fold at their heading. The sign beside it only checks that there is a heading. The end of the section, which may be far away in a long
 * text, is looked up when it is folded.
 */
export const folding = [
  foldService.of((state, lineStart) => section(state, lineStart)),
  codeFolding({
    placeholderDOM(_view, onclick) {
      const dom = document.createElement("button");
      dom.type = "button";
      dom.tabIndex = -1;
      dom.className = "md-folded";
      dom.setAttribute("aria-label", t.unfoldSection);
      dom.append("…");
      dom.addEventListener("click", onclick);
      return dom;
    },
  }),
  gutter({
    class: "md-folds",
    lineMarker: (view, block) => (startsSection(view.state, block.from) ? (foldAt(view.state, block) === null ? toFold : toUnfold) : null),
    lineMarkerChange: (update) =>
      foldedRanges(update.startState) !== foldedRanges(update.state) || syntaxTree(update.startState) !== syntaxTree(update.state),
    domEventHandlers: {
      click(view, block) {
        const folded = foldAt(view.state, block);
        const range = folded ?? section(view.state, block.from);
        if (range === null) return false;
        view.dispatch({ effects: (folded === null ? foldEffect : unfoldEffect).of(range) });
        return true;
      },
    },
  }),
  keymap.of(foldKeymap),
  EditorView.updateListener.of((update) => {
    // Moves a cursor that was in the folded text before it.
    for (const { effects } of update.transactions)
      for (const effect of effects)
        if (effect.is(foldEffect)) {
          const { head } = update.state.selection.main;
          if (head > effect.value.from && head <= effect.value.to)
            queueMicrotask(() => update.view.dispatch({ selection: { anchor: effect.value.from } }));
        }
  }),
];
