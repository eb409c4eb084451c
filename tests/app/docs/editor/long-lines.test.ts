import { EditorState } from "@codemirror/state";
import { array, assert, constantFrom, nat, property, record } from "fast-check";
import { expect, test } from "vitest";
import { endOfShown, longLines, maxOfLine } from "../../../../src/app/docs/editor/long-lines.ts";

const { units, signs, turns } = maxOfLine;

test.each([
  ["an empty line", "", null],
  ["a line that is as long as can be", "a".repeat(units), null],
  ["a longer line", "a".repeat(units + 1), units],
  ["a line that would end within a character", `${"a".repeat(units - 1)}\u{1F469}`, units - 1],
  ["as many signs as can be", "\u202E".repeat(signs), null],
  ["letters with a few marks each", "a\u0301\u0302\u0303\u0304".repeat(500), null],
  ["a heap of marks", `a${"\u0301".repeat(4 + signs + 1)}`, 1 + 4 + signs],
  ["a long line from right to left", "\u05D0\u05D1, ".repeat(units / 4), null],
  ["words that run both ways", "\u05D0 a ".repeat(turns), null],
  ["more of them", "\u05D0 a ".repeat(turns + 1), 4 * turns],
  ["words from right to left with signs and numbers between", "\u05D0 - 1 ".repeat(turns + 1), 6 * turns],
  ["more signs", `ab${"\u202E".repeat(signs + 1)}`, signs + 2],
])("%s shows up to its end or up to a limit", (_, line, end) => {
  expect(endOfShown(line)).toBe(end);
});

/** The hidden ranges, as `from to`. */
function hidden(state: EditorState): string[] {
  const found: string[] = [];
  state.field(longLines).rests.between(0, state.doc.length, (from, to) => void found.push(`${from} ${to}`));
  return found;
}
const stateOf = (doc: string) => EditorState.create({ doc, extensions: longLines });
/** The same, calculated line by line. */
function hiddenIn(text: string): string[] {
  let at = 0;
  return text.split("\n").flatMap((line) => {
    const [start, end] = [at, endOfShown(line)];
    at += line.length + 1;
    return end === null ? [] : [`${start + end} ${start + line.length}`];
  });
}

test("law: after any edits that is hidden which its line says, wherever the line stands", () => {
  const piece = constantFrom("a", "\n", "x".repeat(units - 2), "\u202E".repeat(signs), "y".repeat(200), "\u{1F469}", "");
  const edit = record({ at: nat(), length: nat({ max: 12_000 }), insert: piece });
  assert(
    property(array(piece, { maxLength: 8 }), array(array(edit, { maxLength: 3 }), { maxLength: 6 }), (pieces, steps) => {
      let state = stateOf(pieces.join(""));
      expect(hidden(state)).toEqual(hiddenIn(pieces.join("")));
      for (const edits of steps) {
        let end = 0;
        const changes = edits
          .map(({ at, length, insert }) => ({ from: at % (state.doc.length + 1), length, insert }))
          .toSorted((a, b) => a.from - b.from)
          .map(({ from, length, insert }) => {
            const start = Math.max(from, end);
            end = Math.min(state.doc.length, start + length);
            return { from: start, to: end, insert };
          });
        ({ state } = state.update({ changes }));
        expect(hidden(state)).toEqual(hiddenIn(state.doc.toString()));
      }
    }),
    { numRuns: 300 },
  );
});
