import * as fc from "fast-check";
import { expect, test } from "vitest";
import { addCall, newDialog, openSection, setCall, timeValue } from "../../../src/dialog/edit.ts";
import { eventsOf } from "../../../src/dialog/events/events-of.ts";
import type { Call, Dialog } from "../../../src/dialog/model.ts";
import { parseDialog } from "../../../src/dialog/parse.ts";
import { keyOf, newEventsBetween } from "../../../src/engine/log/new-events.ts";
import { lawTimeout, runs } from "../../dialog/hostile.ts";
import { step, time } from "../../dialog/events/growing.ts";

test(
  "the news of a step are the events that it brings",
  () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 2, maxLength: 14 }), (steps) => {
        let { dialog } = newDialog([{ key: "Provider", value: "claude" }]);
        for (const each of steps) {
          const before = dialog;
          dialog = each(dialog);
          const known = new Set(eventsOf(before, "d").map(({ id }) => id));
          const fresh = eventsOf(dialog, "d").filter(({ id }) => !known.has(id));
          const generations = new Set(fresh.map(({ id }) => id.split("/")[1]));
          expect(newEventsBetween(before, dialog, "d")?.keys ?? []).toEqual(fresh.map(keyOf));
          expect(generations.size).toBeLessThanOrEqual(1);
        }
      }),
      { numRuns: runs },
    );
  },
  lawTimeout,
);

/** A section with `count` calls. Each calls `read` when its input is parsed. */
function manyCalls(count: number, read: (id: string) => void): Dialog {
  let { dialog } = openSection(newDialog([]).dialog, "assistant", [{ key: "Time", value: timeValue(time) }], { open: true });
  for (let nth = 0; nth < count; nth += 1) {
    const call: Call = { id: `c${nth}`, name: "run_command", input: {}, decision: null, started: null, result: undefined };
    ({ dialog } = addCall(dialog, call));
  }
  const [section] = dialog.sections;
  const parts = section?.parts.map((part) =>
    part.kind === "call"
      ? {
          ...part,
          call: {
            ...part.call,
            get input() {
              read(part.call.id);
              return {};
            },
          },
        }
      : part,
  );
  return { ...dialog, sections: [{ role: "assistant", head: section?.head ?? [], parts: parts ?? [] }] };
}

test("a call that is decided costs no look at the others", () => {
  const read: string[] = [];
  const before = manyCalls(1_000, (id) => read.push(id));
  const after = setCall(before, "c7", { decision: "approved" }).dialog;
  read.length = 0;
  expect(newEventsBetween(before, after, "d")?.keys).toEqual(["0.7.approval"]);
  expect(new Set(read)).toEqual(new Set(["c7"]));
});

test("half a million characters of sections without times are read at once", () => {
  const dialog = parseDialog(`# Dialog\n> Format: 1\n\n${"## User\n\nx\n\n".repeat(45_000)}`);
  expect(eventsOf(dialog, "d").filter(({ type }) => type === "message")).toHaveLength(45_000);
});
