import * as fc from "fast-check";
import { expect, test } from "vitest";
import { lawRuns } from "../../law-runs.ts";
import { allTools, canLaunchUndefined, toolPermissionsOf, type Launcher } from "../../../src/engine/agents/tool-permissions.ts";

const anywhere = { reads: null, writes: null };
const slug = fc.constantFrom("lead", "coder", "critic");
const tools: fc.Arbitrary<string[]> = fc.subarray([...allTools]);
const link = fc.record({ slug, tools, agents: fc.option(fc.uniqueArray(slug)) });

/** A chain of agents in which each starts the next, with these tools. */
function chain(links: readonly { slug: string; tools: string[]; agents: string[] | null }[]): (Launcher & { slug: string })[] {
  const made: (Launcher & { slug: string })[] = [];
  for (const { slug: name, tools: wants, agents } of links)
    made.push({ slug: name, agents, ...anywhere, ...toolPermissionsOf(name, wants, made.at(-1) ?? null) });
  return made;
}

test("law: no chain raises a ceiling, and no agent has a tool that its file doesn't list or its ceiling lacks", () => {
  fc.assert(
    fc.property(fc.array(link, { minLength: 1, maxLength: 8 }), (links) => {
      const made = chain(links);
      for (const [at, { tools: own, ceiling }] of made.entries()) {
        const raised = own.filter((tool) => links[at]?.tools.includes(tool) !== true || !ceiling.includes(tool));
        const above = made[at - 1]?.ceiling ?? allTools;
        if (raised.length > 0 || ceiling.some((tool) => !above.some((one) => one === tool))) throw new Error(JSON.stringify(made));
      }
    }),
    lawRuns(500),
  );
});

test("law: without a name in its file an agent starts none that can do more than it can", () => {
  fc.assert(
    fc.property(fc.array(link, { minLength: 2, maxLength: 8 }), (links) => {
      const made = chain(links);
      for (const [at, { tools: own, slug: name }] of made.entries()) {
        const by = made[at - 1];
        if (by === undefined || by.agents?.includes(name) === true) continue;
        if (own.some((tool) => !by.tools.includes(tool))) throw new Error(JSON.stringify(made));
      }
    }),
    lawRuns(500),
  );
});

test("one that leads can start agents that write, where its file names them and the user started it", () => {
  const lead = { ...toolPermissionsOf("lead", ["launch_agent", "vfs_read"], null), agents: ["coder"], ...anywhere };
  expect(toolPermissionsOf("coder", ["write_file", "run_command"], lead).tools).toEqual(["write_file", "run_command"]);
  expect(toolPermissionsOf("critic", ["write_file", "vfs_read"], lead).tools).toEqual(["vfs_read"]);
  const coder = { ...toolPermissionsOf("lead", ["launch_agent", "vfs_read"], { ...lead, agents: null }), agents: ["coder"], ...anywhere };
  expect(toolPermissionsOf("coder", ["write_file", "vfs_read"], coder).tools).toEqual(["vfs_read"]);
});

test("only an agent that has every tool starts one that no file defines", () => {
  expect(canLaunchUndefined(null)).toBe(true);
  expect(canLaunchUndefined({ ...toolPermissionsOf("a", allTools, null), agents: null, ...anywhere })).toBe(true);
  expect(canLaunchUndefined({ ...toolPermissionsOf("a", allTools, null), agents: null, reads: null, writes: ["src/**"] })).toBe(false);
  for (const tool of allTools)
    expect(
      canLaunchUndefined({
        ...toolPermissionsOf(
          "a",
          allTools.filter((one) => one !== tool),
          null,
        ),
        agents: null,
        ...anywhere,
      }),
    ).toBe(false);
});
