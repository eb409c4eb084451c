import { encode } from "@msgpack/msgpack";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readSnapshot, SnapshotError } from "../../../src/shell/webcontainer/snapshot.ts";
import { snapshotOf, treeOf } from "./fake-webcontainer.ts";

const names = fc.stringMatching(/^[a-zß你_.-]{1,6}$/u).filter((name) => name !== "." && name !== "..");
const contents = fc
  .oneof(fc.string(), fc.uint8Array())
  .map((given) => (typeof given === "string" ? new TextEncoder().encode(given) : given));
/** Two levels; no name is both a file and a folder. */
const projects = fc
  .dictionary(names, fc.oneof(contents, fc.dictionary(names, contents)))
  .map((root) =>
    Object.entries(root).flatMap(([name, entry]): [string, Uint8Array][] =>
      entry instanceof Uint8Array ? [[name, entry]] : Object.entries(entry).map(([inner, given]) => [`${name}/${inner}`, given]),
    ),
  )
  .map((entries) => new Map(entries));

test("what is in an export is read, in both of its forms", () => {
  fc.assert(
    fc.property(projects, (files) => {
      const sorted = (given: ReadonlyMap<string, Uint8Array>) =>
        [...given].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, bytes]) => [name, [...bytes]]);
      const wanted = sorted(files);
      expect(sorted(readSnapshot({ kind: "snapshot", bytes: snapshotOf(files) }).files)).toEqual(wanted);
      expect(sorted(readSnapshot({ kind: "tree", tree: treeOf(files) }).files)).toEqual(wanted);
    }),
  );
});

test("links are named and not read", () => {
  const bytes = encode({ d: { a: { f: { l: "b" } }, deep: { d: { x: { f: { l: "../a" } } } } } });
  expect(readSnapshot({ kind: "snapshot", bytes }).links).toEqual(["a", "deep/x"]);
  expect(readSnapshot({ kind: "tree", tree: { a: { file: { symlink: "b" } } } }).links).toEqual(["a"]);
});

describe("what is no export is refused", () => {
  test.each([
    ["no msgpack", new Uint8Array([0xc1])],
    ["no folder at the root", encode({ x: 1 })],
    ["a folder that is a text", encode({ d: "x" })],
    ["a file without content", encode({ d: { a: { f: {} } } })],
    ["an entry that is nothing", encode({ d: { a: null } })],
  ])("%s", (_, bytes) => {
    expect(() => readSnapshot({ kind: "snapshot", bytes })).toThrow(SnapshotError);
  });
});

test("a file called as a property of every object is a file", () => {
  const files = new Map([
    ["constructor", new Uint8Array([1])],
    ["__proto__x/hasOwnProperty", new Uint8Array([2])],
  ]);
  expect([...readSnapshot({ kind: "snapshot", bytes: snapshotOf(files) }).files.keys()].toSorted()).toEqual([
    "__proto__x/hasOwnProperty",
    "constructor",
  ]);
});
