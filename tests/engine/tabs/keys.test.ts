import * as fc from "fast-check";
import { expect, test } from "vitest";
import { memoryKeys, type SharedKeys } from "../../../src/engine/vault/keys.ts";
import { asOldest, keysToCarry, ownOrOther } from "../../../src/engine/tabs/carried-keys.ts";
import { openTabs, type Page } from "./tabs.ts";

const url = "https://api.example/v1";
const claude = (keys: SharedKeys) => keys.get("claude", url);

test("a key is for the origin that it was entered for; asked for with another it is forgotten, everywhere", () => {
  const [one, other] = [memoryKeys(), memoryKeys()];
  one.set("claude", "key-1", url);
  other.merge(one.snapshot());
  expect(claude(other)).toBe("key-1");
  expect(other.get("claude", "https://elsewhere.example")).toBe(null);
  one.merge(other.snapshot());
  expect([claude(one), claude(other)]).toEqual([null, null]);
});

test("what is forgotten holds no key any more", () => {
  const keys = memoryKeys();
  keys.set("claude", "key-1", url);
  keys.forget("claude");
  expect(JSON.stringify(keys.snapshot())).not.toContain("key-1");
});

test("those who watch hear of each change once, and of none that is none", () => {
  const keys = memoryKeys();
  let heard = 0;
  const stop = keys.observe(() => (heard += 1));
  keys.forget("claude");
  keys.get("claude", url);
  expect(heard).toBe(0);
  keys.set("claude", "key-1", url);
  keys.merge(keys.snapshot());
  expect(heard).toBe(1);
  keys.forget("claude");
  keys.forget("claude");
  expect(heard).toBe(2);
  stop();
  keys.set("claude", "key-2", url);
  expect(heard).toBe(2);
});

test("one change after the other, wherever it is made: the last one counts in the end", () => {
  const change = fc.record({ at: fc.nat(2), key: fc.constantFrom("key-1", "key-2", null) });
  fc.assert(
    fc.property(fc.array(change, { minLength: 1 }), (changes) => {
      const all = [memoryKeys(), memoryKeys(), memoryKeys()];
      for (const { at, key } of changes) {
        const keys = all[at];
        if (!keys) throw new RangeError(`${at}`);
        if (key === null) keys.forget("claude");
        else keys.set("claude", key, url);
        // Each gets the others' changes, some twice, and older ones, too.
        for (const one of all) for (const other of all) one.merge(other.snapshot());
      }
      expect(all.map(claude)).toEqual(all.map(() => changes.at(-1)?.key ?? null));
    }),
  );
});

test("handed over a reload: all that is known of this project's keys; of another project's, what nothing is known of", () => {
  const old = memoryKeys();
  expect(keysToCarry(old, "one")).toBe(null);
  old.set("claude", "key-1", url);
  old.set("openai", "key-2", url);
  old.forget("openai");
  const handed = keysToCarry(old, "one");
  if (handed === null) throw new Error("nothing was handed over");
  const reloaded = memoryKeys();
  reloaded.merge(handed.keys);
  expect(reloaded.snapshot()).toEqual(old.snapshot());

  const other = memoryKeys();
  other.merge(asOldest(handed.keys));
  expect([claude(other), other.get("openai", url)]).toEqual(["key-1", null]);
  // Changes there take precedence, although they have lower numbers.
  for (const [change, left] of [
    [(keys: SharedKeys) => keys.set("claude", "key-3", url), "key-3"],
    [(keys: SharedKeys) => (keys.set("claude", "key-3", url), keys.forget("claude")), null],
  ] as const) {
    const known = memoryKeys();
    change(known);
    known.merge(asOldest(handed.keys));
    expect(claude(known)).toBe(left);
  }
  // If there are no keys left, nothing is handed over.
  old.forget("claude");
  expect(keysToCarry(old, "one")).toBe(null);
});

test("of several pages those of the same project hand over, whichever answers first", () => {
  const of = (name: string) => ({ name, keys: [] });
  const [one, two, three] = [of("one"), of("two"), of("one")];
  expect(ownOrOther([two, one, three], "one")).toEqual([one, three]);
  expect(ownOrOther([two, one], "none")).toEqual([two]);
  expect(ownOrOther([], "one")).toEqual([]);
});

/** The keys of the engine that is answering now. */
function ofTheEngine(pages: readonly Page[], name: string): SharedKeys {
  const keys = pages.find((page) => page.name === name)?.keys();
  if (!keys) throw new Error(`${name} has no engine`);
  return keys;
}

test("takeover: the next engine knows the key, also one that was typed before its tab was opened", async () => {
  const tabs = openTabs();
  const a = tabs.open("a");
  await tabs.origin.settle();
  ofTheEngine(tabs.pages, "a").set("claude", "key-1", url);
  const b = tabs.open("b");
  await tabs.origin.settle();
  ofTheEngine(tabs.pages, "a").set("openai", "key-2", url);
  await tabs.origin.settle();
  a.close();
  await tabs.origin.settle();
  tabs.open("c");
  await tabs.origin.settle();
  const keys = ofTheEngine(tabs.pages, "b");
  expect([claude(keys), keys.get("openai", url)]).toEqual(["key-1", "key-2"]);
  keys.forget("claude");
  await tabs.origin.settle();
  b.close();
  await tabs.origin.settle();
  expect(claude(ofTheEngine(tabs.pages, "c"))).toBe(null);
});

test("a relay that knows a key tells a leader that does not", async () => {
  const tabs = openTabs();
  const a = tabs.open("a");
  await tabs.origin.settle();
  ofTheEngine(tabs.pages, "a").set("claude", "key-1", url);
  // b is the next, but it has read nothing yet when a is closed.
  const b = tabs.open("b");
  b.worker.frozen = true;
  tabs.open("c");
  await tabs.origin.settle();
  a.close();
  b.worker.frozen = false;
  await tabs.origin.settle();
  expect(claude(ofTheEngine(tabs.pages, "b"))).toBe("key-1");
});

test("a leader that was replaced while it was frozen hands on what only it knew", async () => {
  const tabs = openTabs();
  const a = tabs.open("a");
  await tabs.origin.settle();
  ofTheEngine(tabs.pages, "a").set("claude", "key-1", url);
  a.worker.frozen = true;
  tabs.open("b").ask("PUT", "/b");
  await tabs.origin.advance(6_000);
  expect(claude(ofTheEngine(tabs.pages, "b"))).toBe(null);
  a.worker.frozen = false;
  await tabs.origin.settle();
  expect(claude(ofTheEngine(tabs.pages, "b"))).toBe("key-1");
  expect(a.news.map(({ kind }) => kind)).toEqual(["ready", "replaced", "ready"]);
});

test("takeover: the next engine has the vault's data key, which nobody can read, and a lock reaches every tab", async () => {
  const dataKey = await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
  const tabs = openTabs();
  const a = tabs.open("a");
  await tabs.origin.settle();
  ofTheEngine(tabs.pages, "a").holdDataKey(dataKey);
  const b = tabs.open("b");
  await tabs.origin.settle();
  a.close();
  await tabs.origin.settle();
  tabs.open("c");
  await tabs.origin.settle();
  expect(ofTheEngine(tabs.pages, "b").dataKey()).toMatchObject({ extractable: false, algorithm: { name: "AES-GCM" } });
  ofTheEngine(tabs.pages, "b").holdDataKey(null);
  await tabs.origin.settle();
  b.close();
  await tabs.origin.settle();
  expect(ofTheEngine(tabs.pages, "c").dataKey()).toBe(null);
});
