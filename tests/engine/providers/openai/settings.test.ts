import { describe, expect, test } from "vitest";
import { say } from "../../../stand-in/openai.ts";
import { chatSaying, fake, responsesSaying } from "./fake.ts";
import { bench, collect, messageOf, providerOn, request, responsesModel, summary } from "./setup.ts";

describe("base URL: where the request goes", () => {
  test.each([
    ["", "https://api.openai.com/v1/chat/completions"],
    ["https://api.openai.com", "https://api.openai.com/v1/chat/completions"],
    [" https://api.openai.com/v1/ ", "https://api.openai.com/v1/chat/completions"],
    ["api.openai.com/v1/chat/completions", "https://api.openai.com/v1/chat/completions"],
    ["https://openrouter.ai/api/v1", "https://openrouter.ai/api/v1/chat/completions"],
    ["https://openrouter.ai/api", "https://openrouter.ai/api/v1/chat/completions"],
    [
      "https://generativelanguage.googleapis.com/v1beta/openai/",
      "https://generativelanguage.googleapis.com/v1beta/openai/chat/completions",
    ],
    ["https://generativelanguage.googleapis.com", "https://generativelanguage.googleapis.com/v1beta/openai/chat/completions"],
    ["https://api.groq.com/openai/v1", "https://api.groq.com/openai/v1/chat/completions"],
    ["https://api.groq.com/openai", "https://api.groq.com/openai/v1/chat/completions"],
    ["https://api.z.ai/api/paas/v4", "https://api.z.ai/api/paas/v4/chat/completions"],
    ["https://gateway.example/v1/account/openai", "https://gateway.example/v1/account/openai/chat/completions"],
    ["https://llm.example/v2ray", "https://llm.example/v2ray/v1/chat/completions"],
    ["http://localhost:11434", "http://localhost:11434/v1/chat/completions"],
    ["localhost:1234/v1", "http://localhost:1234/v1/chat/completions"],
    ["http://127.0.0.1:8080/v1/responses", "http://127.0.0.1:8080/v1/chat/completions"],
  ])("%j", async (baseURL, url) => {
    const server = fake(() => chatSaying("a"));
    await collect(providerOn(server.fetch, { baseURL }), { request: request({ model: "gpt-4o" }) });
    expect(server.asked.map((one) => one.url)).toEqual([url]);
  });

  test("Responses has the same root", async () => {
    const server = fake(() => responsesSaying("a"));
    await collect(providerOn(server.fetch, { baseURL: "https://api.openai.com/v1" }), { request: request({ model: responsesModel }) });
    expect(server.asked.map((one) => one.url)).toEqual(["https://api.openai.com/v1/responses"]);
  });

  test.each(["http://llm.example", "ftp://llm.example", "https://me:secret@llm.example", "https://"])(
    "%s is refused before anything is sent",
    async (baseURL) => {
      const server = fake(() => chatSaying("a"));
      const events = await collect(providerOn(server.fetch, { baseURL }));
      expect(summary(events)).toEqual(["error unreachable"]);
      expect(messageOf(events)).not.toContain("secret");
      expect(server.asked.length).toBe(0);
    },
  );
});

describe("key", () => {
  test("with line breaks and spaces", async () => {
    const { api, provider, settings } = await bench({ official: true });
    settings.apiKey = ` ${api.key.slice(0, 10)}\n${api.key.slice(10)}\r\n`;
    api.play(say("a"));
    expect(summary(await collect(provider))).toEqual(['"a"', "end"]);
  });

  test.each(["sk-proj-“x”", "sk-\u200b", "ключ"])("%j is refused before anything is sent", async (apiKey) => {
    const server = fake(() => chatSaying("a"));
    const events = await collect(providerOn(server.fetch, { apiKey }));
    expect(summary(events)).toEqual(["error bad-key"]);
    expect(messageOf(events)).not.toContain(apiKey);
    expect(server.asked.length).toBe(0);
  });

  test("none, for the official server", async () => {
    const server = fake(() => chatSaying("a"));
    const events = await collect(providerOn(server.fetch, { apiKey: null, baseURL: "" }));
    expect(summary(events)).toEqual(["error no-key"]);
    expect(messageOf(events)).toContain("No API key for OpenAI yet");
  });

  test("none, for a server of one's own: it is asked without", async () => {
    const server = fake(() => chatSaying("a"));
    expect(summary(await collect(providerOn(server.fetch, { apiKey: null, baseURL: "http://localhost:11434" })))).toEqual(['"a"', "end"]);
    expect(server.asked[0]?.headers.has("authorization")).toBe(false);
  });
});

describe("what is sent", () => {
  test("no header but these", async () => {
    for (const baseURL of ["", "https://llm.example"]) {
      const server = fake(() => chatSaying("a"));
      await collect(providerOn(server.fetch, { baseURL }));
      expect([...(server.asked[0]?.headers.keys() ?? [])].toSorted()).toEqual(["accept", "authorization", "content-type"]);
      expect(server.asked[0]?.headers.get("authorization")).toBe("Bearer sk-proj-key");
    }
  });

  test("no field but these", async () => {
    const server = fake((_body, url) => (url.endsWith("/responses") ? responsesSaying("a") : chatSaying("a")));
    const provider = providerOn(server.fetch, { baseURL: "" });
    await collect(provider);
    await collect(provider, { request: request({ model: responsesModel }) });
    await collect(provider, { request: request({ tools: [], system: " " }) });
    expect(server.asked.map(({ body }) => Object.keys(body))).toEqual([
      ["model", "max_completion_tokens", "stream", "stream_options", "tools", "messages"],
      ["model", "max_output_tokens", "stream", "store", "instructions", "tools", "input"],
      ["model", "max_completion_tokens", "stream", "stream_options", "messages"],
    ]);
  });

  test("the system text is the developer's at OpenAI and the system's elsewhere", async () => {
    for (const [baseURL, role] of [
      ["", "developer"],
      ["https://llm.example", "system"],
    ] as const) {
      const server = fake(() => chatSaying("a"));
      await collect(providerOn(server.fetch, { baseURL }));
      expect(server.asked[0]?.body.messages).toEqual([
        { role, content: "You are an agent." },
        { role: "user", content: "hi" },
      ]);
    }
  });

  test("a redirect is not followed: the key would go along", async () => {
    const { api, provider, timers } = await bench();
    const { api: other } = await bench();
    api.play({ raw: "", status: 307, contentType: "text/plain", headers: { location: `${other.url}/v1/chat/completions` } });
    const events = await collect(provider, { timers, request: request({ model: "gpt-4o" }) });
    expect(summary(events)).toEqual(["error unreachable"]);
    expect(other.requests.length).toBe(0);
  });
});
