import { syntaxTree } from "@codemirror/language";
import { RangeSet } from "@codemirror/state";
import { type DecorationSet, type EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";
import type { SyntaxNode, SyntaxNodeRef } from "@lezer/common";
import { isLaw } from "../../authority.ts";
import { looksForOther } from "../find.ts";
import { frontMatterEnd } from "../front-matter.ts";
import { lawsShown } from "../laws.ts";
import { drawBlanks, drawCode, drawTable } from "./blocks.ts";
import { createCanvas, type Stretch } from "./canvas.ts";
import { drawImage } from "./images.ts";
import { drawBareNames, drawLink, drawUrl } from "./links.ts";
import { drawItem, drawTask } from "./lists.ts";
import { headings, hidden, lines, marks } from "./looks.ts";

/** Marks that format text. They show while the user is editing the formatted text. */
const inlineMarks = new Set(["EmphasisMark", "StrikethroughMark", "CodeMark", "LinkMark", "LinkTitle"]);

/** The decorations of everything in view that looks different from its source. */
export function draw(view: Pick<EditorView, "state" | "hasFocus" | "visibleRanges">): DecorationSet {
  const canvas = createCanvas(view);
  const { state, onLine, touches, add, addLine, eachLine, pastSpace } = canvas;
  /** The code blocks in view. Asking the tree for each line would search all of a long text. */
  const codes: Stretch[] = [];
  const laws = state.facet(lawsShown);
  const isLawAt = (pos: number) => laws && isLaw(state.doc.lineAt(pos).text);
  /** The end of the quote being drawn. Nested quotes look the same. */
  let quoted = -1;

  for (const range of view.visibleRanges) {
    // A line that belongs to two blocks, such as a quote in a list, is drawn once for each.
    const indented = new Map<number, number>();
    quoted = -1;
    syntaxTree(state).iterate({ ...range, enter: (node) => enter(node, range, indented) });
    drawBareNames(canvas, range);
    drawBlanks(canvas, range, codes);
  }
  // Markdown would parse front matter as a rule, a heading, or a list.
  const front = frontMatterEnd(state);
  return RangeSet.of(front === 0 ? canvas.found : canvas.found.filter(({ from }) => from >= front), true);

  /** Whether the user is editing the text that this mark formats. */
  function isWritten({ parent, from, to }: SyntaxNode): boolean {
    return touches(parent?.from ?? from, parent?.to ?? to);
  }

  /** False: its contents were drawn along with it. */
  function enter(node: SyntaxNodeRef, range: Stretch, indented: Map<number, number>): boolean | undefined {
    const { name, from, to } = node;
    const level = /^(?:ATX|Setext)Heading(\d)$/.exec(name)?.[1];
    if (level !== undefined) {
      const decoration = headings[Number(level) - 1];
      if (decoration) eachLine(node, range, (at) => addLine(decoration, at));
      return undefined;
    }
    switch (name) {
      case "HeaderMark":
        if (onLine(from)) add(marks.faint, from, to);
        else add(hidden, from, pastSpace(to));
        return undefined;
      case "Blockquote":
        if (to <= quoted) return undefined;
        quoted = to;
        eachLine(node, range, (at) => {
          if (!isLawAt(at)) addLine(lines.quote, at);
        });
        return undefined;
      case "QuoteMark":
        if (onLine(from) || isLawAt(from)) add(marks.faint, from, to);
        else add(hidden, from, pastSpace(to));
        return undefined;
      case "ListItem":
        drawItem(canvas, node.node, range, indented);
        return undefined;
      case "TaskMarker":
        drawTask(canvas, node.node);
        return undefined;
      case "FencedCode":
      case "CodeBlock":
        codes.push({ from, to });
        drawCode(canvas, node.node, range);
        return false;
      case "InlineCode":
        add(marks.code, from, to);
        return undefined;
      case "HorizontalRule":
        addLine(lines.rule, state.doc.lineAt(from).from);
        if (!onLine(from)) add(hidden, from, to);
        return undefined;
      case "Table":
        drawTable(canvas, node.node, range);
        return false;
      case "Escape":
        if (!touches(from, to)) add(hidden, from, from + 1);
        return undefined;
      case "Image":
        if (drawImage(canvas, node.node)) return false;
        drawLink(canvas, node.node);
        return undefined;
      case "Link":
        drawLink(canvas, node.node);
        return undefined;
      case "URL":
        drawUrl(canvas, node.node);
        return undefined;
      default:
        if (!inlineMarks.has(name)) return undefined;
        // A reference link needs its brackets to be understood.
        if ((name === "LinkMark" || name === "LinkTitle") && node.node.parent?.getChild("URL") == null) add(marks.faint, from, to);
        // A hidden range must not cross the end of a line. Such a title is shown.
        else if (isWritten(node.node) || state.doc.lineAt(from).to < to) add(marks.faint, from, to);
        else add(hidden, name === "LinkTitle" && from > state.doc.lineAt(from).from ? from - 1 : from, to);
        return undefined;
    }
  }
}

/**
 * Shows Markdown as what it means. The marks of a heading, a quote or an item show in the line being edited; those of a link or of bold text only
 * while the cursor is in it.
 */
export const live = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    constructor(view: EditorView) {
      this.decorations = draw(view);
    }
    update(update: ViewUpdate) {
      const parsed = syntaxTree(update.startState) !== syntaxTree(update.state);
      if (update.docChanged || update.viewportChanged || update.selectionSet || update.focusChanged || parsed || looksForOther(update))
        this.decorations = draw(update.view);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);
