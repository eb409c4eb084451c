import { describe, expect, test } from "vitest";
import { outlineOf } from "../../src/app/docs/editor/outline.ts";
import { plainOutput } from "../../src/app/calls/terminal.ts";
import { measure, subject } from "../../src/app/calls/describe.ts";
import { visible } from "../../src/app/calls/visible.ts";
import { countBreaks } from "../../src/app/markdown/long-text.ts";

// With a pattern that tries again at every character, each of these took minutes or longer.
describe("one line of a megabyte", () => {
  const length = 1_000_000;

  test.each([
    ["spaces before a letter", `# ${" ".repeat(length)}a`, "a"],
    ["hashes and spaces", `# a${" #".repeat(length / 2)}b`, undefined],
    ["open brackets", `# ${"[".repeat(length)}`, undefined],
    ["open links", `# ${"[a](".repeat(length / 4)}`, undefined],
  ])("is a heading of %s", (_, line, title) => {
    const [heading] = outlineOf([line]);
    expect(heading).toMatchObject({ level: 1, line: 1 });
    if (title !== undefined) expect(heading?.title).toBe(title);
  });

  test("of carriage returns that a command prints is one that was written over", () => {
    expect(plainOutput(`${"\r".repeat(length)}a\n`)).toBe("a\n");
    expect(plainOutput(`a${"\r".repeat(length)}\n`)).toBe("a\n");
  });

  test("has a title of 120 characters", () => {
    expect(subject({ tool: "run_command", input: { command: "\u{1F469}".repeat(length / 2) } })).toBe(`${"\u{1F469}".repeat(120)} …`);
  });

  test("of hidden characters is shown with each of them named", () => {
    expect(visible("\u202E\u0301".repeat(1_000)).match(/⟨U\+202E⟩/g)).toHaveLength(1_000);
    expect(visible("\u0301".repeat(length))).toContain(`⟨U+0301 × ${length - 4}⟩`);
  });
});

test("a heading's title is without the hashes that close it, links and emphasis", () => {
  const titles = outlineOf(["# a ##", "# b#", "##", "# #", "#c", "## [d](e) *f* g_h ", "# i # j"]).map(({ title }) => title);
  expect(titles).toEqual(["a", "b#", "", "", "d f g_h", "i # j"]);
});

test("line breaks are counted wherever they stand", () => {
  const length = 1_000_000;
  expect(["", "\n", "a\nb", "\r\n\n", "\n".repeat(length), "a\n".repeat(length / 2)].map(countBreaks)).toEqual([
    0,
    1,
    1,
    2,
    length,
    length / 2,
  ]);
  expect(["a", "a\n", "a\nb", "\n"].map((text) => measure(text).replace(/^.*, /, ""))).toEqual(["1 line", "1 line", "2 lines", "1 line"]);
});
