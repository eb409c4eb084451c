import { expect, test } from "vitest";
import { createAgentLookup } from "../../../src/engine/agents/agent-lookup.ts";
import { filesOf } from "../turn/tools/project.ts";

test("after the code could not be loaded, the next lookup loads it", async () => {
  const files = await filesOf({ "vibey/agent-coder.md": "---\ntools: []\n---\nYou are Coder.\n" });
  let loads = 0;
  const agents = createAgentLookup(files, () => {
    loads += 1;
    return loads === 1 ? Promise.reject(new TypeError("Failed to fetch")) : import("../../../src/engine/agents/registry.ts");
  });
  await expect(agents.names()).rejects.toThrow("Failed to fetch");
  expect(await agents.names()).toEqual(["coder"]);
  expect((await agents.mentioned("@coder?", null)).map(({ agent }) => agent.slug)).toEqual(["coder"]);
  expect(loads).toBe(2);
});
