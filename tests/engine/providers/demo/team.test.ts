import { expect, test } from "vitest";
import { agentOf } from "../../../../src/dialog/agent.ts";
import { teamStep } from "../../../../src/engine/providers/demo/team.ts";
import { soon } from "../../../soon.ts";
import { deferred } from "../../deferred.ts";
import { call, ended, type Reply } from "../../harness.ts";
import { run, start, states, team, textOf, until, warnings } from "../../scheduler/team.ts";

test("the demo's run of five: a spawn that is refused, a conflict, signals and a finished page", async () => {
  const both = deferred<void>();
  const asked = new Set<string>();
  const answer: Reply = async function* ({ dialog, system }) {
    const slug = agentOf(dialog)?.slug ?? "";
    const step = teamStep(dialog, system);
    if (!step) throw new Error(`no part for ${slug}`);
    // The two researchers work at the same time.
    if (slug.startsWith("researcher-")) {
      if (asked.add(slug).size === 2) both.resolve();
      await both.promise;
    }
    yield { type: "text", text: step.text };
    for (const { id, name, input } of step.calls) yield call(id, name, input);
    yield ended;
  };
  const b = await team({}, { answer });
  await start(b);
  await soon(async () => expect(await textOf(b, "orchestrator")).toContain("The page is finished"));
  await until(b, "completed");
  expect((await states(b)).toSorted()).toEqual([
    "critic.md completed",
    "orchestrator.md completed",
    "researcher-coast.md completed",
    "researcher-moon.md completed",
    "writer.md completed",
  ]);
  expect((await run(b)).agents.find(({ file }) => file === "agents/critic.md")?.depth).toBe(2);
  expect([...new Set(await warnings(b))].filter((code) => code !== "progress")).toEqual(["conflict", "loop"]);
  expect(await b.text("memory/notes.md")).toContain("Bay of Fundy");
  expect(await b.text("memory/notes.md")).toContain("Moon");
  expect(await b.text("artifacts/tides.html")).toContain("<caption>");
  expect((await textOf(b, "orchestrator")).match(/> From: signal /g)).toHaveLength(3);
  expect(b.reported).toEqual([]);
});

test("outside of a run the demo has another story", () => {
  expect(teamStep({ format: 2, head: [], parts: [], sections: [] }, "")).toBeNull();
});
