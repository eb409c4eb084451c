import { describe, expect, test } from "vitest";
import { recover } from "../../src/dialog/recover.ts";

const header = "# Dialog\n> Format: 1\n";
const assistant = `${header}\n## Assistant\n> Time: a - \n`;
const request = `${assistant}\ntext\n\n---\nTool request: a [b]\n`;

describe("a file that was cut is made whole", () => {
  test.each([
    ["nothing", "", ""],
    ["half the title", "# Dia", ""],
    ["the title without its LF", "# Dialog", ""],
    ["half a header line", `${header}> Provider: cl`, header],
    ["half a heading", `${header}\n## Us`, header],
    ["a heading without its LF", `${header}\n## User`, header],
    ["half an authorization", `${assistant}\n> Authorized: run`, assistant],
    ["a key without its colon", `${assistant}\n> Authorized`, assistant],
    ["half a text", `${assistant}\nhello wor`, `${assistant}\nhello wor\n`],
    ["half an escaped line", `${assistant}\n\\> Authorized: run`, `${assistant}\n\\> Authorized: run\n`],
    ["a backslash", `${assistant}\n\\`, `${assistant}\n\\\n`],
    ["text that starts with half an opener", `${assistant}\n> Aut`, assistant],
    ["text that only looks a bit like one", `${assistant}\n> aut`, `${assistant}\n> aut\n`],
    ["half a surrogate pair", `${assistant}\na\ud83d`, `${assistant}\na\ufffd\n`],
    ["a CR before what would read as a heading", `${assistant}\na\r## User`, `${assistant}\na\r## User\n`],
    ["a NUL in what would read as a heading", `${assistant}\n## U\0ser`, `${assistant}\n## U\0ser\n`],
    ["a torn blank line", `${assistant}\ntext\n  `, `${assistant}\ntext\n`],
    ["a blank line too many", `${assistant}\ntext\n\n`, `${assistant}\ntext\n`],
    ["the rule before a block", `${assistant}\n---\n`, `${assistant}\n---\n`],
    ["half a request", `${assistant}\n---\nTool request: a [`, `${assistant}\n---\n`],
    ["a block without input", request, `${request}\n---\n`],
    ["half the input", `${request}\n    {"a": 1`, `${request}\n---\n`],
    ["the input without its LF", `${request}\n    {"a": 1}`, `${request}\n---\n`],
    ["the input", `${request}\n    {"a": 1}\n`, `${request}\n    {"a": 1}\n\n---\n`],
    ["half a decision", `${request}\n    {}\n\nDecision: appr`, `${request}\n    {}\n\n---\n`],
    ["a decision without its LF", `${request}\n    {}\n\nDecision: approved`, `${request}\n    {}\n\n---\n`],
    ["a decision", `${request}\n    {}\n\nDecision: approved\n`, `${request}\n    {}\n\nDecision: approved\n\n---\n`],
    ["half a result", `${request}\n    {}\n\nResult:\n\n    12`, `${request}\n    {}\n\nResult:\n\n---\n`],
    ["half the closing rule", `${request}\n    {}\n\n--`, `${request}\n    {}\n\n---\n`],
    ["the closing rule without its LF", `${request}\n    {}\n\n---`, `${request}\n    {}\n\n---\n`],
    ["a closed block", `${request}\n    {}\n\n---\n`, `${request}\n    {}\n\n---\n`],
    ["text behind a closed block", `${request}\n    {}\n\n---\n\ntex`, `${request}\n    {}\n\n---\n\ntex\n`],
    ["a rule as text", `${assistant}\n---`, `${assistant}\n---\n`],
  ])("%s", (_name, cut, whole) => {
    expect(recover(cut)).toBe(whole);
    expect(recover(whole)).toBe(whole);
  });
});
