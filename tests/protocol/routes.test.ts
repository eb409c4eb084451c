import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { apiPage, callsOf, ownSegments } from "../../scripts/api.mjs";
import { routes } from "../../src/protocol/routes.ts";

const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), "utf8");
const calls = callsOf(await read("src/protocol/routes.ts"));

test("every call of the table is described: what it takes, and after an arrow what it answers", () => {
  expect(calls.map(({ method, path }) => `${method} ${path}`)).toEqual(Object.keys(routes));
  expect(calls.map(({ part }) => part)).toEqual(Object.values(routes));
  expect(calls.filter(({ says }) => !says.every((line) => line.includes("→")))).toEqual([]);
});

test("docs/api.md and the page's own paths are made from the table (node scripts/api.mjs)", async () => {
  expect(await read("docs/api.md")).toBe(apiPage(calls));
  expect(await read("src/protocol/own-segments.ts")).toBe(ownSegments(calls));
});
