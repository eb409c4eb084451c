import { describe, expect, test } from "vitest";
import { say } from "../../../stand-in/claude.ts";
import { bench, collect, messageOf, summary } from "./setup.ts";

describe("base URL", () => {
  test.each(["", "/", "/v1", "/v1/", " /v1/messages "])("with %j behind it: the same request", async (tail) => {
    const { api, provider, settings } = await bench();
    settings.baseURL = ` ${api.url}${tail.trim()} `;
    api.play(say("a"));
    expect(summary(await collect(provider))).toEqual(['"a"', "end"]);
    expect(api.requests[0]?.path).toBe("/v1/messages");
  });

  test("none means the official one", async () => {
    const { api, provider, settings } = await bench({ official: true });
    settings.baseURL = " ";
    api.play(say("a"));
    expect(summary(await collect(provider))).toEqual(['"a"', "end"]);
  });

  test.each([
    ["http://claude.example", /must start with https/],
    ["ftp://claude.example", /must start with https/],
    ["https://me:secret@claude.example", /can't include a user name/],
    ["https://", /isn't a valid URL/],
  ])("%s is refused before anything is sent", async (url, message) => {
    const { provider, settings } = await bench({ fetch: () => Promise.reject(new Error("sent")) });
    settings.baseURL = url;
    const events = await collect(provider);
    expect(summary(events)).toEqual(["error unreachable"]);
    expect(messageOf(events)).toMatch(message);
    expect(messageOf(events)).not.toContain("secret");
  });
});

describe("key", () => {
  test("with line breaks and spaces", async () => {
    const { api, provider, settings } = await bench();
    settings.apiKey = ` ${api.key.slice(0, 10)}\n${api.key.slice(10)}\r\n`;
    api.play(say("a"));
    expect(summary(await collect(provider))).toEqual(['"a"', "end"]);
  });

  test.each(["sk-ant-“x”", "sk-ant-\u200b", "ключ"])("%j is refused before anything is sent", async (key) => {
    const { api, provider, settings } = await bench();
    settings.apiKey = key;
    const events = await collect(provider);
    expect(summary(events)).toEqual(["error bad-key"]);
    expect(messageOf(events)).not.toContain(key);
    expect(api.requests.length).toBe(0);
  });

  test("none, for the official server", async () => {
    const { provider, settings } = await bench({ official: true });
    settings.apiKey = null;
    expect(summary(await collect(provider))).toEqual(["error no-key"]);
  });

  test("none, for a server of one's own: it is asked without", async () => {
    const { api, provider, settings } = await bench();
    settings.apiKey = "";
    expect(summary(await collect(provider))).toEqual(["error bad-key"]);
    expect(api.requests[0]?.headers).not.toHaveProperty("x-api-key");
    expect(api.requests[0]?.headers).not.toHaveProperty("authorization");
  });

  test("is read at each request", async () => {
    const { api, provider, settings } = await bench();
    settings.apiKey = "sk-ant-old";
    expect(summary(await collect(provider))).toEqual(["error bad-key"]);
    settings.apiKey = api.key;
    api.play(say("a"));
    expect(summary(await collect(provider))).toEqual(['"a"', "end"]);
  });
});

describe("headers", () => {
  test("what is sent, and what is not", async () => {
    const { api, provider } = await bench();
    api.play(say("a"));
    await collect(provider);
    const headers = api.requests[0]?.headers ?? {};
    expect(headers["x-api-key"]).toBe(api.key);
    expect(headers["anthropic-version"]).toBe("2023-06-01");
    expect(headers["anthropic-dangerous-direct-browser-access"]).toBe("true");
    expect(headers).not.toHaveProperty("authorization");
    expect(Object.keys(headers).filter((name) => name.startsWith("x-stainless"))).toEqual([]);
  });

  test("a redirect is not followed: the key would go along", async () => {
    const { api, provider, timers } = await bench();
    const { api: other } = await bench();
    api.play({ raw: "", status: 307, contentType: "text/plain", headers: { location: `${other.url}/v1/messages` } });
    expect(summary(await collect(provider, { timers }))).toEqual(["error unreachable"]);
    expect(other.requests.length).toBe(0);
  });
});
