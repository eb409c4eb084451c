import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseCost } from "../../../src/engine/cost/lines.ts";
import { paidResponses } from "../../../src/engine/cost/scan.ts";
import { parseDialog } from "../../../src/dialog/parse.ts";
import { serialiseDialog } from "../../../src/dialog/serialise.ts";
import { metaOf } from "../../../src/engine/turn/machine/queries.ts";
import { hostileDialog, hostileFile, lawTimeout, runs } from "../../dialog/hostile.ts";

const head = "# Dialog\n> Format: 1\n> Provider: openai | Model: gpt-5\n> Started: 2026-11-21T20:11:00.000Z\n";
const user = "\n## User\n> Time: 2026-11-21T20:11:00.000Z\n\nGo.\n";
const answer = (lines: string, time = "2026-11-21T20:11:01.000Z - 2026-11-21T20:11:09.000Z") =>
  `\n## Assistant\n> Time: ${time}\n\nDone.\n${lines === "" ? "" : `\n${lines}\n`}`;
const at = Date.parse("2026-11-21T20:11:09.000Z");
const usage = "> Usage: input=100 output=20 total=120";
const first = { time: at, provider: "openai", model: "gpt-5", input: 100, output: 20 };

describe("the responses of a file", () => {
  test("with what they cost, and those of which nobody knows it", () => {
    const file = `${head}${user}${answer(`${usage}\n> Cost: 0.25 USD\n> Cost cumulative: 7 USD`)}${user}${answer(usage)}${user}${answer("")}`;
    expect(paidResponses(file)).toEqual([
      { ...first, nanos: 250_000_000 },
      { ...first, nanos: null },
      { ...first, nanos: null, input: 0, output: 0 },
    ]);
  });
  test("a model that was switched to is named from there on", () => {
    const file = `${head}${user}${answer(usage)}\n## Assistant\n> Time: 2026-11-21T20:11:02.000Z\n> Provider: claude | Model: opus\n\nHi.\n\n${usage}\n${user}${answer(usage)}`;
    expect(paidResponses(file).map(({ provider, model }) => `${provider} ${model}`)).toEqual([
      "openai gpt-5",
      "claude opus",
      "claude opus",
    ]);
    expect(paidResponses(file)[1]?.time).toBe(Date.parse("2026-11-21T20:11:02.000Z"));
  });
  test.each([
    ["a failure that reported nothing", answer("> Stop: error The server failed.")],
    ["one that a limit held back", answer("> Stop: limit cost (5 of 5 USD)")],
    ["one that is being written", answer("", "2026-11-21T20:11:01.000Z - ")],
    ["words of the human's", "\n## User\n\n> Cost: 9 USD\n"],
    ["the header", "\n> Cost: 9 USD\n"],
    ["what is text", answer("\\> Cost: 9 USD\n\\## Assistant").replace("Done.", "\u2028> Cost: 9 USD")],
  ])("leaves out %s", (_what, section) =>
    expect(paidResponses(head + section).filter(({ nanos }) => nanos !== null || section.includes("Stop"))).toEqual([]),
  );
  test("an answer that the human stopped may have cost something", () =>
    expect(paidResponses(head + answer("> Stop: aborted"))).toEqual([{ ...first, nanos: null, input: 0, output: 0 }]));
  test("one that was stopped in the queue was never asked for, but a call that waits says nothing about its response", () => {
    const queue = "> Queued: 2026-11-21T20:11:02.000Z";
    const stopped = answer("> Stop: aborted").replace("\n\nDone.\n", `\n${queue}\n`);
    expect(paidResponses(head + user + stopped + user + answer(usage))).toEqual([{ ...first, nanos: null }]);
    const unknown = { ...first, nanos: null, input: 0, output: 0 };
    for (const lines of [`${queue} c1\n> Stop: aborted`, queue, `Text.\n\n${queue}`])
      expect(paidResponses(head + user + answer(lines))).toEqual([unknown]);
    expect(paidResponses(head + user + stopped.replace("> Stop", "> Cost: 2 USD\n> Stop"))).toEqual([{ ...unknown, nanos: 2_000_000_000 }]);
  });
  test("the scripted provider costs nothing", () => expect(paidResponses(head.replace("openai", "demo") + user + answer(""))).toEqual([]));
  test.each([
    ["", 3],
    ["> Forked from: 20261121-201100-game | Message: 2\n", 2],
    ["> Forked from: 20261121-201100-game | Message: 3 | Edited\n", 2],
    ["> Forked from: nowhere | Message: 2\n", 3],
  ])("what a fork took along was paid for before: %j", (line, count) =>
    expect(paidResponses(`${head}${line}${(user + answer(usage)).repeat(3)}`)).toHaveLength(count),
  );
  test("a header that claims to have taken everything along hides no cost that is said", () => {
    const file = `${head}> Forked from: 20261121-201100-game | Message: 999999999\n${user}${answer(`${usage}\n> Cost: 2 USD`)}${user}${answer(usage)}`;
    expect(paidResponses(file)).toEqual([{ ...first, nanos: 2_000_000_000 }]);
  });
  test.each(["", "# Dialog\n", "# Dialog\n> Format: 3\n", "# Dialog\n\n> Provider: openai\n"])("%j is no file that Vibey counts", (start) =>
    expect(paidResponses(`${start}${user}${answer(`${usage}\n> Cost: 1 USD`)}`)).toEqual([]),
  );
  test("a cost that can't be read is not known, and the last of two counts", () => {
    expect(paidResponses(head + answer(`${usage}\n> Cost: a lot`))[0]?.nanos).toBeNull();
    expect(paidResponses(head + answer(`${usage}\n> Cost: 1 USD\n> Cost: 2 USD`))[0]?.nanos).toBe(2_000_000_000);
  });
});

/** The same costs, found with the parser. */
function parsedCosts(file: string): (number | null)[] {
  const dialog = parseDialog(file);
  if (dialog.format !== 1) return [];
  return dialog.sections.flatMap((section) => {
    const lines = metaOf(section).filter(({ key }) => key === "Cost");
    const last = lines.at(-1);
    return section.role === "assistant" && last ? [parseCost(last.value)?.nanos ?? null] : [];
  });
}
const known = (file: string) => paidResponses(file).flatMap(({ nanos }) => (nanos === null ? [] : [nanos]));

describe("laws", () => {
  const lines = fc.array(
    fc.record({
      key: fc.constantFrom("Cost", "Usage", "Time", "Stop"),
      value: fc.constantFrom("0.5 USD", "1 USD reported", "x", "input=1 output=2 total=3"),
    }),
    { maxLength: 3 },
  );
  test(
    "it finds the costs that the parser finds, whatever else a dialog says",
    () =>
      fc.assert(
        fc.property(hostileDialog, lines, fc.nat(), (dialog, more, where) => {
          const sections = dialog.sections.map((section, index) =>
            index % 3 === where % 3 ? { ...section, parts: [...section.parts, { kind: "meta" as const, lines: more }] } : section,
          );
          const file = serialiseDialog({ ...dialog, format: 1, sections });
          expect(known(file)).toEqual(parsedCosts(file).filter((nanos) => nanos !== null));
        }),
        { numRuns: runs },
      ),
    lawTimeout,
  );
  test(
    "any text is read",
    () =>
      fc.assert(
        fc.property(hostileFile(serialiseDialog), (file) => void paidResponses(file)),
        { numRuns: runs },
      ),
    lawTimeout,
  );
  test("a dialog that is long takes no more than its length", () => {
    const file = head + (user + answer(`${usage}\n> Cost: 0.001 USD`)).repeat(20_000);
    expect(known(file)).toHaveLength(20_000);
  });
});
