import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { GraphFold } from "../../src/protocol/graph/fold.ts";
import { stateNow } from "../../src/protocol/graph/live.ts";
import { Timeline } from "../../src/protocol/graph/timeline.ts";
import { below, rootOf } from "../../src/protocol/graph/tree.ts";
import type { RunGraph, Step, StepData } from "../../src/protocol/index.ts";

/**
 * `a<root` begins below, `a?` asks its provider, `a!c1` calls (`a!c1=x` reads x), `a+c1` is decided, `a.c1` has its result (`a-c1`: it failed), `a>x` wrote,
 * `a$5` used tokens, `a;` completed, `a|x,y` the changes of its turn, `a"` a message.
 */
function step(text: string): Step {
  const [, dialogId = "", sign = "", rest = ""] = /^(\w+)(.)(.*)$/.exec(text) ?? [];
  const [call = "", reads] = rest.split("=");
  const data: Readonly<Record<string, StepData>> = {
    "<": { what: "begins", title: dialogId, agentId: null, parent: rest || null },
    '"': { what: "message" },
    "?": { what: "request" },
    "!": { what: "call", call, reads: reads ?? null },
    "+": { what: "decided", call },
    ".": { what: "result", call, ok: true },
    "-": { what: "result", call, ok: false },
    ">": { what: "wrote", path: rest },
    $: { what: "usage", tokens: Number(rest), nanos: null },
    ";": { what: "ends", state: "completed" },
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

describe("files", () => {
  test.each([
    ["read by a call that went well", "a< a!c1=x a.c1", ["a read x 1"]],
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
] as const)("%s in the text, and as the list has it: %j", (state, listing, now) => {
  expect(stateNow({ state }, listing)).toBe(now);
});

const anyStep = fc
  .record({
    who: fc.constantFrom("a", "b", "c"),
    does: fc.constantFrom("<", "<a", "<b", '"', "?", "!c1", "!c1=x", "+c1", ".c1", "-c1", ">x", ">y", "$3", ";", "|x,y"),
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
