import { expect, test } from "vitest";
import { isLong } from "../long.ts";
import { type WireReply, wireNames } from "../stand-in/wire.ts";
import { startAlone, words } from "./provider.ts";

const reply: WireReply = { blocks: [{ text: "\u{1F600}\r\n" }, { call: "f", id: "a", input: { é: "\u{1F4A9}" } }] };

/** What the provider reads from a body that arrives in these pieces. */
async function read(name: (typeof wireNames)[number], body: Uint8Array, cuts: readonly number[][]): Promise<string[][]> {
  const given: Uint8Array[][] = cuts.map((at) => [0, ...at].map((from, index) => body.subarray(from, at[index] ?? body.length)));
  const { ask } = await startAlone(name, {
    fetch: async () => {
      const pieces = given.shift() ?? [];
      const stream = new ReadableStream<Uint8Array>({
        pull(controller) {
          const next = pieces.shift();
          if (next === undefined) controller.close();
          else controller.enqueue(next);
        },
      });
      return new Response(stream, { headers: { "content-type": "text/event-stream" } });
    },
  });
  const results: string[][] = [];
  for (let index = 0; index < cuts.length; index++) results.push(words(await ask()));
  return results;
}

for (const name of wireNames) {
  test(`38. a stream split at any byte reads the same [${name}]`, async () => {
    const { wire } = await startAlone(name);
    const body = new TextEncoder().encode(wire.body(reply).replaceAll("\n", "\r\n"));
    const [whole] = await read(name, body, [[]]);
    expect(whole).toEqual(['"\u{1F600}\\r\\n"', 'f[a] {"é":"\u{1F4A9}"}', "end"]);
    const every = isLong ? 1 : 3;
    const cuts = Array.from({ length: Math.floor((body.length - 1) / every) }, (_, index) => [(index + 1) * every]);
    const results = await read(name, body, cuts);
    expect(results.filter((result) => JSON.stringify(result) !== JSON.stringify(whole))).toEqual([]);
    expect(results).toHaveLength(cuts.length);
    expect(cuts.length).toBeGreaterThan(100);
  });

  test(`38. a stream in pieces of few bytes reads the same [${name}]`, async () => {
    const { wire } = await startAlone(name);
    const body = new TextEncoder().encode(wire.body(reply));
    const every = (size: number) => Array.from({ length: Math.ceil(body.length / size) - 1 }, (_, index) => (index + 1) * size);
    const results = await read(name, body, [[], ...[1, 2, 3, 5, 7].map(every)]);
    expect(new Set(results.map((result) => JSON.stringify(result))).size).toBe(1);
    expect(results[0]?.at(-1)).toBe("end");
  });
}
