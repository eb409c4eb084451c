import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  createInputReader,
  createLineReader,
  encodeLine,
  type FromScript,
  lineMark,
  type ToScript,
} from "../../../../src/shell/webcontainer/script-protocol.ts";

function read(pieces: readonly string[]): { readonly messages: FromScript[]; readonly stray: string } {
  const messages: FromScript[] = [];
  let stray = "";
  const reader = createLineReader({ line: (message) => void messages.push(message), stray: (text) => void (stray += text) });
  for (const piece of pieces) reader.take(piece);
  return { messages, stray };
}

const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: fc.constantFrom("\n", "\r", "\u001e", "a", "ü", "\ud800", "\u0000", "🙂") }),
);
const message: fc.Arbitrary<FromScript> = fc.oneof(
  fc.constantFrom<FromScript>({ type: "ready" }, { type: "started" }),
  fc.record({ type: fc.constant("installed" as const), path: text }),
  fc.record({
    type: fc.constant("output" as const),
    output: fc.record({ stream: fc.constantFrom("stdout" as const, "stderr" as const, "progress" as const), text }),
  }),
  fc.record({ type: fc.constant("background" as const), id: fc.nat(), operands: fc.array(text) }),
  fc.record({
    type: fc.constant("done" as const),
    stdout: text,
    stderr: text,
    exitCode: fc.nat(255),
    limit: fc.constantFrom("time" as const, "output" as const, null),
    aborted: fc.boolean(),
    folder: text,
    env: fc.dictionary(fc.string(), text, { noNullPrototype: true }),
  }),
);
/** Foreign output: whole lines between the script's. */
const foreign = fc.string({ unit: fc.constantFrom("x", "{", '"', " ", "ü", "\t") }).map((line) => `${line}\n`);
const cuts = (whole: string): fc.Arbitrary<string[]> =>
  fc.array(fc.nat(whole.length)).map((places) => {
    const at = [0, ...places.toSorted((a, b) => a - b), whole.length];
    return at.slice(1).map((end, i) => whole.slice(at[i], end));
  });

test("law: messages and everything else come out as they went in, however they are cut and whatever ends the lines", () => {
  const stream = fc
    .array(
      fc.oneof(
        message.map((sent) => ({ sent })),
        foreign.map((other) => ({ other })),
      ),
    )
    .chain((parts) =>
      fc.boolean().chain((crlf) => {
        const whole = parts.map((part) => ("sent" in part ? lineMark + encodeLine(part.sent) : part.other)).join("");
        const printed = crlf ? whole.replaceAll("\n", "\r\n") : whole;
        return cuts(printed).map((pieces) => ({ parts, pieces, crlf }));
      }),
    );
  fc.assert(
    fc.property(stream, ({ parts, pieces, crlf }) => {
      const { messages, stray } = read(pieces);
      expect(messages).toEqual(parts.flatMap((part) => ("sent" in part ? [part.sent] : [])));
      const others = parts.map((part) => ("other" in part ? part.other : "")).join("");
      expect(stray).toBe(crlf ? others.replaceAll("\n", "\r\n") : others);
    }),
    { numRuns: 300 },
  );
});

test("law: what the engine writes is heard as it was, however it is cut, in lines that a terminal takes", () => {
  const input: fc.Arbitrary<ToScript> = fc.oneof(
    fc.constant<ToScript>({ type: "abort" }),
    fc.record({ stdout: text, stderr: text, exitCode: fc.nat(255) }).map((answer): ToScript => ({ type: "answered", id: 1, answer })),
    fc.tuple(text, fc.constantFrom("\\", "ü", "x", "\n"), fc.nat(3_000)).map(
      ([start, unit, times]): ToScript => ({
        type: "run",
        command: start + unit.repeat(times),
        folder: "/",
        env: {},
        timeoutMs: 1,
        maxBytes: 1,
        liveCharacters: 1,
      }),
    ),
  );
  const stream = fc.array(input).chain((sent) => cuts(sent.map((each) => encodeLine(each)).join("")).map((pieces) => ({ sent, pieces })));
  fc.assert(
    fc.property(stream, ({ sent, pieces }) => {
      const heard: ToScript[] = [];
      const reader = createInputReader((each) => void heard.push(each));
      for (const piece of pieces) reader.take(piece);
      expect(heard).toEqual(sent);
      for (const line of pieces.join("").split("\n")) expect(line).toMatch(/^[ -~]{0,1001}$/);
    }),
  );
});

test("a line is printable ASCII, and JSON of the message", () => {
  const abort: ToScript = { type: "abort" };
  expect(encodeLine(abort)).toBe('{"type":"abort"}\n');
  fc.assert(
    fc.property(message, (sent) => {
      const line = encodeLine(sent);
      expect(line).toMatch(/^[ -~]*\n$/);
      expect(JSON.parse(line)).toEqual(sent);
    }),
  );
});

test.each([
  ["no JSON", "{oops"],
  ["no message", "17"],
  ["an unknown one", '{"type":"fetch","id":1}'],
  ["a change of files, which the script never tells", '{"type":"remove","path":"a"}'],
  ["an end without its fields", '{"type":"done"}'],
  ["a place that is no text", '{"type":"installed","path":4}'],
])("%s is stray text, and the next line is heard", (_, line) => {
  expect(read([`${lineMark}${line}\n${lineMark}${encodeLine({ type: "ready" })}`])).toEqual({
    messages: [{ type: "ready" }],
    stray: `${lineMark}${line}\n`,
  });
});

test("a line that another one interrupts is stray, and text before a mark too", () => {
  const ready = lineMark + encodeLine({ type: "ready" });
  expect(read([`typed${lineMark}{"type":"rea${ready}`])).toEqual({ messages: [{ type: "ready" }], stray: `typed${lineMark}{"type":"rea` });
});
