import { afterEach, expect, test, vi } from "vitest";
import { agent, human, vibey } from "../../src/fs/actor.ts";
import { changedBy } from "../../src/app/docs/changed-by.ts";

afterEach(() => vi.unstubAllGlobals());

/** A history whose newest commit of the file has this text. */
function historyWith(text: string, by: object, summary: string) {
  vi.stubGlobal("fetch", async (path: string) =>
    path.startsWith("history?") ? Response.json({ commits: [{ id: "c1", by, summary }], more: false }) : new Response(text),
  );
}

test.each([
  [agent("20261121-201100-build"), "The agent of “build” changed this file."],
  [vibey, "Vibey changed this file."],
])("an event by %j is enough", async (by, sentence) => {
  expect(await changedBy("vibey/doc-a.md", "theirs", by)).toBe(sentence);
});

test.each([
  [human, "docs: edited a.md", "You saved another version of this file in another tab."],
  [human, "imported 3 files from a zip", "An import changed this file."],
  [human, "undid “docs: edited a.md”", "You restored this file or undid a change to it."],
  [agent("20261121-201100-build"), "docs: edited a.md", "The agent of “build” changed this file."],
])("the history tells the rest: %j, %j", async (by, summary, sentence) => {
  historyWith("theirs", by, summary);
  expect(await changedBy("vibey/doc-a.md", "theirs", null)).toBe(sentence);
});

test("a commit that left another text is not the one", async () => {
  historyWith("older", human, "imported 3 files from a zip");
  expect(await changedBy("vibey/doc-a.md", "theirs", human)).toBe("You saved another version of this file in another tab.");
  expect(await changedBy("vibey/doc-a.md", "theirs", null)).toBe("This file changed while you were editing.");
});
