import { expect, test } from "vitest";
import { placeLines } from "../../../src/app/dialogs/place-lines.ts";

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
`;

test.each([
  [{ section: 0 }, { from: 5, to: 6 }],
  [
    { section: 0, part: 0 },
    { from: 8, to: 8 },
  ],
  [
    { section: 1, part: 0 },
    { from: 13, to: 14 },
  ],
  [{ section: 1, part: 1 }, null],
  [{ section: 2 }, null],
])("%j", (place, lines) => {
  expect(placeLines(file, place)).toEqual(lines);
});
