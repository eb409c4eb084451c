import * as fc from "fast-check";
import { createRoot, createSignal } from "solid-js";
import { expect, test } from "vitest";
import { createPlayback, type Speed, speeds } from "../../../src/app/run-graph/playback.ts";

/** A replay of `events` events with a clock that the test moves. */
function replay(events: number, { calm = false } = {}) {
  const [end, setEnd] = createSignal(events);
  const [past, setPast] = createSignal<number | null>(null);
  let due: { readonly run: () => void; readonly ms: number } | null = null;
  const shown: (number | "now")[] = [];
  let waited = 0;
  const playback = createRoot(() =>
    createPlayback({
      end,
      past,
      go(to) {
        setPast(to);
        shown.push(to ?? "now");
      },
      calm: () => calm,
      later(run, ms) {
        const mine = { run, ms };
        due = mine;
        return () => {
          if (due === mine) due = null;
        };
      },
    }),
  );
  return {
    ...playback,
    shown,
    setEnd,
    setPast,
    waited: () => waited,
    isWaiting: () => due !== null,
    /** Lets one wait pass. */
    tick() {
      const now = due;
      due = null;
      waited += now?.ms ?? 0;
      now?.run();
    },
    toEnd() {
      while (playback.playing()) this.tick();
    },
  };
}

test("from the present it plays from the first event on, and ends in the present", () => {
  const r = replay(3);
  r.play();
  expect(r.playing()).toBe(true);
  r.toEnd();
  expect(r.shown).toEqual([0, 1, 2, "now"]);
  expect([r.playing(), r.ended()]).toEqual([false, true]);
});

test("from the past it plays on, a pause holds it, and it goes to the end that there is by then", () => {
  const r = replay(5);
  r.setPast(2);
  r.play();
  r.tick();
  r.pause();
  expect([r.playing(), r.isWaiting(), r.ended()]).toEqual([false, false, false]);
  r.setEnd(6);
  r.play();
  r.toEnd();
  expect(r.shown).toEqual([3, 4, 5, "now"]);
});

test("without events there is nothing to play", () => {
  const r = replay(0);
  r.play();
  expect([r.playing(), r.isWaiting()]).toEqual([false, false]);
});

test.each([
  [1, false, 16, 16_000],
  [4, false, 16, 4_000],
  [16, false, 16, 1_000],
  [1, true, 16, 16_000],
  [4, true, 4, 4_000],
  [16, true, 1, 1_000],
] as const)("at %d×, calm: %s, 16 events are %d pictures in %d ms", (speed, calm, pictures, ms) => {
  const r = replay(16, { calm });
  r.setSpeed(speed);
  r.play();
  r.toEnd();
  expect([r.shown.length - 1, r.waited()]).toEqual([pictures, ms]);
});

test("whatever is pressed, it goes forward only, never beyond the end, and plays exactly while it waits", () => {
  const deeds = fc.array(fc.oneof(fc.constantFrom<"play" | "pause" | "tick">("play", "pause", "tick"), fc.constantFrom<Speed>(...speeds)));
  fc.assert(
    fc.property(fc.nat(40), fc.boolean(), deeds, (events, calm, presses) => {
      const r = replay(events, { calm });
      for (const press of presses) {
        const before = r.shown.at(-1);
        const count = r.shown.length;
        if (typeof press === "number") r.setSpeed(press);
        else r[press]();
        expect(r.isWaiting()).toBe(r.playing());
        const now = r.shown.at(-1);
        if (r.shown.length === count || now === "now") continue;
        expect(now).toBeLessThan(events);
        if (press === "tick") expect(now).toBeGreaterThan(Number(before));
      }
    }),
    { numRuns: 200 },
  );
});
