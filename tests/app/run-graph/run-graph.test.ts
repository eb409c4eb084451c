import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { AgentNode, AgentState, MessageView, Step, RunView } from "../../../src/protocol/index.ts";
import { callLine } from "../../../src/app/run-graph/call-line.ts";
import { foldCompleted } from "../../../src/app/run-graph/completed.ts";
import { snapshotAt, messageAt } from "../../../src/app/run-graph/dialog-snapshot.ts";
import { visibleGraph } from "../../../src/app/run-graph/visible-graph.ts";
import { explorerFiles, placeOfDropped } from "../../../src/app/run-graph/explorer.ts";
import { activeIn } from "../../../src/app/agents/run/active-in.ts";
import { whyOf } from "../../../src/app/run-graph/why.ts";
import { entryWords } from "../../../src/app/run-graph/entry-format.ts";
import { layoutOf, nodesOf, size } from "../../../src/app/run-graph/layout.ts";
import { readWidths } from "../../../src/app/run-graph/pane-widths.ts";
import { neighbour } from "../../../src/app/run-graph/neighbour.ts";
import { activationOf } from "../../../src/app/run-graph/versions.ts";

/** `a` is the root, `b<a` is below it; `!` marks a completed agent. */
function agentsOf(text: string): AgentNode[] {
  const depths = new Map<string, number>();
  return text.split(" ").map((word) => {
    const [, dialogId = "", parent = null, done] = /^(\w+)(?:<(\w+))?(!)?$/.exec(word) ?? [];
    const depth = parent === null ? 0 : (depths.get(parent) ?? 0) + 1;
    depths.set(dialogId, depth);
    const state: AgentState = done === undefined ? "running" : "completed";
    return { dialogId, agentId: null, title: "", parent, depth, state, since: "", why: null, held: null, tokens: null, nanos: null };
  });
}
const none = new Set<string>();
const layoutOfAgents = (text: string) => layoutOf(nodesOf({ agents: agentsOf(text), files: [], edges: [] }, true, none));

test("a tree grows to the right: a parent stands in the middle of its children, and no two nodes meet", () => {
  const { nodes, width, height } = layoutOfAgents("a b<a c<a d<a e<b");
  const [a, b, c, d, e] = ["a", "b", "c", "d", "e"].map((id) => nodes.get(id));
  expect(a?.y).toBe(c?.y);
  expect(new Set([b?.x, c?.x, d?.x]).size).toBe(1);
  expect((e?.x ?? 0) - (b?.x ?? 0)).toBe(size.width + size.right);
  expect([width, height].every((side) => side > 0)).toBe(true);
});

test("whatever the tree, nodes don't overlap and stand within the graph", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(30), { maxLength: 30 }), (parents) => {
      const text = ["n0", ...parents.map((parent, at) => `n${at + 1}<n${Math.min(parent, at)}`)].join(" ");
      const { nodes, width, height } = layoutOfAgents(text);
      expect(nodes.size).toBe(parents.length + 1);
      const all = [...nodes.values()];
      for (const [at, { x, y }] of all.entries()) {
        expect(x >= 0 && y >= 0 && x + size.width <= width && y + size.height <= height).toBe(true);
        for (const other of all.slice(at + 1)) expect(other.x !== x || Math.abs(other.y - y) >= size.height).toBe(true);
      }
    }),
    { numRuns: 50 },
  );
});

test("a file hangs on the agent that made it, or else on the first that read it", () => {
  const file = (path: string, createdBy: string | null) => ({ path, createdBy, createdAt: "", updatedAt: "", versions: 1 });
  const nodes = nodesOf(
    {
      agents: agentsOf("a b<a"),
      files: [file("x", "b"), file("y", null)],
      edges: [{ kind: "read", from: "a", path: "y", times: 1, turn: false }],
    },
    true,
    none,
  );
  expect(nodes.map(({ id, parent }) => `${id} ${parent}`)).toEqual(["a null", "b a", "/x b", "/y a"]);
});

test.each([
  ["a! b<a!", ["b"], { a: 1 }],
  ["a b<a! c<b d<b!", ["d"], { b: 1 }],
  ["a b<a! c<b! d<c!", ["b", "c", "d"], { a: 3 }],
  ["a b<a", [], {}],
])("of %s what completed is folded", (text, hidden, counts) => {
  const folded = foldCompleted(agentsOf(text));
  expect([...folded.hidden]).toEqual(hidden);
  expect(Object.fromEntries(folded.counts)).toEqual(counts);
});

test.each([
  ["a", "ArrowRight", "b"],
  ["b", "ArrowLeft", "a"],
  ["b", "ArrowDown", "c"],
  ["c", "ArrowUp", "b"],
  ["a", "ArrowLeft", null],
  ["c", "ArrowDown", null],
  ["c", "Home", "a"],
])("from %s, %s leads to %s", (from, key, to) => {
  expect(neighbour(layoutOfAgents("a b<a c<a d<b"), from, key)).toBe(to);
});

test("of a thousand agents few have words, and the chosen one is among them; the others are one path for each state", () => {
  const layout = layoutOfAgents(["n0", ...Array.from({ length: 999 }, (_, at) => `n${at + 1}<n${Math.floor(at / 5)}`)].join(" "));
  const shown = visibleGraph({
    layout,
    view: { x: 0, y: 0, width: layout.width, height: layout.height },
    stateOf: (id) => (id.endsWith("7") ? "completed" : "running"),
    edges: [],
    chosen: new Set(["n500"]),
    allTouched: false,
  });
  expect(shown.nodes.map(({ id }) => id)).toEqual(["n500"]);
  expect([...shown.simplifiedNodes.keys()].toSorted()).toEqual(["completed", "running"]);
  const near = visibleGraph({
    layout,
    view: { x: 0, y: 0, width: 400, height: 400 },
    stateOf: () => "idle",
    edges: [],
    chosen: none,
    allTouched: false,
  });
  expect(near.nodes.length).toBeLessThanOrEqual(54);
  expect(near.simplifiedNodes.size).toBe(0);
});

describe("a call in a line", () => {
  const read = { tool: "vfs_read", input: { path: "artifacts/spec.md" }, result: { success: true, text: "x".repeat(1247) } };
  test.each([
    [read, "[vfs_read] artifacts/spec.md (1247 chars)"],
    [{ ...read, result: null }, "[vfs_read] artifacts/spec.md"],
    [{ tool: "write_file", input: { path: "a", content: "four" }, result: { success: true } }, "[write_file] a (4 chars)"],
    [{ tool: "vfs_list", input: { prefix: "a" }, result: { success: true, text: "a/b, a/c" } }, "[vfs_list] a (8 chars)"],
    [{ tool: "unknown", input: {}, result: true }, "[unknown] (4 chars)"],
  ] as const)("%j", (call, line) => {
    expect(callLine(call)).toBe(line);
  });
});

const at = (what: Step["what"], section: number, more: object = {}): Step =>
  ({ what, section, cursor: "", time: "", dialogId: "d", call: "c", ...more }) as Step;

test("a dialog as it was: sections that were there, texts that were whole, calls with the results that they had", () => {
  const steps = [at("message", 0), at("request", 1), at("text", 1), at("call", 1), at("result", 1), at("message", 2)];
  const call = { kind: "call", call: { id: "c", state: "finished", result: { success: true } } };
  const message = { role: "assistant", parts: [{ kind: "text", text: "I look." }, call] } as unknown as MessageView;
  const shown = (count: number) =>
    messageAt(message, 1, snapshotAt(steps, count, "d"))?.parts.map((part) => (part.kind === "call" ? part.call.state : part.kind));
  expect([1, 2, 3, 4, 5, 6].map(shown)).toEqual([undefined, [], ["text"], ["text", "pending"], ["text", "finished"], ["text", "finished"]]);
  expect(snapshotAt(steps, 6, "other").section).toBe(-1);
});

test("the change of a turn names the message at which the agent worked", () => {
  const steps = [at("message", 0), at("message", 4), at("turn", 0, { commit: "abc" }), at("message", 6)];
  expect(activationOf(steps, "abc")).toBe("d/4");
  expect(activationOf(steps, "other")).toBeNull();
});

test.each([
  ["activation", { input: "Go.\nNow." }, "Go."],
  ["tool_call", { tool: "run_command", input: { command: "npm test" } }, "[run_command] npm test"],
  ["tool_result", { tool: "run_command", ok: false, error: "exit code 1" }, "[run_command] exit code 1"],
  ["signal", { from: "20261121-201100-prices", message: "two have no list" }, "from prices: two have no list"],
  ["signal", { from: "20261121-201100-lead", to: "user", message: "It is done." }, "to you: It is done."],
  ["warning", { code: "definition", hash: "0" }, "Its file was changed. The agent has the new instructions from here on."],
  ["warning", { code: "window" }, "window"],
  ["error", { message: { not: "a text" } }, ""],
  ["error", { message: "error overloaded" }, "The request failed: overloaded"],
  ["abort", { message: "aborted" }, "You stopped it. Everything so far is kept."],
  ["abort", { message: "interrupted" }, "The page was closed, or a response broke off, while it worked. Everything so far is kept."],
  ["warning", { code: "depth", message: "Error: depth limit 5/5." }, "Error: depth limit 5/5."],
  ["warning", { code: "paused", scope: "run" }, "You paused the run."],
  ["warning", { code: "resumed", scope: "agent" }, "You resumed this agent."],
  ["warning", { code: "denied", tool: "run_command" }, "You denied [run_command]."],
  [
    "warning",
    { code: "tokens", message: "limit tokens (520,000 of 500,000 used)" },
    "The run reached its token limit: 520,000 of 500,000. Resume adds the same number again.",
  ],
] as const)("an entry of type %s in words", (type, data, words) => {
  expect(entryWords({ type, data })).toBe(words);
});

test.each([
  ["running", null, null, null, null],
  ["completed", null, null, null, null],
  ["asks", null, null, null, "It needs your approval."],
  ["asks", "Which one?", null, null, "It asks: Which one?"],
  ["idle", "denied", null, null, "You denied its request. It waits for your message."],
  ["aborted", "aborted", null, null, "You stopped it. Everything so far is kept."],
  ["paused", null, "run", null, "You paused the run."],
  ["paused", null, "agent", null, "You paused this agent."],
  ["paused", "interrupted", "run", null, "The page was closed, or a response broke off, while it worked. Everything so far is kept."],
  ["paused", "limit tokens (5 of 5 used)", null, null, "The run reached its token limit: 5 of 5. Resume adds the same number again."],
  ["paused", "limit time 60 s", null, null, "Limit reached: time 60 s."],
  ["error", "error overloaded", null, null, "The request failed: overloaded"],
  ["error", "limit no progress", null, null, "It was stopped because two responses in a row ran no tool. New input starts it again."],
  ["queued", null, null, { kind: "queued", ahead: 1, reason: "3 agents run." }, "3 agents run."],
  ["running", null, null, { kind: "retrying", at: 0, reason: "overloaded" }, "It retries soon: overloaded"],
] as const)("why an agent is %s (%s, %s)", (state, why, held, activity, words) => {
  expect(whyOf({ state, why, held }, { activity })).toBe(words);
});

test("agents of runs that a file defines, and that have not finished", () => {
  const states = ["running", "queued", "paused", "asks", "idle", "completed", "aborted", "error"] as const;
  const agents = states.map((state) => ({ dialogId: state, file: state === "queued" ? "agents/b.md" : "agents/a.md", state }));
  const runs = [{ runId: "r", agents }] as unknown as readonly RunView[];
  expect(activeIn(runs, "agents/a.md").map(({ dialogId }) => dialogId)).toEqual(["running", "paused", "asks"]);
});

test("files of agents by what they are for", () => {
  const files = explorerFiles(
    ["doc-main.md", "agent-coder.md", "memory-coder.md"],
    ["index.html", "memory/sources.md", "artifacts/a/b.csv", "agents/x.md"],
  );
  expect(files.map(({ path, kind }) => `${kind} ${path}`)).toEqual([
    "agents agents/x.md",
    "artifacts artifacts/a/b.csv",
    "memory memory/sources.md",
    "agents vibey/agent-coder.md",
    "memory vibey/memory-coder.md",
  ]);
});

test.each([
  [null, 280, 384],
  ["300 400", 300, 400],
  ["30 400", 280, 384],
  ["x", 280, 384],
])("the widths of the panes that were kept as %j", (stored, explorer, inspector) => {
  expect(readWidths(stored)).toEqual({ explorer, inspector });
});

test.each([
  ["critic.md", "---\nname: Critic\n---\nYou judge.", "agents/critic.md"],
  ["critic.md", "---\r\nname: Critic\r\n---\r\n", "agents/critic.md"],
  ["notes.md", "# Notes\n\n---\n\nmore\n\n---\n", "artifacts/notes.md"],
  ["data.csv", "---\na\n---\n", "artifacts/data.csv"],
  ["../x.md", "# X", null],
  [".git/config", "", null],
  ["team/.DS_Store", "", null],
  ["team/agents/lead.md", "You lead.", "agents/lead.md"],
  ["team/memory/old/notes.md", "---\na: b\n---\n", "memory/old/notes.md"],
  ["team/people/critic.md", "---\nname: Critic\n---\nYou judge.", "agents/critic.md"],
  ["team/data/a.csv", "a", "artifacts/team/data/a.csv"],
  ["agents", "x", "artifacts/agents"],
  ["a\\b.md", "x", "artifacts/a-b.md"],
])("%s with %j is dropped into %s", (name, text, path) => {
  expect(placeOfDropped(name, text)).toBe(path);
});
