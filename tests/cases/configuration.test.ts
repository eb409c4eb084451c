import { expect } from "vitest";
import { goesOn, startCase } from "./engine.ts";
import { onWires } from "./on-wires.ts";
import { endOf, lineOf, startAlone, words } from "./provider.ts";

const hello = { blocks: [{ text: "Hello" }] };
const paths = { messages: "/v1/messages", chat: "/v1/chat/completions", responses: "/v1/responses" };

onWires(
  "74. a base URL in any spelling leads to the same place",
  async (name) => {
    const { wire, settings, ask } = await startAlone(name, { models: ["my-model"] });
    const port = new URL(wire.url).port;
    const spellings = [
      wire.url,
      `${wire.url}/`,
      `${wire.url}/v1`,
      `  ${wire.url}/v1/ \n`,
      `${wire.url}${paths[name]}`,
      `localhost:${port}`,
    ];
    for (const spelling of spellings) {
      settings.baseURL = spelling;
      wire.play(hello);
      expect(words(await ask({ model: "my-model" }))).toEqual(['"Hello"', "end"]);
    }
    expect(wire.requests.map(({ path }) => path)).toEqual(spellings.map(() => paths[name]));
  },
  ["messages", "chat"],
);

onWires("74. a base URL that sends the key in the open, or none at all, is explained before anything is sent", async (name) => {
  const { world, settings, ask } = await startAlone(name);
  for (const [url, why] of [
    ["http://models.example/v1", /https:\/\//],
    ["ftp://models.example", /https:\/\//],
    ["https://me:secret@models.example", /password/],
    ["https://", /URL/],
  ] as const) {
    settings.baseURL = url;
    const events = await ask();
    expect(endOf(events)).toBe("error unreachable");
    expect(lineOf(events)).toMatch(why);
  }
  expect(world.asked).toEqual([]);
});

onWires("75. a key keeps no white space, neither around it nor where a line was broken", async (name) => {
  const { wire, settings, ask } = await startAlone(name);
  for (const key of [`\n ${wire.key}\t\r\n`, wire.key.replace("right", "ri\nght")]) {
    settings.apiKey = key;
    wire.play(hello);
    expect(words(await ask())).toEqual(['"Hello"', "end"]);
  }
});

onWires("75. a key that no header can hold is said before anything is sent", async (name) => {
  const { world, settings, ask } = await startAlone(name);
  for (const key of ["sk-\u2026", "sk-ключ", "sk-\u0000"]) {
    settings.apiKey = key;
    const events = await ask();
    expect(endOf(events)).toBe("error bad-key");
    expect(lineOf(events)).not.toContain(key);
  }
  expect(world.asked).toEqual([]);
});

onWires("75. no key at all is said before anything is sent", async (name) => {
  const { world, settings, ask } = await startAlone(name);
  settings.apiKey = null;
  expect(endOf(await ask())).toBe("error no-key");
  expect(world.asked).toEqual([]);
});

onWires("76. no header says what machine this is, and none is of another provider", async (name) => {
  for (const compatible of [true, undefined]) {
    const { wire, settings, ask } = await startAlone(name, { models: ["gpt-4o", "claude-sonnet-5-5", "gpt-6.1-sol", "gpt-5.5"] });
    if (compatible) settings.baseURL = wire.url;
    wire.play(hello);
    await ask(compatible && name !== "messages" ? { model: "gpt-4o" } : {});
    const names = Object.keys(wire.requests[0]?.headers ?? {});
    expect(names.filter((header) => header.startsWith("x-stainless-"))).toEqual([]);
    if (name === "messages") {
      expect(names).toEqual(expect.arrayContaining(["x-api-key", "anthropic-version", "anthropic-dangerous-direct-browser-access"]));
      expect(names).not.toContain("authorization");
    } else {
      expect(names).toContain("authorization");
      expect(names.filter((header) => /anthropic|x-api-key/.test(header))).toEqual([]);
    }
  }
});

onWires("77. a list of 500 models, in pages where the wire has pages", async (name) => {
  const models = Array.from({ length: 500 }, (_, index) => `${name === "messages" ? "claude" : "gpt"}-${index}`);
  const { provider } = await startAlone(name, { models, pageSize: 60 });
  const list = await provider.models(new AbortController().signal);
  expect(list.ok && list.models.toSorted()).toEqual(models.toSorted());
});

for (const [what, answer] of [
  ["404", async () => new Response('{"detail":"Not Found"}', { status: 404, headers: { "content-type": "application/json" } })],
  ["no CORS", () => Promise.reject(new TypeError("Failed to fetch"))],
  ["a page of HTML", async () => new Response("<!doctype html>", { headers: { "content-type": "text/html" } })],
] satisfies [string, typeof fetch][]) {
  onWires(`77. no list of models (${what}): said in a line`, async (name) => {
    const { provider } = await startAlone(name, { fetch: answer });
    const list = await provider.models(new AbortController().signal);
    expect(list).toEqual({ ok: false, message: expect.stringMatching(/^[^\n]+$/) as string });
  });
}

onWires("77. a model that no list names can be typed", async (name) => {
  const model = name === "messages" ? "claude-of-tomorrow" : name === "chat" ? "gpt-5.5-of-tomorrow" : "gpt-9-of-tomorrow";
  const one = await startCase(name, { models: [model], model });
  one.wire.play(hello);
  await one.say("Go");
  expect(await one.shown()).toEqual(["user:", "Go", "assistant:", "Hello"]);
  await goesOn(one);
});

onWires("82. what other programs keep among their settings is not sent", async (name) => {
  const one = await startCase(name);
  await one.ask("PUT", `/provider/${one.wire.provider}`, { temperature: 0.2, top_p: 0.5, top_k: 3 });
  one.wire.play(hello);
  await one.say("Go");
  const body = one.wire.requests[0]?.body as Record<string, unknown>;
  expect(["temperature", "top_p", "top_k"].filter((field) => field in body)).toEqual([]);
});
