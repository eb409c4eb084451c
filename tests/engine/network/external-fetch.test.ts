import { afterEach, expect, test, vi } from "vitest";
import { systemDeps } from "../../../src/engine/providers/deps.ts";
import { createWatch } from "../../../src/engine/providers/watch.ts";
import { browserOutside } from "../../../src/engine/network/browser.ts";

afterEach(() => vi.unstubAllGlobals());

/** Records the options passed to the platform's fetch. */
function recordFetch(): (RequestInit | undefined)[] {
  const given: (RequestInit | undefined)[] = [];
  vi.stubGlobal("fetch", (_input: unknown, init?: RequestInit) => {
    given.push(init);
    return Promise.resolve(new Response("{}"));
  });
  return given;
}

const kept = { cache: "no-store", credentials: "omit", referrerPolicy: "no-referrer" };

test("no request to another host may be stored, follow a redirect, or carry a cookie or an address", async () => {
  const given = recordFetch();
  const init: RequestInit = { cache: "force-cache", credentials: "include", redirect: "follow", referrerPolicy: "unsafe-url" };
  await systemDeps.fetch("https://a.example");
  await systemDeps.fetch("https://a.example", init);
  const options = { signal: new AbortController().signal, firstByteMs: 1000, idleMs: () => 1000 };
  await createWatch(systemDeps, options).fetch("https://a.example", init);
  await browserOutside("https://vibey.example", () => undefined).send(
    { url: "https://a.example/", method: "GET", headers: [], body: null },
    new AbortController().signal,
  );
  expect(given).toHaveLength(4);
  for (const each of given) expect(each).toMatchObject(kept);
  expect(given.map((each) => each?.redirect)).toEqual(["error", "error", "error", "manual"]);
});
