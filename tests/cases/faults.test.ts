import { expect, test } from "vitest";
import { stopWords } from "../../src/app/dialogs/frames.ts";
import { parseDialog } from "../../src/dialog/parse.ts";
import { limits } from "../../src/protocol/limits.ts";
import { wireNames, type WireName, type WireTurn } from "../stand-in/wire.ts";
import { type Case, goesOnDenying, incomplete, patiently, shown as wordsOf, startCase, stoppedByHuman, undecided } from "./engine.ts";
import { type Fault, faults } from "./faults.ts";
import { came, isWhole } from "./whole.ts";
import { atMoment, type Moment, moments, type Outcome, whole } from "./moments.ts";

/*
 * Each fault of a provider, in each of five moments of a response, on each wire. Whatever it is:
 *
 * - the file is whole and reads as what was written, and nothing that the human said stands in it twice (`holds` in engine.ts);
 * - what was said before the fault is kept, and so are the calls that were whole, which wait for the human; of one that was not its
 *   line is kept. No call of a response that did not end well is run, whatever is authorized;
 * - the turn ends, and says what to do;
 * - the next turn is one that the strict stand-in takes.
 */

const text: Record<Moment, readonly string[]> = {
  before: [],
  first: [],
  text: ["Hel"],
  call: ["Hello, world"],
  end: ["Hello, world"],
};

/** The calls that were whole by then. */
const calls: Record<Moment, readonly string[]> = { before: [], first: [], text: [], call: ["a"], end: ["a", "b"] };
const begun: Record<Moment, readonly string[]> = { before: [], first: [], text: [], call: [incomplete("b")], end: [] };
/** What stands in the file of a response that did not end by itself. */
const kept = (at: Moment) => [...text[at], ...calls[at].map((id) => undecided(id)), ...begun[at]];
/** The same once the human has stopped it: nothing is left to be decided. */
const stopped = (at: Moment) => [...text[at], ...calls[at].map((id) => `${undecided(id)} -> ${stoppedByHuman}`), ...begun[at]];

const ran = (id: string) =>
  expect.stringMatching(new RegExp(`^run_command\\[${id}\\] \\{"command":"echo ${id}"\\} approved -> .*true`)) as string;
const refused = expect.stringMatching(/^run_command\[b\] \{"invalid":"\{.*"\} undecided -> .*"success":false/) as string;
const done = ["assistant:", "Done."];
const both = [...text.end, ran("a"), ran("b"), ...done];

/** The file behind the human's word, the commands that ran and the requests that were made. */
function expected(
  outcome: Exclude<Outcome, "-">,
  at: Moment,
): readonly [file: readonly unknown[], commands: readonly string[], requests: number] {
  switch (outcome) {
    case "same":
      return [both, ["echo a", "echo b"], 2];
    case "again":
      return [both, ["echo a", "echo b"], 3];
    case "invalid":
      return [[...text.end, ran("a"), refused, ...done], ["echo a"], 2];
    case "short":
      return [text[at], [], 1];
    case "aborted":
      return [[...stopped(at), "Stop: aborted"], [], 1];
    case "error":
      return [[...kept(at), expect.stringMatching(/^Stop: error /)], [], 1];
    default:
      return [[...kept(at), `Stop: ${outcome}`], [], 1];
  }
}

/** What a human is told to do: a verb that commands, or the button that stands below. */
const advice =
  /\b(Resume|Continue|[Tt]ry again|[Cc]heck|[Cc]hoose|[Ss]tart|[Ss]end|[Ss]ay|Wait|Use|Correct|Add|[Rr]eload)\b|is out of credit|You stopped/;

async function inject(name: WireName, fault: Fault, at: Moment, outcome: Exclude<Outcome, "-">): Promise<void> {
  const one = await startCase(name, { main: "> Authorized: run_command\n" });
  const { wire, commands } = one;
  const turn = fault.turn(atMoment(wire, at));
  const behind = outcome === "again" ? [whole, last] : outcome === "same" || outcome === "invalid" ? [last] : [];
  wire.play(turn, ...behind);
  const found = await endOf(one, fault, at, outcome === "interrupted" && isSilent(turn));
  const [file, ranThen, requests] = expected(outcome, at);
  const shown = await found.shown();
  expect(shown).toEqual(["user:", "Go", "assistant:", ...file]);
  expect([commands, wire.requests.length]).toEqual([ranThen, requests]);
  const stop = /^Stop: (.*)$/.exec(shown.at(-1) ?? "")?.[1];
  expect(await found.status()).toBe(stop === undefined ? "done" : "waiting");
  if (stop !== undefined) expect(stopWords(stop)).toMatch(advice);
  await goesOnDenying(found, stop === undefined || outcome === "aborted" ? [] : calls[at]);
  expect(commands).toEqual(ranThen);
}

const last: WireTurn = { blocks: [{ text: "Done." }] };

/** The turn to its end; after a reload the engine that found it. */
async function endOf(one: Case, { act }: Fault, at: Moment, silent: boolean): Promise<Case> {
  const turn = one.say("Go");
  if (silent || act) {
    // All of it has arrived.
    await one.until(({ markdown }) => {
      const words = wordsOf(parseDialog(markdown)).slice(3);
      return one.wire.requests.length === 1 && JSON.stringify(words) === JSON.stringify(kept(at));
    });
  }
  if (act === "reload") {
    // Whoever waited for the turn is gone with the page.
    turn.catch(() => undefined);
    return one.reload();
  }
  if (act === "stop") await one.stop();
  const frames = await patiently(one, turn, silent ? limits.thinkingMs : undefined);
  expect(frames.at(-1)).toMatchObject({ type: "done" });
  return one;
}

function isSilent(turn: WireTurn): boolean {
  return "silence" in turn || ("raw" in turn && turn.faults?.stallAfterBytes !== undefined);
}

interface Cell {
  readonly name: WireName;
  readonly fault: Fault;
  readonly at: Moment;
  readonly outcome: Exclude<Outcome, "-">;
}

/** `npm test` has each fault in each moment, on one wire after the other; `npm run chaos` has all of them on all wires. */
const cells = faults.flatMap((fault, row): Cell[] => {
  const outcomes = fault.outcomes.split(" ") as Outcome[];
  if (outcomes.length !== moments.length) throw new Error(`"${fault.title}" has ${outcomes.length} outcomes`);
  const names = fault.wires ?? wireNames;
  return moments.flatMap((at, column) => {
    const outcome = outcomes[column] ?? "-";
    if (outcome === "-") return [];
    return names.filter((_name, nth) => isWhole || nth === (row + column) % names.length).map((name) => ({ name, fault, at, outcome }));
  });
});

for (const { name, fault, at, outcome } of cells) {
  test(`${fault.title}; ${at}: ${outcome} [${name}]`, async () => {
    await inject(name, fault, at, outcome);
    came(1);
  });
}
