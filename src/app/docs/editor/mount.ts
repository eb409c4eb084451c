import { defaultKeymap, history, historyKeymap, indentWithTab, isolateHistory } from "@codemirror/commands";
import { highlightSelectionMatches, openSearchPanel, searchKeymap } from "@codemirror/search";
import { Annotation, ChangeSet, Compartment, EditorState, type Extension, Prec, Text, Transaction } from "@codemirror/state";
import { drawSelection, dropCursor, EditorView, highlightSpecialChars, keymap, lineNumbers, placeholder, tooltips } from "@codemirror/view";
import * as t from "../../texts/docs-editor.ts";
import type { EditorMount, Mounted } from "../editor-mount.ts";
import { find } from "./find.ts";
import { folding } from "./folding.ts";
import { frontMatter } from "./front-matter.ts";
import { overLines, pasted } from "./input.ts";
import { laws } from "./laws.ts";
import { links, followAtCursor, surroundings } from "./links.ts";
import { indent, continueList, outdent, toggleTask, wrapIn } from "./lists.ts";
import { languageOf, loadLanguage } from "./languages.ts";
import { live } from "./live/live.ts";
import { longLines } from "./long-lines.ts";
import { comeBack, leave } from "./states.ts";
import { looks } from "./syntax/looks.ts";
import { markdown } from "./syntax/markdown.ts";
import { applied, changesBetween, lineBreakOf } from "./text.ts";
import { theme } from "./theme.ts";
// The style sheet is loaded with this code.
// oxlint-disable-next-line import/no-unassigned-import
import "./editor.css";

/**
 * From this many UTF-16 units, a text is reported only at intervals of `pause` milliseconds: building the string would be most of the cost of a key
 * press.
 */
const large = 200_000;
const pause = 150;

/** Marks a change from outside, which isn't reported back. */
const outside = Annotation.define<true>();

const prose: Extension = [
  markdown,
  looks,
  live,
  folding,
  links,
  EditorView.lineWrapping,
  keymap.of([
    { key: "Enter", run: continueList },
    { key: "Tab", run: indent, shift: outdent },
    { key: "Mod-Enter", run: (view) => followAtCursor(view) || toggleTask(view) },
    { key: "Mod-b", run: wrapIn("**") },
    { key: "Mod-i", run: wrapIn("_") },
  ]),
];

/** This shortcut shows the page's keyboard shortcuts, so it can't comment out a line here. */
const keysOfPage = "Mod-/";

const code: Extension = [lineNumbers(), EditorView.lineWrapping];
/** Tab indents, but not in the front matter of an agent. There it moves the focus to the element after the editor. */
const indents: Extension = keymap.of([indentWithTab]);

/** Replaces the plain text field with the editor, and takes over what was typed there, with its undo steps. */
export function mountEditor(mount: EditorMount): Mounted {
  const vi = new Compartment();
  const language = new Compartment();
  let lineBreak = lineBreakOf(mount.text);
  const separator = new Compartment();
  const inside = (text: string) => (lineBreak === "\r\n" ? text.replaceAll("\r\n", "\n") : text);
  const extensions: Extension = [
    vi.of([]),
    language.of([]),
    separator.of(EditorState.lineSeparator.of(lineBreak)),
    pasted,
    history(),
    drawSelection(),
    dropCursor(),
    highlightSpecialChars(),
    longLines,
    overLines,
    highlightSelectionMatches({ minSelectionLength: 3, wholeWords: true }),
    find,
    EditorState.phrases.of(t.phrases),
    tooltips({ position: "absolute" }),
    EditorState.allowMultipleSelections.of(true),
    Prec.high(mount.look === "prose" ? prose : [code, mount.file.endsWith(".md") ? [] : indents]),
    mount.placeholder === "" ? [] : placeholder(mount.placeholder),
    mount.look === "prose" || mount.file.endsWith(".md") ? frontMatter : [],
    mount.laws ? laws : [],
    surroundings.of(mount.surroundings),
    keymap.of([...searchKeymap, ...historyKeymap, ...defaultKeymap.filter(({ key }) => key !== keysOfPage)]),
    theme,
    EditorView.contentAttributes.of({
      // It is focusable anyway, but accessibility checkers look for this attribute.
      tabindex: "0",
      "aria-label": mount.label,
      "aria-description": t.description,
      spellcheck: mount.look === "prose" ? "true" : "false",
      autocapitalize: mount.look === "prose" ? "sentences" : "off",
      autocorrect: mount.look === "prose" ? "on" : "off",
    }),
    EditorView.updateListener.of((update) => {
      if (!update.docChanged) return;
      if (update.transactions.some((transaction) => transaction.docChanged && transaction.annotation(outside) === undefined)) {
        untold = untold?.compose(update.changes) ?? update.changes;
        if (update.state.doc.length < large || timer === undefined) tell();
      }
      mount.changed();
    }),
    EditorView.domEventHandlers({ blur: () => tell() }),
    // Reports everything typed before the save.
    Prec.highest(keymap.of([{ key: "Mod-s", run: () => tell() }])),
  ];
  let isGone = false;
  /** What was typed since the text was last reported. */
  let untold: ChangeSet | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** The document at that time. */
  let toldDoc = Text.empty;
  /** The document at that time as a string; null if the string has to be built again. With CRLF it isn't used. */
  let toldText: string | null = null;
  const known = comeBack(mount.file, lineBreak, { extensions });
  const first = mount.early[0]?.text ?? mount.text;
  const view = new EditorView({
    state: known?.state ?? EditorState.create({ doc: Text.of(inside(first).split("\n")), extensions }),
    parent: mount.parent,
  });
  if (known === null) {
    const reads = [first, ...mount.early.slice(1).map(({ text }) => text), mount.text];
    for (const [nth, text] of reads.slice(1).entries()) {
      const step = mount.early[nth];
      // A long text that is already in the editor isn't compared again.
      if (text !== reads[nth]) takeOver(text, step?.outside ? undefined : (step?.at ?? Date.now()));
    }
  } else takeOver(mount.text, Date.now());
  toldText = mount.text;
  if (mount.selection !== null)
    view.dispatch({ selection: { anchor: within(mount.selection.anchor), head: within(mount.selection.head) } });
  if (mount.focus) view.focus();
  if (mount.look === "code") void colour();
  const scrollTop = mount.scrolled ?? known?.scrollTop ?? 0;
  if (scrollTop > 0) view.requestMeasure({ read: () => null, write: () => void (view.scrollDOM.scrollTop = scrollTop) });

  async function colour(): Promise<void> {
    const name = languageOf(mount.label);
    if (name === null) return;
    try {
      const extension = await loadLanguage(name);
      if (!isGone) view.dispatch({ effects: language.reconfigure(extension) });
    } catch (error) {
      // For example offline: the text can still be edited, without colors.
      console.warn(`The colours for ${name} couldn't be loaded.`, error);
    }
  }
  /**
   * Reports the current text. For a long text, later changes are then reported together after a pause. Always returns false: the event isn't handled.
   */
  function tell(): false {
    clearTimeout(timer);
    timer = undefined;
    if (untold === null) return false;
    const text = textNow(untold);
    untold = null;
    toldDoc = view.state.doc;
    toldText = text;
    if (view.state.doc.length >= large) timer = setTimeout(tell, pause);
    mount.onInput(text);
    return false;
  }
  /** The current text. Joining all lines of a long text takes longer than a key press may, so only the changes are applied to the last string. */
  function textNow(changes: ChangeSet): string {
    if (toldText === null || lineBreak !== "\n" || changes.length !== toldText.length) return view.state.sliceDoc();
    return applied(toldText, changes);
  }
  const save = () => {
    tell();
    mount.save();
  };
  const leaving = () => void tell();
  // When a phone puts the page in the background, the only event is that the page is hidden.
  const leaves = ["beforeunload", "pagehide", "visibilitychange"] as const;
  for (const type of leaves) addEventListener(type, leaving, { capture: true });

  function within(pos: number): number {
    return Math.min(pos, view.state.doc.length);
  }
  /** Takes over a text that someone else wrote, or that was typed before the editor was there. Each can be undone. */
  function takeOver(text: string, at?: number): void {
    const changes = asChanges(view.state.doc.toString(), text);
    if (changes.length === 0) return;
    const typed = at !== undefined;
    view.dispatch({
      changes,
      annotations: [outside.of(true), typed ? Transaction.time.of(at) : isolateHistory.of("full")],
      userEvent: typed ? "input.type" : "input.outside",
    });
    toldDoc = view.state.doc;
    toldText = text;
  }

  /** Takes over a text made from the last reported one. What was typed since stays, and is reported right after. */
  function rebase(text: string): void {
    if (untold === null) {
      takeOver(text);
      return;
    }
    const theirs = ChangeSet.of(asChanges(toldDoc.toString(), text), toldDoc.length);
    const changes = theirs.map(untold);
    untold = untold.map(theirs, true);
    toldDoc = theirs.apply(toldDoc);
    toldText = null;
    view.dispatch({ changes, annotations: [outside.of(true), isolateHistory.of("full")], userEvent: "input.outside" });
    tell();
  }
  /** If someone else has written the text without CRLF line ends, text typed from now on gets LF. */
  function follow(text: string): void {
    if (lineBreak !== "\r\n" || lineBreakOf(text) === lineBreak) return;
    lineBreak = "\n";
    view.dispatch({ effects: separator.reconfigure(EditorState.lineSeparator.of(lineBreak)) });
  }
  function asChanges(before: string, after: string) {
    return changesBetween(before, inside(after)).map(({ from, to, insert }) => ({ from, to, insert: Text.of(insert.split("\n")) }));
  }

  return {
    setText(text) {
      follow(text);
      rebase(text);
    },
    jump({ line, from, to }) {
      const at = view.state.doc.line(Math.min(Math.max(1, line), view.state.doc.lines));
      const [anchor, head] = [Math.min(at.from + from, at.to), Math.min(at.from + to, at.to)];
      view.dispatch({ selection: { anchor, head }, effects: EditorView.scrollIntoView(anchor, { y: "start", yMargin: 80 }) });
      view.focus();
    },
    find: () => void openSearchPanel(view),
    lines: () => view.state.doc.iterLines(),
    async setVi(on) {
      const { viKeys } = on ? await import("./vi.ts") : { viKeys: () => [] };
      view.dispatch({ effects: vi.reconfigure(viKeys(save)) });
    },
    destroy() {
      tell();
      isGone = true;
      clearTimeout(timer);
      for (const type of leaves) removeEventListener(type, leaving, { capture: true });
      leave(mount.file, view.state, view.scrollDOM.scrollTop);
      view.destroy();
    },
  };
}
