import * as fc from "fast-check";
import { expect, test } from "vitest";
import { admit, hour, join, leave, type QueueState } from "../../../src/engine/scheduler/queue-state.ts";

const none: QueueState<string> = { running: [], waiting: [], launches: [] };
const limit = (value: number) => ({ value, from: "default" }) as const;

/** Lower-case agents are the user's, upper-case ones are launched by agents. x and X need something that is missing. */
function fill(queue: QueueState<string>, names: string): QueueState<string> {
  return names
    .split("")
    .reduce((grown, who) => join(grown, { who, launched: who !== who.toLowerCase(), isReady: () => who.toLowerCase() !== "x" }), queue);
}

test.each([
  ["abc", 2, 9, "ab", "c0:agents"],
  ["AbCd", 2, 9, "bd", "A0:agents C1:agents"],
  ["AbCd", 3, 9, "bdA", "C0:agents"],
  ["ABC", 9, 2, "AB", "C0:60"],
  ["ABCDE", 9, 2, "AB", "C0:60 D1:60 E2:120"],
  ["ABc", 9, 0, "c", "A0:never B1:never"],
  ["aB", 0, 9, "", "a0:agents B1:agents"],
  ["ABC", 1, 2, "A", "B0:agents C1:60"],
  ["xab", 2, 9, "ab", "x0:needs"],
  ["XABC", 9, 2, "AB", "X0:needs C1:60"],
])("%s, with %i agents and %i launches: %j begin, and %j wait", (names, agents, launches, started, waiting) => {
  const done = admit(fill(none, names), { agents: limit(agents), launches: limit(launches) }, () => 0);
  expect(done.started.join("")).toBe(started);
  const places = done.positions.map(({ who, ahead, blockedBy }) => {
    const why = blockedBy.by !== "launches" ? blockedBy.by : blockedBy.until === null ? "never" : blockedBy.until / 60_000;
    return `${who}${ahead}:${why}`;
  });
  expect(places.join(" ")).toBe(waiting);
});

type Act =
  | { readonly kind: "join"; readonly launched: boolean }
  | { readonly kind: "leave"; readonly nth: number }
  | { readonly kind: "wait" };

test("law: no limit is ever exceeded, nobody is passed by a later one of its kind, and who waits is told when it begins at the latest", () => {
  const act: fc.Arbitrary<Act> = fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant("join" as const), launched: fc.boolean() }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant("leave" as const), nth: fc.nat(20) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("wait" as const) }) },
  );
  fc.assert(
    fc.property(fc.nat(4), fc.nat(4), fc.array(act, { maxLength: 60 }), (agents, launches, acts) => {
      let queue: QueueState<number> = { running: [], waiting: [], launches: [] };
      let now = 0;
      let count = 0;
      const began: { who: number; at: number; launched: boolean }[] = [];
      const launchedOnes = new Set<number>();
      for (const one of acts) {
        if (one.kind === "join") {
          count += 1;
          if (one.launched) launchedOnes.add(count);
          queue = join(queue, { who: count, launched: one.launched });
        } else if (one.kind === "leave") {
          const all = [...queue.running, ...queue.waiting.map(({ who }) => who)];
          const who = all[one.nth % Math.max(1, all.length)];
          if (who !== undefined) queue = leave(queue, who);
        } else now += hour / 3;
        const done = admit(queue, { agents: limit(agents), launches: limit(launches) }, () => now);
        ({ queue } = done);
        for (const who of done.started) began.push({ who, at: now, launched: launchedOnes.has(who) });
        expect(queue.running.length).toBeLessThanOrEqual(agents);
        expect(began.filter(({ at, launched }) => launched && at > now - hour).length).toBeLessThanOrEqual(launches);
        // An entry that is blocked only by the number of agents waits for an occupied slot.
        if (done.positions.some(({ blockedBy }) => blockedBy.by === "agents")) expect(queue.running.length).toBe(agents);
        for (const { blockedBy } of done.positions)
          if (blockedBy.by === "launches" && blockedBy.until !== null) expect(blockedBy.until).toBeGreaterThan(now);
        const kinds = queue.waiting.map(({ launched }) => (launched ? "launched" : "human"));
        expect(kinds).toEqual(kinds.toSorted());
      }
      for (const launched of [true, false]) {
        const order = began.filter((one) => one.launched === launched).map(({ who }) => who);
        expect(order).toEqual(order.toSorted((a, b) => a - b));
      }
    }),
  );
});
