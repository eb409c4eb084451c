import { describe, expect, test } from "vitest";
import { ownScript } from "../../../src/shell/trusted-worker.ts";

describe("a worker's script", () => {
  const base = "https://vibey.example/app/engine/worker.js";

  test.each(["./sandbox/worker.js", "/app/x.js", "https://vibey.example/x.js"])("%s is our own", (url) => {
    expect(ownScript(url, base)).toBe(url);
  });

  test.each([
    "https://evil.example/x.js",
    "//evil.example/x.js",
    "http://vibey.example/x.js",
    "https://vibey.example:444/x.js",
    "data:text/javascript,1",
    "blob:https://vibey.example/0-1",
    "javascript:1",
  ])("%s is not", (url) => {
    expect(() => ownScript(url, base)).toThrow(`not a script of this app: ${url}`);
  });
});
