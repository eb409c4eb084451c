import { expect, it } from "vitest";
import { isAppPage } from "../../src/sw/clients.ts";

const scope = new URL("https://host.example/vibey/");

it.each([
  ["the app in a tab", true, "window", "top-level", "https://host.example/vibey/#/docs"],
  ["by the page's other name", true, "window", "top-level", "https://host.example/vibey/index.html"],
  ["opened by another page", true, "window", "auxiliary", "https://host.example/vibey/?x=1"],
  ["in a frame", false, "window", "nested", "https://host.example/vibey/"],
  ["the preview in a tab", false, "window", "top-level", "https://host.example/vibey/preview/index.html"],
  ["the page of another app of this host", false, "window", "top-level", "https://host.example/other/"],
  ["the same path elsewhere", false, "window", "top-level", "https://elsewhere.example/vibey/"],
  ["the engine's worker, which asks what agents want asked", false, "worker", "none", "https://host.example/vibey/engine/worker-abc.js"],
  ["a worker by the page's name", false, "worker", "none", "https://host.example/vibey/"],
  ["a shared worker", false, "sharedworker", "none", "https://host.example/vibey/"],
  ["what an opaque origin has made", false, "window", "top-level", "about:srcdoc"],
  ["a blob", false, "window", "top-level", "blob:https://host.example/0a1b"],
])("%s: %s", (_who, may, type, frameType, url) => {
  expect(isAppPage({ type, frameType, url }, scope)).toBe(may);
});

it("nobody known: false", () => expect(isAppPage(undefined, scope)).toBe(false));
