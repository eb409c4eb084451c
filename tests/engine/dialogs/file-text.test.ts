import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createFileText } from "../../../src/engine/dialogs/file-text.ts";
import type { EditOp } from "../../../src/dialog/edit.ts";
import { PieceFile } from "../../dialog/notation.ts";

/** Texts with common beginnings, including surrogate pairs. */
const text = fc.array(fc.constantFrom("a", "b\n", "\u{1F600}", "\u{1F601}", ""), { maxLength: 6 }).map((units) => units.join(""));

/** The next operation, if it is possible at that point. */
const wanted = fc.record({
  kind: fc.constantFrom("append", "append", "open", "patch", "close", "rewrite"),
  which: fc.nat(),
  text,
});

test("it reads as the file that the operations make, and only from where it says it changed", () => {
  fc.assert(
    fc.property(
      text,
      fc.array(fc.array(wanted, { minLength: 1, maxLength: 3 }), { maxLength: 12 }),
      fc.array(fc.boolean()),
      (first, batches, asks) => {
        const model = new PieceFile();
        model.apply([{ op: "append", text: first }]);
        const file = createFileText(first);
        let labels = 0;
        batches.forEach((batch, at) => {
          const before = model.text;
          let changed: number | null = null;
          if (batch[0]?.kind === "rewrite") {
            const data = batch.map((one, nth) => (nth % 2 === 0 ? { data: one.text } : { data: one.text, open: `new ${(labels += 1)}` }));
            model.pieces.splice(0, model.pieces.length, ...data.map((one) => ({ text: one.data, open: one.open })));
            changed = file.rewrite(data);
          } else {
            const ops: EditOp[] = [];
            for (const one of batch) {
              const open = model.pieces.filter((piece) => piece.open !== undefined);
              const label = open[one.which % Math.max(1, open.length)]?.open;
              const op: EditOp =
                one.kind === "open"
                  ? { op: "append", text: one.text, open: `label ${(labels += 1)}` }
                  : label === undefined || one.kind === "append" || one.kind === "rewrite"
                    ? { op: "append", text: one.text }
                    : { op: "patch", label, text: one.text, ...(one.kind === "close" ? { close: true } : {}) };
              model.apply([op]);
              ops.push(op);
            }
            changed = file.apply(ops);
          }
          const now = model.text;
          expect(file.length).toBe(now.length);
          if (asks[at]) expect(file.text()).toBe(now);
          if (changed === null) expect(now).toBe(before);
          else {
            expect(now.slice(0, changed)).toBe(before.slice(0, changed));
            expect(now.slice(0, changed).isWellFormed()).toBe(true);
            expect(file.from(changed)).toBe(now.slice(changed));
          }
        });
        for (let at = 0; at <= model.text.length; at += 1) expect(file.from(at)).toBe(model.text.slice(at));
        expect(file.text()).toBe(model.text);
      },
    ),
  );
});

describe("what a programmer must not do", () => {
  test("pieces that are not the text", () => {
    expect(() => createFileText("abc", [{ data: "ab" }])).toThrow(RangeError);
  });
  test("a patch of what is not open", () => {
    expect(() => createFileText("abc").apply([{ op: "patch", label: "head", text: "x" }])).toThrow("No open piece head");
  });
});
