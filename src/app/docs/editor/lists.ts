import { indentLess, indentMore, insertNewlineAndIndent } from "@codemirror/commands";
import { syntaxTree } from "@codemirror/language";
import { type ChangeSpec, type EditorState, EditorSelection, type StateCommand } from "@codemirror/state";

/** The beginning of a line in a list or a quote: indentation, the mark and its space, and a checkbox. */
const item = /^(\s*)((?:[-*+]|(\d{1,9})([.)]))(\s+))(\[[ xX]\]\s+)?/;
const quote = /^\s*(?:>\s?)+/;

/** The beginning of the line after this one. `""` if this line has nothing but its mark; null if it has no mark. */
export function continuation(line: string): string | null {
  const [whole, indent = "", , digits, end = "", space = " ", task] = item.exec(line) ?? [];
  if (whole !== undefined) {
    if (line.slice(whole.length).trim() === "") return "";
    const mark = digits === undefined ? (line.slice(indent.length)[0] ?? "-") : `${Number(digits) + 1}${end}`;
    return `${indent}${mark}${space.length > 4 ? " " : space}${task === undefined ? "" : "[ ] "}`;
  }
  const [marks] = quote.exec(line) ?? [];
  if (marks === undefined) return null;
  return line.slice(marks.length).trim() === "" ? "" : marks;
}

const inCode = (state: EditorState, pos: number) => {
  for (let node: ReturnType<typeof nodeAt> | null = nodeAt(state, pos); node !== null; node = node.parent)
    if (node.name === "FencedCode" || node.name === "CodeBlock") return true;
  return false;
};
const nodeAt = (state: EditorState, pos: number) => syntaxTree(state).resolveInner(pos, -1);

/** Enter in a list starts the next item. In an empty item it ends the list. */
export const continueList: StateCommand = ({ state, dispatch }) => {
  const { main } = state.selection;
  const line = state.doc.lineAt(main.head);
  const next = main.empty && !inCode(state, main.head) ? continuation(line.text) : null;
  const before = main.head - line.from;
  const [mark = ""] = item.exec(line.text) ?? quote.exec(line.text) ?? [];
  if (next === null || before < mark.length) return insertNewlineAndIndent({ state, dispatch });
  const change: ChangeSpec =
    next === "" ? { from: line.from, to: line.to, insert: "" } : { from: main.head, insert: state.lineBreak + next };
  const cursor = next === "" ? line.from : main.head + 1 + next.length;
  dispatch(state.update({ changes: change, selection: { anchor: cursor }, scrollIntoView: true, userEvent: "input" }));
  return true;
};

const onItem = (state: EditorState) =>
  state.selection.ranges.some(({ from, to }) => !(from === to) || item.test(state.doc.lineAt(from).text));

/** Whether Tab may indent: at most one level below the item above. A deeper line would no longer be an item, and Tab would never leave the list. */
function canDeepen(state: EditorState): boolean {
  return state.selection.ranges.some(({ from, to }) => {
    if (from !== to) return true;
    const line = state.doc.lineAt(from);
    const own = item.exec(line.text)?.[1]?.length;
    if (own === undefined) return false;
    for (let number = line.number - 1; number > 0; number--) {
      const { text } = state.doc.line(number);
      const above = item.exec(text)?.[1]?.length;
      if (above !== undefined) return own <= above;
      if (text !== "" && !/^\s/.test(text)) return false;
    }
    return false;
  });
}

/** Tab indents a list item that has an item above it. Elsewhere it moves the focus to the element after the editor, as on any page. */
export const indent: StateCommand = (target) => canDeepen(target.state) && indentMore(target);
export const outdent: StateCommand = (target) => onItem(target.state) && indentLess(target);

/** UTF-16 units at the beginning of a line in which a checkbox is searched. */
const beginning = 1_000;
const box = /^(\s*(?:>\s?)*\s*(?:[-*+]|\d{1,9}[.)])\s+)\[([ xX])\]/;

/** Checks or unchecks the task of the cursor's line. */
export const toggleTask: StateCommand = ({ state, dispatch }) => {
  const line = state.doc.lineAt(state.selection.main.head);
  const [, before = "", mark] = box.exec(line.text.slice(0, beginning)) ?? [];
  if (mark === undefined) return false;
  const from = line.from + before.length + 1;
  dispatch(state.update({ changes: { from, to: from + 1, insert: mark === " " ? "x" : " " }, userEvent: "input" }));
  return true;
};

/** Puts marks such as `**` around the selection, or removes them. */
export const wrapIn =
  (mark: string): StateCommand =>
  ({ state, dispatch }) => {
    const { length } = mark;
    const changes = state.changeByRange((range) => {
      const inside = state.sliceDoc(range.from, range.to);
      const [before, after] = [state.sliceDoc(range.from - length, range.from), state.sliceDoc(range.to, range.to + length)];
      if (before === mark && after === mark)
        return {
          changes: [
            { from: range.from - length, to: range.from },
            { from: range.to, to: range.to + length },
          ],
          range: EditorSelection.range(range.anchor - length, range.head - length),
        };
      return {
        changes: { from: range.from, to: range.to, insert: mark + inside + mark },
        range: EditorSelection.range(range.anchor + length, range.head + length),
      };
    });
    dispatch(state.update(changes, { userEvent: "input", scrollIntoView: true }));
    return true;
  };
