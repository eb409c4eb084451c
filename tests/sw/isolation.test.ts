import { describe, expect, it } from "vitest";
import { headersFor, readHeaderRules } from "../../scripts/headers.mjs";
import { isolationCache, isolationKey } from "../../src/app/container-host/isolation-flag.ts";
import { createIsolation, isolatedHeaders, isolatedPage } from "../../src/sw/isolation.ts";

const rules = readHeaderRules("public/_headers");
const scope = "https://host.example/vibey/";
const sources = "frame-src 'self' https://stackblitz.com https://*.webcontainer-api.io;";
const isolated = (name: string) => isolatedHeaders(headersFor(rules, `/${name}`), name, "credentialless");

describe("the headers of an isolated file", () => {
  it("the page: its own window and frames of the container, and every other word of its policy as it is", () => {
    const shipped = headersFor(rules, "/index.html");
    expect(isolated("index.html")).toEqual({
      ...shipped,
      "Content-Security-Policy": shipped["Content-Security-Policy"]?.replace("frame-src 'self';", sources),
      "Cross-Origin-Opener-Policy": "same-origin",
      "Cross-Origin-Embedder-Policy": "credentialless",
    });
    expect(isolated("index.html")["Content-Security-Policy"]).toContain(sources);
  });

  it.each(["engine/worker-abc.js", "sandbox/worker-abc.js", "net/index.html"])("%s may be in such a page", (name) =>
    expect(isolated(name)).toEqual({ ...headersFor(rules, `/${name}`), "Cross-Origin-Embedder-Policy": "credentialless" }),
  );

  it("the preview's page, whose origin is another, may be there too", () =>
    expect(isolated("preview/index.html")).toMatchObject({
      "Cross-Origin-Embedder-Policy": "credentialless",
      "Cross-Origin-Resource-Policy": "cross-origin",
      "Content-Security-Policy": headersFor(rules, "/preview/index.html")["Content-Security-Policy"],
    }));

  it.each(["assets/a.css", "icon.svg", "manifest.webmanifest"])("%s has those that it always has", (name) =>
    expect(isolated(name)).toEqual(headersFor(rules, `/${name}`)),
  );
});

it("the page's own policy is widened as its header's is, and nothing else of it", () => {
  const page = (policy: string) => `<!doctype html><meta http-equiv="Content-Security-Policy" content="${policy}"><p>frame-src 'self';</p>`;
  expect(isolatedPage(page("default-src 'none'; frame-src 'self'; img-src data:"))).toBe(
    page(`default-src 'none'; ${sources} img-src data:`),
  );
});

describe("whether it is on", () => {
  /** Caches with these texts; `reads` counts the reads. */
  function storage(texts: Record<string, string>) {
    const state = { reads: 0, broken: false };
    return {
      state,
      texts,
      has: async (name: string) => {
        state.reads++;
        if (state.broken) throw new Error("no storage");
        return name in texts;
      },
      open: async (name: string) =>
        ({ match: async (key: string) => (key === isolationKey(scope) ? new Response(texts[name]) : undefined) }) as unknown as Cache,
    };
  }
  const page = { mode: "navigate" } as const;
  const script = { mode: "same-origin" } as const;

  it("is read for every page, and holds for what it loads", async () => {
    const caches = storage({});
    const isolation = createIsolation(caches, scope);
    expect(await isolation(page)).toBeNull();
    caches.texts[isolationCache(scope)] = "require-corp";
    expect(await isolation(script)).toBeNull();
    expect(caches.state.reads).toBe(1);
    expect(await isolation(page)).toBe("require-corp");
    expect(await isolation(script)).toBe("require-corp");
    delete caches.texts[isolationCache(scope)];
    expect(await isolation(page)).toBeNull();
  });

  it("is read by a worker that has just woken, too", async () => {
    const caches = storage({ [isolationCache(scope)]: "credentialless" });
    expect(await createIsolation(caches, scope)(script)).toBe("credentialless");
  });

  it("is no for another app of this host, for what is no word of ours, and where storage fails; then it is asked again", async () => {
    expect(await createIsolation(storage({ [isolationCache("https://host.example/")]: "require-corp" }), scope)(page)).toBeNull();
    expect(await createIsolation(storage({ [isolationCache(scope)]: "x" }), scope)(page)).toBeNull();
    const caches = storage({ [isolationCache(scope)]: "credentialless" });
    caches.state.broken = true;
    const isolation = createIsolation(caches, scope);
    expect(await isolation(page)).toBeNull();
    caches.state.broken = false;
    expect(await isolation(script)).toBe("credentialless");
  });
});
