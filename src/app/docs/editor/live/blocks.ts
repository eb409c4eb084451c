import type { SyntaxNode } from "@lezer/common";
import { Decoration } from "@codemirror/view";
import { hitsIn } from "../find.ts";
import { columnsOf, RowWidget } from "../table.ts";
import type { Canvas, Stretch } from "./canvas.ts";
import { hidden, lines, marks } from "./looks.ts";

/** Draws a code block, fenced or indented. */
export function drawCode({ state, touches, add, addLine, eachLine }: Canvas, node: SyntaxNode, range: Stretch): void {
  const { from, to } = node;
  const last = state.doc.lineAt(to).number - state.doc.lineAt(from).number;
  const fenced = node.name === "FencedCode";
  const closed = fenced && node.lastChild?.name === "CodeMark" && node.lastChild.from > from;
  eachLine(node, range, (at, nth) => {
    if (fenced && nth === 0) addLine(lines.fenceFirst, at);
    else if (closed && nth === last) addLine(lines.fenceLast, at);
    else addLine(lines.code, at);
  });
  if (!touches(from, to)) {
    for (let child = node.firstChild; child !== null; child = child.nextSibling)
      if (child.name === "CodeMark") add(hidden, child.from, child.to);
  }
  for (const info of node.getChildren("CodeInfo")) add(marks.faint, info.from, info.to);
}

export function drawTable({ state, touches, add, addLine, eachLine }: Canvas, node: SyntaxNode, range: Stretch): void {
  if (touches(node.from, node.to)) {
    eachLine(node, range, (at) => addLine(lines.tableSource, at));
    return;
  }
  const columns = columnsOf(state, node);
  for (let row = node.firstChild; row !== null; row = row.nextSibling) {
    if (row.to < range.from || row.from > range.to) continue;
    const at = state.doc.lineAt(row.from);
    if (row.name === "TableDelimiter") {
      addLine(lines.tableRule, at.from);
      add(hidden, at.from, at.to);
    } else {
      addLine(lines.row, at.from);
      add(Decoration.replace({ widget: new RowWidget(state, row, columns, Array.from(hitsIn(state, at.from, at.to))) }), at.from, at.to);
    }
  }
}

/** An empty line separates the text before it from the text after it, and isn't drawn as a line of its own. `codes`: the visible code blocks. */
export function drawBlanks({ state, addLine, eachLine }: Canvas, range: Stretch, codes: readonly Stretch[]): void {
  eachLine(range, range, (at) => {
    if (state.doc.lineAt(at).length > 0 || codes.some(({ from, to }) => from <= at && at <= to)) return;
    addLine(lines.blank, at);
  });
}
