import { describe, expect, test } from "vitest";
import { shapeOf } from "../../../src/app/overview/states.ts";
import { countsOf, type Filter, filters, passes, treeOf, unfolded } from "../../../src/app/overview/tree.ts";
import { isWhole } from "../../../src/app/overview/whole.ts";
import type { Activity, CallView, DialogListing, WaitingFor } from "../../../src/protocol/index.ts";
import type { JsonObject } from "../../../src/dialog/model.ts";

type Known = Partial<Pick<DialogListing, "activity" | "waitingFor" | "launchedBy" | "tokens" | "cost">>;
const idOf = (slug: string, second = 0) => `20261121-2011${String(second).padStart(2, "0")}-${slug}`;
function dialog(slug: string, second: number, status: DialogListing["status"], known: Known = {}): DialogListing {
  const dialogId = idOf(slug, second);
  return { dialogId, status, filename: `dialog-${dialogId}-${status}.md`, mtime: 0, activity: null, waitingFor: null, ...known };
}
const drawn = (dialogs: readonly DialogListing[], folded: readonly string[] = []) =>
  unfolded(treeOf(dialogs), new Set(folded)).map(({ id, level, nth, of }) => `${"  ".repeat(level - 1)}${id.slice(16)} ${nth}/${of}`);

describe("the tree", () => {
  const boss = idOf("boss", 1);
  const all = [
    dialog("late", 9, "done"),
    dialog("boss", 1, "done"),
    dialog("second", 5, "active", { launchedBy: boss }),
    dialog("first", 4, "waiting", { launchedBy: boss }),
    dialog("deep", 6, "done", { launchedBy: idOf("first", 4) }),
  ];

  test("each stands below the one that launched it: the newest of a person's first, the others in the order of their launch", () => {
    expect(drawn(all)).toEqual(["late 1/2", "boss 2/2", "  first 1/2", "    deep 1/1", "  second 2/2"]);
  });

  test("what a dialog does moves no row", () => {
    const busy = all.map((one) => ({ ...one, status: "active" as const, mtime: one.dialogId.length, waitingFor: "leave" as const }));
    expect(drawn(busy)).toEqual(drawn(all));
  });

  test("a folded one hides what it launched, however deep", () => {
    expect(drawn(all, [boss])).toEqual(["late 1/2", "boss 2/2"]);
    expect(drawn(all, [idOf("first", 4)])).toEqual(["late 1/2", "boss 2/2", "  first 1/2", "  second 2/2"]);
  });

  test("no dialog is lost: not one whose launcher is gone, nor one in a circle", () => {
    const odd = [
      dialog("orphan", 1, "done", { launchedBy: idOf("gone") }),
      dialog("a", 2, "done", { launchedBy: idOf("b", 3) }),
      dialog("b", 3, "done", { launchedBy: idOf("a", 2) }),
      dialog("self", 4, "done", { launchedBy: idOf("self", 4) }),
      dialog("below", 5, "done", { launchedBy: idOf("a", 2) }),
    ];
    expect(
      treeOf(odd)
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(odd.map(({ dialogId }) => dialogId).toSorted());
  });

  test("ten thousand take a moment", () => {
    const many = Array.from({ length: 10_000 }, (_, n) =>
      dialog(`n${n}`, n % 60, "done", n % 3 === 0 ? {} : { launchedBy: idOf(`n${n - (n % 3)}`, (n - (n % 3)) % 60) }),
    );
    expect(treeOf(many)).toHaveLength(10_000);
  });
});

const asking: Activity = { kind: "running", callId: "1", tool: "run_command", ask: { host: "a.example" } as never };
const queued: Activity = { kind: "queued", ahead: 1, reason: "" };

test.each<[string, DialogListing["status"], Activity | null, WaitingFor | null, Filter | null, string]>([
  ["asks for approval", "waiting", null, "leave", "waiting", "asks"],
  ["has a question", "waiting", null, "question", "waiting", "asks"],
  ["asks for a host", "active", asking, null, "waiting", "asks"],
  ["ended its turn", "waiting", null, "word", "waiting", "waits"],
  ["interrupted", "waiting", null, "interrupted", "waiting", "waits"],
  ["failed", "waiting", null, "failed", "waiting", "error"],
  ["is not looked into", "waiting", null, null, "waiting", "waits"],
  ["stopped", "waiting", null, "stopped", "stopped", "stopped"],
  ["runs", "active", { kind: "thinking" }, null, "running", "running"],
  ["is queued", "active", queued, null, "running", "queued"],
  ["is done", "done", null, null, null, "done"],
])("one that %s has its state, and one filter that shows it", (_, status, activity, waitingFor, shown, shape) => {
  const one = dialog("one", 0, status, { activity, waitingFor });
  expect(shapeOf(one)).toBe(shape);
  expect(filters.filter((filter) => passes(one, filter, ""))).toEqual(shown === null ? ["all"] : ["all", shown]);
  const counts = countsOf([one]);
  for (const filter of filters) expect(counts[filter]).toBe(passes(one, filter, "") ? 1 : 0);
});

test("a name is looked for in the slug, whatever the filter", () => {
  const one = dialog("Board-Game", 0, "done");
  expect([passes(one, "all", "game"), passes(one, "all", "2026"), passes(one, "waiting", "game")]).toEqual([true, false, false]);
});

const call = (tool: string, input: JsonObject, known: Partial<CallView> = {}): CallView => ({
  id: "1",
  tool,
  input,
  state: "pending",
  started: null,
  allowedBy: null,
  result: null,
  hash: "h",
  before: null,
  ...known,
});
const run = (command: string) => call("run_command", { command });
const lines = (count: number) => "a line\n".repeat(count);

describe("a row may offer to approve", () => {
  test.each<[string, readonly CallView[], boolean, boolean]>([
    ["a command", [run("npm test")], false, true],
    ["a command of a few lines", [run("a\nb\nc")], false, true],
    ["a command of many lines", [run(lines(40))], false, false],
    ["one long line", [run("x".repeat(3_000))], false, false],
    ["a line that wraps many times on a phone", [run("x ".repeat(500))], false, false],
    ["a short new file", [call("write_file", { path: "a.txt", content: "a\nb" })], false, true],
    ["a long new file", [call("write_file", { path: "a.txt", content: lines(80) })], false, false],
    ["a small change of a long file", [call("write_file", { path: "a", content: `${lines(90)}b\n` }, { before: lines(90) })], false, true],
    ["a file that is replaced whole", [call("write_file", { path: "a", content: lines(40) }, { before: "b\n".repeat(40) })], false, false],
    ["a change of a huge file", [call("write_file", { path: "a", content: "b" }, { before: lines(9_000) })], false, false],
    ["a short edit", [call("edit_file", { path: "a", old_string: "1", new_string: "2" })], false, true],
    ["a long edit", [call("edit_file", { path: "a", old_string: lines(30), new_string: "2" })], false, false],
    ["a launch with a short prompt", [call("launch_agent", { slug: "a", prompt: "Draw." })], false, true],
    ["a launch with a long prompt", [call("launch_agent", { slug: "a", prompt: lines(50) })], false, false],
    ["an unknown tool with much input", [call("do_it", { data: ["x".repeat(2_000)] })], false, false],
    ["several small ones", [run("ls"), run("pwd")], false, true],
    ["several that are too long together", [run(lines(10)), run(lines(10))], false, false],
    ["too many", Array.from({ length: 5 }, () => run("ls")), false, false],
    ["those of an answer that was cut off", [run("ls")], true, false],
    ["nothing", [], false, false],
  ])("%s", (_, calls, cut, whole) => {
    expect(isWhole({ calls, cut })).toBe(whole);
  });
});
