/** Goal 1: the engine's cost of a token in a dialog of 25 MB and in one of 25 KB, from the provider's event to the store. */
import { noLog } from "../tests/engine/log/no-log.ts";
import { dispatch } from "../src/engine/dialogs/dispatch.ts";
import { revisionsOf } from "../src/engine/dialogs/live.ts";
import { makeLive } from "../src/engine/dialogs/open.ts";
import { dialogStore } from "../src/engine/dialogs/store.ts";
import { serialiseDialog } from "../src/dialog/serialise.ts";
import { createTextWriter } from "../src/dialog/text-writer.ts";
import { step } from "../src/engine/turn/machine/step.ts";
import { vibeyPath } from "../src/fs/vibey-name.ts";
import { corpus } from "./corpus.ts";
import { median } from "./ratio.ts";
import { goal, note } from "./report.ts";

const options = { check: () => null, requestsPerTurn: 100 };
const bus = { emit: () => undefined, listen: () => () => undefined };

/** Milliseconds for 1,000 tokens in a dialog whose file has `length` characters. */
function streamed(length: number): () => Promise<number> {
  const dialog = corpus(length, { wide: true });
  const begun = step(
    { dialog, status: "waiting", turn: null },
    { type: "put", decisions: new Map(), authority: [], prompt: "go on", provider: "claude", model: "m", time: "2026-01-02T00:00:00.000Z" },
    options,
  );
  if (!begun.ok) throw new Error(begun.refusal.kind);
  const live = makeLive({
    id: "20260101-000000-bench",
    path: vibeyPath("dialog-20260101-000000-bench-active.md"),
    version: 1,
    state: begun.state,
    text: serialiseDialog(begun.state.dialog),
    revisions: revisionsOf(1),
  });
  let version = 1;
  const store = dialogStore({
    files: {
      commit: async () => ({ ok: true, version: (version += 1) }),
    } as never,
    epoch: 1,
    flushMs: 100,
    log: noLog,
    later: () => undefined,
    report: (error) => console.error(error),
  });
  const writer = createTextWriter();
  let count = 0;
  return async () => {
    const started = performance.now();
    for (let token = 0; token < 1_000; token += 1) {
      count += 1;
      const piece = writer.push(count % 12 === 0 ? " token.\n" : ` token${count}`);
      await dispatch(live, { type: "text", piece }, { store, bus, options });
      if (token % 100 === 0) await store.flush();
    }
    return performance.now() - started;
  };
}

const small = streamed(25_000);
const large = streamed(25_000_000);
for (let warm = 0; warm < 5; warm += 1) {
  await small();
  await large();
}
const ratios: number[] = [];
let [smallMs, largeMs] = [0, 0];
for (let round = 0; round < 15; round += 1) {
  smallMs = Math.min(await small(), await small(), await small());
  largeMs = Math.min(await large(), await large(), await large());
  ratios.push(largeMs / smallMs);
}
note(`1,000 tokens: ${smallMs.toFixed(2)} ms at 25 KB, ${largeMs.toFixed(2)} ms at 25 MB`);
goal("a token at 25 MB against one at 25 KB", median(ratios), { atMost: 1.1 });
