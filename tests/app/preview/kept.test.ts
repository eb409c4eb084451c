import { expect, test } from "vitest";
import { createKept } from "../../../src/app/preview/kept.ts";

/** A cache that measures texts by length; `got` lists the texts that had to be fetched. */
function open(most: { bytes: number; values: number }) {
  const got: string[] = [];
  const kept = createKept<string>((value) => value.length, most);
  const get = (name: string, value = name): Promise<string> =>
    kept.get(name, async () => {
      got.push(name);
      return value;
    });
  return { kept, get, got };
}

test("what was not used for longest gives way, by bytes and by number", async () => {
  const bytes = open({ bytes: 10, values: 100 });
  for (const name of ["aaaa", "bbbb", "aaaa", "cccc", "aaaa", "bbbb"]) expect(await bytes.get(name)).toBe(name);
  expect(bytes.got).toEqual(["aaaa", "bbbb", "cccc", "bbbb"]);
  const values = open({ bytes: 100, values: 2 });
  for (const name of ["a", "b", "c", "b", "a"]) await values.get(name, "");
  expect(values.got).toEqual(["a", "b", "c", "a"]);
});

test("one that is larger than all room is given, and not kept; the others count as before", async () => {
  const { get, got } = open({ bytes: 3, values: 9 });
  for (const name of ["long one", "a", "b", "long one", "a"]) expect(await get(name)).toBe(name);
  expect(got).toEqual(["long one", "a", "b", "long one", "a"]);
});

test("asked for twice at once it is got once; dropped meanwhile, or failed, it is not kept", async () => {
  const { kept, get, got } = open({ bytes: 9, values: 9 });
  await Promise.all([get("a"), get("a")]);
  expect(got).toEqual(["a"]);
  const late = get("b");
  kept.clear();
  expect([await late, await get("b")]).toEqual(["b", "b"]);
  expect(got).toEqual(["a", "b", "b"]);
  await expect(kept.get("c", () => Promise.reject(new Error("none")))).rejects.toThrow("none");
  expect(await get("c")).toBe("c");
});
