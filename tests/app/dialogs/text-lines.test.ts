import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { StreamFrame } from "../../../src/protocol/index.ts";
import { afterFrame, patchLines, splitLines, type TextLines } from "../../../src/app/dialogs/text-lines.ts";

const whole = ({ lines, ended }: TextLines) => lines.join("\n") + (ended ? "\n" : "");
const texts = fc.array(fc.constantFrom("a", "bc", "\n", "\n\n", "déf", "😀")).map((pieces) => pieces.join(""));

describe("lines", () => {
  test.each([
    ["", [""], false],
    ["a", ["a"], false],
    ["a\n", ["a"], true],
    ["a\n\nb", ["a", "", "b"], false],
  ])("of %j", (text, lines, ended) => {
    expect(splitLines(text)).toEqual({ lines, ended });
  });

  test("after any patch are those of the text it makes", () => {
    fc.assert(
      fc.property(texts, texts, fc.nat(), (before, text, at) => {
        const from = at % (before.length + 1);
        expect(whole(patchLines(splitLines(before), before.length, from, text))).toBe(before.slice(0, from) + text);
      }),
    );
  });

  test("after many patches, one upon the other", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(texts, fc.nat())), (patches) => {
        let [text, lines] = ["", splitLines("")];
        for (const [piece, at] of patches) {
          const from = at % (text.length + 1);
          lines = patchLines(lines, text.length, from, piece);
          text = text.slice(0, from) + piece;
        }
        expect(whole(lines)).toBe(text);
      }),
    );
  });
});

test("frames make the file, and nothing once it is gone", () => {
  const frames: StreamFrame[] = [
    { type: "snapshot", version: 1, dialogId: "a", filename: "f", status: "active", text: "# Dialog\n" },
    { type: "patch", version: 2, from: 9, text: "\n## User\n" },
    { type: "status", version: 3, filename: "g", status: "done" },
  ];
  const file = frames.reduce(afterFrame, null);
  expect(file).toEqual({ lines: ["# Dialog", "", "## User"], ended: true, length: 18 });
  expect(afterFrame(file, { type: "gone", version: 4 })).toBeNull();
});
