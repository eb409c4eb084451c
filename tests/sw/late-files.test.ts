import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createLateFiles } from "../../src/sw/late-files.ts";

const scope = new URL("https://example.org/vibey/");
const integrity = (text: string): string => `sha256-${createHash("sha256").update(text).digest("base64")}`;

/** The part of a browser's caches that is used. */
function fakeCaches(): Pick<CacheStorage, "open"> & { readonly stored: Map<string, string> } {
  const stored = new Map<string, string>();
  const cache = {
    match: async (url: string) => (stored.has(url) ? new Response(stored.get(url)) : undefined),
    put: async (url: string, response: Response) => void stored.set(url, await response.text()),
    keys: async () => [...stored.keys()].map((url) => new Request(url)),
    delete: async (url: string) => stored.delete(url),
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the rest of a cache isn't used.
  return { stored, open: async () => cache as unknown as Cache };
}

describe("files that are kept once they were used", () => {
  const name = "assets/python_stdlib-abc.zip";

  test.each([
    ["the build's own file", name, new Response("library"), ["https://example.org/vibey/assets/python_stdlib-abc.zip"]],
    ["another content under its name", name, new Response("forged"), []],
    ["a failure", name, new Response("library", { status: 404 }), []],
    ["another file", "assets/other-abc.js", new Response("library"), []],
  ])("%s", async (_, asked, response, kept) => {
    const caches = fakeCaches();
    const files = createLateFiles([{ url: name, integrity: integrity("library") }], scope, caches);
    await files.keep(asked, response);
    expect([...caches.stored.keys()]).toEqual(kept);
    expect(await (await files.find(asked))?.text()).toBe(kept.length > 0 ? "library" : undefined);
  });

  test("those of older versions are deleted, and no others", async () => {
    const caches = fakeCaches();
    const old = createLateFiles([{ url: "assets/sql-wasm-old.wasm", integrity: integrity("old") }], scope, caches);
    await old.keep("assets/sql-wasm-old.wasm", new Response("old"));
    const now = createLateFiles([{ url: name, integrity: integrity("library") }], scope, caches);
    await now.keep(name, new Response("library"));
    await now.tidy();
    expect([...caches.stored.keys()]).toEqual(["https://example.org/vibey/assets/python_stdlib-abc.zip"]);
  });
});
