import { describe, expect, test } from "vitest";
import { authorized, guardDoc } from "../../src/dialog/authority.ts";
import { clean } from "../../src/dialog/clean.ts";
import { escapeLine, unescapeLine } from "../../src/dialog/escape.ts";
import { parseJson, stringifyJson } from "../../src/dialog/json.ts";
import { metaValue } from "../../src/dialog/meta.ts";
import { slugify } from "../../src/dialog/name.ts";
import { parseDialog } from "../../src/dialog/parse.ts";
import { recover } from "../../src/dialog/recover.ts";
import { parseAuthorizations, parseDecisions } from "../../src/dialog/sentinel.ts";
import { serialiseDialog, textText } from "../../src/dialog/serialise.ts";
import { createTextWriter } from "../../src/dialog/text-writer.ts";

/* A quarter of a million characters each. Work that grows with the square of the length would take minutes, so the test's time limit catches it. */
const size = 250_000;
/** Units that arrive one by one cost more each; quadratic growth shows here, too. */
const streamed = 50_000;
const fill = (unit: string): string => unit.repeat(Math.ceil(size / unit.length));

const texts: [string, string][] = [
  ["CRs", fill("\r")],
  ["CRs before a letter", `${fill("\r")}a`],
  ["CR and LF in turn", fill("\r\n")],
  ["NULs", fill("\0")],
  ["backslashes", fill("\\")],
  ["backslashes before an opener", `${fill("\\")}Decision: approved`],
  ["lines of one backslash", fill("\\\n")],
  ["blank lines", fill("\n")],
  ["blank lines between words", `a${fill("\n")}b`],
  ["lines of spaces", `a${fill(" \t\n")}b`],
  ["spaces", `a\n${fill(" ")}`],
  ["spaces before a word", `${fill(" ")}a`],
  ["words and spaces", fill("a ")],
  ["high surrogates", fill("\ud800")],
  ["low surrogates", fill("\udc00")],
  ["rules", fill("---\n")],
  ["rules without LF", fill("---")],
  ["half openers", fill("> Usage cumulative\n")],
  ["half openers without LF", fill("> Usage cumulative")],
  ["openers", fill("> A:\n")],
  ["metadata", fill("> Authorized: x\n")],
  ["providers", fill("> Provider: a | Model: b\n")],
  ["requests", fill("---\nTool request: x [x]\n")],
  ["requests without a bracket", fill("---\nTool request: x\n")],
  ["a long request", `---\nTool request: ${fill(" [")}]\n`],
  ["a long request that is none", `---\nTool request: ${fill(" [")}\n`],
  ["results that are not whole", `---\nTool request: x [x]\n${fill("Result:\n    [\n")}`],
  ["open brackets", `---\nTool request: x [x]\n\n    ${fill("[")}\n`],
  ["quotes and backslashes", `---\nTool request: x [x]\n\n    ${fill('\\"')}\n`],
  ["an input of many lines", `---\nTool request: x [x]\n\n${fill("    \n")}`],
  ["headings", fill("## User\n")],
  ["titles", fill("# Dialog\n")],
  ["comments", fill("<!-- ")],
  ["fences", fill("```\n")],
  ["signs", fill("> Waiting: a\n")],
  ["a long sign", `> Waiting: ${fill("a ")}`],
  ["a long value", `> Stop: ${fill(" ")}`],
  ["Model, again and again", `> Provider: ${fill(" | Model: ")}\n`],
  ["dashes", fill("-a")],
  ["sentinels", fill("əəə\n")],
  ["colons", fill("a: ")],
];

describe.each(texts)("%s", (_name, text) => {
  test("as a text", () => {
    const cleaned = clean(text);
    expect(textText(text)).toBe(cleaned === "" ? "" : `\n${cleaned.split("\n").map(escapeLine).join("\n")}\n`);
    expect(unescapeLine(escapeLine(text))).toBe(text);
  });

  test("as a stream of single units", () => {
    const writer = createTextWriter();
    const begun = text.slice(0, streamed);
    const files: string[] = [];
    for (let at = 0; at < begun.length; at++) files.push(writer.push(begun.charAt(at)).file);
    files.push(writer.end("cut").file);
    expect(files.join("") === textText(begun)).toBe(true);
  });

  test("as a file", () => {
    for (const file of [text, `# Dialog\n> Format: 1\n\n## Assistant\n\n${text}`]) {
      const dialog = parseDialog(file);
      const written = serialiseDialog(dialog);
      expect(serialiseDialog(parseDialog(written)).length).toBeGreaterThanOrEqual(written.length);
      expect(recover(file).length).toBeGreaterThanOrEqual(0);
      expect(authorized(dialog).size).toBeLessThanOrEqual(1);
    }
  });

  test("as anything else", () => {
    expect(metaValue(text).length).toBeLessThanOrEqual(300);
    expect(slugify(text).length).toBeLessThanOrEqual(40);
    expect(parseJson(stringifyJson(text))).toBe(text);
    expect(parseJson(stringifyJson({ [text]: [text] }))).toEqual({ [text]: [text] });
    expect(parseJson(text)).toBeUndefined();
    expect(parseDecisions(text).size + parseAuthorizations(text).size).toBeLessThanOrEqual(1);
    expect(guardDoc(text, text)).toEqual({ ok: true });
    expect(guardDoc("", text).ok).toBe(!/^> (Authorized|Revoked|Limit):/.test(text));
  });
});

test("a hundred thousand calls whose ids are all the same", () => {
  const calls = parseDialog(`# Dialog\n> Format: 1\n\n## Assistant\n\n${"---\nTool request: x [call_2]\n    {}\n---\n".repeat(100_000)}`)
    .sections[0]?.parts;
  expect(calls).toHaveLength(100_000);
  expect(new Set(calls?.map((part) => part.kind === "call" && part.call.id)).size).toBe(100_000);
});

test("a hundred thousand values side by side are not deep", () => {
  const text = `[${"[],".repeat(100_000)}[]]`;
  expect(parseJson(stringifyJson(parseJson(text) ?? null))).toHaveLength(100_001);
});

test.each([
  ["in the header", (lines: readonly string[]) => `# Dialog\n> Format: 1\n${lines.join("\n")}\n`],
  ["each between two texts", (lines: readonly string[]) => `# Dialog\n> Format: 1\n\n## User\n\n${lines.join("\n\ntext\n\n")}\n`],
  [
    "each in a section of its own",
    (lines: readonly string[]) => `# Dialog\n> Format: 1\n${lines.map((line) => `\n## User\n${line}\n`).join("")}`,
  ],
])("a hundred thousand tools that are authorized, %s", (_where, file) => {
  const lines = Array.from({ length: 100_000 }, (_, at) => `> Authorized: tool_${at}`);
  expect(authorized(parseDialog(file(lines))).size).toBe(100_000);
  expect([...authorized(parseDialog(file([...lines.slice(0, 3), "> Revoked: tool_1"])))]).toEqual(["tool_0", "tool_2"]);
});
