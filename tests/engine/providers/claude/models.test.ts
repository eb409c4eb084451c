import { expect, test } from "vitest";
import { defaultModel } from "../../../../src/engine/providers/claude/defaults.ts";
import { realModels } from "../../../stand-in/claude-rules.ts";
import { bench, providerOn } from "./setup.ts";

const signal = () => new AbortController().signal;
const answering = (status: number, body: string) =>
  providerOn(async () => new Response(body, { status, headers: { "content-type": "application/json" } }));

test("all pages of the list, the default first, the rest in the server's order", async () => {
  const { api, provider } = await bench({ pageSize: 5 });
  const list = await provider.models(signal());
  const expected = [defaultModel, ...realModels.filter((model) => model !== defaultModel)];
  expect(list).toEqual({ ok: true, models: expected });
  expect(api.requests.length).toBe(Math.ceil(realModels.length / 5));
});

test("five hundred entries in the form of other servers", async () => {
  const data = Array.from({ length: 500 }, (_, index) => ({ id: `model-${index}`, object: "model" }));
  const list = await answering(200, JSON.stringify({ object: "list", data })).models(signal());
  expect(list.ok && list.models.length).toBe(500);
});

test("entries without a usable name, and names twice, are left out", async () => {
  const data = [{ id: "a" }, { id: "a" }, { id: "" }, { id: 7 }, null, { id: "x y" }, { id: "org/b:latest" }];
  expect(await answering(200, JSON.stringify({ data })).models(signal())).toEqual({ ok: true, models: ["a", "org/b:latest"] });
});

test("a server that always has more", async () => {
  let page = 0;
  const endless = providerOn(async () => Response.json({ data: [{ id: `m${page}` }], has_more: true, last_id: `m${page++}` }));
  const list = await endless.models(signal());
  expect(list.ok && list.models.length).toBe(20);
});

test.each([
  ["no such list", answering(404, '{"detail":"Not Found"}'), /didn't return a readable model list.*Enter the model name/],
  ["no list in it", answering(200, '{"models":[]}'), /didn't return a readable model list/],
  ["no JSON", answering(200, "<html>"), /didn't return a readable model list/],
  [
    "a wrong key",
    answering(401, '{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}'),
    /rejected the API key/,
  ],
  ["no connection", providerOn(() => Promise.reject(new TypeError("Failed to fetch"))), /Couldn't connect to/],
  ["no key", providerOn(() => Promise.reject(new Error("sent")), undefined, { apiKey: null }), /No API key/],
])("%s", async (_what, provider, message) => {
  const list = await provider.models(signal());
  expect(list.ok).toBe(false);
  expect(list.ok ? "" : list.message).toMatch(message);
});

test("an abort", async () => {
  const stop = new AbortController();
  const list = providerOn(() => new Promise(() => {})).models(stop.signal);
  setImmediate(() => stop.abort());
  expect(await list).toEqual({ ok: false, message: "Stopped." });
});
