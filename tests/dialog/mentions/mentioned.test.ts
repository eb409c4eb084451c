import * as fc from "fast-check";
import { expect, test } from "vitest";
import { mentionedAgents, ownWords } from "../../../src/dialog/mentions/mentioned.ts";

const slugs = new Set(["coder", "vibe", "code-reviewer", "code", "a_b"]);

test.each<[text: string, called: string]>([
  ["@coder what is wrong here?", "coder"],
  ["What is wrong here, @Coder?", "coder"],
  ["(@vibe) and @CODER, then @vibe again", "vibe coder"],
  ["@code-reviewer", "code-reviewer"],
  ["@code-please", "code"],
  ["@coders", ""],
  ["@a_b.", "a_b"],
  ["@nobody, @coder", "coder"],
  ["mail me@coder.example", ""],
  ["mail josé@coder.example or иван@coder.example", ""],
  ["mail jose\u0301@coder.example", ""],
  ["请@coder", "coder"],
  ["ที่@coder", "coder"],
  ["⚠️@coder", "coder"],
  ["me.@coder", ""],
  ["a/@coder @@coder", ""],
  ["no `@coder` here, but ``@vibe ` @vibe`` neither", ""],
  ["> @coder said so\n@vibe", "vibe"],
  ["```\n@coder\n```\n@vibe", "vibe"],
  ["~~~js\n@coder\n```\n@coder\n~~~\n@vibe", "vibe"],
  ["```\n@coder", ""],
  // A fence that opens inside another one is part of its code.
  ["```\n```js\n@coder\n```\n@vibe", "vibe"],
  ["~~~\n~~~ text\n@coder\n~~~\n@vibe", "vibe"],
  ["``` a ``` @coder", "coder"],
  ["```` ``` @coder ````: @vibe", "vibe"],
  // A backtick in another paragraph ends no code.
  ["The ` key.\n\n@coder why does ` fail?", "coder"],
  ["The ` key.\n \t\n@coder why does ` fail?", "coder"],
  ["The ` key\n> is ` quoted\n@coder ` here", "coder"],
  ["one `line\n@coder` and another", ""],
  ["@", ""],
  ["", ""],
])("%j calls %j", (text, called) => {
  expect(mentionedAgents(text, slugs).join(" ")).toBe(called);
});

test("code in a line ends with as many backticks as it begins with", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom("`", "``", "```", "a", " ", "@coder"), { maxLength: 30 }), (parts) => {
      const text = `a${parts.join("")}`;
      expect(ownWords(text)).toBe(text.replaceAll(/(?<!`)(`+)(?!`)[^]*?(?<!`)\1(?!`)/g, " "));
    }),
  );
});

test("ten at most", () => {
  const many = Array.from({ length: 15 }, (_, nth) => `agent-${nth}`);
  expect(mentionedAgents(many.map((slug) => `@${slug}`).join(" "), new Set(many))).toEqual(many.slice(0, 10));
});

test("any text calls only agents that there are, each once, however long it is", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom("@", "coder", "-", "`", "```", "\n", "> ", " ", "@vibe", "code", "_", "é"), { maxLength: 60 }),
      (parts) => {
        const called = mentionedAgents(parts.join(""), slugs);
        expect(called.every((slug) => slugs.has(slug))).toBe(true);
        expect(new Set(called).size).toBe(called.length);
      },
    ),
  );
  // Runs of backticks of every length, none of which closes another. With more than one pass over the text this takes minutes.
  const runs = Array.from({ length: 4_000 }, (_, nth) => `${"`".repeat(nth + 1)}a`).join("");
  expect(mentionedAgents(`${runs} @coder`, slugs)).toEqual(["coder"]);
  mentionedAgents(`${"`".repeat(50_000)} ${"`a ".repeat(100_000)} ${"@coder-".repeat(50_000)}`, slugs);
});
