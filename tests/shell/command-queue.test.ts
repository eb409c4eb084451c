import { expect, test } from "vitest";
import { type CommandTurn, createCommandQueue } from "../../src/shell/embedded/command-queue.ts";

/**
 * The steps, one word each: `a` a command of session a arrives, `-a` the running one ends, `?a` it waits for the user, `!a` it has its answer,
 * `xa` the last one that arrived is stopped. Commands are named after session and number: a, then a2.
 */
async function begun(steps: string): Promise<string> {
  const queue = createCommandQueue(2);
  const counts = new Map<string, number>();
  const turns = new Map<string, CommandTurn>();
  const stops = new Map<string, AbortController>();
  const log: string[] = [];
  const enter = async (session: string, name: string, signal: AbortSignal): Promise<void> => {
    const given = await queue.enter(session, signal, () => log.push(`(${name})`));
    log.push(given ? name : `no ${name}`);
    if (given) turns.set(session, given);
  };
  for (const step of steps.split(" ")) {
    const session = step.slice(-1);
    const turn = turns.get(session);
    if (step === session) {
      const count = (counts.get(session) ?? 0) + 1;
      counts.set(session, count);
      const name = count === 1 ? session : `${session}${count}`;
      const stop = new AbortController();
      stops.set(session, stop);
      void enter(session, name, stop.signal);
    } else if (step.startsWith("x")) stops.get(session)?.abort();
    else if (step.startsWith("-")) turn?.leave();
    else turn?.standsStill(step.startsWith("?"));
    await new Promise((resolve) => setImmediate(resolve));
  }
  return log.join(" ");
}

test.each([
  ["two at a time, the others in their order", "a b c d -a -b", "a b (c) (d) c d"],
  ["one of a session at a time, and it keeps no place meanwhile", "a a a b -a -a", "a (a2) (a3) b a2 a3"],
  ["one of a session that is behind lets others go first", "a a b c -a -b", "a (a2) b (c) a2 c"],
  ["one that waits for a human gives up its place", "a b c ?a", "a b (c) c"],
  ["and goes on once it is answered, even as one too many; nobody begins before two are left", "a b c d ?a !a -b -a", "a b (c) (d) c d"],
  ["one that ends while it waits for a human gives nothing back twice", "a b ?a -a c d e", "a b c (d) (e)"],
  ["stopped while it waits: answered at once, and never begins", "a b c d xc -a", "a b (c) (d) no c d"],
])("%s", async (_, steps, expected) => {
  expect(await begun(steps)).toBe(expected);
});

test("one that is stopped before it comes never begins", async () => {
  const queue = createCommandQueue(1);
  expect(await queue.enter("a", AbortSignal.abort())).toBeNull();
  expect(await queue.enter("b", new AbortController().signal)).not.toBeNull();
});
