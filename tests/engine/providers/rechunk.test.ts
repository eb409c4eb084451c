import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createCutter, hasWholeData, isWithoutData } from "../../../src/engine/providers/rechunk.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** The events of a body that arrives in these pieces. The rest at the body's end comes after a `|`. */
function cut(...pieces: readonly Uint8Array[]): string[] {
  const cutter = createCutter();
  const events: string[] = [];
  for (const piece of pieces) {
    cutter.push(piece);
    for (let event = cutter.next(); event !== null; event = cutter.next()) events.push(textOf(event));
  }
  const rest = cutter.rest();
  return rest === null ? events : [...events, `|${textOf(rest)}`];
}

describe("a body of events is cut behind each blank line", () => {
  test.each<[string, string[]]>([
    ["data: a\n\ndata: b\n\n", ["data: a\n\n", "data: b\n\n"]],
    ["data: a\r\n\r\ndata: b\r\n\r\n", ["data: a\r\n\r\n", "data: b\r\n\r\n"]],
    ["data: a\r\rdata: b\r\r", ["data: a\r\r", "data: b\r\r"]],
    ["data: a\n\r\ndata: b\r\n\n", ["data: a\n\r\n", "data: b\r\n\n"]],
    ["event: x\ndata: a\ndata: b\n\n", ["event: x\ndata: a\ndata: b\n\n"]],
    [": comment\n\ndata: a\n\n", [": comment\n\n", "data: a\n\n"]],
    ["\ndata: a\n\n\n", ["\n", "data: a\n\n", "\n"]],
    ["data: a\n\ndata: b", ["data: a\n\n", "|data: b"]],
    ['{"a":\n1}', ['|{"a":\n1}']],
    ["", []],
  ])("%j", (body, events) => expect(cut(bytesOf(body))).toEqual(events));
});

describe("an event whose data is nothing is none", () => {
  test.each<[string, boolean]>([
    ["event: ping\n\n", true],
    ["event: ping\r\nid: 1\r\n\r\n", true],
    ["event\r\r", true],
    ["event: ping\ndata\n\n", true],
    ["data:\n\n", true],
    ["data: \ndata:\r\n\n", true],
    ["data:\ndata: 0\n\n", false],
    ["dataset: a\n\n", false],
    ["data: event: ping\n\n", false],
    ["event: a\rdata: {}\r\r", false],
    [": comment\n\n", false],
    ["\n", false],
    [`event: ${"x".repeat(2_000)}\n\n`, false],
    // These characters end a line in JavaScript, but not in a stream.
    ["data: a\u2028\n\n", false],
    ["event: x\ndata: \u2029b\n\n", false],
    ["data: \u0085\u000b\u000cb\n\n", false],
  ])("%j: %s", (event, is) => expect(isWithoutData(bytesOf(event))).toBe(is));
});

test.each<[string, boolean]>([
  ["data: {}", true],
  ['event: a\ndata: {"a":\ndata: 1}\n', true],
  ['data: {"a":1', false],
  ["data: [DONE]", false],
  ["data:", false],
  ['{"a":1}', false],
  ['data: "a\u2028b"\n', true],
])("the data of %j is whole: %s", (event, is) => expect(hasWholeData(bytesOf(event))).toBe(is));

test("however the network cuts it, every byte is given once and no event is split", () => {
  const piece = fc.constantFrom("data: a", "\n", "\r", "\r\n", "\n\n", "x", "grüß 👋", ": c");
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), fc.array(fc.nat(60), { maxLength: 6 }), (parts, cuts) => {
      const body = bytesOf(parts.join(""));
      const at = [0, ...cuts.filter((place) => place < body.length).toSorted((a, b) => a - b), body.length];
      const pieces = at.slice(1).map((end, index) => body.subarray(at[index], end));
      const events = cut(...pieces).map((event) => event.replace(/^\|/, ""));
      expect(events.join("")).toBe(textOf(body));
      // A line break of two bytes may be cut. Then its second byte begins the next event, but belongs to no line.
      const ends = (list: string[]) => list.map((event) => event.replace(/^\n/, "").replace(/\n$/, "")).filter((event) => event !== "");
      expect(ends(events)).toEqual(ends(cut(body).map((event) => event.replace(/^\|/, ""))));
    }),
    { numRuns: 1_000 },
  );
});

describe("each byte is looked at once, so that cost grows with the length alone", () => {
  /** A piece that counts how often its bytes are read. */
  function counted(text: string): { piece: Uint8Array; looks: () => number } {
    let looks = 0;
    const piece = new Proxy(bytesOf(text), {
      get(target, key) {
        if (typeof key === "string" && /^\d+$/.test(key)) looks++;
        const value: unknown = Reflect.get(target, key);
        return typeof value === "function" ? (value.bind(target) as unknown) : value;
      },
    });
    return { piece, looks: () => looks };
  }

  test.each([
    ["a thousand events in one piece", "data: a\n\n".repeat(1_000)],
    ["a thousand events with CRLF", "data: a\r\n\r\n".repeat(1_000)],
    ["no event at all", "x".repeat(9_000)],
  ])("%s", (_what, text) => {
    const { piece, looks } = counted(text);
    cut(piece);
    // The byte after a CR is read ahead.
    expect(looks()).toBeLessThanOrEqual(text.length * 1.25);
  });

  test("one event over a thousand pieces is put together once", () => {
    const cutter = createCutter();
    for (let at = 0; at < 1_000; at++) {
      cutter.push(bytesOf("x".repeat(1_000)));
      expect(cutter.next()).toBeNull();
    }
    cutter.push(bytesOf("\n\n"));
    expect(cutter.next()?.length).toBe(1_000_002);
  });
});
