import * as fc from "fast-check";
import { expect, test } from "vitest";
import { locateDialog } from "../../src/dialog/lines.ts";
import type { Dialog, Section } from "../../src/dialog/model.ts";
import { parseDialog } from "../../src/dialog/parse.ts";
import {
  callCount,
  findCall,
  firstDifference,
  lastSection,
  replaceSection,
  sectionAt,
  sectionCount,
  standing,
  withoutLast,
  withSection,
} from "../../src/dialog/sections.ts";
import { serialiseDialog } from "../../src/dialog/serialise.ts";
import { hostileFile, lawTimeout, runs } from "./hostile.ts";

/** The same dialog with all its sections in a plain array, read from first to last. */
function readInOrder(file: string): Dialog {
  const { format, head, parts, sections } = locateDialog(file).dialog;
  return { format, head, parts, sections: [...sections] };
}

test(
  "in whatever order sections are asked for, each says what it says when all are read from the first to the last",
  () => {
    fc.assert(
      fc.property(hostileFile(serialiseDialog), fc.array(fc.nat(), { maxLength: 6 }), (file, order) => {
        const all = readInOrder(file).sections;
        const dialog = parseDialog(file);
        expect(sectionCount(dialog)).toBe(all.length);
        for (const at of order.map((each) => each % (all.length + 1))) {
          expect(sectionAt(dialog, at)).toStrictEqual(all[at]);
          expect(sectionAt(dialog, at)).toBe(sectionAt(dialog, at));
        }
        expect(sectionAt(dialog, -1)).toBeUndefined();
        expect(dialog.sections).toStrictEqual(all);
        dialog.sections.forEach((section, at) => expect(sectionAt(dialog, at)).toBe(section));
      }),
      { numRuns: runs },
    );
  },
  lawTimeout,
);

const added: Section = { role: "user", head: [{ key: "Model", value: "m" }], parts: [{ kind: "text", text: "added" }] };
const edit = fc.record({ kind: fc.constantFrom("add", "replace", "shorten"), at: fc.nat() });

test(
  "a dialog that was not read yet can be gone on from, and says the same as one that was",
  () => {
    fc.assert(
      fc.property(hostileFile(serialiseDialog), fc.array(edit, { maxLength: 5 }), (file, edits) => {
        let [unread, read] = [parseDialog(file), readInOrder(file)];
        const first = unread;
        for (const { kind, at } of edits) {
          const count = sectionCount(read);
          if (kind === "add") [unread, read] = [withSection(unread, added), withSection(read, added)];
          else if (kind === "shorten") [unread, read] = [withoutLast(unread), withoutLast(read)];
          else if (count > 0) [unread, read] = [replaceSection(unread, at % count, added), replaceSection(read, at % count, added)];
        }
        const shared = firstDifference(first, unread);
        expect(sectionCount(unread)).toBe(sectionCount(read));
        expect(lastSection(unread)).toStrictEqual(lastSection(read));
        expect(callCount(unread)).toBe(callCount(read));
        expect(findCall(unread, "x1")).toStrictEqual(findCall(read, "x1"));
        expect(standing(unread)).toStrictEqual(standing(read));
        expect(unread).toStrictEqual(read);
        for (let at = 0; at < shared; at += 1) expect(sectionAt(unread, at)).toBe(sectionAt(first, at));
      }),
      { numRuns: runs / 5 },
    );
  },
  lawTimeout,
);

test("a call has the id that it has in the whole file, though nothing else of the file was read", () => {
  const section = "\n## Assistant\n\n---\nTool request: x [a]\n\n    {}\n\n---\n";
  const last = lastSection(parseDialog(`# Dialog\n> Format: 1\n${section.repeat(20)}`));
  expect(last?.parts.map((part) => part.kind === "call" && part.call.id)).toEqual(["call_20"]);
});
