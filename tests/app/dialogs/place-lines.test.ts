import * as fc from "fast-check";
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { placeLines } from "../../../src/app/dialogs/place-lines.ts";
import { splitLines } from "../../../src/app/dialogs/text-lines.ts";
import type { TextPlace } from "../../../src/app/model/route.ts";
import { locateDialog } from "../../../src/dialog/lines.ts";
import { serialiseDialog } from "../../../src/dialog/serialise.ts";
import { hostileDialog, lawTimeout, runs } from "../../dialog/hostile.ts";

const file = `# Dialog
> Format: 1
> Provider: demo

## User
> Time: 2026-11-21T20:11:01Z

Do it.

## Assistant
> Time: 2026-11-21T20:11:05Z

First
and second.

---
Tool request: run_command [a]

    {"command":"ls"}

Decision: approved
Result:

    {"success":true}

---
Tool request: run_command [b]

    {"command":"ls"}

---

> Tokens: 1
`;

test.each<readonly [TextPlace, { readonly from: number; readonly to: number } | null]>([
  [{ section: 0 }, { from: 5, to: 6 }],
  [
    { section: 0, part: 0 },
    { from: 8, to: 8 },
  ],
  [
    { section: 1, part: 0 },
    { from: 13, to: 14 },
  ],
  [
    { section: 1, part: 1 },
    { from: 16, to: 24 },
  ],
  [
    { section: 1, part: 2 },
    { from: 26, to: 31 },
  ],
  [
    { section: 1, part: 3 },
    { from: 33, to: 33 },
  ],
  [{ section: 1, part: 4 }, null],
  [{ section: 2 }, null],
])("%j", (place, lines) => {
  expect(placeLines(splitLines(file).lines, place)).toEqual(lines);
});

/** Checks that the places in a file are exactly those that the dialog parser finds. */
function agree(text: string): void {
  const { lines } = splitLines(text);
  const { sections } = locateDialog(text);
  for (const [section, { head, parts }] of sections.entries()) {
    expect(placeLines(lines, { section })).toEqual(head);
    expect(Array.from({ length: parts.length + 1 }, (_, part) => placeLines(lines, { section, part }))).toEqual([...parts, null]);
  }
  expect(placeLines(lines, { section: sections.length })).toBeNull();
}

const golden = "tests/dialog/golden";
test.each(readdirSync(golden).filter((name) => name.endsWith(".md")))("%s", (name) => {
  agree(readFileSync(`${golden}/${name}`, "utf8"));
});

test(
  "in every file that the engine writes",
  () => {
    fc.assert(
      fc.property(hostileDialog, (dialog) => agree(serialiseDialog(dialog))),
      { numRuns: runs },
    );
  },
  lawTimeout,
);
