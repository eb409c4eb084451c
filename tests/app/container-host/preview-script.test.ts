import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { isServerPageNews, previewScript } from "../../../src/app/container-host/preview-script.ts";

/** A page with the script, in a frame of an app; `said` records the messages to the app. */
function page(inFrame = true) {
  const said: string[] = [];
  const printed: unknown[][] = [];
  const heard = new Map<string, (event: object) => void>();
  const print = (...values: unknown[]) => void printed.push(values);
  const window: Record<string, unknown> = {
    addEventListener: (type: string, listener: (event: object) => void) => void heard.set(type, listener),
  };
  const app = {
    postMessage(message: unknown, to: string) {
      if (!isServerPageNews(message)) throw new Error("not what the app understands");
      said.push(`${to} ${message.level} ${message.text}`);
    },
  };
  window["parent"] = inFrame ? app : window;
  const own = { debug: print, log: print, info: print, warn: print, error: print };
  class Element {
    localName = "div";
  }
  let now = 0;
  const world = { window, console: own, Element, performance: { now: () => now }, Error };
  runInNewContext(previewScript("https://app.example"), world);
  return { said, printed, console: world.console, heard, Element, later: (ms: number) => (now += ms) };
}

test("what a page writes to its console is told, and still written", () => {
  const { said, printed, console: own, Element } = page();
  own.log("one", 2, { a: [true, null], b: "c" }, new Element(), 3n, undefined);
  own.error(new TypeError("broken"));
  own.warn("w".repeat(10_000));
  expect(said[0]).toBe('https://app.example log one 2 {a: [true, null], b: "c"} <div> 3n undefined');
  expect(said[1]).toContain("TypeError: broken");
  expect(said[2]?.length).toBe("https://app.example warn ".length + 4_000);
  expect(printed).toHaveLength(3);
});

test("errors that nobody caught are told, and values that cannot be shown", () => {
  const { said, heard, console: own } = page();
  heard.get("error")?.({ message: "Script error.", filename: "a.js", lineno: 3, error: null });
  heard.get("unhandledrejection")?.({ reason: "no $& reason" });
  own.log({
    get a() {
      throw new Error("secret");
    },
  });
  expect(said).toEqual([
    "https://app.example error Script error. (a.js:3)",
    "https://app.example error Unhandled rejection: no $& reason",
    "https://app.example log (can't display this value: Error: secret)",
  ]);
});

test("a circle has an end, and so has a flood", () => {
  const { said, console: own, later } = page();
  const circle: Record<string, unknown> = {};
  circle["self"] = circle;
  own.log(circle);
  expect(said[0]).toBe("https://app.example log {self: {self: {self: {…}}}}");
  for (let at = 0; at < 500; at++) own.log(at);
  expect(said).toHaveLength(100);
  later(1_000);
  own.log("later");
  expect(said.slice(100)).toEqual(["https://app.example warn 401 more messages not shown.", "https://app.example log later"]);
});

test("a page by itself has nobody to tell", () => {
  const { said, console: own, heard } = page(false);
  own.log("one");
  expect([said, [...heard]]).toEqual([[], []]);
});
