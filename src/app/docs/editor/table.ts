import type { SyntaxNode } from "@lezer/common";
import type { EditorState } from "@codemirror/state";
import { WidgetType } from "@codemirror/view";
import type { Hit } from "./find.ts";

/** Rows of a table that are measured for its column widths. */
const measured = 200;
/** The minimum and maximum width of a column, in characters. */
const narrow = 3;
const wide = 34;

/** A piece of a cell's text, and its formatting. */
interface Run {
  readonly text: string;
  /** Its offset in the doc. */
  readonly from: number;
  readonly tag: "strong" | "em" | "code" | "del" | "u" | null;
}

const tags: Readonly<Record<string, Run["tag"]>> = {
  StrongEmphasis: "strong",
  Emphasis: "em",
  InlineCode: "code",
  Strikethrough: "del",
  Link: "u",
};
const marks = new Set(["EmphasisMark", "CodeMark", "StrikethroughMark", "LinkMark", "URL", "LinkTitle"]);

export interface Column {
  /** In characters. */
  readonly width: number;
  readonly align: "left" | "center" | "right";
}

/** The columns of a table, so that each row can be laid out independently. */
export function columnsOf(state: EditorState, table: SyntaxNode): Column[] {
  const widths: number[] = [];
  let rows = 0;
  for (let row = table.firstChild; row !== null && rows < measured; row = row.nextSibling) {
    if (row.name !== "TableHeader" && row.name !== "TableRow") continue;
    rows++;
    for (const [at, cell] of cellsOf(state, row).entries()) {
      const length = cell.reduce((sum, run) => sum + run.text.length, 0);
      widths[at] = Math.min(wide, Math.max(narrow, widths[at] ?? 0, length));
    }
  }
  const rule = table.getChild("TableDelimiter");
  const signs =
    rule === null
      ? []
      : state
          .sliceDoc(rule.from, rule.to)
          .trim()
          .replace(/^\||\|$/g, "")
          .split("|");
  return widths.map((width, at) => ({ width, align: alignOf(signs[at]?.trim() ?? "") }));
}

const alignOf = (sign: string): Column["align"] => (!sign.endsWith(":") ? "left" : sign.startsWith(":") ? "center" : "right");

/** The cells of a row in order, each with its texts; including empty cells. */
function cellsOf(state: EditorState, row: SyntaxNode): Run[][] {
  const cells: Run[][] = [];
  for (let child = row.firstChild; child !== null; child = child.nextSibling) {
    if (child.name === "TableCell") cells.push(runs(state, child, null));
    // Two adjacent borders enclose an empty cell.
    else if (child.nextSibling?.name === "TableDelimiter") cells.push([]);
  }
  return cells;
}

function runs(state: EditorState, node: SyntaxNode, tag: Run["tag"]): Run[] {
  const found: Run[] = [];
  let at = node.from;
  const upTo = (end: number) => {
    // In "\\|", only the second character is text.
    for (const part of state.sliceDoc(at, end).split(/\\(?=\|)/)) {
      if (part !== "") found.push({ text: part, from: at, tag });
      at += part.length + 1;
    }
  };
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    upTo(child.from);
    if (!marks.has(child.name)) found.push(...runs(state, child, tags[child.name] ?? tag));
    at = child.to;
  }
  upTo(node.to);
  return found;
}

/** A table row as it reads. While the cursor is in the table, the row's source is shown instead. */
export class RowWidget extends WidgetType {
  readonly cells: readonly (readonly Run[])[];
  readonly columns: readonly Column[];
  readonly head: boolean;
  readonly hits: readonly Hit[];
  readonly selected: Hit;
  readonly key: string;
  /** `hits`: the panel's search hits in the row. */
  constructor(state: EditorState, row: SyntaxNode, columns: readonly Column[], hits: readonly Hit[]) {
    super();
    this.cells = cellsOf(state, row);
    this.columns = columns;
    this.head = row.name === "TableHeader";
    this.hits = hits;
    this.selected = state.selection.main;
    const hitKey = hits.map((hit) => `${hit.from - row.from}-${hit.to - row.from}${this.isSelected(hit) ? "!" : ""}`).join();
    this.key = `${hitKey} ${this.head} ${columns.map(({ width, align }) => width + align).join()} ${state.sliceDoc(row.from, row.to)}`;
  }
  override eq(other: RowWidget) {
    return other.key === this.key;
  }
  toDOM() {
    const dom = document.createElement("span");
    dom.className = this.head ? "md-row md-row-head" : "md-row";
    dom.style.gridTemplateColumns = this.columns.map(({ width }) => `minmax(0, ${width + 2}ch)`).join(" ");
    for (const [cell, { align }] of this.columns.entries()) {
      const box = document.createElement("span");
      box.style.textAlign = align;
      for (const run of this.cells[cell] ?? []) {
        const part = run.tag === null ? box : document.createElement(run.tag);
        part.append(...this.marked(run));
        if (part !== box) box.append(part);
      }
      dom.append(box);
    }
    return dom;
  }
  isSelected({ from, to }: Hit) {
    return this.selected.from === from && this.selected.to === to;
  }
  /** The text of a run, with its hits marked as elsewhere in the text. */
  marked({ text, from }: Run): (string | HTMLElement)[] {
    const parts: (string | HTMLElement)[] = [];
    let at = 0;
    for (const hit of this.hits) {
      const [start, end] = [Math.max(at, hit.from - from), Math.min(text.length, hit.to - from)];
      if (start >= end) continue;
      const mark = document.createElement("span");
      mark.className = this.isSelected(hit) ? "cm-searchMatch cm-searchMatch-selected" : "cm-searchMatch";
      mark.append(text.slice(start, end));
      parts.push(text.slice(at, start), mark);
      at = end;
    }
    return [...parts, text.slice(at)];
  }
  override ignoreEvent() {
    return false;
  }
}
