import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
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
  // Links and plain files aren't sessions, so they are ignored.
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
  // Another bridge reads the session from its beginning.
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

/** Follows a folder of sessions. `status` stands in for the bridge, and returns the status for each event. */
async function followed(status: (body: string) => number = () => 200, headers: Readonly<Record<string, string>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), "vibe-"));
  const events: { session_id: string; id: string; content?: string }[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (bytes) => (body += String(bytes)));
    request.on("end", () => {
      events.push(JSON.parse(body));
      response.writeHead(status(body), headers).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const stop = new AbortController();
  const lines: string[] = [];
  let [looks, later] = [0, 0];
  const done = followVibe(
    {
      folder,
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/event`,
      key: null,
      now: () => Date.now() + later,
      pause(ms) {
        if (ms === 500) looks += 1;
        return new Promise((resolve) => setTimeout(resolve, 2));
      },
      say: (line) => lines.push(line),
    },
    stop.signal,
  );
  onTestFinished(async () => {
    stop.abort();
    await done;
    server.close();
    rmSync(folder, { recursive: true });
  });
  return {
    events,
    lines,
    contents: () => events.map(({ content }) => content),
    add(name: string, text: string) {
      mkdirSync(join(folder, name), { recursive: true });
      appendFileSync(join(folder, name, "messages.jsonl"), text);
    },
    name: (name: string, id: string) => writeFileSync(join(folder, name, "meta.json"), JSON.stringify({ session_id: id })),
    pass: (ms: number) => (later += ms),
    /** Waits until a complete look at the folder that began after this call. */
    async look() {
      const from = looks;
      await patiently(() => expect(looks).toBeGreaterThan(from + 1));
    },
  };
}

const said = (content: string) => `${JSON.stringify({ role: "user", content })}\n`;

test.each([500, 507, 400, 413])("an event that is refused with %d for good holds up no other, and is reported once", async (status) => {
  const f = await followed((body) => (body.includes("bad") ? status : 200));
  f.add("a", said("bad one") + said("bad two") + said("good"));
  f.pass(10_000);
  await patiently(() => expect(f.contents()).toEqual(["bad one", "bad two", "good"]));
  await f.look();
  expect(f.contents()).toHaveLength(3);
  expect(f.lines).toEqual([
    `--vibe: an event was refused with status ${status}. It is left out, and so are others that are refused with it.`,
  ]);
});

test.each([
  [401, ["--vibe: the agent key is missing or was revoked. Trying again."]],
  [429, []],
  [502, []],
  [503, []],
])("an event that is refused with %d is sent again until it is taken, and that is reported once at most", async (status, lines) => {
  let tries = 0;
  const f = await followed(() => ((tries += 1) < 5 ? status : 200));
  f.add("a", said("one") + said("two"));
  f.pass(10_000);
  await patiently(() => expect(f.contents()).toEqual([...Array.from({ length: 5 }, () => "one"), "two"]));
  expect(f.lines).toEqual(lines);
});

test("an event that is refused for now, with a time for the retry, is sent again until it is taken", async () => {
  let tries = 0;
  const f = await followed(() => ((tries += 1) < 4 ? 507 : 200), { "retry-after": "5" });
  f.add("a", said("one") + said("two"));
  f.pass(10_000);
  await patiently(() => expect(f.contents()).toEqual(["one", "one", "one", "one", "two"]));
  expect(f.lines).toEqual([]);
});

test("a session whose meta.json comes after its messages has its own name from the first event on", async () => {
  const f = await followed();
  f.add("session_a", said("one"));
  await f.look();
  expect(f.events).toEqual([]);
  f.name("session_a", "v-1");
  await patiently(() => expect(f.events).toMatchObject([{ session_id: "v-1", content: "one" }]));
  f.add("session_b", said("two"));
  await f.look();
  // After ten seconds, the session's `meta.json` is no longer waited for.
  f.pass(10_000);
  await patiently(() => expect(f.events.slice(1)).toMatchObject([{ session_id: "session_b", content: "two" }]));
});

test("a line that is too long is left out and reported once; the lines after it keep their names", async () => {
  const f = await followed();
  f.pass(10_000);
  f.add("a", said("one") + "x".repeat(4_500_000));
  await patiently(() => expect(f.contents()).toEqual(["one"]));
  await f.look();
  f.add("a", "x".repeat(5_000_000));
  await f.look();
  f.add("a", `xx\n${said("two")}`);
  await patiently(() => expect(f.events.map(({ id }) => id)).toEqual(["vibe-0-0", "vibe-2-0"]));
  expect(f.contents()).toEqual(["one", "two"]);
  expect(f.lines).toEqual(["--vibe: a line of a is longer than 4000000 bytes. It is left out."]);
});
