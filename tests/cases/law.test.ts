import * as fc from "fast-check";
import { expect, test } from "vitest";
import { limits } from "../../src/protocol/limits.ts";
import { parseDialog } from "../../src/dialog/parse.ts";
import { memoryStore } from "../../src/fs/memory.ts";
import { hostileText } from "../dialog/hostile.ts";
import type { ReplyBlock } from "../stand-in/reply.ts";
import { type Failure, type Place, startWire, type WireFaults, wireNames, type WireReply, type WireTurn } from "../stand-in/wire.ts";
import { type Case, caseOn, goesOn, patiently } from "./engine.ts";
import { worldOf } from "./providers.ts";

const call: fc.Arbitrary<ReplyBlock> = fc
  .record({
    call: fc.constantFrom("run_command", "run_command", "write_file", "nonsense", "run command"),
    id: fc.constantFrom("a", "b", "0", "functions.run:1", "x".repeat(70), undefined),
    json: fc.constantFrom('{"command":"ls"}', '{"command":"\\ud800"}', '{"path":"a.txt","content":"a"}', '{"command":', "[]", "{}", ""),
  })
  .map(({ id, ...rest }) => ({ ...rest, ...(id === undefined ? {} : { id }) }));

const block: fc.Arbitrary<ReplyBlock> = fc.oneof(
  { weight: 3, arbitrary: fc.oneof(hostileText, fc.constantFrom("Hello.", " ", "> Waiting: Which?")).map((text) => ({ text })) },
  { weight: 3, arbitrary: call },
  { weight: 1, arbitrary: fc.constantFrom<ReplyBlock>({ thinking: true }, { unknown: true }) },
);

const place = fc.constantFrom<Place>("start", "text", "call", "last");
const faults: fc.Arbitrary<WireFaults> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: place.map((cut) => ({ cut })) },
  { weight: 1, arbitrary: place.map((stall) => ({ stall })) },
  {
    weight: 1,
    arbitrary: fc.record({ at: place, kind: fc.constantFrom("overloaded" as const, "server" as const) }).map((error) => ({ error })),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom<WireFaults>({ noEnd: true }, { crlf: true, pieceBytes: 50 }, { comments: true }, { unknownEvents: true }),
  },
);

const reply: fc.Arbitrary<WireReply> = fc
  .record({
    blocks: fc.array(block, { maxLength: 4 }),
    end: fc.option(fc.constantFrom("end" as const, "calls" as const, "length" as const, "filtered" as const, "window" as const), {
      nil: undefined,
      freq: 3,
    }),
    faults,
  })
  .map(({ end, ...rest }) => ({ ...rest, faults: inPlace(rest.blocks, rest.faults), ...(end ? { end } : {}) }));

/** A stream without a text or a call has no middle of one, so the fault moves to the start. */
function inPlace(blocks: readonly ReplyBlock[], given: WireFaults): WireFaults {
  const has: Readonly<Record<Place, boolean>> = {
    start: true,
    last: true,
    text: blocks.some((one) => "text" in one && one.text !== ""),
    call: blocks.some((one) => "call" in one && one.json !== ""),
  };
  const there = (at: Place): Place => (has[at] ? at : "start");
  if (given.cut) return { ...given, cut: there(given.cut) };
  if (given.stall) return { ...given, stall: there(given.stall) };
  return given.error ? { ...given, error: { ...given.error, at: there(given.error.at) } } : given;
}

const turn: fc.Arbitrary<WireTurn> = fc.oneof(
  { weight: 6, arbitrary: reply },
  {
    weight: 1,
    arbitrary: fc.oneof(
      fc.constantFrom<Failure>("overloaded", "rate-limit", "billing", "too-long", "server", "bad-request").map((failure) => ({ failure })),
      fc.constantFrom<WireTurn>(
        { hangUp: true },
        { raw: "<!doctype html>", contentType: "text/html" },
        { raw: "{}", contentType: "application/json" },
      ),
    ),
  },
);

/** The calls without a decision. */
async function undecided(one: Case): Promise<string[]> {
  const last = parseDialog(await one.markdown()).sections.findLast(({ role }) => role === "assistant");
  return (last?.parts ?? []).flatMap((part) =>
    part.kind === "call" && part.call.decision === null && part.call.result === undefined ? [part.call.id] : [],
  );
}

/** What the user and the browser do during the turn: a stop after `stopAfter` turns of the event loop, and a reload after the turn. */
interface Meanwhile {
  readonly stopAfter: number | null;
  readonly reload: boolean;
}
const meanwhile: fc.Arbitrary<Meanwhile> = fc.record({
  stopAfter: fc.option(fc.nat(60), { nil: null, freq: 2 }),
  reload: fc.boolean(),
});

async function perhapsStop(one: Case, { stopAfter }: Meanwhile): Promise<void> {
  if (stopAfter === null) return;
  for (let tick = 0; tick < stopAfter; tick++) await new Promise((resolve) => setImmediate(resolve));
  await one.until(() => true);
  await one.stop();
}

for (const name of wireNames) {
  test(`whatever is answered and however it breaks, the file is whole, and the next request is one that the wire takes [${name}]`, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(turn, meanwhile), { minLength: 1, maxLength: 5 }),
        fc.array(fc.boolean(), { maxLength: 8 }),
        async (turns, allowed) => {
          const wire = await startWire(name);
          const left = turns.map(([answer]) => answer);
          const acts = turns.map(([, act]) => act);
          const enough: WireTurn = { blocks: [{ text: "Fine." }] };
          wire.play(...Array.from({ length: 200 }, () => () => left.shift() ?? enough));
          let one = await caseOn(wire, worldOf(wire), memoryStore(), {}, [], []);
          const patient = <T>(work: Promise<T>) => patiently(one, work, limits.thinkingMs);
          for (let said = 1; left.length > 0 || said === 1; said++) {
            const act = acts.shift() ?? { stopAfter: null, reload: false };
            const work = one.say(`Word ${said}`);
            await Promise.all([patient(work), perhapsStop(one, act)]);
            if (act.reload) one = await one.reload();
            for (let ids = await undecided(one); ids.length > 0; ids = await undecided(one)) {
              const before = one.commands.length;
              const words = ids.map((id) => [id, allowed.shift() ? "approve" : "deny"] as const);
              await patient(one.decide(Object.fromEntries(words)));
              expect(one.commands.length - before).toBeLessThanOrEqual(words.filter(([, word]) => word === "approve").length);
            }
          }
          await goesOn(one);
          await wire.close();
        },
      ),
      { numRuns: Number(process.env["VIBEY_LAWS"] ?? 0) / 20 || 30 },
    );
  });
}
