import { describe, expect, test } from "vitest";
import { readFromShell } from "../../src/shell/embedded/from-shell.ts";

const done = { type: "done", stdout: "", stderr: "", exitCode: 0, limit: null, aborted: false, folder: "/project", env: {} };
const request = { url: "https://a.b/", method: "PUT", program: "curl", headers: [], body: new Uint8Array(), follow: true };
/** Another context can change shared memory while the engine reads it. */
const shared = new Uint8Array(new SharedArrayBuffer(8));
/** Browsers refuse to decode resizable buffers. */
const resizable = new Uint8Array(new ArrayBuffer(8, { maxByteLength: 16 }));

describe("what a worker says that something took over", () => {
  test.each<[string, unknown]>([
    ["no record", "write"],
    ["a type that is none", { type: "put", files: [] }],
    ["a path that leads out", { type: "write", path: "../x", bytes: new Uint8Array() }],
    ["a path that is not as the project has it", { type: "remove", path: "A\u030a" }],
    ["a path that is no text", { type: "remove", path: ["a"] }],
    ["a text in place of bytes", { type: "write", path: "a", bytes: "text" }],
    ["bytes that it shares", { type: "write", path: "a", bytes: shared }],
    ["more bytes that it shares", { type: "append", path: "a", bytes: shared }],
    ["bytes whose number changes", { type: "write", path: "a", bytes: resizable }],
    ["a beginning that is longer than the file", { type: "write", path: "a", bytes: new Uint8Array(3), keeps: 4 }],
    ["a beginning of no length", { type: "write", path: "a", bytes: new Uint8Array(3), keeps: Number.NaN }],
    ["a shared memory of Python", { type: "prepared", bytes: shared, why: "" }],
    ["a shared body of a request", { type: "fetch", id: 1, request: { ...request, body: shared } }],
    ["an environment with what is no text", { ...done, env: { A: 1 } }],
    ["no exit code", { ...done, exitCode: Number.NaN }],
    ["a header that is no pair", { type: "fetch", id: 1, request: { ...request, headers: [["a"]] } }],
  ])("goes no further when it is %s", (_, data) => {
    expect(readFromShell(data)).toBeNull();
  });

  test("is taken when it is a message of the protocol", () => {
    for (const message of [
      done,
      { type: "write", path: "__proto__", bytes: new Uint8Array(3), keeps: 3 },
      { type: "fetch", id: 1, request },
    ])
      expect(readFromShell(message)).toBe(message);
  });
});
