import { expect, test } from "vitest";
import { bench, call, ended, say } from "../harness.ts";

test("a prompt is answered, and the file says all of it", async () => {
  const b = await bench([
    [{ type: "text", text: "Hello" }, { type: "text", text: " you." }, { type: "usage", usage: { input: 12, output: 3 } }, ended],
  ]);
  const frames = await b.frames(await b.ask("POST", "/dialog", { provider: "claude", slug: "greet", prompt: "Hi there" }));
  const { filename, markdown } = await b.dialog();
  expect(markdown).toMatchInlineSnapshot(`
    "# Dialog
    > Format: 1
    > Provider: claude | Model: model-1
    > Started: 2026-11-21T20:11:01.000Z

    ## User
    > Time: 2026-11-21T20:11:01.000Z

    Hi there

    ## Assistant
    > Time: 2026-11-21T20:11:01.000Z - 2026-11-21T20:11:02.000Z

    Hello you.

    > Usage: input=12 output=3 total=15
    > Usage cumulative: input=12 output=3 total=15
    "
  `);
  expect(filename).toMatchInlineSnapshot(`"dialog-20261121-201101-greet-done.md"`);
  expect(frames).toMatchInlineSnapshot(`
    [
      {
        "dialogId": "20261121-201101-greet",
        "filename": "dialog-20261121-201101-greet-active.md",
        "type": "dialog",
      },
      {
        "content": "Hello",
        "type": "chunk",
      },
      {
        "content": " you.",
        "type": "chunk",
      },
      {
        "result": {
          "autoExecuted": [],
          "content": "Hello you.",
          "dialogId": "20261121-201101-greet",
          "filename": "dialog-20261121-201101-greet-done.md",
          "model": "model-1",
          "provider": "claude",
          "status": "done",
          "toolCalls": null,
        },
        "type": "done",
      },
    ]
  `);
  expect(b.reported).toEqual([]);
});

test("a call waits for the human, runs once, and the turn goes on", async () => {
  const b = await bench([
    [{ type: "text", text: "I will write." }, call("toolu_1", "write_file", { path: "index.html", content: "<h1>Hi</h1>\n" }), ended],
    say("Done."),
  ]);
  const first = await b.frames(await b.ask("POST", "/dialog", { provider: "claude", prompt: "Make a page" }));
  expect(first.map((frame) => frame.type)).toEqual(["dialog", "chunk", "tool_request", "done"]);
  const { id } = await b.dialog();
  const second = await b.frames(await b.ask("PUT", "/dialog", { dialogId: id, decisions: "əəə\ntoolu_1: approve\nəəə" }));
  expect(second.at(-1)).toMatchInlineSnapshot(`
    {
      "result": {
        "autoExecuted": [],
        "content": "Done.",
        "dialogId": "20261121-201101-dialog",
        "filename": "dialog-20261121-201101-dialog-done.md",
        "model": "model-1",
        "provider": "claude",
        "status": "done",
        "toolCalls": null,
      },
      "type": "done",
    }
  `);
  expect(await b.text("index.html")).toBe("<h1>Hi</h1>\n");
  expect((await b.dialog()).markdown).toMatchInlineSnapshot(`
    "# Dialog
    > Format: 1
    > Provider: claude | Model: model-1
    > Started: 2026-11-21T20:11:01.000Z

    ## User
    > Time: 2026-11-21T20:11:01.000Z

    Make a page

    ## Assistant
    > Time: 2026-11-21T20:11:01.000Z - 2026-11-21T20:11:02.000Z

    I will write.

    ---
    Tool request: write_file [toolu_1]

        {"path": "index.html", "content": "<h1>Hi</h1>\\n"}

    Decision: approved
    Started: 2026-11-21T20:11:04.000Z
    Result:

        {"success": true, "message": "File written: index.html"}

    ---

    ## Assistant
    > Time: 2026-11-21T20:11:04.000Z - 2026-11-21T20:11:05.000Z

    Done.
    "
  `);
  expect(b.reported).toEqual([]);
});
