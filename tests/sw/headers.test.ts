import { describe, expect, it } from "vitest";
import { headersFor as atTheHost, readHeaderRules } from "../../scripts/headers.mjs";
import { headersFor, withHeaders } from "../../src/sw/headers.ts";

const rules = readHeaderRules("public/_headers");

describe("the headers of a path", () => {
  it.each([
    "/",
    "/index.html",
    "/sw.js",
    "/engine/worker-abc.js",
    "/sandbox/worker-abc.js",
    "/assets/a.css",
    "/preview/index.html",
    "/engine",
    "/x",
  ])("%s has what a host gives it that reads _headers", (path) => expect(headersFor(rules, path)).toEqual(atTheHost(rules, path)));

  it("are a policy of its own for page, engine, sandbox and preview", () => {
    const policy = (path: string) => headersFor(rules, path)["Content-Security-Policy"];
    expect(policy("/index.html")).toContain("frame-ancestors 'none'");
    expect(policy("/engine/worker-abc.js")).toContain("connect-src 'self' https:");
    expect(policy("/engine/worker-abc.js")).toContain(" wss: ws://localhost:* ws://127.0.0.1:*;");
    // The page, the preview, agents' code and commands' requests may never open a socket, not even to the bridge.
    for (const path of ["/", "/index.html", "/sw.js", "/sandbox/worker-abc.js", "/net/index.html", "/preview/index.html"])
      expect(policy(path)).not.toMatch(/\bwss?:/);
    expect(policy("/sandbox/worker-abc.js")).toContain("connect-src 'none'");
    expect(policy("/preview/index.html")).toMatch(/^sandbox allow-scripts/);
    expect(policy("/manifest.webmanifest")).toBeUndefined();
  });
});

describe("an answer with headers", () => {
  it("has ours in place of the host's, and keeps the others and the body", async () => {
    const sent = new Response("body", {
      status: 203,
      headers: { "Content-Type": "text/html", "Referrer-Policy": "unsafe-url", "Content-Encoding": "gzip", "Content-Length": "999" },
    });
    const answer = withHeaders(sent, { "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff" });
    expect(Object.fromEntries(answer.headers)).toEqual({
      "content-type": "text/html",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    });
    expect(answer.status).toBe(203);
    expect(await answer.text()).toBe("body");
  });
});
