/** The YAML between two lines of hyphens at the beginning of a Markdown text. It is drawn as YAML only. */
import { type EditorState, type Extension, RangeSetBuilder, StateEffect, StateField, type Text } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";
import type { Parser } from "@lezer/common";
import { highlightTree } from "@lezer/highlight";

/** Front matter up to this many UTF-16 units is recognized. It is parsed as a whole at each key press. */
const longest = 16_384;

/** The offsets of the lines with hyphens, without their line ends, and of the text between them. */
export interface FrontMatter {
  readonly from: number;
  readonly begin: number;
  readonly end: number;
  readonly to: number;
}

/** The position of a text's front matter; null if there is none, or if it is very long. */
export function frontMatterIn(doc: Text): FrontMatter | null {
  let at = 0;
  let open: { readonly from: number; readonly begin: number } | null = null;
  for (const line of doc.iterLines()) {
    if (open === null) {
      if (/^\uFEFF?---[ \t]*$/.test(line)) open = { from: at, begin: at + line.length + 1 };
      else if (!/^\uFEFF?[ \t]*$/.test(line)) return null;
    } else if (/^(?:---|\.\.\.)[ \t]*$/.test(line)) return { ...open, end: Math.max(open.begin, at - 1), to: at + line.length };
    at += line.length + 1;
    if (at > longest) return null;
  }
  return null;
}

/** Searched again if the text has changed before its end; without front matter, if the text has changed where front matter could be. */
const field = StateField.define<FrontMatter | null>({
  create: ({ doc }) => frontMatterIn(doc),
  update(value, { changes, newDoc, docChanged }) {
    const until = value?.to ?? longest;
    return docChanged && changes.touchesRange(0, until) !== false ? frontMatterIn(newDoc) : value;
  },
});

/** The end of the front matter; 0: the text has none, or isn't checked for it. */
export const frontMatterEnd = (state: EditorState): number => state.field(field, false)?.to ?? 0;

const arrived = StateEffect.define();
const mark = Decoration.mark({ class: "md-mark" });
const marks = new Map<string, Decoration>();

/** The colors of YAML. The first front matter loads them. */
let colours: { readonly parser: Parser; readonly names: Parameters<typeof highlightTree>[1] } | null = null;

async function fetchColours(): Promise<void> {
  const [{ parser }, { tagHighlighter, tags }, { names }] = await Promise.all([
    import("@lezer/yaml"),
    import("@lezer/highlight"),
    import("./languages.ts"),
  ]);
  // A value without quotes is a string, too.
  colours = { parser, names: [names, tagHighlighter([{ tag: tags.content, class: "code-string" }])] };
}

/** The lines with hyphens drawn as marks, and the colors of the text between them. */
export function drawFrontMatter(doc: Text, { from, begin, end, to }: FrontMatter, colour: typeof colours): DecorationSet {
  const found = new RangeSetBuilder<Decoration>();
  found.add(from, begin - 1, mark);
  if (colour !== null && end > begin) {
    const yaml = doc.sliceString(begin, end);
    highlightTree(colour.parser.parse(yaml), colour.names, (start, stop, look) => {
      const known = marks.get(look) ?? Decoration.mark({ class: look });
      marks.set(look, known);
      found.add(begin + start, begin + stop, known);
    });
  }
  found.add(doc.lineAt(to).from, to, mark);
  return found.finish();
}

class Colours {
  decorations: DecorationSet = Decoration.none;
  #drawn: FrontMatter | null = null;
  #isFetching = false;

  constructor(view: EditorView) {
    this.#draw(view);
  }

  update(update: ViewUpdate): void {
    const now = update.state.field(field);
    if (now !== this.#drawn || update.transactions.some(({ effects }) => effects.some((effect) => effect.is(arrived))))
      this.#draw(update.view);
  }

  #draw(view: EditorView): void {
    this.#drawn = view.state.field(field);
    this.decorations = this.#drawn === null ? Decoration.none : drawFrontMatter(view.state.doc, this.#drawn, colours);
    if (this.#drawn !== null && colours === null) void this.#fetch(view);
  }

  async #fetch(view: EditorView): Promise<void> {
    if (this.#isFetching) return;
    this.#isFetching = true;
    try {
      await fetchColours();
      if (view.dom.isConnected) view.dispatch({ effects: arrived.of(null) });
    } catch (error) {
      // For example offline: the text can still be edited, without colors.
      console.warn("The colours of front matter couldn't be loaded.", error);
    }
  }
}

export const frontMatter: Extension = [field, ViewPlugin.fromClass(Colours, { decorations: (plugin) => plugin.decorations })];
