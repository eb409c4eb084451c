import { appendFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { eventsOfLine, readSession } from "../../bridge/vibe-log.ts";
import { followVibe } from "../../bridge/vibe.ts";
import { parseDialog } from "../../src/dialog/parse.ts";
import { dialogCalls } from "../../src/dialog/edit.ts";
import { newKey } from "../engine/outside/outside-bench.ts";
import { soon as patiently } from "../soon.ts";
import { openTown } from "./town.ts";

const session = { id: "v-1", cwd: "/app" };
const base = { timestamp: 5, session_id: "v-1", cwd: "/app" };
const call = (id: string, name: string, args: string) => ({ id, type: "function", function: { name, arguments: args } });

test.each<[string, unknown, readonly object[]]>([
  [
    "a user's message",
    { role: "user", content: "Fix it", message_id: "m" },
    [{ ...base, id: "vibe-3-0", type: "user_message", content: "Fix it" }],
  ],
  ["one that Vibe put in itself", { role: "user", content: "context", injected: true }, []],
  [
    "the last word",
    { role: "assistant", content: "Done." },
    [{ ...base, id: "vibe-3-0", type: "assistant", content: "Done.", continues: false }],
  ],
  [
    "a word and calls",
    { role: "assistant", content: "Look:", tool_calls: [call("c1", "bash", '{"command": "ls"}'), call("c2", "grep", "{broken")] },
    [
      { ...base, id: "vibe-3-0", type: "assistant", content: "Look:", continues: true },
      { ...base, id: "vibe-3-1", type: "tool_call", tool_call_id: "c1", tool_name: "bash", args: { command: "ls" } },
      { ...base, id: "vibe-3-2", type: "tool_call", tool_call_id: "c2", tool_name: "grep", args: {} },
    ],
  ],
  [
    "a result",
    { role: "tool", content: "a.txt", name: "bash", tool_call_id: "c1" },
    [{ ...base, id: "vibe-3-0", type: "tool_result", tool_call_id: "c1", tool_name: "bash", result: "a.txt" }],
  ],
  [
    "a failure",
    { role: "tool", content: "<tool_error>no</tool_error>", name: "bash", tool_call_id: "c1" },
    [{ ...base, id: "vibe-3-0", type: "tool_result", tool_call_id: "c1", tool_name: "bash", error: "<tool_error>no</tool_error>" }],
  ],
  ["a role of later", { role: "system", content: "x" }, []],
  ["no message", [], []],
  [
    "calls of another shape",
    { role: "assistant", tool_calls: [7, { function: 5 }] },
    [{ ...base, id: "vibe-3-1", type: "tool_call", tool_name: "tool", args: {} }],
  ],
])("%s", (_, message, events) =>
  expect(eventsOfLine(JSON.stringify(message), 3, session, 5)).toEqual(
    events.map((event) => ("tool_name" in event && !("tool_call_id" in event) ? { ...event, tool_call_id: undefined } : event)),
  ),
);

test("a session is named by its file, or by its folder", () => {
  expect(readSession('{"session_id": "abc", "environment": {"working_directory": "/x"}}', "f")).toEqual({ id: "abc", cwd: "/x" });
  expect(readSession("{", "f")).toEqual({ id: "f", cwd: undefined });
  expect(eventsOfLine("{", 0, session, 5)).toEqual([]);
});

test("a session is told as it grows, each line once, whatever the bridge, the page and half a line do", async () => {
  const { b, bridge, kill, ready } = await openTown();
  const { key } = await newKey(b, "vibe");
  const folder = mkdtempSync(join(tmpdir(), "vibe-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const own = join(folder, "session_20261126_090000_abcd");
  mkdirSync(own);
  writeFileSync(join(own, "meta.json"), JSON.stringify({ session_id: "v-1", environment: { working_directory: "/app" } }));
  // What is no session of its own is left alone.
  symlinkSync(own, join(folder, "session_link"));
  writeFileSync(join(folder, "notes"), "");
  const file = join(own, "messages.jsonl");
  const add = (message: object) => appendFileSync(file, `${JSON.stringify(message)}\n`);
  const begin = () => {
    const stop = new AbortController();
    const pause = () => new Promise<void>((done) => setTimeout(done, 2));
    const options = { folder, url: `http://127.0.0.1:${bridge.agentPort}/event`, key, now: Date.now, pause, say: () => undefined };
    const done = followVibe(options, stop.signal);
    return async () => {
      stop.abort();
      await done;
    };
  };
  const text = async () => {
    const [record] = (await (await b.ask("GET", "/dialogs")).json()) as { filename: string }[];
    return b.text(`vibey/${record?.filename}`);
  };
  add({ role: "user", content: "Fix it" });
  let stop = begin();
  await patiently(async () => expect(await text()).toContain("Fix it"));
  const half = JSON.stringify({ role: "assistant", content: "Looking.", tool_calls: [call("c1", "bash", '{"command": "ls"}')] });
  appendFileSync(file, half.slice(0, 30));
  kill();
  appendFileSync(file, `${half.slice(30)}\n`);
  add({ role: "tool", content: "a.txt", name: "bash", tool_call_id: "c1" });
  await patiently(async () => expect(await text()).toContain("a.txt"));
  await stop();
  add({ role: "assistant", content: "All done." });
  // Another bridge reads it from its beginning.
  await ready();
  stop = begin();
  await patiently(async () => expect(await text()).toContain("All done."));
  await stop();
  const markdown = await text();
  for (const word of ["Fix it", "Looking.", "All done."]) expect(markdown.split(word)).toHaveLength(2);
  expect(dialogCalls(parseDialog(markdown))).toMatchObject([
    { name: "bash", input: { command: "ls" }, result: { success: true, output: "a.txt" } },
  ]);
  expect(markdown).toContain("> Cwd: /app");
  expect((await (await b.ask("GET", "/dialogs")).json()) as unknown[]).toHaveLength(1);
  expect(b.reported).toEqual([]);
});
