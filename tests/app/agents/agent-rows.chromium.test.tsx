import { render } from "solid-js/web";
import type { Component } from "solid-js";
import { afterEach, expect, test, vi } from "vitest";
import type { AgentView } from "../../../src/protocol/index.ts";
import { soon } from "../../soon.ts";

/** Imported through Vite: this folder has file names that differ only in case, which TypeScript rejects in one program. */
const files = import.meta.glob("../../../src/app/agents/AgentRows.tsx");
const module = await files["../../../src/app/agents/AgentRows.tsx"]?.();
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the component's own type.
const AgentRows = Reflect.get(module as object, "AgentRows") as Component<Record<string, unknown>>;

let dispose = () => {};
afterEach(() => {
  dispose();
  vi.unstubAllGlobals();
});

test("of thousands of agents fifty are shown, and fifty more with each click", async () => {
  vi.stubGlobal("fetch", async () => Response.json({}));
  const agents = Array.from({ length: 2_030 }, (_, at) => ({
    path: `agents/a${at}.md`,
    slug: `a${at}`,
    place: "found",
    displayName: `a${at}`,
    description: "",
    tools: [],
    capabilities: [],
    model: null,
    isSystem: false,
    problems: [],
    unused: [],
  })) as unknown as AgentView[];
  const list = document.createElement("ul");
  document.body.replaceChildren(list);
  dispose = render(() => <AgentRows asked={0} agents={agents} isOff={() => false} changed={() => undefined} children={() => null} />, list);
  const rows = () => list.querySelectorAll("li b").length;
  const more = () => list.querySelector("button");
  expect([rows(), more()?.textContent]).toEqual([50, "Show 50 more (1,980 left)"]);
  more()?.click();
  await soon(() => expect([rows(), more()?.textContent]).toEqual([100, "Show 50 more (1,930 left)"]));
});
