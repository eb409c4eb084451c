import { afterEach, expect, test, vi } from "vitest";
import { browserAssets } from "../../src/shell/browser-assets.ts";

afterEach(() => vi.unstubAllGlobals());

test("an asset is read where streams are no async iterables, as in Safari", async () => {
  const body = new Response("abcdef").body;
  if (body === null) throw new Error("no body");
  Object.defineProperty(body, Symbol.asyncIterator, { value: undefined });
  vi.stubGlobal("fetch", async () => ({ ok: true, body, headers: new Headers({ "content-length": "6" }) }));
  const told: [number, number | null][] = [];
  const bytes = await browserAssets("sqlite.wasm", (loaded, total) => told.push([loaded, total]));
  expect(new TextDecoder().decode(bytes)).toBe("abcdef");
  expect(told.at(-1)).toEqual([6, 6]);
});

test("an asset that two ask for at one time is fetched once, and both hear of its progress", async () => {
  const fetched = vi.fn(async () => new Response("abcdef"));
  vi.stubGlobal("fetch", fetched);
  const told = [vi.fn(), vi.fn()] as const;
  const both = await Promise.all(told.map((progress) => browserAssets("python/python_stdlib.zip", progress)));
  expect(both.map((bytes) => new TextDecoder().decode(bytes))).toEqual(["abcdef", "abcdef"]);
  expect(fetched).toHaveBeenCalledTimes(1);
  for (const progress of told) expect(progress).toHaveBeenLastCalledWith(6, null);
  await browserAssets("python/python_stdlib.zip");
  expect(fetched).toHaveBeenCalledTimes(2);
});

test("an asset whose fetch failed is asked for again", async () => {
  vi.stubGlobal("fetch", async () => new Response("", { status: 503 }));
  await expect(browserAssets("sqlite.wasm")).rejects.toThrow("sqlite.wasm could not be loaded (503)");
  vi.stubGlobal("fetch", async () => new Response("ab"));
  await expect(browserAssets("sqlite.wasm")).resolves.toHaveLength(2);
});
