import { describe, expect, test } from "vitest";
import { nearestLines } from "../../../../src/engine/turn/tools/nearest-lines.ts";

describe("nearestLines", () => {
  test.each([
    ["the same line elsewhere indented", "a\n    return x + 1;\nb", "return x + 1;", [2]],
    ["best first, then in order", "foo(bar, baz)\nfoo(bar, bax)\nfoo(qux)\nfoo(bar, baz)", "foo(bar, baz)", [1, 4, 2]],
    ["by the longest line that is wanted", "}\nfunction play(board) {\n}", "}\nfunction play(boards) {\n}", [2]],
    ["at most three", "aaaa\naaaa\naaaa\naaaa", "aaaa", [1, 2, 3]],
    ["none when nothing is like it", "abc\ndef", "xyz uvw", []],
    ["none for blank text", "abc\n\n", " \n ", []],
    ["a single character", "a\nb", "b", [2]],
  ])("%s", (_, text, wanted, lines) => {
    expect(nearestLines(text, wanted).map(({ line }) => line)).toEqual(lines);
  });

  test("shows the beginning of a long line", () => {
    const [found] = nearestLines(`${"x".repeat(10_000)}\n`, "x".repeat(300));
    expect(found).toEqual({ line: 1, text: "x".repeat(200) });
  });

  // Quadratic work on these would take hours; the test's time limit would end it.
  test.each([
    ["one line", "ab".repeat(2_500_000)],
    ["many lines", "const value = compute(1, 2);\n".repeat(170_000)],
    ["empty lines", "\n".repeat(5_000_000)],
  ])("bounded for 5 MB of %s", (_, text) => {
    expect(nearestLines(text, `${"const value = compute(3, 4);".repeat(50)}\n`.repeat(50)).length).toBeLessThanOrEqual(3);
  });
});
