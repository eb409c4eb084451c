import { expect, test } from "vitest";
import type { DialogListing } from "../../../src/protocol/index.ts";
import type { DialogEvent, EventData } from "../../../src/dialog/events/model.ts";
import { agent } from "../../../src/fs/actor.ts";
import { decidedCalls, locateAgents } from "../../../src/app/stations/agent-locations.ts";
import { isAtWork, rowsNow, rowsThen } from "../../../src/app/stations/rows.ts";
import { stationOf } from "../../../src/app/stations/station.ts";

test.each([
  ["vfs_read", {}, "bookshelf"],
  ["vfs_list", {}, "scanner"],
  ["write_file", {}, "desk"],
  ["edit_file", {}, "workbench"],
  ["launch_agent", {}, "portal"],
  ["run_command", { command: "cat a.txt" }, "bookshelf"],
  ["run_command", { command: "A=1 /usr/bin/grep -rn x ." }, "scanner"],
  ["run_command", { command: "curl https://a.example" }, "antenna"],
  ["run_command", { command: "npm test" }, "terminal"],
  ["run_command", { command: 7 }, "terminal"],
  ["something", {}, "center"],
] as const)("%s with %j stands at %s", (tool, input, station) => expect(stationOf(tool, input, undefined)).toBe(station));

test("what an agent outside says of its tool decides, whatever the tool is called", () => {
  expect(stationOf("run_command", { command: "cat a" }, "plan")).toBe("taskboard");
  expect(stationOf("Bash", { command: "cat a" }, "execute")).toBe("terminal");
});

/** Events of one dialog, one second apart. */
function events(...all: readonly EventData[]): DialogEvent[] {
  return all.map((data, nth) => ({
    ...data,
    id: `d/0/0.${nth}.${data.type}`,
    time: `2026-11-26T09:00:0${nth}.000Z`,
    exact: true,
    severity: "info",
    actor: agent("d"),
    agentId: null,
    turn: 0,
    dialogId: "d",
    anchor: null,
  }));
}
const call = { call: "c1", tool: "run_command" };
const happened = events(
  { type: "message", data: { text: "go" } },
  { type: "tool_call", data: { ...call, input: { command: "npm test\n--run" } } },
  { type: "approval", data: { ...call, decision: "approved", from: "human" } },
  { type: "tool_result", data: { ...call, ok: true, result: {}, error: null, ms: 1, code: 0 } },
  { type: "complete", data: { tokens: 1 } },
);

test.each([
  [0, null],
  [1, ["center", "works", ""]],
  [2, ["terminal", "asks", "npm test"]],
  [3, ["terminal", "works", "npm test"]],
  [4, ["center", "works", ""]],
  [5, ["center", "rests", ""]],
])("after %i events the agent is at %j", (count, wanted) => {
  const spot = locateAgents(happened.slice(0, count), decidedCalls(happened)).get("d");
  expect(spot === undefined ? null : [spot.station, spot.does, spot.context]).toEqual(wanted);
});

test("those that ask come first", () => {
  const other = happened.slice(0, 1).map((event) => ({ ...event, dialogId: "e", time: "2026-11-26T10:00:00.000Z" }));
  const rows = rowsThen(locateAgents([...happened.slice(0, 2), ...other], decidedCalls(happened)));
  expect(rows.map(({ dialogId, shape }) => [dialogId, shape])).toEqual([
    ["d", "asks"],
    ["e", "running"],
  ]);
});

const listing = (dialogId: string, more: object = {}): DialogListing => ({
  dialogId,
  status: "active",
  filename: `dialog-${dialogId}-active.md`,
  mtime: 0,
  activity: null,
  waitingFor: null,
  ...more,
});

test.each<[string, object, string, string]>([
  ["works", {}, "center", ""],
  [
    "asks to run",
    { status: "waiting", waitingFor: "leave", asks: { count: 1, first: [{ tool: "run_command", subject: "grep x" }] } },
    "scanner",
    "grep x",
  ],
  [
    "asks from outside",
    { status: "waiting", waitingFor: "leave", asks: { count: 1, first: [{ tool: "Bash", subject: "npm test" }] } },
    "terminal",
    "npm test",
  ],
  ["rests", { status: "waiting", waitingFor: "word" }, "center", ""],
])("of one that %s, and of which no event is known, the list says what it can", (_, more, station, context) => {
  expect(rowsNow([listing("d", more)], new Map())).toMatchObject([{ station, context }]);
});

test("with none there are no rows, with a thousand each has one, those that ask first", () => {
  expect(rowsNow([], new Map())).toEqual([]);
  const many = Array.from({ length: 1_000 }, (_, nth) =>
    listing(`d${nth}`, nth % 100 === 7 ? { status: "waiting", waitingFor: "leave", asks: { count: 1, first: [] } } : {}),
  );
  const rows = rowsNow(many, new Map());
  expect(rows).toHaveLength(1_000);
  expect(rows.slice(0, 10).every(({ shape }) => shape === "asks")).toBe(true);
  expect(rows.slice(10).some(({ shape }) => shape === "asks")).toBe(false);
  expect(many.filter(isAtWork)).toHaveLength(1_000);
});
