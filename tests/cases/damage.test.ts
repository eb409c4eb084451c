import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { ProviderEvent } from "../../src/engine/providers/provider.ts";
import { type WireReply, wireNames } from "../stand-in/wire.ts";
import { patiently } from "./engine.ts";
import { startAlone } from "./provider.ts";

const reply: WireReply = {
  blocks: [{ thinking: true }, { text: "Hello \u{1F600}" }, { call: "run_command", id: "a", input: { command: "ls" } }, { text: "then" }],
};

/** At `at` (a fraction of the whole), `drop` bytes are lost and `put` replaces them. */
interface Damage {
  readonly at: number;
  readonly drop: number;
  readonly put: Uint8Array;
}

const damage: fc.Arbitrary<Damage> = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  drop: fc.oneof(fc.nat(4), fc.nat(600)),
  put: fc.oneof(
    fc.uint8Array({ maxLength: 6 }),
    fc
      .constantFrom("\n\n", "null", "data: [DONE]\n\n", 'data: {"error":"x"}\n\n', "data: []\n\n", "[", "{}")
      .map((text) => new TextEncoder().encode(text)),
  ),
});

function damaged(body: Uint8Array<ArrayBuffer>, { at, drop, put }: Damage): Uint8Array<ArrayBuffer> {
  const from = Math.floor(at * body.length);
  return Uint8Array.from([...body.subarray(0, from), ...put, ...body.subarray(from + drop)]);
}

const types: readonly ProviderEvent["type"][] = ["text", "thinking", "call_start", "call", "usage", "retry", "end"];

for (const name of wireNames) {
  test(`a stream with any damage ends once, without a throw, and what is given of it is well-formed [${name}]`, async () => {
    let body = new Uint8Array();
    const answer: typeof fetch = async () => new Response(body, { headers: { "content-type": "text/event-stream" } });
    const { wire, world, ask } = await startAlone(name, { fetch: answer });
    const whole = new TextEncoder().encode(wire.body(reply));
    await fc.assert(
      fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 3 }), async (damages) => {
        body = damages.reduce(damaged, whole);
        const events = await patiently({ world }, ask());
        expect(events.filter(({ type }) => type === "end")).toHaveLength(1);
        expect(events.at(-1)?.type).toBe("end");
        const [end] = events.slice(-1);
        for (const { type } of events) expect(types).toContain(type);
        // Each call is announced before it is delivered, in the order in which the calls began, and is delivered once.
        const begun: number[] = [];
        const given = new Set<number>();
        for (const event of events) {
          if (event.type === "call_start") {
            expect([event.at, typeof event.id, typeof event.name]).toEqual([begun.length, "string", "string"]);
            begun.push(event.at);
          }
          // Any response may contain calls; their names and inputs match the types.
          if (event.type !== "call") continue;
          expect(begun).toContain(event.at);
          expect(given.has(event.at ?? -1)).toBe(false);
          given.add(event.at ?? -1);
          // A call without a JSON object is complete only in a response that ended properly.
          if (!event.input.ok) expect(end).toEqual({ type: "end", stop: { kind: "end" } });
          expect([typeof event.id, typeof event.name, typeof (event.input.ok ? event.input.value : {})]).toEqual([
            "string",
            "string",
            "object",
          ]);
        }
        for (const event of events) {
          if (event.type === "usage")
            expect([event.usage.input, event.usage.output].every((count) => Number.isSafeInteger(count) && count >= 0)).toBe(true);
        }
        // The error is one plain line for the user, whatever the bytes were.
        if (end?.type === "end" && end.stop.kind === "error") expect(end.stop.message).toMatch(/^[^\n]+$/);
      }),
      { numRuns: Number(process.env["VIBEY_LAWS"] ?? 0) / 5 || 120 },
    );
  });
}
