import { expect, test } from "vitest";
import { chosenVersion, comparedWith, inOrder } from "../../../src/app/agents/versions/choose.ts";
import type { AgentVersion } from "../../../src/protocol/index.ts";

/** Newest first. Each word is `<commit><hash>`, or `<commit>-` if the file was removed. */
const history = (words: string): AgentVersion[] =>
  words.split(" ").map((word) => ({
    commit: word.charAt(0),
    hash: word.endsWith("-") ? null : word.slice(1),
    time: "2026-11-26T09:00:00.000Z",
    by: { kind: "human" },
    summary: "edited agent-coder.md",
  }));

test.each<[words: string, named: string | null, picked: string | null, chosen: string | null, older: string | null, newer: string | null]>([
  ["cX bY aX", null, null, "c", "b", "c"],
  ["cX bY aX", "a", null, "a", "a", "c"],
  ["cX bY aX", "X", null, "c", "b", "c"],
  ["cX bY aX", "Y", "a", "b", "a", "b"],
  ["cX bY aX", "a", "b", "a", "a", "b"],
  ["cX bY aX", "b", "b", "b", "b", "c"],
  ["cX b- aX", "b", null, "b", "b", "c"],
  ["cX bY aX", "Z", null, null, null, null],
  ["aX", null, null, "a", null, null],
])("of %s %s beside %s", (words, named, picked, chosen, older, newer) => {
  const all = history(words);
  const version = chosenVersion(all, named);
  expect(version?.commit ?? null).toBe(chosen);
  const pair = version && inOrder(all, version, comparedWith(all, version, picked));
  expect([pair?.older.commit ?? null, pair?.newer.commit ?? null]).toEqual([older, newer]);
});
