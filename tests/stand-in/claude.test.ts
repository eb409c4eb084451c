import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type ClaudeStandIn, say, startClaude } from "./claude.ts";

let api: ClaudeStandIn;
beforeEach(async () => {
  api = await startClaude();
});
afterEach(() => api.close());

const good = { model: "claude-sonnet-5-5", max_tokens: 100, messages: [{ role: "user", content: "hi" }], stream: true };
const headers = () => ({ "content-type": "application/json", "anthropic-version": "2023-06-01", "x-api-key": api.key });
const post = (more: Record<string, string | null> = {}, body: object = good) => {
  const given = Object.entries({ ...headers(), ...more }).filter((entry): entry is [string, string] => entry[1] !== null);
  return fetch(`${api.url}/v1/messages`, { method: "POST", headers: Object.fromEntries(given), body: JSON.stringify(body) });
};
const browser = { origin: "https://vibey.example", "anthropic-dangerous-direct-browser-access": "true" };

describe("headers", () => {
  test.each([
    ["no version", { "anthropic-version": null }, 400, "anthropic-version: header is required"],
    ["a version that never was", { "anthropic-version": "2022-01-01" }, 400, "is not a valid version"],
    ["no key", { "x-api-key": null }, 401, "x-api-key header is required"],
    ["a wrong key", { "x-api-key": "sk-ant-wrong" }, 401, "invalid x-api-key"],
    [
      "a page without the header",
      { origin: "https://vibey.example" },
      401,
      "CORS requests must set 'anthropic-dangerous-direct-browser-access' header",
    ],
    ["no JSON", { "content-type": "text/plain" }, 400, "content-type"],
  ])("%s", async (_name, more, status, message) => {
    const response = await post(more);
    expect(response.status).toBe(status);
    expect(JSON.stringify(await response.json())).toContain(message);
  });

  test("a page with the header is let in, and may read everything", async () => {
    api.play(say("hello"));
    const response = await post(browser);
    expect(response.status).toBe(200);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.get("access-control-expose-headers")).toBe("*");
  });

  test("the newer version takes a bearer token and no temperature", async () => {
    const newer = { "anthropic-version": "2026-10-21", "x-api-key": null, authorization: `Bearer ${api.key}` };
    api.play(say("hello"));
    expect((await post(newer)).status).toBe(200);
    expect((await post(newer, { ...good, model: "claude-sonnet-4-5", temperature: 1 })).status).toBe(400);
  });

  test("an organisation that keeps browsers out", async () => {
    await using other = await startDisposable({ noBrowsers: true });
    const response = await fetch(`${other.url}/v1/messages`, {
      method: "POST",
      headers: { ...headers(), ...browser },
      body: JSON.stringify(good),
    });
    expect(response.status).toBe(401);
    expect(await response.text()).toContain("CORS requests are not allowed for this Organization");
  });
});

describe("preflight", () => {
  test("allows what the API is known to allow", async () => {
    const response = await ask("anthropic-dangerous-direct-browser-access,anthropic-version,content-type,x-api-key");
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
  });

  test("allows nothing when one header is not known to be allowed", async () => {
    const response = await ask("authorization,content-type");
    expect(response.headers.get("access-control-allow-origin")).toBeNull();
  });
});

test("plays its turns in order and records what came", async () => {
  api.play(say("one"), (request) => say(request.body.messages[0].content));
  expect(await (await post()).text()).toContain('"text":"one"');
  expect(await (await post()).text()).toContain('"text":"hi"');
  expect(await (await post()).text()).toContain("no turn left");
  expect(api.requests.map((request) => request.path)).toEqual(["/v1/messages", "/v1/messages", "/v1/messages"]);
  expect(api.requests[0]?.raw).toBe(JSON.stringify(good));
});

test("faults: a cut, one byte at a time", async () => {
  api.play({ ...say("hello"), faults: { cutAfterBytes: 100, pieceBytes: 1 } });
  const response = await post();
  await expect(response.text()).rejects.toThrow();
});

async function startDisposable(options: Parameters<typeof startClaude>[0]) {
  const server = await startClaude({ key: api.key, ...options });
  return { ...server, [Symbol.asyncDispose]: () => server.close() };
}

function ask(names: string): Promise<Response> {
  return fetch(`${api.url}/v1/messages`, {
    method: "OPTIONS",
    headers: { origin: "https://vibey.example", "access-control-request-method": "POST", "access-control-request-headers": names },
  });
}
