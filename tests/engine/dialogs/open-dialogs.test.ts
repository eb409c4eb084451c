import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { type Live, revisionsOf } from "../../../src/engine/dialogs/live.ts";
import { openDialogs } from "../../../src/engine/dialogs/open-dialogs.ts";
import { makeLive } from "../../../src/engine/dialogs/open.ts";
import { newDialog } from "../../../src/dialog/edit.ts";
import { serialiseDialog } from "../../../src/dialog/serialise.ts";
import { vibeyPath } from "../../../src/fs/vibey-name.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

const revisions = revisionsOf(1);
function live(n: number): Live {
  const { dialog } = newDialog([]);
  return makeLive({
    id: `20260101-000000-${n}`,
    path: vibeyPath(`dialog-20260101-000000-${n}-waiting.md`),
    version: 1,
    state: { dialog, status: "waiting", turn: null },
    text: serialiseDialog(dialog),
    revisions,
  });
}

/** Lets the garbage collector remove everything unreferenced. */
async function forget(): Promise<void> {
  // A weak reference that was read stays alive until the end of the job.
  for (let n = 0; n < 3; n += 1) {
    await new Promise((resolve) => setTimeout(resolve, 0));
    collect();
  }
}

test("of the dialogs that nobody uses the last ones are kept, and those in which something goes on, however long ago", async () => {
  const open = openDialogs(3);
  const id = (n: number) => `20260101-000000-${n}`;
  const followed = 2;
  const working = 3;
  const streaming = 4;
  (() => {
    for (let n = 0; n < 20; n += 1) {
      const one = live(n);
      if (n === followed) one.watchers.add(() => undefined);
      if (n === working) one.work = { abort: new AbortController(), writer: null, usage: null };
      if (n === streaming) one.buffered.push({ op: "append", text: "x" });
      open.add(one);
    }
    // Asking for a dialog counts as using it.
    void open.get(id(17));
    open.add(live(20));
  })();
  await forget();
  const kept = Array.from({ length: 21 }, (_, n) => n).filter((n) => open.get(id(n)) !== undefined);
  expect(kept).toEqual(expect.arrayContaining([followed, working, streaming, 20]));
  expect(kept.length).toBeLessThanOrEqual(followed + working + 3);
  expect(kept).not.toContain(0);
  expect(kept).not.toContain(10);
});

test("one that somebody holds is the one that is found, however many were asked for since", async () => {
  const open = openDialogs(3);
  const held = live(0);
  open.add(held);
  for (let n = 1; n < 20; n += 1) open.add(live(n));
  await forget();
  expect(open.get(held.id)).toBe(held);
});

test("a dialog that is being opened is waited for; what took its place meanwhile stays; a failure leaves nothing", async () => {
  const open = openDialogs(3);
  const [one, other] = [live(1), live(1)];
  let opened: (live: Live | null) => void = () => undefined;
  const opening = new Promise<Live | null>((resolve) => (opened = resolve));
  open.opening(one.id, opening);
  expect(open.get(one.id)).toBe(opening);
  open.add(other);
  opened(one);
  await opening;
  expect(open.get(one.id)).toBe(other);
  open.delete(one.id);
  const failing = Promise.reject(new Error("no"));
  open.opening(one.id, failing);
  await expect(failing).rejects.toThrow("no");
  await Promise.resolve();
  expect(open.get(one.id)).toBeUndefined();
});
