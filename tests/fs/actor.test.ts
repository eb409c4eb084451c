import { expect, test } from "vitest";
import { type Actor, actorKey, actorOfKey, agent, dialogOf, human, sameActor, vibey } from "../../src/fs/actor.ts";

const all: readonly (readonly [Actor, key: string])[] = [
  [human, "human"],
  [{ kind: "human", device: "my phone" }, "human my phone"],
  [agent("20261121-201100-style"), "dialog 20261121-201100-style"],
  [agent(""), "dialog "],
  [{ kind: "outside", agentId: "one of two", framework: "some frame" }, "outside one of two\nsome frame"],
  [vibey, "vibey"],
];

test.each(all)("%j has a key of its own, which names it", (actor, key) => {
  expect(actorKey(actor)).toBe(key);
  expect(actorOfKey(key)).toEqual(actor);
  expect(all.filter(([other]) => sameActor(other, actor))).toHaveLength(1);
});

test.each(["", "engine", "a command", "dialog", "outside x", "vibey x"])("%j stands for Vibey", (key) => {
  expect(actorOfKey(key)).toEqual(vibey);
});

test("only an agent of the project has a dialog", () => {
  expect(all.map(([actor]) => dialogOf(actor))).toEqual([null, null, "20261121-201100-style", "", null, null]);
});
