import { expect, test } from "vitest";
import { vibey } from "../../../src/fs/actor.ts";
import { factsOf, lookInto } from "../../../src/engine/projections/facts.ts";
import { listDialogs } from "../../../src/engine/dialogs/open.ts";
import { parseDialog } from "../../../src/dialog/parse.ts";
import { memoryFiles } from "../../../src/fs/memory.ts";
import { StorageError } from "../../../src/fs/storage-error.ts";
import { path } from "../../fs/notation.ts";

const dialog = "# Dialog\n> Format: 1\n> Provider: demo | Model: scripted\n\n## User\n> Time: 2026-01-01T00:00:00.000Z\n\nHello\n";

test("one dialog that is damaged stays unknown, and the others are known", async () => {
  const files = memoryFiles({ now: () => 1 });
  const names = ["dialog-20260101-000000-one-waiting.md", "dialog-20260101-000001-two-waiting.md"];
  const changes = names.map((name) => ({ op: "write", path: path(`vibey/${name}`), data: dialog }) as const);
  await files.commit(changes, { durability: "strict", by: vibey });
  const damaged = {
    ...files,
    read: async (at: Parameters<typeof files.read>[0]) => {
      if (at.includes("-one-")) throw new StorageError("damaged", "bytes are gone");
      return files.read(at);
    },
  };
  const found = await lookInto(damaged, await listDialogs(files));
  expect([...found.keys()]).toEqual(["20260101-000001-two"]);
  await expect(lookInto({ ...files, read: () => Promise.reject(new TypeError("ours")) }, await listDialogs(files))).rejects.toThrow("ours");
});

const request = (id: string, tool: string, input: object, decision = "") =>
  `---\nTool request: ${tool} [${id}]\n\n    ${JSON.stringify(input)}\n${decision}\n---\n`;
const asking = (...requests: string[]) =>
  parseDialog(`${dialog}\n## Assistant\n> Time: 2026-01-01T00:00:01.000Z - 2026-01-01T00:00:02.000Z\n\nNow.\n\n${requests.join("\n")}`);
const npm = request("t1", "run_command", { command: "npm test -- --run board" });

test.each([
  ["one call", [npm], { count: 1, first: [{ tool: "run_command", subject: "npm test -- --run board" }] }],
  [
    "the first of two lines",
    [request("t1", "run_command", { command: "ls\nrm x" })],
    { count: 1, first: [{ tool: "run_command", subject: "ls…" }] },
  ],
  ["a decided call", [request("t1", "run_command", { command: "ls" }, "\nDecision: denied\n")], null],
  [
    "input without a subject",
    [request("t1", "launch_agent", { prompt: "Draw." })],
    { count: 1, first: [{ tool: "launch_agent", subject: "" }] },
  ],
  [
    "a long path",
    [request("t1", "write_file", { path: "a".repeat(500), content: "" })],
    { count: 1, first: [{ tool: "write_file", subject: `${"a".repeat(120)}…` }] },
  ],
])("a list is told what needs approval: %s", (_, requests, expected) => {
  expect(factsOf({ status: "waiting", dialog: asking(...requests) }).asks).toEqual(expected);
});

test("of many calls a list is told the first three and their number; of a dialog that does not wait, nothing", () => {
  const many = asking(
    ...Array.from({ length: 5 }, (_, n) => request(`t${n}`, "edit_file", { path: `f${n}`, old_string: "a", new_string: "b" })),
  );
  expect(factsOf({ status: "waiting", dialog: many }).asks).toEqual({
    count: 5,
    first: ["f0", "f1", "f2"].map((subject) => ({ tool: "edit_file", subject })),
  });
  expect(factsOf({ status: "done", dialog: many }).asks).toBeNull();
});
