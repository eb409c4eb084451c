import { expect, test } from "vitest";
import { words } from "../../../src/app/calls/describe.ts";
import { toolTexts } from "../../../src/app/texts/tools.ts";

test("a tool is named in each place where a text names it", () => {
  const { verb, wants, asks, always } = toolTexts("edit_file");
  expect([verb, wants, asks, always]).toEqual([
    "Edit",
    "The agent wants to edit a file",
    "wants to edit a file",
    "Always allow editing files in this dialog",
  ]);
});

test.each(["browse", "constructor", "__proto__"])("a tool that nobody knows goes by its own name: %s", (tool) => {
  expect(words(tool).wants).toBe(`The agent wants to use ${tool}`);
  expect(words(tool).all).toBe(tool);
});

test("nothing in the name of such a tool is hidden", () => {
  expect(words("run\u202e").working).toBe("using run⟨U+202E⟩…");
});
