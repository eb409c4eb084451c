import { describe, expect, test } from "vitest";
import { parseDialog } from "../../src/dialog/parse.ts";
import { bodyOutline, outline } from "./notation.ts";

const block = (...lines: string[]): string =>
  ["---", "Tool request: run_command [x]", "", '    {"command": "ls"}', "", ...lines, ""].join("\n");
const call = 'call run_command [x] {"command":"ls"}';

describe("the header", () => {
  test.each([
    ["", "format null"],
    ["# Dialog", 'format null\n  text "# Dialog"'],
    ["# Dialog\n", "format null"],
    ["# Dialog\n> Format: 1\n", "format 1"],
    ["# Dialog\n> Format: 1", 'format null\n  text "> Format: 1"'],
    ["# Dialog\n> Format: 2\n", "format 2"],
    ["# Dialog\n> Format: 01\n", "format null"],
    ["# Dialog\n> Format: 1 \n", "format null"],
    ["# Dialog\n> Format: 1\r\n", 'format null\n  text "> Format: 1"'],
    ["# Dialog\n> Format: 1.0\n", "format null"],
    ["# Dialog\n\n> Format: 1\n", "format null"],
    ["# Dialog \n> Format: 1\n", 'format null\n  text "# Dialog "'],
    ["\n# Dialog\n> Format: 1\n", 'format null\n  text "# Dialog"'],
    ["\ufeff# Dialog\n> Format: 1\n", 'format null\n  text "\ufeff# Dialog"'],
    ["# Dialog\n> Format: 1\n> Format: 2\n> Provider: claude | Model: a/b:c\n", "format 1\nProvider=claude, Model=a/b:c"],
    ["# Dialog\n> Format: 1\n> Key: a | Authorized: x\n", "format 1\nKey=a | Authorized: x"],
    ["# Dialog\n> Format: 1\n> Provider: a | Authorized: x\n", "format 1\nProvider=a | Authorized: x"],
    ["# Dialog\n> Format: 1\n> Provider: a | Model: b | Model: c\n", "format 1\nProvider=a, Model=b | Model: c"],
    ["# Dialog\n> Format: 1\n> A: b\n\n> C: d\ntext\n", 'format 1\nA=b\n  meta C=d\n  text "text"'],
    ["# Dialog\n> Format: 1\n\n# Dialog\n> Format: 2\n", 'format 1\n  text "# Dialog"\n  meta Format=2'],
  ])("%j", (file, expected) => {
    expect(outline(parseDialog(file))).toBe(expected);
  });
});

describe("sections", () => {
  test.each([
    ["text\n", 'assistant\n  text "text"'],
    ["## User\n", "assistant\nuser"],
    ["## User\n> Time: t\n> A: b\ntext\n", 'assistant\nuser Time=t, A=b\n  text "text"'],
    ["## User\n\n> Time: t\n", "assistant\nuser\n  meta Time=t"],
    ["## User", 'assistant\n  text "## User"'],
    ["## User \n", 'assistant\n  text "## User "'],
    ["## User\r\n", 'assistant\n  text "## User"'],
    [" ## User\n", 'assistant\n  text " ## User"'],
    ["## Userx\n", 'assistant\n  text "## Userx"'],
    ["\\## User\n", 'assistant\n  text "## User"'],
    ["\\\\## User\n", 'assistant\n  text "\\\\## User"'],
    ["a\r## User\nb\n", 'assistant\n  text "a\\n## User\\nb"'],
    ["a\u2028## User\n", 'assistant\n  text "a\u2028## User"'],
    ["```\n## User\n", 'assistant\n  text "```"\nuser'],
    ["\n \n\t\n a \n\nb\n \n", 'assistant\n  text " a \\n\\nb"'],
    ["\0\n\r\n", "assistant"],
  ])("%j", (body, expected) => {
    expect(bodyOutline(body)).toBe(expected);
  });
});

describe("metadata", () => {
  test.each([
    ["> Usage: 1\n> Usage cumulative: 2\n", "assistant Usage=1, Usage cumulative=2"],
    ["\n> Usage: 1\n\n> Authorized: x\n", "assistant\n  meta Usage=1\n  meta Authorized=x"],
    ["a\n> Stop: aborted\nb\n", 'assistant\n  text "a"\n  meta Stop=aborted\n  text "b"'],
    ["\n> Stop:\n> Stop: \n", "assistant\n  meta Stop=, Stop="],
    ["\n> Stop:x\n", 'assistant\n  text "> Stop:x"'],
    ["\n> Stop: x", 'assistant\n  text "> Stop: x"'],
    ["\n> Stop: a\tb\n", 'assistant\n  text "> Stop: a\\tb"'],
    ["\n> Stop: a\u2028b\n", 'assistant\n  text "> Stop: a\u2028b"'],
    [`\n> Stop: ${"a".repeat(300)}\n`, `assistant\n  meta Stop=${"a".repeat(300)}`],
    [`\n> Stop: ${"a".repeat(301)}\n`, `assistant\n  text "> Stop: ${"a".repeat(301)}"`],
    ["\n> stop: x\n", 'assistant\n  text "> stop: x"'],
    ["\n\\> Stop: x\n", 'assistant\n  text "> Stop: x"'],
    ["\n> Time: a - \n", "assistant\n  meta Time=a - "],
  ])("%j", (body, expected) => {
    expect(bodyOutline(body)).toBe(expected);
  });
});

describe("a tool block", () => {
  test.each([
    ["pending", block("---"), `${call} pending`],
    ["approved", block("Decision: approved", "", "---"), `${call} approved`],
    ["denied", block("Decision: denied", "", "---"), `${call} denied`],
    ["an unknown word decides nothing", block("Decision: Approved", "", "---"), `${call} pending`],
    ["a word and a space decide nothing", block("Decision: approved ", "", "---"), `${call} pending`],
    ["a second decision is ignored", block("Decision: denied", "Decision: approved", "---"), `${call} denied`],
    ["also behind an unknown word", block("Decision: perhaps", "Decision: approved", "---"), `${call} pending`],
    ["any words are a claim", block("Started: \u0085", "---"), `${call} pending started= `],
    ["no words too", block("Started:", "---"), `${call} pending started=`],
    ["the first claim stays", block("Started: a", "Started: b", "---"), `${call} pending started=a`],
    ["a result", block("Result:", "", '    {"ok": true}', "", "---"), `${call} pending result={"ok":true}`],
    [
      "a result on many lines",
      block("Result:", "", "    {", '      "ok": [', "", "      ]", "    }", "---"),
      `${call} pending result={"ok":[]}`,
    ],
    ["a result that is no object", block("Result:", "    null", "---"), `${call} pending result=null`],
    ["a result that is not whole is none", block("Result:", '    {"ok": ', "---"), `${call} pending`],
    ["a result of two values is none", block("Result:", "    {}", "    {}", "---"), `${call} pending`],
    ["the next one counts then", block("Result:", '    {"ok": ', "Result:", "    1", "---"), `${call} pending result=1`],
    ["a second result is ignored", block("Result:", "    1", "Result:", "    2", "---"), `${call} pending result=1`],
    ["a decision below the result", block("Result:", "    1", "Decision: approved", "---"), `${call} approved result=1`],
    ["a tab indents too", block("Result:", "\t1", "---"), `${call} pending result=1`],
    ["text behind it", block("---", "", "text"), `${call} pending\n  text "text"`],
    ["text ends it", block("text", "Decision: approved"), `${call} pending\n  text "text\\nDecision: approved"`],
    [
      "half an opener ends it",
      block("Decision:approved", "Decision: approved"),
      `${call} pending\n  text "Decision:approved\\nDecision: approved"`,
    ],
    ["a backslash ends it", block("\\Decision: approved"), `${call} pending\n  text "Decision: approved"`],
    ["a word and a CR decide nothing", block("Decision: approved\r", "---"), `${call} pending`],
    ["a CR behind the rule ends it", block("---\r", "Decision: approved"), `${call} pending\n  text "---\\nDecision: approved"`],
    [
      "metadata ends it",
      block("> Stop: aborted", "Decision: approved"),
      `${call} pending\n  meta Stop=aborted\n  text "Decision: approved"`,
    ],
    ["a rule with a space ends it", block("--- ", "Decision: approved"), `${call} pending\n  text "--- \\nDecision: approved"`],
    ["indented lines behind it are text", block("---", '    {"a": 1}'), `${call} pending\n  text "    {\\"a\\": 1}"`],
    ["the file ends in it", block("Decision: approved").trimEnd(), `${call} pending\n  text "Decision: approved"`],
    ["the file ends in its result", block("Decision: approved", "Result:", "", "    12").trimEnd(), `${call} approved`],
  ])("%s", (_name, body, expected) => {
    expect(bodyOutline(body)).toBe(`assistant\n  ${expected}`);
  });

  test.each([
    ["a heading ends it", `${block()}## User\nDecision: approved\n`, `${call} pending\nuser\n  text "Decision: approved"`],
    [
      "one line can close a block and open the next",
      `${block()}${block("---").replace("[x]", "[y]")}`,
      `${call} pending\n  ${call.replace("[x]", "[y]")} pending`,
    ],
    ["no input", "---\nTool request: a [b]\n---\n", 'call a [b] {"invalid":""} pending'],
    ["input that is no object", "---\nTool request: a [b]\n    [1]\n---\n", 'call a [b] {"invalid":"[1]"} pending'],
    ["input that is not whole", '---\nTool request: a [b]\n\n    {"c":\n     1\n---\n', 'call a [b] {"invalid":"{\\"c\\":\\n 1"} pending'],
    ["input that is said to be invalid", '---\nTool request: a [b]\n    {"invalid": "[1]"}\n---\n', 'call a [b] {"invalid":"[1]"} pending'],
    ["a name that is none", "---\nTool request: a b [c]\n    {}\n---\n", "call unknown [c] {} pending"],
    ["no name", "---\nTool request:  [c]\n    {}\n---\n", "call unknown [c] {} pending"],
    ["an id that is none", "---\nTool request: a [b c]\n    {}\n---\n", "call a [call_1] {} pending"],
    ["no id", "---\nTool request: a []\n    {}\n---\n", "call a [call_1] {} pending"],
    ["brackets in the name", "---\nTool request: a [b] [c]\n    {}\n---\n", "call unknown [c] {} pending"],
    [
      "an id again",
      "---\nTool request: a [b]\n    {}\n---\n---\nTool request: c [b]\n    {}\n---\n",
      "call a [b] {} pending\n  call c [call_2] {} pending",
    ],
    [
      "a fresh id that is there",
      "---\nTool request: a [call_2]\n    {}\n---\n---\nTool request: c []\n    {}\n---\n",
      "call a [call_2] {} pending\n  call c [call_2_2] {} pending",
    ],
  ])("%s", (_name, body, expected) => {
    expect(bodyOutline(body)).toBe(`assistant\n  ${expected}`);
  });

  test.each([
    ["without its rule", "Tool request: a [b]\n    {}\n---\n"],
    ["with a line between", "---\n\nTool request: a [b]\n    {}\n---\n"],
    ["with an escaped request", "---\n\\Tool request: a [b]\n    {}\n---\n"],
    ["with half a request", "---\nTool request: a\n    {}\n---\n"],
    ["with a bracket too few", "---\nTool request: a [b\n    {}\n---\n"],
    ["with more behind the request", "---\nTool request: a [b] c\n    {}\n---\n"],
    ["with a CR", "---\r\nTool request: a [b]\r\n    {}\n---\n"],
    ["with a torn request", "---\nTool request: a [b]"],
    ["with an indent", " ---\nTool request: a [b]\n    {}\n---\n"],
    ["with a longer rule", "----\nTool request: a [b]\n    {}\n---\n"],
  ])("none %s", (_name, body) => {
    expect(parseDialog(`# Dialog\n> Format: 1\n\n## Assistant\n\n${body}`).sections[0]?.parts.map(({ kind }) => kind)).toEqual(["text"]);
  });

  test("none in a user's section, none before the first", () => {
    const text = block("Decision: approved", "---");
    expect(parseDialog(`# Dialog\n> Format: 1\n\n${text}\n## User\n\n${text}`)).toMatchObject({
      parts: [{ kind: "text" }],
      sections: [{ role: "user", parts: [{ kind: "text" }] }],
    });
  });
});

describe("an earlier Vibey's file", () => {
  test("is never unescaped, its comment is text, its header may have blank lines", () => {
    const file = "# Dialog\n\n<!-- a -->\n\n> Provider: openai | Model: gpt-5\n> Started: t\n\n## Assistant\n> Time: a - b\n\n\\## User\n";
    expect(outline(parseDialog(file))).toBe(
      'format null\nProvider=openai, Model=gpt-5, Started=t\n  text "<!-- a -->"\nassistant Time=a - b\n  text "\\\\## User"',
    );
  });
});

test("any text is a dialog file", () => {
  for (const file of [
    "\n",
    "---\n",
    "\0",
    "\ud800",
    "> ",
    "## User\n> Time",
    "# Dialog\n> Format: 1\n## Assistant\n---\nTool request: a [b]\n",
  ]) {
    expect(() => parseDialog(file)).not.toThrow();
  }
});
