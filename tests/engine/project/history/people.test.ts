import { expect, test } from "vitest";
import { type Actor, agent, human, vibey } from "../../../../src/fs/actor.ts";
import { authorOf, byOf } from "../../../../src/engine/project/history/people.ts";

test.each<Actor>([human, agent("20261121-201100-style"), { kind: "outside", agentId: "a1", framework: "frame" }, vibey])(
  "a commit says that it is by %j",
  (by) => {
    expect(byOf(authorOf(by))).toEqual(by);
  },
);

test("a commit of an agent that names no dialog is by an agent", () => {
  expect(byOf({ author: authorOf(agent("x")).author, trailers: [] })).toEqual(agent(""));
});
