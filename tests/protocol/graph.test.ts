import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { GraphFold } from "../../src/protocol/graph/fold.ts";
import { stateNow } from "../../src/protocol/graph/live.ts";
import { stateOfStop } from "../../src/protocol/graph/stop.ts";
import { Timeline } from "../../src/protocol/graph/timeline.ts";
import { below, rootOf } from "../../src/protocol/graph/tree.ts";
import type { RunGraph, Step, StepData } from "../../src/protocol/index.ts";

/**
 * `a<root` begins below root, `a?` sends a request, `a!c1` makes a call (`a!c1=x` reads x), `a+c1` it is decided, `a.c1` it has its result
 * (`a-c1`: it failed;
 * `a.c1=y`: it read y), `a>x` wrote x, `a$5` used tokens, `a;` completed, `a|x,y` the changes of its turn, `a"` a message, `a'` a message of an agent,
 * `a~c1` its call is denied, `a:w` asks for w, `a#s` stopped because of s, `a{r` its run is paused (`a}r`: no longer), `a{a` only the agent is paused.
 */
function step(text: string): Step {
  const [, dialogId = "", sign = "", rest = ""] = /^(\w+)(.)(.*)$/.exec(text) ?? [];
  const [call = "", reads] = rest.split("=");
  const data: Readonly<Record<string, StepData>> = {
    "<": { what: "begins", title: dialogId, agentId: null, parent: rest || null },
    '"': { what: "message" },
    "?": { what: "request" },
    "!": { what: "call", call, reads: reads ?? null },
    "'": { what: "message", byAgent: true },
    "+": { what: "decided", call },
    "~": { what: "decided", call, denied: true },
    ":": { what: "asks", why: rest },
    "#": { what: "ends", state: stateOfStop(rest), why: rest },
    "{": { what: "pause", scope: rest === "r" ? "run" : "agent", paused: true },
    "}": { what: "pause", scope: rest === "r" ? "run" : "agent", paused: false },
    ".": { what: "result", call, ok: true, ...(reads === undefined ? {} : { reads }) },
    "-": { what: "result", call, ok: false },
    ">": { what: "wrote", path: rest },
    $: { what: "usage", tokens: Number(rest), nanos: null },
    ";": { what: "ends", state: "completed", why: null },
    "|": { what: "turn", commit: "c", paths: rest.split(",") },
  };
  const found = data[sign];
  if (found === undefined) throw new Error(text);
  return { ...found, cursor: "", time: "", dialogId };
}

function graph(steps: string, run: string | null = null): RunGraph {
  const fold = new GraphFold();
  for (const each of steps.split(" ")) fold.apply(step(each));
  return fold.graph(run);
}

const agents = ({ agents: all }: RunGraph) =>
  all.map(({ dialogId, parent, depth, state, tokens }) => [dialogId, parent, depth, state, tokens].join(" "));
const edges = ({ edges: all }: RunGraph) =>
  all.map((edge) =>
    edge.kind === "spawned" ? `${edge.from}→${edge.to}` : `${edge.from} ${edge.kind} ${edge.path} ${edge.times}${edge.turn ? " turn" : ""}`,
  );

describe("agents", () => {
  test.each([
    ["one that nothing was asked of", "a<", ["a  0 idle "]],
    ["one that works", 'a< a" a?', ["a  0 running "]],
    ["one that asks", 'a< a" a? a!c1', ["a  0 asks "]],
    ["one that was answered", "a< a? a!c1 a+c1", ["a  0 running "]],
    ["one with two calls, of which one is decided", "a< a? a!c1 a!c2 a+c1", ["a  0 asks "]],
    ["one that was told something else", 'a< a? a!c1 a"', ["a  0 idle "]],
    ["its tokens", "a< a? a$5 a$7 a;", ["a  0 completed 12"]],
    ["a tree, each child behind its parent", "a< b<a c<a d<b", ["a  0 idle ", "b a 1 idle ", "d b 2 idle ", "c a 1 idle "]],
    ["a child whose parent is gone", "b<a", ["b  0 idle "]],
    ["a circle", "a<b b<a", ["a  0 idle ", "b a 1 idle "]],
    ["one that is its own parent", "a<a", ["a  0 idle "]],
  ])("%s", (_, steps, expected) => {
    expect(agents(graph(steps))).toEqual(expected);
  });
});

const reasons = ({ agents: all }: RunGraph) => all.map(({ dialogId, state, why, held }) => `${dialogId} ${state} ${why} ${held}`);

test.each([
  ["a question", "a< a? a:which", ["a asks which null"]],
  ["a call that waits", "a< a? a!c", ["a asks null null"]],
  ["a denied call", "a< a? a!c a~c", ["a idle denied null"]],
  ["denied, while another call runs", "a< a? a!c a!d a+d a~c", ["a running null null"]],
  ["denied with a word", 'a< a? a!c a~c a" a?', ["a running null null"]],
  ["killed", "a< a? a#aborted", ["a aborted aborted null"]],
  ["killed, and told something by an agent", "a< a? a#aborted a'", ["a aborted aborted null"]],
  ["killed, and told something by the user", 'a< a? a#aborted a"', ["a idle null null"]],
  ["the page was closed", "a< a? a#interrupted", ["a paused interrupted null"]],
  ["the page was closed, with a call left", "a< a? a!c a#interrupted", ["a asks interrupted null"]],
  ["its provider failed", "a< a? a#error_x", ["a error error_x null"]],
  ["a paused run, between two calls", "a< b<a b? b$1 a{r", ["a idle null run", "b paused null run"]],
  ["a paused run, while it answers", "a< b<a b? a{r", ["a idle null run", "b running null run"]],
  ["a run that continues", "a< b<a b? b$1 a{r a}r", ["a idle null null", "b running null null"]],
  ["another run is not paused", "a< a{r c< c? c$1", ["a idle null run", "c running null null"]],
  ["one agent is paused", "a< a? a$1 a{a", ["a paused null agent"]],
])("why: %s", (_, steps, expected) => {
  expect(reasons(graph(steps))).toEqual(expected);
});

test.each([
  ["aborted", "aborted"],
  ["interrupted", "paused"],
  ["limit tokens (5 of 5 used)", "paused"],
  ["limit no progress", "error"],
  ["limit time 60 s", "paused"],
  ["max_tokens", "paused"],
  ["refusal", "error"],
  ["error overloaded", "error"],
])("stopped by %s it is %s", (stop, state) => {
  expect(stateOfStop(stop)).toBe(state);
});

describe("files", () => {
  test.each([
    ["read by a call that went well", "a< a!c1=x a.c1", ["a read x 1"]],
    ["read where the user approved another path", "a< a!c1=x a.c1=y", ["a read y 1"]],
    ["not read by one that failed", "a< a!c1=x a-c1", []],
    ["written twice", "a< a>x a>x", ["a wrote x 2"]],
    ["what a command changed is known from the turn", "a< a|x", ["a wrote x 1 turn"]],
    ["what a call told is not told again by its turn", "a< a>x a|x,y", ["a wrote x 1", "a wrote y 1 turn"]],
    ["the next turn tells it again", "a< a>x a|x a|x", ["a wrote x 2"]],
  ])("%s", (_, steps, expected) => {
    expect(edges(graph(steps))).toEqual(expected);
  });

  test("who wrote it first, and how often", () => {
    expect(graph("a< b<a a!c=x a.c b>x a>x").files).toEqual([{ path: "x", createdBy: "b", createdAt: "", updatedAt: "", versions: 2 }]);
  });
});

test("a run is what is below its root, with the files of these agents", () => {
  const all = graph("a< b<a c< c>x b>y", "a");
  expect(agents(all)).toEqual(["a  0 idle ", "b a 1 idle "]);
  expect(edges(all)).toEqual(["a→b", "b wrote y 1"]);
  expect(all.files.map(({ path }) => path)).toEqual(["y"]);
});

test.each([
  ["running", { status: "active", activity: { kind: "queued", ahead: 0, reason: "" } }, "queued"],
  ["idle", { status: "active", activity: { kind: "thinking" } }, "running"],
  ["asks", { status: "waiting", activity: null }, "asks"],
  ["running", { status: "waiting", activity: null }, "idle"],
  ["completed", { status: "done", activity: null }, "completed"],
  ["idle", { status: "done", activity: null }, "completed"],
  ["running", undefined, "running"],
  ["paused", { status: "active", activity: { kind: "queued", ahead: 0, reason: "" } }, "paused", "run"],
  ["paused", { status: "active", activity: { kind: "writing" } }, "running", "run"],
  ["paused", { status: "waiting", activity: null }, "idle", "run"],
] as const)("%s in the text, and as the list has it: %j", (state, listing, now, held?: "run") => {
  expect(stateNow({ state, why: null, held: held ?? null }, listing)).toBe(now);
});

test("what a limit stopped stays paused", () => {
  expect(stateNow({ state: "paused", why: "interrupted", held: null }, { status: "waiting", activity: null })).toBe("paused");
});

const anyStep = fc
  .record({
    who: fc.constantFrom("a", "b", "c"),
    does: fc.constantFrom(
      "<",
      "<a",
      "<b",
      '"',
      "?",
      "!c1",
      "!c1=x",
      "+c1",
      ".c1",
      "-c1",
      ">x",
      ">y",
      "$3",
      ";",
      "|x,y",
      "'",
      "~c1",
      ":q",
      "#aborted",
      "{r",
      "}r",
      "{a",
    ),
  })
  .map(({ who, does }) => step(who + does));

test("any moment of a replay is what folding up to it says, whichever moments were looked at before; the end is the present", () => {
  fc.assert(
    fc.property(
      fc.array(anyStep, { maxLength: 60 }),
      fc.array(fc.nat(70), { maxLength: 6 }),
      fc.integer({ min: 1, max: 7 }),
      (steps, looks, apart) => {
        const timeline = new Timeline(apart);
        timeline.add(steps);
        for (const look of [...looks, steps.length]) {
          const fold = new GraphFold();
          for (const each of steps.slice(0, look)) fold.apply(each);
          expect(timeline.at(look).graph(null)).toEqual(fold.graph(null));
          expect(timeline.at(look).graph("a")).toEqual(fold.graph("a"));
        }
      },
    ),
    { numRuns: 150 },
  );
});

test("each dialog has one root, and stands below it once", () => {
  const id = fc.constantFrom("a", "b", "c", "d", "e");
  fc.assert(
    fc.property(fc.dictionary(id, fc.option(id, { nil: null })), (parents) => {
      const all = new Map(Object.entries(parents).map(([dialogId, parent]) => [dialogId, { parent }]));
      for (const dialogId of all.keys()) {
        const root = rootOf(all, dialogId);
        expect(rootOf(all, root)).toBe(root);
        expect(below(all, root).has(dialogId)).toBe(true);
      }
    }),
  );
});
