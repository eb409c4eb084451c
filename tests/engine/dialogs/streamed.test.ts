import { expect, test } from "vitest";
import { isStreamed } from "../../../src/engine/dialogs/streamed.ts";
import { type Actor, agent, human, vibey } from "../../../src/fs/actor.ts";
import { path } from "../../fs/notation.ts";

const dialog = "vibey/dialog-20260101-000000-x-active.md";

test.each<[what: string, file: string, by: Actor, streamed: boolean]>([
  ["text of a response", dialog, vibey, true],
  ["a step of a turn", dialog, agent("20260101-000000-x"), false],
  ["an edit by the user", dialog, human, false],
  ["a doc of the demo", "vibey/doc-main.md", vibey, false],
  ["a file of the deed", "dialog-20260101-000000-x-active.md", vibey, false],
])("%s", (_what, file, by, streamed) => {
  expect(isStreamed({ kind: "changed", path: path(file), version: 1, by })).toBe(streamed);
  expect(isStreamed({ kind: "removed", path: path(file), by })).toBe(false);
});
