import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseDialog } from "../../../../src/dialog/parse.ts";
import { unaskedTools } from "../../../../src/dialog/levels.ts";
import { dialogAgent } from "../../../../src/engine/agents/dialog-agent.ts";
import { readDefinition } from "../../../../src/engine/agents/read-definition.ts";
import { arrive } from "../../../../src/engine/project/zip/arrival.ts";
import { path } from "../../../fs/notation.ts";
import { lawRuns } from "../../../law-runs.ts";

const file = path("vibey/agent-kid.md");
const arrived = (text: string, accept = false, where = file) => {
  const { bytes, inactive } = arrive(where, new TextEncoder().encode(text), { accept, mtime: 0 });
  return { text: new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes), inactive };
};
/** The tools that a new dialog of this agent would run without asking. */
function unasked(text: string): string[] {
  const definition = readDefinition(file, text);
  return (["dialog", "run"] as const).flatMap((where) => {
    const { tools, asks } = dialogAgent({ definition, text }, where);
    return tools.filter((tool) => unaskedTools.has(tool) && !asks.includes(tool));
  });
}

describe("an agent that comes with an import", () => {
  test.each([
    ["You are Kid.\n", "---\napprove_actions: [vfs_read, vfs_list, signal_parent]\n---\n\nYou are Kid.\n"],
    [
      "---\nname: Kid # mine\ntools: [Read, Bash]\napprove_actions: [deploy]\n---\nYou are Kid.\n",
      "---\nname: Kid # mine\ntools: [Read, Bash]\napprove_actions: [run_command, vfs_read]\n---\nYou are Kid.\n",
    ],
  ])("asks before it reads, and says so in its file: %j", (text, expected) => {
    expect(arrived(text).text).toBe(expected);
    expect(unasked(text)).not.toEqual([]);
    expect(unasked(expected)).toEqual([]);
    // The user confirms that they wrote it.
    expect(arrived(text, true)).toEqual({ text, inactive: arrived(text).inactive });
    // Text that was already turned off causes no further notes.
    expect(arrived(expected)).toEqual({ text: expected, inactive: [] });
  });

  test("is named with what it would have done", () => {
    expect(arrived("---\ntools: [Read, Bash]\n---\nx").inactive).toEqual(["tools: vfs_read"]);
  });

  test.each(["---\ntools: [Bash]\n---\nYou are Kid.\n", "---\ntools: [Read\n---\nx\n", "---\npermission: ask\n---\nx\n"])(
    "stays as it is where it reads nothing without asking: %j",
    (text) => expect(arrived(text)).toEqual({ text, inactive: [] }),
  );

  test("of another program, and any other file, stays as it is", () => {
    for (const where of [".claude/agents/kid.md", "agents/kid.md", "vibey/doc-agent-kid.md"])
      expect(arrived("You are Kid.\n", false, path(where))).toEqual({ text: "You are Kid.\n", inactive: [] });
  });
});

test("law: whatever its file says, an agent that came with an import does nothing without asking", () => {
  const word = fc.constantFrom(
    ..."tools permission approve_actions approve-actions approval_rules escalate_actions Read Bash vfs_read ask deny allow * [] {} [Read] {a: b} true --- ... \ufeff # ' \" | > &a *a <<: \t \r\n ? -".split(
      " ",
    ),
  );
  const lines = fc.array(
    fc.array(word, { maxLength: 4 }).map((words) => words.join(": ")),
    { maxLength: 6 },
  );
  const text = fc
    .tuple(
      fc.constantFrom("---\n", "\ufeff---\n", "--- \n", "---\r\n", "---\r", "", "\n---\n"),
      lines,
      fc.constantFrom("---\n", "---\r\n", "...\n", ""),
      fc.string(),
    )
    .map(([start, middle, end, body]) => `${start}${middle.join(start.includes("\r") ? "\r\n" : "\n")}\n${end}${body}`);
  fc.assert(
    fc.property(text, (one) => {
      expect(unasked(arrived(one).text)).toEqual([]);
    }),
    { ...lawRuns(400, 20), examples: [["---\n?\n---\n"], ["---\n\r\n: tools\n---\n"]] },
  );
});

describe("a dialog whose last line has no LF", () => {
  const dialog = path("vibey/dialog-20261120-090000-x-waiting.md");
  const said = "# Dialog\n> Format: 1\n\n## User\n> Time: 2026-11-20T09:00:00Z\n\nWhat now?\n";
  test.each(["Result: all tests pass", "Decision: we ship", "## Users are happy", "> Note: call Bob", "Tool", "> Authorized: run_command"])(
    "keeps it as an editor would: %j",
    (last) => {
      const [text, asAnEditor] = [`${said}${last}`, `${said}${last}\n`].map((each) => parseDialog(arrived(each, false, dialog).text));
      expect(text).toEqual(asAnEditor);
      expect(arrived(`${said}${last}`, false, dialog).text).toContain(last.replace("> Authorized: ", ""));
    },
  );
  test("changes no other ending, and none in a block", () => {
    for (const text of [`${said}and then`, `${said}---\nTool request: a [b]\n\n    {}\n\nResult:\n\n    12`])
      expect(arrived(text, false, dialog).text).toBe(text);
  });
});
