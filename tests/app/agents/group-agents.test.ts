import { expect, test } from "vitest";
import { groupAgents } from "../../../src/app/agents/group-agents.ts";

const agent = (place: "yours" | "found", slug: string, hash = slug, isSystem = false) => ({ place, slug, hash, isSystem });

test("agents are yours, or found and not yet yours; of those of one name the first can be adopted, and none of a name that is taken", () => {
  const all = [
    agent("yours", "coder"),
    agent("found", "coder"),
    agent("found", "coder", "other"),
    agent("found", "critic"),
    agent("found", "critic", "second"),
    agent("found", "_own", "own", true),
  ];
  const { yours, slugs, found, adoptable } = groupAgents(all);
  expect([yours, [...slugs], found, adoptable]).toEqual([[all[0]], ["coder"], all.slice(2), [all[3]]]);
});

test("each is looked at once: compared with each other, so many take longer than a test has", () => {
  const many = 300_000;
  const all = Array.from({ length: many }, (_, at) => agent(at % 2 === 0 ? "yours" : "found", `a${at}`));
  const { yours, found, adoptable } = groupAgents(all);
  expect([yours.length, found.length, adoptable.length]).toEqual([many / 2, many / 2, many / 2]);
});
