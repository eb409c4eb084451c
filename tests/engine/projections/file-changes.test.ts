import { expect, test } from "vitest";
import { agent, dialogOf } from "../../../src/fs/actor.ts";
import { limits } from "../../../src/protocol/limits.ts";
import { trackFileChanges } from "../../../src/engine/projections/file-changes.ts";
import type { Change } from "../../../src/fs/files.ts";
import { memoryFiles } from "../../../src/fs/memory.ts";
import { changes, path } from "../../fs/notation.ts";

async function history(...commits: readonly (readonly Change[])[]) {
  const files = memoryFiles({ now: () => 0 });
  await files.commit(changes("write old zero"), { durability: "relaxed" });
  const fileChanges = trackFileChanges(files);
  for (const [nth, list] of commits.entries()) await fileChanges.files.commit(list, { durability: "relaxed", by: agent(`writer ${nth}`) });
  const of = (name: string, version = 0) =>
    fileChanges.since(path(name), version).map(({ version: at, by, before }) => [at, dialogOf(by), before]);
  return { fileChanges, of };
}

test("it knows who changed what, and what stood there before", async () => {
  const { fileChanges, of } = await history(
    changes("write a one; write old one"),
    changes("write a two"),
    changes("remove a"),
    changes("write a three"),
  );
  expect(fileChanges.version()).toBe(5);
  expect(of("a")).toEqual([
    [2, "writer 0", null],
    [3, "writer 1", "one"],
    [4, "writer 2", "two"],
    [5, "writer 3", null],
  ]);
  expect(of("a", 4)).toEqual([[5, "writer 3", null]]);
  expect(of("old")).toEqual([[2, "writer 0", "zero"]]);
  expect(of("b")).toEqual([]);
});

test("a commit that failed changed nothing, and dialogs are not followed", async () => {
  const { fileChanges, of } = await history(
    changes("write a one"),
    changes("write a two; remove missing"),
    changes("write vibey/dialog-x-active.md text"),
  );
  expect(of("a")).toEqual([[2, "writer 0", null]]);
  expect(of("vibey/dialog-x-active.md")).toEqual([]);
  expect(fileChanges.version()).toBe(3);
});

test("of a commit that changes very many files no more is read than is kept", async () => {
  const files = memoryFiles({ now: () => 0 });
  const fill = (text: string) => Array.from({ length: 100 }, (_, at) => ({ op: "write", path: path(`f${at}`), data: text }) as const);
  const text = "x".repeat(limits.pastTextBytes);
  await files.commit(fill(text), { durability: "relaxed" });
  let read = 0;
  const fileChanges = trackFileChanges({
    ...files,
    async readMany(names) {
      read += names.length;
      return files.readMany(names);
    },
  });
  await fileChanges.files.commit(fill("y"), { durability: "relaxed" });
  const most = Math.floor(limits.pastTexts / limits.pastTextBytes);
  expect(read).toBe(most);
  const before = Array.from({ length: 100 }, (_, at) => fileChanges.since(path(`f${at}`), 0).map((change) => change.before));
  expect(before).toEqual(Array.from({ length: 100 }, (_, at) => [at < most ? text : undefined]));
});

test("texts are kept while there is room, the oldest go first; a large or binary one is not kept at all", async () => {
  const text = "x".repeat(limits.pastTextBytes);
  const rounds = Math.floor(limits.pastTexts / limits.pastTextBytes) + 2;
  const write = (data: string | Uint8Array) => [{ op: "write", path: path("a"), data } as const];
  const { of } = await history(
    ...Array.from({ length: rounds + 1 }, () => write(text)),
    write(`${text}x`),
    write(new Uint8Array([0, 1])),
    write(""),
  );
  const kept = of("a").map(([, , before]) => (before === text ? "text" : before));
  expect(kept.filter((before) => before === "text")).toHaveLength(Math.floor(limits.pastTexts / limits.pastTextBytes));
  expect(kept.slice(0, 2)).toEqual([null, undefined]);
  expect(kept.slice(-3)).toEqual(["text", undefined, undefined]);
});
