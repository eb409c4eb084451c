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
 * Each fault of a provider, at each of five moments of a response, on each wire. In every case:
 *
 * - the file is whole and reads as what was written, and no prompt of the user appears in it twice (`holds` in engine.ts);
 * - text from before the fault is kept, and so are complete calls, which wait for the user; an incomplete call leaves its
 *   line. No call of a response that did not end properly runs, whatever is authorized;
 * - the turn ends, and its message says what to do;
 * - the strict stand-in accepts the next turn.
 */

const text: Record<Moment, readonly string[]> = {
  before: [],
  first: [],
  text: ["Hel"],
  call: ["Hello, world"],
  end: ["Hello, world"],
};

/** The calls that are complete by then. */
const calls: Record<Moment, readonly string[]> = { before: [], first: [], text: [], call: ["a"], end: ["a", "b"] };
const begun: Record<Moment, readonly string[]> = { before: [], first: [], text: [], call: [incomplete("b")], end: [] };
/** The content of the file after a response that broke off. */
const kept = (at: Moment) => [...text[at], ...calls[at].map((id) => undecided(id)), ...begun[at]];
/** The same after the user has stopped the answer: nothing is left to decide. */
const stopped = (at: Moment) => [...text[at], ...calls[at].map((id) => `${undecided(id)} -> ${stoppedByHuman}`), ...begun[at]];

const ran = (id: string) =>
  expect.stringMatching(new RegExp(`^run_command\\[${id}\\] \\{"command":"echo ${id}"\\} approved -> .*true`)) as string;
const refused = expect.stringMatching(/^run_command\[b\] \{"invalid":"\{.*"\} undecided -> .*"success":false/) as string;
const done = ["assistant:", "Done."];
const both = [...text.end, ran("a"), ran("b"), ...done];

/** The file after the user's prompt, the commands that ran and the number of requests. */
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

/** The advice to the user: an imperative verb, or the name of the button below. */
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

/** Waits for the end of the turn. After a reload, returns the engine that found it. */
async function endOf(one: Case, { act }: Fault, at: Moment, silent: boolean): Promise<Case> {
  const turn = one.say("Go");
  if (silent || act) {
    // Wait until everything has arrived.
    await one.until(({ markdown }) => {
      const words = wordsOf(parseDialog(markdown)).slice(3);
      return one.wire.requests.length === 1 && JSON.stringify(words) === JSON.stringify(kept(at));
    });
  }
  if (act === "reload") {
    // The page that waited for the turn is gone.
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

/** `npm test` runs each fault at each moment on one wire, in rotation; `npm run chaos` runs all of them on all wires. */
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
