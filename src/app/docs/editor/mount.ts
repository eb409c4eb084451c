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
// The style sheet comes with this code.
// oxlint-disable-next-line import/no-unassigned-import
import "./editor.css";

/** UTF-16 units from which a text is told in pauses, and their length in milliseconds: a string of it with every key would be most of what a key costs. */
const large = 200_000;
const pause = 150;

/** Marks a change that came from outside, so that it is not told there again. */
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

/** Shows the page's keys, so it can't comment out a line here. */
const keysOfPage = "Mod-/";

const code: Extension = [lineNumbers(), EditorView.lineWrapping];
/** The front matter of an agent takes no tabs: there the key goes to what follows the editor. */
const indents: Extension = keymap.of([indentWithTab]);

/** Puts the editor into the page in the place of the plain text field, with what was typed there meanwhile and can be undone. */
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
      // Focusable as it is; checkers of accessibility look for this.
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
    // Anyone who saves hears of everything first.
    Prec.highest(keymap.of([{ key: "Mod-s", run: () => tell() }])),
  ];
  let isGone = false;
  /** What was typed since the text was told last. */
  let untold: ChangeSet | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** What it read then. */
  let toldDoc = Text.empty;
  /** The same as text, where it was told; null: it has to be made again. */
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
      // A long text that stands there already is not read again.
      if (text !== reads[nth]) takeOver(text, step?.outside ? undefined : (step?.at ?? Date.now()));
    }
  } else takeOver(mount.text, Date.now());
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
      // Offline, say: the text is there and can be edited, without colours.
      console.warn(`The colours for ${name} couldn't be loaded.`, error);
    }
  }
  /** Says what the text reads now: of a long one at once, and then after a moment what has come to it. Never says that it handled an event. */
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
  /** The text; putting all lines of a long one together takes longer than a key may, so only what has changed is put into the one before. */
  function textNow(changes: ChangeSet): string {
    if (toldText === null || lineBreak !== "\n" || changes.length !== toldText.length) return view.state.sliceDoc();
    return applied(toldText, changes);
  }
  const save = () => {
    tell();
    mount.save();
  };
  const leaving = () => void tell();
  // A phone that puts the page aside says no more than that it is out of sight.
  const leaves = ["beforeunload", "pagehide", "visibilitychange"] as const;
  for (const type of leaves) addEventListener(type, leaving, { capture: true });

  function within(pos: number): number {
    return Math.min(pos, view.state.doc.length);
  }
  /** The text as someone else left it, or as it was typed before the editor was there; each of them can be undone. */
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
    toldText = null;
  }

  /** A text that was made from what was told last: what was typed since stays, and is told right after. */
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
  /** Someone else wrote the text with other ends of its lines, so what is typed from now on gets those. */
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
