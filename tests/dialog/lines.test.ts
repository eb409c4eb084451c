import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Lines, locateDialog, type LocatedDialog } from "../../src/dialog/lines.ts";
import type { Part, Section } from "../../src/dialog/model.ts";
import { parseDialog } from "../../src/dialog/parse.ts";
import { partText, sectionHeadText, serialiseDialog } from "../../src/dialog/serialise.ts";
import { hostileDialog, hostileFile, lawTimeout, runs } from "./hostile.ts";

/** The lines cut out of the file, as `sed -n 'a,bp'` prints them. */
function cut(file: string, { from, to }: Lines): string {
  const lines = file.split("\n");
  const last = to === lines.length ? "" : "\n";
  return lines.slice(from - 1, to).join("\n") + last;
}

/** Each part with its lines. Fails if their numbers differ. */
function located({ dialog, sections }: LocatedDialog): { section: Section; head: Lines; parts: { part: Part; lines: Lines }[] }[] {
  expect(sections.length).toBe(dialog.sections.length);
  return dialog.sections.map((section, at) => {
    const { head, parts } = sections[at] ?? { head: { from: 0, to: 0 }, parts: [] };
    expect(parts.length).toBe(section.parts.length);
    return { section, head, parts: section.parts.map((part, nth) => ({ part, lines: parts[nth] ?? { from: 0, to: 0 } })) };
  });
}

test("each thing is on its lines", () => {
  const file = `# Dialog
> Format: 1
> Provider: claude | Model: m

## User
> Time: t

Make it.

Two paragraphs.

## Assistant
> Time: t - t

Well.

---
Tool request: run_command [a]

    {"command": "ls"}

Decision: approved
Result:

    {"stdout": "x"}

---

> Usage: input=1 output=1 total=2
> Context: used=2 window=2
`;
  const { sections, total } = locateDialog(file);
  const lines = ({ from, to }: Lines) => `${from}-${to}`;
  expect(sections.map(({ head, parts }) => [lines(head), parts.map(lines)])).toEqual([
    ["5-6", ["8-10"]],
    ["12-13", ["15-15", "17-27", "29-30"]],
  ]);
  expect(total).toBe(30);
});

test.each([
  ["", 0],
  ["a", 1],
  ["a\n", 1],
  ["a\nb", 2],
  ["\n\n", 2],
])("%j has %i lines", (file, total) => {
  expect(locateDialog(file)).toMatchObject({ total, sections: [] });
});

describe("laws", () => {
  test(
    "in a file that the engine wrote, the lines cut out are exactly the part's text",
    () => {
      fc.assert(
        fc.property(hostileDialog, (given) => {
          const file = serialiseDialog(given);
          for (const { section, head, parts } of located(locateDialog(file))) {
            expect(cut(file, head)).toBe(sectionHeadText(section).slice(1));
            for (const { part, lines } of parts) expect(cut(file, lines)).toBe(partText(part).slice(1));
          }
        }),
        { numRuns: runs },
      );
    },
    lawTimeout,
  );

  test(
    "in any file, the lines cut out say the part and nothing else, and come in order",
    () => {
      fc.assert(
        fc.property(hostileFile(serialiseDialog), (file) => {
          const found = locateDialog(file);
          expect(found.dialog).toStrictEqual(parseDialog(file));
          const header = found.dialog.format === null ? "# Dialog\n\n" : `# Dialog\n> Format: ${found.dialog.format}\n\n`;
          let before = 0;
          for (const { section, head, parts } of located(found)) {
            for (const lines of [head, ...parts.map((each) => each.lines)]) {
              expect(lines.from).toBeGreaterThan(before);
              expect(lines.to).toBeGreaterThanOrEqual(lines.from);
              before = lines.to;
            }
            expect(parseDialog(header + cut(file, head)).sections).toStrictEqual([{ ...section, parts: [] }]);
            const heading = section.role === "user" ? "## User\n\n" : "## Assistant\n\n";
            for (const { part, lines } of parts) {
              const alone = parseDialog(`${header}${heading}${cut(file, lines)}`).sections.flatMap((each) => each.parts);
              expect(alone.map(anyId)).toStrictEqual([anyId(part)]);
            }
          }
          expect(before).toBeLessThanOrEqual(found.total);
        }),
        { numRuns: runs },
      );
    },
    lawTimeout,
  );
});

/** Replaces the id: an id depends on the ids before it. */
function anyId(part: Part): Part {
  return part.kind === "call" ? { kind: "call", call: { ...part.call, id: "any" } } : part;
}

test("a million lines of one part, and a million parts, are located at once", () => {
  const lines = "a\n".repeat(1_000_000);
  const long = locateDialog(`# Dialog\n> Format: 1\n\n## User\n\n${lines}`);
  expect(long.sections[0]?.parts).toEqual([{ from: 6, to: 1_000_005 }]);
  const many = locateDialog(`# Dialog\n> Format: 1\n${"\n## User\n\na\n".repeat(250_000)}`);
  expect(many.sections.length).toBe(250_000);
  expect(many.sections.at(-1)?.parts).toEqual([{ from: 1_000_002, to: 1_000_002 }]);
});
