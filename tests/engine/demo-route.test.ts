import { expect, test } from "vitest";
import { bench } from "./harness.ts";

const demoDocs = [
  { name: "doc-main.md", content: "# A game\n" },
  { name: "doc-look.md", content: "# The look\n" },
];

test("a new project is empty; the demo's docs can be read without being put there", async () => {
  const b = await bench([], { welcome: [], demoDocs });
  expect(await (await b.ask("GET", "/demo")).json()).toEqual(demoDocs);
  expect(await (await b.ask("GET", "/files")).json()).toEqual([]);
});

test("they are put into a project without files, and a second time changes nothing", async () => {
  const b = await bench([], { welcome: [], demoDocs });
  for (let times = 0; times < 2; times += 1) {
    expect((await b.ask("POST", "/demo")).status).toBe(200);
    expect(await (await b.ask("GET", "/files")).json()).toEqual(["doc-look.md", "doc-main.md"]);
  }
  const { etag } = { etag: (await b.ask("GET", "/file/doc-main.md")).headers.get("etag") };
  await b.ask("POST", "/demo");
  expect((await b.ask("GET", "/file/doc-main.md")).headers.get("etag")).toBe(etag);
});

test.each([
  ["another doc", "/file/doc-mine.md", { content: "Mine.\n" }],
  ["another doc-main.md", "/file/doc-main.md", { content: "Mine.\n" }],
  ["the same doc-main.md alone", "/file/doc-main.md", { content: "# A game\n" }],
] as const)("a project that has %s is left as it is", async (_name, path, body) => {
  const b = await bench([], { welcome: [], demoDocs });
  await b.ask("POST", path, body);
  const answer = await b.ask("POST", "/demo");
  expect(answer.status).toBe(409);
  expect(await (await b.ask("GET", "/files")).json()).toEqual([path.slice("/file/".length)]);
});
