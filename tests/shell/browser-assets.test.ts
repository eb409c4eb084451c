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
