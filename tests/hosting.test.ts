import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { headersFor, readHeaderRules } from "../scripts/headers.mjs";
import { caddy, nginx } from "../scripts/hosting.mjs";

const rules = readHeaderRules("public/_headers");
const page = readFileSync("docs/hosting.md", "utf8");
const block = (language: string) => new RegExp(`\`\`\`${language}\\n([^]*?)\\n\`\`\``).exec(page)?.[1];

test("the configurations in docs/hosting.md are those of the shipped headers", () => {
  expect(block("nginx")).toBe(nginx(rules, "/vibey/"));
  expect(block("caddy")).toBe(caddy(rules, "/vibey/"));
});

/** The headers that nginx would send: from the exact location, else from the longest prefix. A location inherits no headers. */
function sentByNginx(config: string, path: string): Record<string, string> {
  const blocks = [...config.matchAll(/^location (?:(=|\^~) )?(\S+) \{\n([^]*?)\n\}/gm)].map(([, how = "", where = "", body = ""]) => ({
    how,
    where,
    body,
  }));
  const prefixes = blocks
    .filter(({ how, where }) => how !== "=" && path.startsWith(where))
    .toSorted((a, b) => b.where.length - a.where.length);
  const hit = blocks.find(({ how, where }) => how === "=" && where === path) ?? prefixes[0];
  return Object.fromEntries([...(hit?.body ?? "").matchAll(/add_header (\S+) "([^"]*)" always;/g)].map(([, name, value]) => [name, value]));
}

/** The headers that Caddy would send: all that match, in order. */
function sentByCaddy(config: string, path: string): Record<string, string> {
  const sent: Record<string, string> = {};
  for (const [, pattern = "", body = ""] of config.matchAll(/^ {4}header (\S+) \{\n([^]*?)\n {4}\}/gm))
    if (pattern.endsWith("*") ? path.startsWith(pattern.slice(0, -1)) : path === pattern)
      for (const [, name = "", value = ""] of body.matchAll(/^ {8}(\S+) "([^"]*)"$/gm)) sent[name] = value;
  return sent;
}

test.each([
  "/",
  "/index.html",
  "/sw.js",
  "/engine/worker-1.js",
  "/sandbox/worker-1.js",
  "/assets/a.js",
  "/net/index.html",
  "/preview/page/host.js",
  "/program/index.html",
  "/icon.svg",
])("%s has its headers on either", (path) => {
  const expected = { "Cache-Control": "no-cache", ...headersFor(rules, path) };
  expect(sentByNginx(nginx(rules, "/sub/"), `/sub${path}`)).toEqual(expected);
  expect(sentByCaddy(caddy(rules, "/sub/"), `/sub${path}`)).toEqual(expected);
});
