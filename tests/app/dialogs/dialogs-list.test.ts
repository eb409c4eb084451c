import { describe, expect, test } from "vitest";
import { live } from "../../live-event.ts";
import type { Activity, DialogListing, WaitingFor } from "../../../src/protocol/index.ts";
import { afterEvent } from "../../../src/app/dialogs/list.ts";
import { doing, groupDialogs, withSlug } from "../../../src/app/dialogs/groups.ts";
import { atWorkBelow, belowWords } from "../../../src/app/dialogs/launched.ts";
import { rowOf } from "../../../src/app/dialogs/rows.ts";
import { waitingNow } from "../../../src/app/notify/waiting.ts";
import { shapeOf } from "../../../src/app/overview/states.ts";
import { interrupted } from "../../../src/app/dialogs/resume.ts";
import { pageTitle } from "../../../src/app/frame/title.ts";

type Known = Partial<Pick<DialogListing, "mtime" | "activity" | "waitingFor">>;
function dialog(slug: string, status: DialogListing["status"], known: Known = {}): DialogListing {
  const dialogId = `20261121-201100-${slug}`;
  return { dialogId, status, filename: `dialog-${dialogId}-${status}.md`, mtime: 0, activity: null, waitingFor: null, ...known };
}
const asks: Activity = {
  kind: "running",
  callId: "1",
  tool: "run_command",
  ask: {
    question: "0123456789abcdef",
    host: "a.example",
    program: "curl",
    method: "GET",
    url: "https://a.example/",
    needs: "GET only",
    now: null,
    body: null,
    address: 1,
    credentials: [],
    carries: [],
    files: [],
  },
};
const queued = (ahead: number): Activity => ({ kind: "queued", ahead, reason: "" });
const slug = ({ dialogId }: DialogListing) => dialogId.slice(16);

describe("the groups", () => {
  const all = [
    dialog("plan", "done", { mtime: 1 }),
    dialog("board", "active", { mtime: 2 }),
    dialog("third", "active", { mtime: 6, activity: queued(2) }),
    dialog("first", "active", { mtime: 5, activity: queued(0) }),
    dialog("look", "waiting", { mtime: 3 }),
    dialog("idea", "done", { mtime: 4 }),
  ];
  const drawn = (filter?: string) =>
    withSlug(groupDialogs(all), filter ?? "").map(({ title, dialogs }) => `${title}: ${dialogs.map(slug).join(" ")}`);

  test("what waits for a person comes first, the newest first in each group, the queue in its own order", () => {
    expect(drawn()).toEqual(["Waiting for you: look", "Running: board", "Queued: first third", "Done: idea plan"]);
  });
  test("a dialog whose command asks for a host waits for a person", () => {
    const listed = groupDialogs([dialog("fetch", "active", { activity: asks }), dialog("board", "active")]);
    expect(listed.map(({ title, dialogs }) => `${title}: ${dialogs.map(slug).join(" ")}`)).toEqual([
      "Waiting for you: fetch",
      "Running: board",
    ]);
  });
  test("the filter looks at the slug, and no group is empty", () => {
    expect(drawn(" PL ")).toEqual(["Done: plan"]);
    expect(drawn("2026")).toEqual([]);
  });
});

test("a dialog that a person stopped waits for no one", () => {
  const all = [dialog("stopped", "waiting", { waitingFor: "stopped" }), dialog("asks", "waiting", { waitingFor: "leave" })];
  expect(groupDialogs(all).map(({ title, dialogs }) => `${title}: ${dialogs.map(slug).join(" ")}`)).toEqual([
    "Waiting for you: asks",
    "Stopped: stopped",
  ]);
  expect([...waitingNow(all).keys()]).toEqual([all[1]?.dialogId]);
  expect(all.map((one) => rowOf(one, 0).mark)).toEqual(["stopped", "leave"]);
});

test.each<[WaitingFor, string, string]>([
  ["leave", "leave", "asks"],
  ["question", "leave", "asks"],
  ["failed", "failed", "error"],
  ["word", "waiting", "waits"],
  ["interrupted", "waiting", "waits"],
  ["stopped", "stopped", "stopped"],
])("the list and the overview tell a dialog that waits for %s in the same way", (waitingFor, mark, shape) => {
  const one = dialog("one", "waiting", { waitingFor });
  expect([rowOf(one, 0).mark, shapeOf(one)]).toEqual([mark, shape]);
});

describe("agents below a dialog", () => {
  /** `a>b:waiting`: `a` launched `b`, and `b` is waiting. */
  const family = (text: string) =>
    text.split(" ").map((word): DialogListing => {
      const [, parent, name = "", status] = /^(?:(\w+)>)?(\w+):(\w+)$/.exec(word) ?? [];
      const own = status === "active" || status === "done" ? status : "waiting";
      return {
        ...dialog(name, own, { waitingFor: status === "stopped" ? "stopped" : own === "waiting" ? "leave" : null }),
        launchedBy: parent === undefined ? null : `20261121-201100-${parent}`,
      };
    });
  test.each([
    ["a:done a>b:waiting", "a its agents: 1 waiting for you"],
    ["a:done a>b:active a>c:active a>d:waiting", "a its agents: 1 waiting for you, 2 running"],
    ["a:done a>b:done b>c:active", "a its agents: 1 running; b its agents: 1 running"],
    ["a:done a>b:stopped a>c:done", ""],
    ["b>a:done a>b:active", "a its agents: 1 running"],
    ["gone>a:waiting", "gone its agents: 1 waiting for you"],
  ])("%s: %s", (drawn, expected) => {
    const found = [...atWorkBelow(family(drawn))].map(([id, below]) => `${id.split("-").at(-1)} ${belowWords(below)}`);
    expect(found.toSorted().join("; ")).toBe(expected);
  });
  test("stand in the row of a dialog that is done", () => {
    const [parent, child] = family("a:done a>b:active");
    if (parent === undefined || child === undefined) throw new Error("two dialogs");
    expect(rowOf(parent, 0, { waiting: 0, running: 1 }).note).toBe("its agents: 1 running");
    expect(rowOf(parent, 0).note).toBe("");
    expect(rowOf(child, 0, { waiting: 0, running: 1 }).note).toBe("working… · launched by a");
    expect(rowOf({ ...child, answers: true }, 0).note).toBe("working… · answers a mention in a");
  });
});

describe("a row of a dialog whose calls need approval", () => {
  const asking = (...first: readonly (readonly [tool: string, subject: string])[]): DialogListing => ({
    ...dialog("board", "waiting", { waitingFor: "leave" }),
    asks: { count: first.length === 3 ? 5 : first.length, first: first.map(([tool, subject]) => ({ tool, subject })) },
  });
  test.each([
    [asking(["run_command", "npm test -- --run board"]), "Run npm test -- --run board"],
    [asking(["launch_agent", ""]), "Launch agent"],
    [asking(["run_command", "a\u202eb"]), "Run a⟨U+202E⟩b"],
    [asking(["run_command", "ls"], ["edit_file", "a_b.js"]), "2 requests: Run ls, Edit a_b.js"],
    [asking(["run_command", "ls"], ["edit_file", "a"], ["write_file", "b"]), "5 requests: Run ls, Edit a, Write b, …"],
    [dialog("board", "waiting", { waitingFor: "leave" }), "needs approval"],
  ])("%# says what they want", (one, note) => {
    expect(rowOf(one, 0).note).toBe(note);
  });
  test("and no more once the agent works again", () => {
    expect(rowOf({ ...asking(["run_command", "ls"]), status: "active" }, 0).note).toBe("working…");
  });
});

test.each([
  ["waiting", null, null, "waiting for you"],
  ["waiting", null, "leave", "needs approval"],
  ["waiting", null, "word", "waiting for your reply"],
  ["waiting", null, "interrupted", "interrupted"],
  ["waiting", null, "question", "has a question"],
  ["waiting", null, "stopped", "stopped"],
  ["waiting", null, "failed", "failed"],
  ["active", null, null, "working…"],
  ["active", queued(0), null, "next in the queue"],
  ["active", queued(2), null, "queued, 2 ahead"],
  ["active", { kind: "thinking" }, null, "thinking…"],
  ["active", { kind: "running", callId: "1", tool: "run_command", ask: null }, null, "running a command…"],
  ["active", { kind: "running", callId: "1", tool: "write_file", ask: null }, null, "writing a file…"],
  ["active", asks, null, "wants to connect to a.example"],
  ["done", null, null, "done"],
] as const satisfies readonly (readonly [DialogListing["status"], Activity | null, WaitingFor | null, string])[])(
  "what a dialog does: %s %j %s",
  (status, activity, waitingFor, expected) => {
    expect(doing(status, activity, waitingFor)).toBe(expected);
  },
);

test.each([
  ["run_command", "wants to run a command"],
  ["write_file", "wants to write a file"],
  ["other_tool", "wants to use other_tool"],
  [null, "needs approval"],
])("a dialog that asks for %s %s", (wants, expected) => {
  expect(doing("waiting", null, "leave", wants)).toBe(expected);
});

test("the title counts who waits", () => {
  expect([0, 2].map((waiting) => pageTitle(waiting))).toEqual(["Vibey", "(2) Vibey"]);
});

test("only what broke off is resumed", () => {
  const all = (["leave", "interrupted", "word", null] as const).map((waitingFor) => dialog(String(waitingFor), "waiting", { waitingFor }));
  expect(interrupted(all).map(slug)).toEqual(["interrupted"]);
});

describe("an event", () => {
  const [a, b] = [dialog("a", "active", { mtime: 1 }), dialog("b", "waiting", { mtime: 2, waitingFor: "leave" })];
  const event = ({ dialogId, ...data }: DialogListing) => ({
    ...live({ type: "dialog", data }, { dialogId }),
    type: "dialog" as const,
    data,
  });
  const removed = { ...live({ type: "dialog_removed", data: {} }, { dialogId: a.dialogId }), type: "dialog_removed" as const };

  test("of another status moves the dialog to the front, with the time of now", () => {
    const now = dialog("b", "active");
    expect(afterEvent([a, b], event(now), 9)).toEqual([{ ...now, mtime: 9 }, a]);
  });
  test("of something else that happens leaves it in its place", () => {
    const thinking = dialog("b", "waiting", { waitingFor: "word", activity: { kind: "thinking" } });
    expect(afterEvent([a, b], event(thinking), 9)).toEqual([a, { ...thinking, mtime: 2 }]);
  });
  test("of a new dialog puts it first", () => {
    expect(afterEvent([a, b], event(dialog("c", "active")), 9).map(slug)).toEqual(["c", "a", "b"]);
  });
  test("of one removed takes it away; of one not there changes nothing", () => {
    expect(afterEvent([a, b], removed, 9)).toEqual([b]);
    expect(afterEvent([b], removed, 9)).toEqual([b]);
  });
});
