import { type EditorState, type Range, RangeSet, StateEffect, StateField, type Text } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";
import * as t from "../../texts/docs-editor.ts";
import { ValueWidget } from "./value-widget.ts";

/**
 * What a line shows at first: UTF-16 units, characters that are drawn as a sign because they can't be seen, and turns from letters that run from right
 * to left to others. A browser takes minutes for a line of a million of them.
 */
export const maxOfLine = { units: 10_000, signs: 100, turns: 500 } as const;

/** Characters that the editor draws as signs, or a few more; and marks on a letter after the fourth, whose shaping takes as long. */
const signs = new RegExp(
  [
    String.raw`[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u061C\u200B-\u200F\u2028-\u202E\u2066-\u2069\uFEFF\uFFF9-\uFFFC]`,
    String.raw`\p{M}(?<=\p{M}{5})`,
  ].join("|"),
  "gu",
);

const rightToLeft = String.raw`\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFE`;
/** A character that runs from right to left, the last one before a letter or digit that does not. None of them is looked at twice. */
const turns = new RegExp(String.raw`[${rightToLeft}][^\p{L}\p{N}${rightToLeft}]*(?![${rightToLeft}])[\p{L}\p{N}]`, "gu");

const showAll = StateEffect.define();

/** The end of what a line shows; null: all of it. */
export function endOfShown(line: string): number | null {
  if (line.length <= maxOfLine.signs) return null;
  const most = Math.min(line.length, maxOfLine.units);
  const end = Math.min(startOf(line.slice(0, most), signs, maxOfLine.signs), startOf(line.slice(0, most), turns, maxOfLine.turns));
  if (end === line.length) return null;
  // Never between the two halves of a character.
  return (line.charCodeAt(end - 1) & 0xfc00) === 0xd800 ? end - 1 : end;
}

/** Where the first one behind the `most`th stands; the text's end where there are no more. */
function startOf(text: string, pattern: RegExp, most: number): number {
  let count = 0;
  for (const { index } of text.matchAll(pattern)) {
    count += 1;
    if (count > most) return index;
  }
  return text.length;
}

/** How many UTF-16 units of a line don't show, and a way to show them. */
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
 * The rests of the lines that begin between `from` and `to`. Only lines of more than `maxOfLine.signs` units can have one, and each of those reaches so far
 * from the end of a line before it: a text of short lines is not read line by line.
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

/** A very long line shows its beginning, and how much more there is. The text itself is whole. */
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
