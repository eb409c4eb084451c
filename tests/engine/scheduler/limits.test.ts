import { expect, test } from "vitest";
import { limitsOf } from "../../../src/engine/scheduler/doc-limits.ts";
import { limits } from "../../../src/protocol/limits.ts";
import { bench } from "../harness.ts";

const own = {
  agents: limits.agents,
  depth: limits.depth,
  launches: limits.launches,
  requests: limits.requestsPerTurn,
  command: limits.commandMs / 1000,
};

test.each([
  ["", {}],
  ["> Limit: agents 4", { agents: 4 }],
  ["> Limit: agents 4\n> Limit: depth 3\n> Limit: launches 20\n> Limit: requests 50", { agents: 4, depth: 3, launches: 20, requests: 50 }],
  ["> Limit: agents 4\ntext\n> Limit: agents 2", { agents: 2 }],
  ["> Limit: agents 0", { agents: 0 }],
  ["> Limit: agents 007", { agents: 7 }],
  ["> Limit: agents 4\r", { agents: 4 }],
  ["> Limit: agents 4\n> Limit: agents four", { agents: 4 }],
  ["> Limit: agents  4", {}],
  ["> Limit: agents 4 at most", {}],
  ["> Limit: agents -1", {}],
  ["> Limit: agents 1.5", {}],
  ["> Limit: agents 9999999999999999", {}],
  ["> Limit: Agents 4", {}],
  ["> Limit: agents", {}],
  ["> Limit:agents 4", {}],
  [" > Limit: agents 4", {}],
  ["\\> Limit: agents 4", {}],
  ["> Limit: command 120", { command: 120 }],
  ["> Limit: command 120\n> Limit: command 0", { command: 120 }],
  ["> Limit: command 9999", { command: 3600 }],
  ["> Limit: command 1.5", {}],
  ["> Limit: command 10 s", {}],
  ["> Limit: cost 5", {}],
  ["> Limit: constructor 5", {}],
])("%j", (main, said) => {
  const read = limitsOf(main);
  expect(Object.fromEntries(Object.entries(read).map(([name, { value }]) => [name, value]))).toEqual({ ...own, ...said });
  const fromDoc = Object.entries(read).flatMap(([name, { from }]) => (from === "doc-main.md" ? [name] : []));
  expect(fromDoc).toEqual(Object.keys(own).filter((name) => name in said));
});

test("GET /limits says what holds, where it stands, and who runs; a change of doc-main.md counts at once", async () => {
  const b = await bench([], { welcome: [{ name: "doc-main.md", content: "> Limit: agents 2\n" }] });
  const values = async () =>
    ((await (await b.ask("GET", "/limits")).json()) as { limits: { name: string; value: number; from: string }[] }).limits.map(
      ({ name, value, from }) => `${name} ${value} ${from}`,
    );
  const rest = [
    `depth ${own.depth} default`,
    `launches ${own.launches} default`,
    `requests ${own.requests} default`,
    `command ${own.command} default`,
  ];
  expect(await (await b.ask("GET", "/limits")).json()).toMatchObject({ running: [], queued: [] });
  expect(await values()).toEqual(["agents 2 doc-main.md", ...rest]);
  expect((await b.ask("PUT", "/limits", {})).status).toBe(405);
  await b.ask("POST", "/file/doc-main.md", { content: "> Limit: agents 3\n" });
  expect(await values()).toEqual(["agents 3 doc-main.md", ...rest]);
  await b.ask("DELETE", "/file/doc-main.md");
  expect(await values()).toEqual([`agents ${own.agents} default`, ...rest]);
});
