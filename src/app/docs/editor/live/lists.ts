import type { SyntaxNode } from "@lezer/common";
import type { Canvas, Stretch } from "./canvas.ts";
import { bullet, hidden, itemLines, marks, tasks } from "./looks.ts";

/** Draws a list item. `indented`: for each line start, the depth of the item that has drawn the line. */
export function drawItem(canvas: Canvas, item: SyntaxNode, range: Stretch, indented: Map<number, number>): void {
  const { state, touches, add, addLine, eachLine } = canvas;
  let depth = 0;
  for (let parent: SyntaxNode | null = item; parent !== null; parent = parent.parent) if (parent.name === "ListItem") depth++;
  const [first, rest] = itemLines(depth);
  if (first === undefined || rest === undefined) return;
  const sign = item.getChild("ListMark");
  eachLine(item, range, (at, nth) => {
    // A nested item draws its own lines.
    if ((indented.get(at) ?? 0) >= depth) return;
    const own = state.doc.lineAt(at);
    const inner = innermost(item, own.from + (/^\s*/.exec(own.text)?.[0].length ?? 0));
    if (inner !== item) return;
    indented.set(at, depth);
    addLine(nth === 0 ? first : rest, at);
    const space = /^[ \t]+/.exec(own.text)?.[0].length ?? 0;
    if (space > 0 && space < own.length) add(marks.indent, at, at + space);
  });
  if (sign === null || sign.from < range.from || sign.from > range.to) return;
  const end = canvas.pastSpace(sign.to);
  const isTask = item.getChild("Task") !== null;
  if (item.parent?.name === "OrderedList" || touches(sign.from, sign.to)) add(marks.number, sign.from, end);
  else add(isTask ? hidden : bullet, sign.from, end);
}

/** The innermost list item that a line belongs to. */
function innermost(item: SyntaxNode, pos: number): SyntaxNode {
  for (let node: SyntaxNode | null = item.resolveInner(pos, 1); node !== null; node = node.parent) {
    if (node.name === "ListItem") return node.from === item.from && node.to === item.to ? item : node;
  }
  return item;
}

/** Draws `[ ]` or `[x]`, and strikes through what is done. */
export function drawTask({ state, touches, add, pastSpace }: Canvas, { from, to, parent }: SyntaxNode): void {
  const checked = /x/i.test(state.sliceDoc(from, to));
  const after = pastSpace(to);
  if (!touches(from, to - 1)) add(checked ? tasks.on : tasks.off, from, after);
  if (checked && parent) add(marks.done, after, parent.to);
}
