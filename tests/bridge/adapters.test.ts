import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { adapt, readAdapters } from "../../bridge/adapters.ts";
import { newKey } from "../engine/outside/outside-bench.ts";
import { openTown } from "./town.ts";

/** The example adapter of the protocol's specification, without its types. */
const sample = `export default class MyFrameworkAdapter {
  name = 'my-framework'
  canHandle(raw) { return raw.framework === 'my-framework' }
  categorize(toolName) { return toolName === 'file_reader' ? 'read' : 'other' }
  normalize(raw) {
    return {
      id: crypto.randomUUID(),
      timestamp: Date.now(),
      type: 'tool_start',
      agentId: raw.agentId,
      source: this.name,
      tool: { name: raw.toolName, category: this.categorize(raw.toolName), id: raw.callId },
    }
  }
}
`;

function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "adapters-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}
async function loaded(files: Readonly<Record<string, string>>) {
  const read = await readAdapters(folderOf(files));
  if (!read.ok) throw new Error(read.why);
  return read.adapters;
}

test("the adapter of the protocol's text takes its framework's events; those of others come as they are", async () => {
  const { b, bridge } = await openTown([], {}, { adapters: await loaded({ "mine.mjs": sample, "notes.txt": "no adapter" }) });
  const { key } = await newKey(b, "laptop");
  const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const answer = await fetch(`http://127.0.0.1:${bridge.agentPort}${path}`, { method: "POST", body: JSON.stringify(body), headers });
    return [answer.status, await answer.json()];
  };
  const event = { framework: "my-framework", agentId: "m", toolName: "file_reader", callId: "c1" };
  expect(await post("/event", event, { "x-agent-key": key })).toEqual([200, { ok: true }]);
  expect(await post(`/k/${key}/event`, { ...event, toolName: "other_tool", callId: "c2" })).toEqual([200, { ok: true }]);
  expect(await post("/event", { agentId: "u", source: "x", type: "agent_idle" }, { "x-agent-key": key })).toEqual([200, { ok: true }]);
  expect(await post("/event", { framework: "none" }, { "x-agent-key": key })).toEqual([
    400,
    { ok: false, error: "Unrecognized event format" },
  ]);
  // An adapter doesn't replace the key: without a key, the event is refused.
  expect((await post("/event", event))[0]).toBe(401);
  const list = (await (await b.ask("GET", "/dialogs")).json()) as { filename: string }[];
  const texts = await Promise.all(list.map(({ filename }) => b.text(`vibey/${filename}`)));
  expect(texts.join("\n")).toMatch(/> Outside: my-framework[\s\S]*> Category: c1 read[\s\S]*> Category: c2 other/);
});

const bytes = (value: unknown) => new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value));
const text = (body: Uint8Array) => new TextDecoder().decode(body);

test.each<[string, string, unknown, unknown]>([
  ["another path", "/v2/event", { framework: "f" }, { ok: true, same: true }],
  ["a hook", "/hooks/codex", { framework: "f" }, { ok: true, same: true }],
  ["no JSON", "/event", "{", { ok: true, same: true }],
  ["a list", "/event", [], { ok: true, same: true }],
  ["one that it is not for", "/event", { framework: "g" }, { ok: true, same: true }],
  ["one that it is for", "/event", { framework: "f", say: "hi" }, { ok: true, body: { type: "user_input", text: "hi" } }],
  ["one that says nothing", "/event", { framework: "f" }, { ok: false, status: 400, why: "Unrecognized event format" }],
  ["one at which it fails", "/event", { framework: "f", say: 7 }, { ok: false, status: 500, why: "The adapter f failed" }],
])("%s", async (_, path, sent, wanted) => {
  const adapters = await loaded({
    "f.mjs": `export default {
      name: "f",
      canHandle: ({ framework }) => framework === "f",
      normalize: ({ say }) => say === undefined ? null : { type: "user_input", text: say.trim() },
    }`,
  });
  const body = bytes(sent);
  const adapted = adapt(path, body, adapters);
  expect(
    !adapted.ok
      ? adapted
      : adapted.body === body
        ? { ok: true, same: true }
        : { ok: true, body: JSON.parse(text(adapted.body)) as unknown },
  ).toEqual(wanted);
});

test("a file that is no adapter keeps the bridge from starting, and is named; a folder that is not there has none", async () => {
  for (const broken of [
    "export default 7",
    "export default { name: 'x' }",
    "export default class { constructor() { throw new Error('no') } }",
    "syntax error(",
  ])
    expect(await readAdapters(folderOf({ "broken.mjs": broken }))).toMatchObject({
      ok: false,
      file: expect.stringMatching(/broken\.mjs$/) as string,
    });
  expect(await readAdapters("/nowhere/at/all")).toEqual({ ok: true, adapters: [] });
});
