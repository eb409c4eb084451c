import { describe, expect, test } from "vitest";
import type { Call, Dialog, Json, JsonObject } from "../../../../src/dialog/model.ts";
import { serialiseDialog } from "../../../../src/dialog/serialise.ts";
import { summaryText } from "../../../../src/engine/prompt/summary/summary.ts";
import { assistant, call, dialog, meta, ran, user } from "../notation.ts";

const id = "20261121-201100-game";
const filename = `dialog-${id}-done.md`;
const told = (given: Dialog, prompt = "Go on.") => summaryText({ dialogId: id, filename, file: serialiseDialog(given), prompt });

/** The points, each without its link's target, and the lines that it refers to. */
function points(given: Dialog): string[] {
  return told(given)
    .split("\n")
    .filter((line) => line.startsWith("- "))
    .map((line) => line.slice(2).replace(/ \[lines? ([0-9–]+)\]\([^)]*\)$/, " @$1"));
}

/** A call of another tool that ran. */
const ranAs = (name: string, callId: string, input: JsonObject, result: Json = { success: true }) =>
  call(callId, { name, input, decision: "approved", started: "t", result });
const file = (callId: string, name: string, path: string, result?: Json) => ranAs(name, callId, { path, content: "x" }, result);

test("a summary, whole", () => {
  const given = dialog(
    user("Make a **game**.\nOf tic-tac-toe."),
    assistant("I look around first. Then I write.", ran("a", { success: true, stdout: "x" }, { command: "ls -la" })),
    assistant("The game is there. What next?", meta("Usage", "input=1 output=2 total=3")),
  );
  expect(told(given, "Now make it *blue*.")).toMatchInlineSnapshot(`
    "This dialog continues vibey/dialog-20261121-201100-game-done.md (34 lines), which stays as it is. Vibey made this summary from that file without using a model; text in quotation marks is quoted from it, shortened where you see …. Each point gives its line numbers there: read more with, for example, \`sed -n '1,34p' vibey/dialog-20261121-201100-game-done.md\`. The file name ends in the dialog's status and changes with it: \`ls vibey/dialog-20261121-201100-game-*\` finds it.

    - The user: “Make a \\*\\*game\\*\\*. Of tic-tac-toe.” [lines 8–9](vibey/dialog-20261121-201100-game-done.md#L8-L9)
    - The agent: “I look around first.” … “Then I write.” [line 14](vibey/dialog-20261121-201100-game-done.md#L14)
    - Ran \`ls -la\` [lines 16–27](vibey/dialog-20261121-201100-game-done.md#L16-L27)

    The agent's last message [line 32](vibey/dialog-20261121-201100-game-done.md#L32):

    \`\`\`text
    The game is there. What next?
    \`\`\`

    The user's new message:

    Now make it *blue*."
  `);
});

describe("points", () => {
  test("are in the order of the file: what the human said, what the agent said, questions and stops", () => {
    expect(
      points(
        dialog(
          user("Build it."),
          assistant("Which colour?", meta("Waiting", "a colour")),
          user("Blue."),
          assistant("I begin. It is blue. It is", meta("Stop", "max_tokens")),
          user("Go on."),
          assistant("Done."),
        ),
      ),
    ).toMatchInlineSnapshot(`
      [
        "The user: “Build it.” @8",
        "The agent: “Which colour?” @13",
        "The agent asked: “a colour” @15",
        "The user: “Blue.” @20",
        "The agent: “I begin.” … “It is” @25",
        "A response was cut short: “max_tokens” @27",
        "The user: “Go on.” @32",
      ]
    `);
  });

  test("commands that ended well are grouped, and failures named", () => {
    expect(
      points(
        dialog(
          user("Test it."),
          assistant(
            ...["ls", "cat a", "cat b", "cat c", "cat d"].map((command, at) => ran(`c${at}`, { success: true }, { command })),
            ran("f", { success: false, error: "exit code 1", stderr: "2 tests failed\nsee above\n" }, { command: "npm test" }),
            ran("g", { success: true }, { command: "npm test" }),
          ),
        ),
      ),
    ).toMatchInlineSnapshot(`
      [
        "The user: “Test it.” @8",
        "Ran \`ls\`, \`cat a\`, \`cat b\`, \`cat c\` and 1 more @13–76",
        "Failed: \`npm test\` (“exit code 1”: “2 tests failed see above”) @78–89",
        "Ran \`npm test\` @91–102",
      ]
    `);
  });

  test("a file is one point, where it was changed last", () => {
    expect(
      points(
        dialog(
          user("Write."),
          assistant(file("a", "write_file", "index.html"), file("b", "write_file", "style.css")),
          assistant(
            file("c", "edit_file", "./index.html"),
            file("d", "edit_file", "index.html"),
            file("e", "edit_file", "no.md", { success: false, error: "there is no file no.md" }),
          ),
        ),
      ),
    ).toMatchInlineSnapshot(`
      [
        "The user: “Write.” @8",
        "\`style.css\` was written @26–37",
        "\`index.html\` was written and edited 2 times; the first time at line 13 @55–66",
        "Failed: \`edit_file\` of \`no.md\` (“there is no file no.md”) @68–79",
      ]
    `);
  });

  test("agents, denials with their reasons, and what was not decided", () => {
    const remove = (callId: string, more: Partial<Call>) => call(callId, { input: { command: "rm -rf /" }, ...more });
    expect(
      points(
        dialog(
          user("Go."),
          assistant(
            ranAs("launch_agent", "l", { prompt: "Style the page." }, { success: true, launched: { dialogId: "20261121-201200-style" } }),
          ),
          assistant(remove("a", { decision: "denied" })),
          user("Never do that."),
          assistant(remove("b", { decision: "denied" })),
          assistant(remove("c", {}), remove("d", { decision: "approved" }), remove("e", { decision: "approved", started: "t" })),
        ),
      ),
    ).toMatchInlineSnapshot(`
      [
        "The user: “Go.” @8",
        "Launched the agent \`20261121-201200-style\`: “Style the page.” @13–24",
        "The user denied \`rm -rf /\`, saying “Never do that.” @29–36",
        "The user: “Never do that.” @41",
        "The user denied \`rm -rf /\` @46–53",
        "No decision; not run: \`rm -rf /\` @58–63",
        "Approved but not run: \`rm -rf /\` @65–72",
        "Started; result unknown: \`rm -rf /\` @74–82",
      ]
    `);
  });

  test("a dialog that goes on from another one says so, and the human's own words of it are told", () => {
    const first = dialog(user("Build it."), assistant("Done."));
    const second: Dialog = {
      ...dialog(user(told(first, "Make it blue.")), assistant("It is blue.")),
      head: [{ key: "Continued from", value: id }],
    };
    expect(points(second)).toMatchInlineSnapshot(`
      [
        "It started from Vibey's summary of the dialog \`20261121-201100-game\`, and these words: “Make it blue.” @8–20",
      ]
    `);
  });

  test("an empty dialog has none", () => {
    expect(told(dialog())).toContain("Nothing else was said.");
  });
});

test("an earlier Vibey's file has its own lines", () => {
  const earlier =
    "# Dialog\n\n<!-- x -->\n> Provider: claude | Model: m\n\n## User\n> Time: t\n\nHello\n\n## Assistant\n> Time: t\n\nHi.\n";
  expect(summaryText({ dialogId: id, filename, file: earlier, prompt: "" })).toContain(
    `- The user: “Hello” [line 9](vibey/${filename}#L9)`,
  );
});
