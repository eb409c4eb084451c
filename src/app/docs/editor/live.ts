import { syntaxTree } from "@codemirror/language";
import { type EditorState, type Range, RangeSet } from "@codemirror/state";
import { Decoration, type DecorationSet, type EditorView, ViewPlugin, type ViewUpdate, WidgetType } from "@codemirror/view";
import type { SyntaxNode, SyntaxNodeRef } from "@lezer/common";
import { isLaw } from "../authority.ts";
import { lawsShown } from "./laws.ts";
import { bareNames, placeOf, surroundings } from "./links.ts";
import { columnsOf, RowWidget } from "./table.ts";

/** A checkbox for `[ ]`. It belongs to the text: a click changes the letter between the brackets. */
class TaskWidget extends WidgetType {
  readonly checked: boolean;
  constructor(checked: boolean) {
    super();
    this.checked = checked;
  }
  override eq(other: TaskWidget) {
    return other.checked === this.checked;
  }
  toDOM(view: EditorView) {
    const input = document.createElement("input");
    input.type = "checkbox";
    input.className = "md-task";
    input.checked = this.checked;
    // The keys have their own way to it, from the line that it stands in.
    input.tabIndex = -1;
    input.setAttribute("aria-label", "Done");
    input.addEventListener("mousedown", (event) => event.preventDefault());
    input.addEventListener("click", (event) => {
      event.preventDefault();
      const at = view.posAtDOM(input) + 1;
      if (view.state.readOnly) return;
      view.dispatch({ changes: { from: at, to: at + 1, insert: this.checked ? " " : "x" }, userEvent: "input" });
    });
    return input;
  }
  override ignoreEvent() {
    return true;
  }
}

class BulletWidget extends WidgetType {
  override eq() {
    return true;
  }
  toDOM() {
    const dom = document.createElement("span");
    dom.className = "md-bullet";
    dom.append("•");
    return dom;
  }
}

const hidden = Decoration.replace({});
const bullet = Decoration.replace({ widget: new BulletWidget() });
const tasks = { on: Decoration.replace({ widget: new TaskWidget(true) }), off: Decoration.replace({ widget: new TaskWidget(false) }) };
const mark = (name: string) => Decoration.mark({ class: name });
const marks = {
  faint: mark("md-mark"),
  code: mark("md-inline-code"),
  link: mark("md-link"),
  missing: mark("md-link md-link-missing"),
  number: mark("md-number"),
  indent: mark("md-indent"),
  done: mark("md-done"),
} as const;
const line = (name: string) => Decoration.line({ class: name });
const lines = {
  quote: line("md-quote"),
  code: line("md-code"),
  fenceFirst: line("md-code md-fence md-fence-first"),
  fenceLast: line("md-code md-fence md-fence-last"),
  rule: line("md-rule"),
  blank: line("md-blank"),
  row: line("md-table"),
  tableRule: line("md-table md-table-rule"),
  tableSource: line("md-table-source"),
} as const;
const headings = [1, 2, 3, 4, 5, 6].map((level) => line(`md-h md-h${level}`));
const deepest = 6;
const items = Array.from({ length: deepest }, (_, depth) => line(`md-item md-depth-${depth + 1}`));
const itemRests = Array.from({ length: deepest }, (_, depth) => line(`md-item-rest md-depth-${depth + 1}`));

/** Marks that say how a text is set; they show in the line where one writes. */
const inlineMarks = new Set(["EmphasisMark", "StrikethroughMark", "CodeMark", "LinkMark", "LinkTitle"]);

/** Collects what is drawn otherwise than it is written, for what is in sight. */
function draw(view: EditorView): DecorationSet {
  const { state } = view;
  const found: Range<Decoration>[] = [];
  /** The blocks of code in sight. Asking the tree for each line would go through all of a long text. */
  const codes: { readonly from: number; readonly to: number }[] = [];
  const laws = state.facet(lawsShown);
  const touches = (from: number, to: number) =>
    view.hasFocus && state.selection.ranges.some((range) => range.to >= from && range.from <= to);
  const onLine = (pos: number) => {
    const { from, to } = state.doc.lineAt(pos);
    return touches(from, to);
  };
  const add = (decoration: Decoration, from: number, to: number) => {
    if (from < to) found.push(decoration.range(from, to));
  };
  const addLine = (decoration: Decoration, at: number) => void found.push(decoration.range(at));
  const eachLine = (
    node: { from: number; to: number },
    within: { from: number; to: number },
    give: (from: number, nth: number) => void,
  ) => {
    let at = state.doc.lineAt(Math.max(node.from, within.from));
    const first = state.doc.lineAt(node.from).number;
    for (;;) {
      give(at.from, at.number - first);
      if (at.to >= Math.min(node.to, within.to) || at.number >= state.doc.lines) return;
      at = state.doc.line(at.number + 1);
    }
  };

  for (const range of view.visibleRanges) {
    // A line that is in two things at once, such as a quote in a list, is drawn as each of them once.
    const indented = new Map<number, number>();
    syntaxTree(state).iterate({ ...range, enter: (node) => enter(node, range, indented) });
    bare(range);
    blanks(range);
  }
  return RangeSet.of(found, true);

  function enter(node: SyntaxNodeRef, range: { from: number; to: number }, indented: Map<number, number>): boolean | undefined {
    const { name, from, to } = node;
    const level = /^(?:ATX|Setext)Heading(\d)$/.exec(name)?.[1];
    if (level !== undefined) {
      const decoration = headings[Number(level) - 1];
      if (decoration) eachLine(node, range, (at) => addLine(decoration, at));
      return undefined;
    }
    switch (name) {
      case "HeaderMark": {
        const after = state.sliceDoc(to, to + 1) === " " ? to + 1 : to;
        if (onLine(from)) add(marks.faint, from, to);
        else add(hidden, from, after);
        return undefined;
      }
      case "Blockquote":
        eachLine(node, range, (at) => {
          if (!laws || !isLaw(state.doc.lineAt(at).text)) addLine(lines.quote, at);
        });
        return undefined;
      case "QuoteMark": {
        const own = state.doc.lineAt(from);
        if (onLine(from) || (laws && isLaw(own.text))) add(marks.faint, from, to);
        else add(hidden, from, state.sliceDoc(to, to + 1) === " " ? to + 1 : to);
        return undefined;
      }
      case "ListItem":
        listItem(node.node, range, indented);
        return undefined;
      case "TaskMarker": {
        const checked = /x/i.test(state.sliceDoc(from, to));
        const after = state.sliceDoc(to, to + 1) === " " ? to + 1 : to;
        if (!touches(from, to - 1)) add(checked ? tasks.on : tasks.off, from, after);
        if (checked && node.node.parent) add(marks.done, after, node.node.parent.to);
        return undefined;
      }
      case "FencedCode":
      case "CodeBlock": {
        codes.push({ from, to });
        const inside = touches(from, to);
        const last = state.doc.lineAt(to).number - state.doc.lineAt(from).number;
        const fenced = name === "FencedCode";
        const closed = fenced && node.node.lastChild?.name === "CodeMark" && node.node.lastChild.from > from;
        eachLine(node, range, (at, nth) => {
          if (fenced && nth === 0) addLine(lines.fenceFirst, at);
          else if (closed && nth === last) addLine(lines.fenceLast, at);
          else addLine(lines.code, at);
        });
        if (!inside) {
          for (let child = node.node.firstChild; child !== null; child = child.nextSibling)
            if (child.name === "CodeMark") add(hidden, child.from, child.to);
        }
        for (const info of node.node.getChildren("CodeInfo")) add(marks.faint, info.from, info.to);
        return false;
      }
      case "InlineCode":
        add(marks.code, from, to);
        return undefined;
      case "HorizontalRule":
        addLine(lines.rule, state.doc.lineAt(from).from);
        if (!onLine(from)) add(hidden, from, to);
        return undefined;
      case "Table":
        table(node.node, range);
        return false;
      case "Escape":
        if (!onLine(from)) add(hidden, from, from + 1);
        return undefined;
      case "Link":
      case "Image": {
        const url = node.node.getChild("URL");
        if (url !== null) add(isMissing(state.sliceDoc(url.from, url.to)) ? marks.missing : marks.link, from, to);
        return undefined;
      }
      case "URL": {
        const inLink = node.node.parent?.name === "Link" || node.node.parent?.name === "Image";
        if (!inLink) add(marks.link, from, to);
        else if (onLine(from)) add(marks.faint, from, to);
        else add(hidden, from, to);
        return undefined;
      }
      default:
        if (!inlineMarks.has(name)) return undefined;
        // A link by reference reads only with its brackets.
        if ((name === "LinkMark" || name === "LinkTitle") && node.node.parent?.getChild("URL") == null) add(marks.faint, from, to);
        // What hides may not reach over the end of a line; such a title shows.
        else if (onLine(from) || state.doc.lineAt(from).to < to) add(marks.faint, from, to);
        else add(hidden, name === "LinkTitle" && from > state.doc.lineAt(from).from ? from - 1 : from, to);
        return undefined;
    }
  }

  function listItem(item: SyntaxNode, range: { from: number; to: number }, indented: Map<number, number>): void {
    let depth = 0;
    for (let parent: SyntaxNode | null = item; parent !== null; parent = parent.parent) if (parent.name === "ListItem") depth++;
    const shown = Math.min(depth, deepest) - 1;
    const [first, rest] = [items[shown], itemRests[shown]];
    if (first === undefined || rest === undefined) return;
    const sign = item.getChild("ListMark");
    eachLine(item, range, (at, nth) => {
      // An item within this one draws its own lines.
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
    const end = state.sliceDoc(sign.to, sign.to + 1) === " " ? sign.to + 1 : sign.to;
    const isTask = item.getChild("Task") !== null;
    if (item.parent?.name === "OrderedList" || touches(sign.from, sign.to)) add(marks.number, sign.from, end);
    else add(isTask ? hidden : bullet, sign.from, end);
  }

  /** The innermost item of a list that a line belongs to. */
  function innermost(item: SyntaxNode, pos: number): SyntaxNode {
    for (let node: SyntaxNode | null = item.resolveInner(pos, 1); node !== null; node = node.parent) {
      if (node.name === "ListItem") return node.from === item.from && node.to === item.to ? item : node;
    }
    return item;
  }

  function table(node: SyntaxNode, range: { from: number; to: number }): void {
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
        add(Decoration.replace({ widget: new RowWidget(state, row, columns) }), at.from, at.to);
      }
    }
  }

  function isMissing(target: string): boolean {
    const place = placeOf(state, target);
    return place !== null && !place.out && /^doc-.*\.md$/.test(place.name) && !state.facet(surroundings).hasDoc(place.name);
  }

  /** An empty line parts what is before it from what is after it, and is no line of its own. */
  function blanks(range: { from: number; to: number }): void {
    eachLine(range, range, (at) => {
      if (state.doc.lineAt(at).length > 0 || codes.some(({ from, to }) => from <= at && at <= to)) return;
      addLine(lines.blank, at);
    });
  }

  /** Names of docs and dialogs lead to them, wherever they stand. */
  function bare({ from, to }: { from: number; to: number }): void {
    // Offsets count the end of a line as one, however it is written.
    const text = state.doc.sliceString(from, to, "\n");
    for (const match of text.matchAll(bareNames())) {
      const at = from + match.index;
      let node: SyntaxNode | null = syntaxTree(state).resolveInner(at, 1);
      while (node !== null && node.name !== "Link" && node.name !== "FencedCode" && node.name !== "Image") node = node.parent;
      if (node === null) add(isMissing(match[0]) ? marks.missing : marks.link, at, at + match[0].length);
    }
  }
}

/** Markdown that looks like what it means: marks show in the line that one writes in, and nowhere else. */
export const live = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    constructor(view: EditorView) {
      this.decorations = draw(view);
    }
    update(update: ViewUpdate) {
      const parsed = syntaxTree(update.startState) !== syntaxTree(update.state);
      if (update.docChanged || update.viewportChanged || update.selectionSet || update.focusChanged || parsed)
        this.decorations = draw(update.view);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

/** Where a heading stands, by the syntax that is known so far; for the sign that folds it. */
export function isHeading(state: EditorState, pos: number): boolean {
  for (let node: SyntaxNode | null = syntaxTree(state).resolveInner(pos, 1); node !== null; node = node.parent)
    if (/^(?:ATX|Setext)Heading\d$/.test(node.name)) return true;
  return false;
}
