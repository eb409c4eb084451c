import { expect, test } from "vitest";
import { forwardRoutes } from "../../../src/engine/routes/forward-routes.ts";
import { loadedOnce } from "../../../src/engine/routes/loaded-once.ts";
import { createRoutes, route } from "../../../src/engine/routes/route.ts";

const text = (words: string) => new Response(words);

function routes() {
  const reported: unknown[] = [];
  const made = createRoutes((error) => reported.push(error));
  route(made, "/dialog/new", { POST: () => text("new") });
  route(made, "/dialog/:id", { GET: ({ param }) => text(`dialog ${param("id")}`) });
  route(made, "/deed/:path{.+}", {
    GET: ({ param }) => text(`file ${param("path")}`),
    PUT: async ({ request }) => text(`put ${await request.text()}`),
    DELETE: () => {
      throw new TypeError("no");
    },
  });
  route(made, "/copy.zip", { GET: ({ url }) => text(`copy ${url.searchParams.get("generation")}`) });
  forwardRoutes(made, "history", async (request) => text(`history ${new URL(request.url).pathname}`));
  const ask = async (call: string) => {
    const [method = "", path = ""] = call.split(" ");
    const answer = await made.fetch(new Request(`https://vibey${path}`, { method, ...(method === "PUT" ? { body: "bytes" } : {}) }));
    return `${answer.status} ${await answer.text()}`;
  };
  return { made, ask, reported };
}

test.each([
  ["POST /dialog/new", "200 new"],
  ["GET /dialog/new", '405 {"error":"Method GET not allowed"}'],
  ["GET /dialog/20260101-000000-a", "200 dialog 20260101-000000-a"],
  ["GET /dialog/a%20b", "200 dialog a b"],
  ["GET /dialog/a%2Fb", "200 dialog a/b"],
  ["GET /dialog/%E0%A4%A", "200 dialog %E0%A4%A"],
  ["GET /dialog/a/b", '404 {"error":"Not found"}'],
  ["GET /dialog/", '404 {"error":"Not found"}'],
  ["GET /deed/src/a.ts", "200 file src/a.ts"],
  ["GET /deed/%D0%96/%F0%9F%8E%B2.md", "200 file Ж/🎲.md"],
  ["PUT /deed/a", "200 put bytes"],
  ["GET /copy.zip?generation=3", "200 copy 3"],
  ["GET /copyxzip", '404 {"error":"Not found"}'],
  ["GET /xcopy.zip", '404 {"error":"Not found"}'],
  ["GET /history", "200 history /history"],
  ["GET /history/x/diff/a/b", "200 history /history/x/diff/a/b"],
  ["PATCH /constructor", '404 {"error":"Not found"}'],
  ["constructor /dialog/new", '405 {"error":"Method constructor not allowed"}'],
])("%s is answered with %s", async (call, answer) => {
  expect(await routes().ask(call)).toBe(answer);
});

test("a method that a path lacks is answered with those that there are", async () => {
  const { made } = routes();
  const answer = await made.fetch(new Request("https://vibey/deed/a", { method: "POST" }));
  expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, PUT, DELETE"]);
});

test("what throws is answered with 500 and reported once", async () => {
  const { ask, reported } = routes();
  expect(await ask("DELETE /deed/a")).toBe('500 {"error":"Vibey failed: no"}');
  expect(reported).toEqual([new TypeError("no")]);
});

test("code that could not be loaded is loaded again with the next call", async () => {
  let loads = 0;
  const fetch = loadedOnce(async () => {
    loads += 1;
    if (loads === 1) throw new TypeError("offline");
    return async () => text("loaded");
  });
  const request = new Request("https://vibey/search");
  await expect(fetch(request)).rejects.toThrow("offline");
  expect(await (await fetch(request)).text()).toBe("loaded");
  await fetch(request);
  expect(loads).toBe(2);
});
