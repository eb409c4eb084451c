import { expect, test } from "vitest";
import { readFromProcess } from "../../../src/shell/embedded/node/frame/read.ts";
import { createOutput, printLimit } from "../../../src/shell/embedded/node/output.ts";

const request = { url: "https://example.com/", method: "POST", headers: [], program: "node", follow: true };

test.each([
  ["print", (bytes: Uint8Array) => ({ type: "print", stream: "stdout", printed: bytes })],
  ["change", (bytes: Uint8Array) => ({ type: "change", call: "write", args: ["/tmp/x", bytes] })],
  ["fetch", (bytes: Uint8Array) => ({ type: "fetch", id: 1, request: { ...request, body: bytes } })],
  ["ports", (bytes: Uint8Array) => ({ type: "ports", message: { kind: "data", wire: 1, bytes } })],
])("%s: a few bytes don't bring a large buffer along, which no limit would count", (_, message) => {
  expect(readFromProcess(message(new Uint8Array(4)))).not.toBeNull();
  expect(readFromProcess(message(new Uint8Array(1_000).subarray(0, 4)))).toBeNull();
});

test.each([
  [{ type: "handle", signal: "SIGTERM", on: true }, true],
  [{ type: "handle", signal: "TERM", on: true }, false],
  [{ type: "handle", signal: "SIGNONE", on: true }, false],
  [{ type: "handle", signal: "SIGTERM" }, false],
  [{ type: "endChild", id: 1, signal: null }, true],
  [{ type: "endChild", id: 1, signal: "SIGINT" }, true],
  [{ type: "endChild", id: 1, signal: 9 }, false],
  [{ type: "endChild", id: 1 }, false],
])("%o names a signal, or is no message", (message, isOne) => {
  expect(readFromProcess(message) !== null).toBe(isOne);
});

test("what a file of tests reports counts as printed", () => {
  const output = createOutput();
  expect(output.reported("x".repeat(printLimit - 10))).toBe(true);
  expect(output.print("stdout", "0123456789")).toBe(true);
  expect(output.reported("x")).toBe(false);
});
