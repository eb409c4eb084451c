import { describe, expect, test } from "vitest";
import { parseBaseURL } from "../../../src/engine/providers/base-url.ts";
import { readKey } from "../../../src/engine/providers/key.ts";
import { oneLine } from "../../../src/engine/providers/one-line.ts";

describe("base URL as people type it", () => {
  test.each([
    ["https://api.anthropic.com", "https://api.anthropic.com", false],
    [" https://api.anthropic.com/v1/ \n", "https://api.anthropic.com", false],
    ["api.anthropic.com", "https://api.anthropic.com", false],
    ["https://API.Anthropic.com:443//v1", "https://api.anthropic.com", false],
    ["https://host.example/api/anthropic", "https://host.example/api/anthropic", false],
    ["https://host.example/api/v1/messages", "https://host.example/api", false],
    ["https://host.example/?x=1#y", "https://host.example", false],
    ["localhost:11434", "http://localhost:11434", true],
    ["http://127.0.0.1:1234/v1", "http://127.0.0.1:1234", true],
    ["http://[::1]:8080", "http://[::1]:8080", true],
    ["https://localhost", "https://localhost", true],
  ])("%j", (typed, base, local) => expect(parseBaseURL(typed)).toMatchObject({ ok: true, base, local }));

  test.each([
    "",
    "  ",
    "http://host.example",
    "http://127.0.0.1.host.example",
    "http://localhost.host.example",
    "javascript:alert(1)",
    "https://u@host.example",
    "https://u:p@host.example",
    "http://",
    "https://a b",
  ])("%j is refused", (typed) => expect(parseBaseURL(typed).ok).toBe(false));
});

test.each([
  ["sk-ant-x", "sk-ant-x"],
  [" sk-ant-\nx\u00a0\ufeff", "sk-ant-x"],
  ["", ""],
])("key %j", (pasted, key) => expect(readKey(pasted)).toEqual({ ok: true, key }));

test.each(["clé", "sk-\u0000", "“sk”"])("key %j is refused", (pasted) => expect(readKey(pasted).ok).toBe(false));

test("a server's words as one line", () => {
  expect(oneLine(" a\r\n\u2028 b\u0000c\u001b[31m ")).toBe("a b c [31m");
  expect(oneLine("x".repeat(301))).toBe(`${"x".repeat(299)}…`);
  expect(oneLine(`${"x".repeat(298)}\u{1F600}y`)).toBe(`${"x".repeat(298)}…`);
});
