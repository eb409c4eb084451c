import { expect, test } from "vitest";
import { ownAgentsIn } from "../../../src/app/project/agents-inside.ts";
import { ownAgentsInside } from "../../../src/app/texts/zip.ts";
import { historyWords, insideWords, projectNameOf, takenWords } from "../../../src/app/project/format.ts";

const file = (kind: "doc" | "dialog" | "deed", size: number) => ({ path: "x", size, kind, standing: "new" }) as const;
const nothing = { ok: true, project: null, added: 0, replaced: 0, renamed: 0, kept: 0, same: 0 } as const;

test("what is inside, in a sentence", () => {
  expect(insideWords({ files: [] })).toBe("This zip is empty.");
  expect(insideWords({ files: [file("doc", 10)] })).toBe("1 doc, 10 B.");
  expect(insideWords({ files: [file("doc", 10), file("doc", 10), file("dialog", 10), file("deed", 2_000_000)] })).toBe(
    "2 docs, 1 dialog, and 1 deed file, 2.0 MB.",
  );
});

test("what becomes of the history", () => {
  expect(historyWords({ kind: "none" })).toBe("No history included.");
  expect(historyWords({ kind: "whole", commits: 2 })).toBe("Includes history: 2 commits.");
  expect(historyWords({ kind: "left-out", why: "is on another branch" })).toBe("Its history can't be imported: it is on another branch.");
});

test("what was done, and nothing that was not", () => {
  expect(takenWords({ ...nothing, added: 1 })).toBe("1 file imported.");
  expect(takenWords({ ...nothing, replaced: 2, renamed: 1, kept: 1, same: 1 })).toBe(
    "0 files imported. 2 files replaced yours. Your versions are in the history. 1 file imported under another name. 1 file skipped; yours kept. 1 file already in your project.",
  );
});

test("a project is called as its zip", () => {
  expect(projectNameOf("My game.ZIP")).toBe("My game");
  expect(projectNameOf(".zip")).toBe("Imported project");
});

test("the agents that become the user's own, and what they may do", () => {
  const paths = ["vibey/agent-coder.md", "vibey/agent-_fork-resolver.md", "vibey/doc-main.md", "agents/other.md", "src/vibey/agent-x.md"];
  const own = ownAgentsIn({ files: paths.map((path) => ({ ...file("doc", 1), path })) });
  expect(own).toEqual(["coder", "_fork-resolver"]);
  expect(ownAgentsInside(2, own)).toBe(
    "2 agents in this zip: coder, _fork-resolver. They ask before they read files, unless you turn that on here.",
  );
});
