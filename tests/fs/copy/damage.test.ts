import * as fc from "fast-check";
import { expect, test } from "vitest";
import { findCopies } from "../../../src/fs/copy/found.ts";
import { openIdbFiles } from "../../../src/fs/idb.ts";
import { commit, texts } from "../notation.ts";
import { copying, memoryPlace, newest } from "./copying.ts";

const steps = [
  "write a 1 h:2; write b 3",
  "append a 4; rename b c",
  "close a h:two; append a 5",
  "write a h:6; write d 7",
  "remove c; append a 8; rename d c",
];

/** The states of a project after several steps, and the backup's log. */
async function grown(): Promise<{ states: string[]; log: Uint8Array<ArrayBuffer> }> {
  const place = memoryPlace();
  const files = await openIdbFiles({ name: crypto.randomUUID(), now: () => 0 });
  const copy = await copying(files, place);
  const states: string[] = [];
  for (const step of steps) {
    await commit(files, step);
    await copy.settle();
    states.push(await texts(files));
  }
  files.close();
  const log = place.logs.get(1);
  if (!log) throw new Error("there is no log");
  return { states, log };
}

test("a log that is cut anywhere is read to its last whole record, and goes on from there", async () => {
  const { states, log } = await grown();
  let last: string | undefined;
  const seen: string[] = [];
  for (let end = 0; end <= log.length; end++) {
    const place = memoryPlace();
    place.logs.set(1, log.slice(0, end));
    const found = await newest(place);
    if (!found) {
      expect(last).toBeUndefined();
      continue;
    }
    if (found.texts !== last) seen.push(found.texts);
    last = found.texts;
  }
  expect(last).toBe(states.at(-1));
  // Between two marks some files are ahead of others, but every complete state appears, in order.
  let from = 0;
  for (const state of states) {
    from = seen.indexOf(state, from);
    expect(from).toBeGreaterThanOrEqual(0);
  }
});

test("any byte that the disk changes is noticed: what is read was there once, file by file", async () => {
  const { log, states } = await grown();
  const pieces = new Set([...states, ""].flatMap((state) => state.split(" ")));
  // Names and contents that files had only between two marks.
  for (const passing of ["a=1245", "a=12", "b=3", "a=6", "d=7", "c=7", "c=3"]) pieces.add(passing);
  await fc.assert(
    fc.asyncProperty(fc.nat(log.length - 1), fc.integer({ min: 1, max: 255 }), async (at, by) => {
      const place = memoryPlace();
      const broken = log.slice();
      broken[at] = (broken[at] ?? 0) ^ by;
      place.logs.set(1, broken);
      const found = await newest(place);
      for (const text of found?.texts.split(" ") ?? []) expect(pieces).toContain(text);
      if (found) expect(found.copy.torn).toBe(true);
    }),
    { numRuns: 300 },
  );
});

test("a generation that is not whole is not offered; the one before is", async () => {
  const { log, states } = await grown();
  const place = memoryPlace();
  place.logs.set(1, log);
  place.logs.set(2, log.slice(0, 120));
  place.logs.set(3, new Uint8Array([1, 2, 3]));
  place.logs.set(4, new Uint8Array());
  expect((await findCopies(place, true)).copies.map(({ generation }) => generation)).toEqual([1]);
  expect((await newest(place))?.texts).toBe(states.at(-1));
});
