import { expect, test } from "vitest";
import type { DialogListing } from "../../../src/protocol/index.ts";
import { call } from "../harness.ts";
import { type Crew, crew, nameOf } from "./crew.ts";

const said = (text: string) => ({ type: "text", text }) as const;

const undecided = async (c: Crew, name: string) =>
  (await c.dialog(name)).messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.kind === "call" && part.call.state === "pending" ? [part.call.id] : [])),
  );

async function approve(c: Crew, name: string): Promise<void> {
  await expect.poll(async () => (await undecided(c, name)).length, { interval: 1 }).toBe(1);
  const answer = await c.put(name, { decisions: (await undecided(c, name)).map((id) => `${id}: approve`).join("\n") });
  expect(answer.status).toBe(200);
}

test("one word of the human: the agent launches another one, and the two of them make a game of two files", async () => {
  const c = await crew(["> A tictactoe for the browser. Two agents work on it: one writes the page, one the script."]);
  await c.begin("start");
  c.reply(
    "start",
    said("I take the page. Another agent takes the script."),
    call("l", "launch_agent", { provider: "claude", model: "model-2", prompt: "script: write game.js", slug: "script" }),
  );
  expect((await c.b.text("vibey/doc-main.md")).includes("Authorized")).toBe(false);
  await approve(c, "start");
  await c.is("start script |");

  // Both work at the same time, each with its own dialog and model.
  c.reply("start", call("p", "write_file", { path: "index.html", content: '<script src="game.js"></script>\n' }));
  c.reply("script:", call("s", "write_file", { path: "game.js", content: "let turn = 'X';\n" }));
  await c.is("|");
  await approve(c, "start");
  await approve(c, "script");
  c.reply("script:", said("The script is there."));
  // The first looks at the other's work: its dialog is a file.
  c.reply("start", call("g", "run_command", { command: "cat game.js vibey/dialog-*-script-*.md" }));
  await approve(c, "start");
  c.reply("start", call("e", "edit_file", { path: "game.js", old_string: "'X'", new_string: '"X"' }));
  await approve(c, "start");
  c.reply("start", said("The game is done."));
  await c.is("|");

  const listing = (await (await c.b.ask("GET", "/dialogs")).json()) as DialogListing[];
  expect(listing.map(({ dialogId, status }) => `${nameOf(dialogId)} ${status}`).toSorted()).toEqual(["script done", "start done"]);
  expect(await c.dialog("script")).toMatchObject({ launchedBy: await c.id("start"), model: "model-2", authorized: [] });
  expect([await c.b.text("index.html"), await c.b.text("game.js")]).toEqual(['<script src="game.js"></script>\n', 'let turn = "X";\n']);
  expect([c.b.reported, c.notices]).toEqual([[], []]);
});
