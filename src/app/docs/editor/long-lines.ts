import { type EditorState, type Range, RangeSet, StateEffect, StateField, type Text } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";
import * as t from "../../texts/docs-editor.ts";
import { ValueWidget } from "./value-widget.ts";

/**
 * How much of a line is shown at first: UTF-16 units, characters drawn as signs because they are invisible, and changes from right-to-left to other
 * letters. A browser takes minutes for a line with a million of them.
 */
export const maxOfLine = { units: 10_000, signs: 100, turns: 500 } as const;

/** Characters that the editor draws as signs, and a few more; and combining marks after the fourth on one letter, whose shaping takes as long. */
const signs = new RegExp(
  [
    String.raw`[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u061C\u200B-\u200F\u2028-\u202E\u2066-\u2069\uFEFF\uFFF9-\uFFFC]`,
    String.raw`\p{M}(?<=\p{M}{5})`,
  ].join("|"),
  "gu",
);

const rightToLeft = String.raw`\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFE`;
/** The last right-to-left character before a letter or digit that isn't. Looks at no character twice. */
const turns = new RegExp(String.raw`[${rightToLeft}][^\p{L}\p{N}${rightToLeft}]*(?![${rightToLeft}])[\p{L}\p{N}]`, "gu");

const showAll = StateEffect.define();

/** Where the shown part of a line ends; null: the whole line is shown. */
export function endOfShown(line: string): number | null {
  if (line.length <= maxOfLine.signs) return null;
  const most = Math.min(line.length, maxOfLine.units);
  const end = Math.min(startOf(line.slice(0, most), signs, maxOfLine.signs), startOf(line.slice(0, most), turns, maxOfLine.turns));
  if (end === line.length) return null;
  // Never splits a surrogate pair.
  return (line.charCodeAt(end - 1) & 0xfc00) === 0xd800 ? end - 1 : end;
}

/** The offset of the match after the first `most` matches; the end of the text if there are no more. */
function startOf(text: string, pattern: RegExp, most: number): number {
  let count = 0;
  for (const { index } of text.matchAll(pattern)) {
    count += 1;
    if (count > most) return index;
  }
  return text.length;
}

/** Says how many UTF-16 units of a line are hidden, and shows them when clicked. */
class Rest extends ValueWidget<number> {
  override toDOM(view: EditorView) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "md-rest quiet small";
    button.textContent = t.moreCharacters(this.value);
    button.addEventListener("click", () => {
      view.dispatch({ effects: showAll.of(null) });
      view.focus();
    });
    return button;
  }
  override ignoreEvent() {
    return true;
  }
}

/**
 * The hidden rests of the lines that begin between `from` and `to`. Only lines of more than `maxOfLine.signs` units can have one. So the search moves
 * ahead by that many units at a time, and doesn't read a text of short lines line by line.
 */
function restsIn(doc: Text, from: number, to: number): Range<Decoration>[] {
  const found: Range<Decoration>[] = [];
  for (let at = doc.lineAt(from).from + maxOfLine.signs; at <= doc.length; ) {
    const line = doc.lineAt(at);
    if (line.from > to) break;
    const end = endOfShown(line.text);
    if (end !== null) found.push(Decoration.replace({ widget: new Rest(line.length - end) }).range(line.from + end, line.to));
    at = line.to + 1 + maxOfLine.signs;
  }
  return found;
}

interface Shown {
  readonly rests: DecorationSet;
  readonly isAll: boolean;
}
const nothing: Shown = { rests: Decoration.none, isAll: true };
const begin = ({ doc }: EditorState): Shown => ({ rests: RangeSet.of(restsIn(doc, 0, doc.length)), isAll: false });

/** Shows only the beginning of a very long line, and how much more there is. The text itself stays whole. */
export const longLines = StateField.define<Shown>({
  create: begin,
  update(value, transaction) {
    if (value.isAll || transaction.effects.some((effect) => effect.is(showAll))) return nothing;
    if (!transaction.docChanged) return value;
    let rests = value.rests.map(transaction.changes);
    const { doc } = transaction.state;
    transaction.changes.iterChangedRanges((_fromA, _toA, from, to) => {
      const [start, end] = [doc.lineAt(from).from, doc.lineAt(to).to];
      rests = rests.update({ filterFrom: start, filterTo: end, filter: () => false, add: restsIn(doc, start, end) });
    });
    return { rests, isAll: false };
  },
  provide: (field) => EditorView.decorations.from(field, ({ rests }) => rests),
});
