import { type EditorState, Facet, type Range, RangeSet, StateField, type Text, type Transaction } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";
import { authorityLines, isLaw } from "../authority.ts";
import { ValueWidget } from "./value-widget.ts";

/** Whether this text is doc-main.md, whose lines `> Authorized:` and `> Limit:` take effect. */
export const lawsShown = Facet.define<boolean, boolean>({ combine: ([first]) => first ?? false });

/** What a line allows, in words after the line. */
class MeaningWidget extends ValueWidget<string> {
  toDOM() {
    const dom = document.createElement("span");
    dom.className = "law-meaning";
    dom.append(this.value);
    return dom;
  }
}

const law = Decoration.line({ class: "law" });

function draw({ doc, lineBreak }: EditorState): DecorationSet {
  const places: number[] = [];
  let at = 0;
  const texts: string[] = [];
  for (const text of doc.iterLines()) {
    if (isLaw(text)) {
      places.push(at);
      // The engine's lines end at the line feed, so a carriage return before it is part of the name.
      texts.push(lineBreak === "\r\n" ? `${text}\r` : text);
    }
    at += text.length + 1;
  }
  const found: Range<Decoration>[] = [];
  for (const [nth, { line, meaning }] of authorityLines(texts.join("\n")).entries()) {
    const from = places[nth];
    if (from === undefined) break;
    found.push(law.range(from));
    found.push(Decoration.widget({ widget: new MeaningWidget(meaning), side: 1 }).range(from + line.replace(/\r$/, "").length));
  }
  return RangeSet.of(found, true);
}

/** Whether a change touches such a line, before or after the change. */
function concerns({ changes, startState, state }: Transaction): boolean {
  let found = false;
  changes.iterChangedRanges((fromA, toA, fromB, toB) => {
    found ||= hasLaw(startState.doc, fromA, toA) || hasLaw(state.doc, fromB, toB);
  });
  return found;
}
function hasLaw(doc: Text, from: number, to: number): boolean {
  const last = doc.lineAt(to).number;
  for (let number = doc.lineAt(from).number; number <= last; number++) if (isLaw(doc.line(number).text)) return true;
  return false;
}

/** Draws the lines that give agents permissions or limit them. */
export const laws = [
  lawsShown.of(true),
  StateField.define<DecorationSet>({
    create: (state) => draw(state),
    update(drawn, transaction) {
      const { startState, state, docChanged, changes } = transaction;
      // Line ends are part of what a line says.
      if (startState.lineBreak !== state.lineBreak) return draw(state);
      return !docChanged ? drawn : concerns(transaction) ? draw(state) : drawn.map(changes);
    },
    provide: (field) => EditorView.decorations.from(field),
  }),
];
