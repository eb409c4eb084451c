import { describe, expect, test } from "vitest";
import type { FileStat } from "../../src/fs/files.ts";
import { knownList } from "../../src/fs/known-list.ts";
import type { Path } from "../../src/fs/path.ts";
import { path } from "./notation.ts";

const stat = (name: string, version: number): FileStat => ({ path: path(name), size: 1, mtime: 0, version });
const change = (...entries: [name: string, version: number | null][]): Map<Path, FileStat | null> =>
  new Map(entries.map(([name, version]) => [path(name), version === null ? null : stat(name, version)]));

describe("the list that is known", () => {
  test("is given for the commit it is of, and for no other", () => {
    const known = knownList();
    expect(known.at(0, "")).toBeNull();
    known.learn(3, [stat("a", 1), stat("b", 3)]);
    expect(known.at(3, "")).toEqual([stat("a", 1), stat("b", 3)]);
    expect(known.at(2, "")).toBeNull();
    expect(known.at(4, "")).toBeNull();
  });

  test("follows the commits of its own handle", () => {
    const known = knownList();
    known.learn(1, [stat("b", 1), stat("d", 1)]);
    known.follow(2, change(["a", 2], ["c", 2], ["d", null]));
    known.follow(3, change(["e", 3], ["b", 3]));
    expect(known.at(3, "")).toEqual([stat("a", 2), stat("b", 3), stat("c", 2), stat("e", 3)]);
    known.follow(4, change(["a", null], ["none", null]));
    expect(known.at(4, "")?.map(({ path: one }) => one)).toEqual(["b", "c", "e"]);
  });

  test("is forgotten when a commit is missing, and when it comes late it is no help", () => {
    const known = knownList();
    known.learn(1, [stat("a", 1)]);
    known.follow(3, change(["b", 3]));
    known.follow(2, change(["c", 2]));
    for (const version of [1, 2, 3]) expect(known.at(version, "")).toBeNull();
  });

  test("what was read later counts, whatever comes after it", () => {
    const known = knownList();
    known.learn(5, [stat("a", 5)]);
    known.learn(4, []);
    known.follow(4, change(["b", 4]));
    known.follow(5, change(["b", 5]));
    expect(known.at(5, "")).toEqual([stat("a", 5)]);
  });

  test("many changes, of one commit and of many", () => {
    const known = knownList();
    const names = Array.from({ length: 5_000 }, (_, nth) => `f${nth}`);
    known.learn(0, []);
    known.follow(1, change(...names.map((name): [string, number] => [name, 1])));
    names.forEach((name, nth) => known.follow(nth + 2, change([name, nth % 2 ? null : nth + 2])));
    const left = names.filter((_, nth) => nth % 2 === 0).toSorted();
    expect(known.at(5_001, "")?.map(({ path: one }) => one)).toEqual(left);
    expect(known.at(5_001, "f499")?.map(({ path: one }) => one)).toEqual(left.filter((name) => name.startsWith("f499")));
  });
});
