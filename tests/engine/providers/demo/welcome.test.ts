import { expect, test } from "vitest";
import { colourIn } from "../../../../src/engine/providers/demo/game/files.ts";
import { titleOf } from "../../../../src/engine/providers/demo/call-history.ts";
import { welcomeFiles } from "../../../../src/engine/project/welcome/welcome.ts";

const files = new Map(welcomeFiles().map(({ name, content }) => [name, content]));

test("the first project starts from doc-main.md, and every doc can be reached from it", () => {
  const reached = new Set<string>();
  const visit = (name: string) => {
    if (reached.has(name)) return;
    reached.add(name);
    for (const [, target = ""] of (files.get(name) ?? "").matchAll(/\]\(([^)]+)\)/g)) visit(target);
  };
  visit("doc-main.md");
  expect([...reached].toSorted()).toEqual([...files.keys()].toSorted());
});

test("nothing is allowed or limited before the human says so", () => {
  for (const content of files.values()) expect(content).not.toMatch(/^\\*> /m);
});

test("every doc has a title and ends with one line end", () => {
  for (const content of files.values()) {
    expect(titleOf(content)).not.toBeNull();
    expect(content).toMatch(/[^\n]\n$/);
  }
});

test("the demo finds in it what it can act on", () => {
  expect(titleOf(files.get("doc-main.md") ?? "")).toBe("Quiet tic-tac-toe");
  expect(colourIn(files.get("doc-look.md") ?? "")).toBe("plum");
});
