import type { SyntaxNode } from "@lezer/common";
import { GFM, parser } from "@lezer/markdown";
import { expect, test } from "vitest";
import { GroupedParser } from "../../../../src/app/docs/editor/syntax/grouped-parser.ts";
import { limits, withLimits } from "../../../../src/app/docs/editor/syntax/limits.ts";
import { floods } from "../../../../chaos/floods/texts.ts";

const markdown = parser.configure([GFM, withLimits]);
const length = 20_000;
const blocks = new Set(["Paragraph", "TableCell", "ATXHeading1", "SetextHeading1"]);

/** The shape of a parsed text: the depth of its nodes, and the most marks in one block. */
function shape(text: string): { depth: number; marks: number } {
  let [depth, deepest, marks] = [0, 0, 0];
  new GroupedParser(markdown).parse(text).iterate({
    enter({ name, node }) {
      depth += 1;
      deepest = Math.max(deepest, depth);
      if (blocks.has(name)) marks = Math.max(marks, children(node));
    },
    leave: () => void (depth -= 1),
  });
  return { depth: deepest, marks };
}
function children(node: SyntaxNode): number {
  let count = 0;
  for (let child = node.firstChild; child !== null; child = child.nextSibling) if (child.name !== "QuoteMark") count += 1;
  return count;
}

test.each(Object.entries(floods))("%s: no step of the parser is about more than its limits", (_, make) => {
  const { depth, marks } = shape(make(length));
  // A list contains items, and an item contains blocks; in a paragraph, emphasis adds one level for every two marks.
  expect(depth).toBeLessThan(2 * limits.depth + limits.marks);
  expect(marks).toBeLessThanOrEqual(2 * limits.marks);
});

test("an ordinary paragraph is read as ever, a long one shows as it is written", () => {
  const names = (text: string): string[] => {
    const found: string[] = [];
    markdown.parse(text).iterate({ enter: ({ name }) => void found.push(name) });
    return found;
  };
  expect(names(`${"Some **bold** words. ".repeat(50)}\n`)).toContain("StrongEmphasis");
  expect(names(`${"Some **bold** words. ".repeat(500)}\n`)).toEqual(["Document", "Paragraph"]);
});
