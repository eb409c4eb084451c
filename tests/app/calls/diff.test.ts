import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compare, diffRows, foldEmpty, type Row, withContext } from "../../../src/app/calls/diff.ts";

const marks = { add: "+", remove: "-", same: " ", gap: "~" } as const;
const drawn = (rows: readonly Row[]) => rows.map((row) => marks[row.kind] + row.text);
const lines = (text: string) => text.split("").join("\n");

const many = (letter: string) => Array.from({ length: 6_000 }, (_, index) => `${letter}${index}`).join("\n");

describe("a diff", () => {
  test("many empty lines become one row that says how many, and few stay", () => {
    const rows = foldEmpty(diffRows("a\n\nb", `a\n\nb${"\n".repeat(300)}evil`));
    expect(rows.map(({ kind, text, empty }) => [kind, empty ?? text])).toEqual([
      ["same", "a"],
      ["same", ""],
      ["same", "b"],
      ["add", 299],
      ["add", "evil"],
    ]);
  });

  test("one line changed, with three lines around it", () => {
    const rows = withContext(diffRows(lines("abcdefghij"), lines("abcdXfghij")), 3);
    expect(drawn(rows)).toEqual(["~1 line unchanged", " b", " c", " d", "-e", "+X", " f", " g", " h", "~2 lines unchanged"]);
  });

  test("changes near each other share their context", () => {
    expect(drawn(withContext(diffRows(lines("aXbcYd"), lines("a1bc2d")), 3))).toEqual([" a", "-X", "+1", " b", " c", "-Y", "+2", " d"]);
  });

  test("each row has the number of its line: the old one where it goes, the new one elsewhere", () => {
    const numbers = (before: string, after: string) =>
      diffRows(lines(before), lines(after)).map(({ kind, number, text }) => `${marks[kind]}${number} ${text}`);
    expect(numbers("abc", "aXYc")).toEqual([" 1 a", "-2 b", "+2 X", "+3 Y", " 4 c"]);
    expect(compare("a\nb", "a\nc", 18).near.map(({ number }) => number)).toEqual([18, 19, 19]);
    expect(compare("a\nb", "a\nc", null).near.map(({ number }) => number)).toEqual([undefined, undefined, undefined]);
  });

  test("after lines that are left out, the numbers are still those of the file", () => {
    const text = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`);
    const { near } = compare(text.join("\n"), text.with(29, "new").join("\n"), 1);
    expect(near.map(({ kind, number }) => (kind === "gap" ? "~" : number))).toEqual(["~", 27, 28, 29, 30, 30, 31, 32, 33, "~"]);
  });

  test("a carriage return is a change", () => {
    expect(drawn(diffRows("a\r\nb", "a\nb"))).toEqual(["-a\r", "+a", " b"]);
  });

  test("texts too different to compare in time are shown whole, the old one first", () => {
    const kinds = diffRows(many("a"), many("b")).map((row) => row.kind);
    expect(kinds).toEqual([...Array<string>(6_000).fill("remove"), ...Array<string>(6_000).fill("add")]);
  });

  test("the rows hold both texts, whatever they are", () => {
    const text = fc.array(fc.constantFrom("a", "b", "", "c"), { maxLength: 12 }).map((parts) => parts.join("\n"));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const rows = diffRows(before, after);
        const side = (...kinds: Row["kind"][]) =>
          rows
            .filter((row) => kinds.includes(row.kind))
            .map((row) => row.text)
            .join("\n");
        expect(side("same", "remove")).toBe(before);
        expect(side("same", "add")).toBe(after);
        expect(withContext(rows, Number.POSITIVE_INFINITY)).toEqual(before === after ? withContext(rows, 0) : rows);
      }),
    );
  });
});
