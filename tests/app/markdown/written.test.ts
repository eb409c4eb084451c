// A person's message is shown as it was written: formatting changes no character.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { writtenBlocks, writtenLinks } from "../../../src/app/markdown/written-blocks.ts";

const drawn = (text: string) => writtenBlocks(text).map((block) => (block.kind === "text" ? block.text : `[${block.info}|${block.text}]`));

describe("blocks", () => {
  test.each([
    ["nothing", "", []],
    ["line breaks and signs stay", "a\nb\n\n__init__.py\n# x\n- y\n> z", ["a\nb\n\n__init__.py\n# x\n- y\n> z"]],
    ["blanks at the beginning stay", "  a\n    b", ["  a\n    b"]],
    ["a fence", "see\n\n```js\nlet a\n\nlet b\n```\n\nthen", ["see", "[js|let a\n\nlet b]", "then"]],
    ["a longer fence holds a shorter one", "````\n```\n````", ["[|```]"]],
    ["a fence of tildes", "~~~\n```\n~~~~", ["[|```]"]],
    ["a fence that is not closed is text", "a\n```js\nlet a", ["a\n```js\nlet a"]],
    ["ticks within a line are text", "```a``` b\nc", ["```a``` b\nc"]],
    ["in a very long text nothing is looked for", `${"a\n".repeat(50_001)}\`\`\`\nb\n\`\`\``, [`${"a\n".repeat(50_001)}\`\`\`\nb\n\`\`\``]],
    ["lines end in whatever way", "a\r\nb\rc", ["a\nb\nc"]],
  ])("%s", (_, text, expected) => {
    expect(drawn(text)).toEqual(expected);
  });

  test("law: no character but a line break, a fence and its info is lost", () => {
    const line = fc.constantFrom("a", "", " b ", "```", "```js", "~~~", "__init__.py", "````");
    fc.assert(
      fc.property(fc.array(line, { maxLength: 20 }), (lines) => {
        const shown = writtenBlocks(lines.join("\n"));
        const kept = shown.map(({ text }) => text).join("\n");
        const signs = (text: string) => text.replaceAll(/[\s`~]|js/g, "");
        expect(signs(kept)).toBe(signs(lines.join("\n")));
      }),
    );
  });
});

describe("addresses", () => {
  const found = (text: string) => writtenLinks(text).flatMap(({ text: part, isLink }) => (isLink ? [part] : []));
  test.each([
    ["see https://a.example/b_c_d.", ["https://a.example/b_c_d"]],
    ["(http://a.example/x(1)), and", ["http://a.example/x(1)"]],
    ["<https://a.example>", ["https://a.example"]],
    ["**https://a.example**", ["https://a.example"]],
    ["javascript:alert(1) ftp://a file://b https://", []],
    [`https://a.example/${"x".repeat(3_000)}`, []],
  ])("in %j", (text, expected) => {
    expect(found(text)).toEqual(expected);
  });
  test("law: the parts are the text", () => {
    const piece = fc.constantFrom("https://a.example", ".", ")", "(", " ", "http://", "x", "\n");
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join("");
        expect(
          writtenLinks(text)
            .map(({ text: part }) => part)
            .join(""),
        ).toBe(text);
      }),
    );
  });
});
