import { describe, expect, test } from "vitest";
import { assistant, dialog, ran, user } from "../../prompt/notation.ts";
import { testMemory } from "../memory.ts";
import { say } from "../../../stand-in/openai.ts";
import { chatSaying, fake, refusing, responsesSaying } from "./fake.ts";
import { bench, collect, messageOf, providerOn, request, responsesModel, summary } from "./setup.ts";

const error = (message: string, more: object = {}) => ({ error: { message, type: "invalid_request_error", ...more } });

/** Which requests a server refuses, and with which status and body. */
const servers: readonly (readonly [what: string, wrong: (body: Sent) => boolean, status: number, said: unknown])[] = [
  [
    "max_tokens, of OpenAI",
    ({ max_tokens }) => max_tokens !== undefined,
    400,
    error("Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.", {
      param: "max_tokens",
      code: "unsupported_parameter",
    }),
  ],
  [
    "both names for the most tokens",
    (body) => body["max_tokens"] !== undefined || body["max_completion_tokens"] !== undefined,
    422,
    { detail: [{ type: "extra_forbidden", loc: ["body", "max_tokens", "max_completion_tokens"], msg: "Extra inputs are not permitted" }] },
  ],
  ["stream_options, of OpenAI", (body) => "stream_options" in body, 400, error("Unrecognized request argument supplied: stream_options")],
  [
    "stream_options, of FastAPI",
    (body) => "stream_options" in body,
    422,
    { detail: [{ type: "extra_forbidden", loc: ["body", "stream_options"], msg: "Extra inputs are not permitted", input: {} }] },
  ],
  [
    "stream_options, of Google",
    (body) => "stream_options" in body,
    400,
    [
      {
        error: {
          code: 400,
          message: 'Invalid JSON payload received. Unknown name "stream_options": Cannot find field.',
          status: "INVALID",
        },
      },
    ],
  ],
  [
    "system, of OpenAI",
    (body) => roles(body).includes("system"),
    400,
    error("Unsupported value: 'messages[0].role' does not support 'system' with this model."),
  ],
  ["system, of Gemma's template", (body) => roles(body).includes("system"), 400, error("System role not supported")],
  [
    "neighbours of one role",
    ({ messages = [] }) => messages.some(({ role }, at) => role !== "tool" && role === messages[at - 1]?.role),
    500,
    error("After the optional system message, conversation roles must alternate user/assistant/user/assistant/..."),
  ],
  [
    "long call ids",
    (body) => (JSON.stringify(body).match(/"(?:tool_call_id|id)":"[^"]*"/g) ?? []).some((id) => !/:"[a-zA-Z0-9]{9}"$/.test(id)),
    400,
    { object: "error", message: "Tool call id was toolu_01 but must be a-z, A-Z, 0-9, with a length of 9.", type: "invalid_request_error" },
  ],
  [
    "the user behind results, of Mistral",
    ({ messages = [] }) => messages.some(({ role }, at) => role === "user" && messages[at - 1]?.role === "tool"),
    400,
    {
      object: "error",
      message: "Unexpected role 'user' after role 'tool'",
      type: "invalid_request_message_order",
      param: null,
      code: "3230",
    },
  ],
  ...[
    "invalid message content type: <nil>",
    "Invalid 'content': 'content' field must be a string or an array of objects.",
    "messages.2.content: Input should be a valid string",
  ].map((message): (typeof servers)[number] => [
    `calls without a text: ${message}`,
    ({ messages = [] }) => messages.some(({ content }) => content === null),
    400,
    error(message),
  ]),
  ...[
    "* GenerateContentRequest.contents[2].parts[0].function_response.name: Name cannot be empty.",
    "Tool message must have a 'name' field.",
  ].map((message): (typeof servers)[number] => [
    `results without a name: ${message}`,
    ({ messages = [] }) => messages.some(({ role, name }) => role === "tool" && name !== "run_command"),
    400,
    [error(message)],
  ]),
  [
    "calls without a signature, of Gemini 3",
    ({ messages = [] }) =>
      messages.some(({ tool_calls }) => tool_calls && tool_calls[0]?.extra_content?.google.thought_signature === undefined),
    400,
    [
      {
        error: {
          code: 400,
          message:
            "Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call `default_api:run_command` , position 2.",
          status: "INVALID_ARGUMENT",
        },
      },
    ],
  ],
  [
    "no thoughts, of DeepSeek",
    ({ messages = [] }) => messages.some(({ role, reasoning_content }) => role === "assistant" && reasoning_content === undefined),
    400,
    error("The `reasoning_content` in the thinking mode must be passed back to the API.", { code: "invalid_request_error" }),
  ],
  [
    "no thoughts or empty ones, of Kimi",
    ({ messages = [] }) => messages.some(({ tool_calls, reasoning_content }) => tool_calls && !reasoning_content),
    400,
    error("thinking is enabled but reasoning_content is missing in assistant tool call message at index 2"),
  ],
  [
    "thoughts of nothing but a space",
    ({ messages = [] }) => messages.some(({ role, reasoning_content }) => role === "assistant" && reasoning_content !== ""),
    400,
    error("Missing `reasoning_content` field in the assistant message at message index 2."),
  ],
];

interface Sent {
  readonly [field: string]: unknown;
  readonly messages?: readonly {
    readonly role: string;
    readonly content?: unknown;
    readonly name?: string;
    readonly reasoning_content?: string;
    readonly tool_calls?: readonly { readonly extra_content?: { readonly google: { readonly thought_signature?: string } } }[];
  }[];
}
const roles = ({ messages = [] }: Sent) => messages.map(({ role }) => role);
const long = dialog(
  user("a"),
  user("b"),
  assistant("c", ran("toolu_01", "1")),
  assistant(ran("toolu_02", "2")),
  user("d"),
  assistant("e"),
  assistant("f"),
  user("g"),
);

describe("what a server refuses is left out or said otherwise, and remembered", () => {
  test.each(servers)("%s", async (_what, wrong, status, said) => {
    const server = fake((body) => (wrong(body) ? refusing(status, said) : chatSaying("a")));
    const memory = testMemory();
    const provider = () => providerOn(server.fetch, { memory });
    const asking = request({ dialog: long });
    expect(summary(await collect(provider(), { request: asking }))).toEqual(['"a"', "end"]);
    const tries = server.asked.length;
    expect(tries).toBeGreaterThan(1);
    // The lesson is kept between visits: the next request is right at once.
    expect(summary(await collect(provider(), { request: asking }))).toEqual(['"a"', "end"]);
    expect(server.asked.length).toBe(tries + 1);
    // The lesson only concerns this model.
    await collect(provider(), { request: request({ model: "another", dialog: long }) });
    expect(server.asked.length).toBe(2 * tries + 1);
  });

  test("all at once, one after the other", async () => {
    // These two contradict other entries, so they are left out.
    const refused = servers.filter(([what]) => what !== "system, of OpenAI" && what !== "thoughts of nothing but a space");
    const server = fake((body) => {
      const found = refused.find(([, wrong]) => wrong(body));
      return found ? refusing(found[2], found[3]) : chatSaying("a");
    });
    expect(summary(await collect(providerOn(server.fetch), { request: request({ dialog: long }) }))).toEqual(['"a"', "end"]);
  });

  test("developer, known at OpenAI and not at a proxy that stands for it", async () => {
    const { api, provider } = await bench({ official: true, noDeveloper: true });
    api.play(say("a"));
    expect(summary(await collect(provider))).toEqual(['"a"', "end"]);
    expect(api.requests.map(({ body }) => body.messages[0].role)).toEqual(["developer", "system"]);
  });

  test("max_completion_tokens, at a server that knows the old name only", async () => {
    const { api, provider } = await bench({ official: true, unknownFields: ["max_completion_tokens"] });
    api.play(say("a"));
    expect(summary(await collect(provider))).toEqual(['"a"', "end"]);
    expect(api.requests.at(-1)?.body).toMatchObject({ max_tokens: 64_000 });
  });
});

describe("a refusal that teaches nothing is told", () => {
  test.each([
    ["the same again and again", error("Unrecognized request argument supplied: stream_options")],
    ["never enough", error("max_tokens is too large: 64000. This model supports at most 8192 completion tokens")],
    ["something else", error("messages.0: oops")],
  ])("%s", async (_what, said) => {
    const server = fake(() => refusing(400, said));
    const memory = testMemory();
    const events = await collect(providerOn(server.fetch, { memory }));
    expect(summary(events)).toEqual(["error bad-request"]);
    expect(server.asked.length).toBeLessThanOrEqual(2);
    expect(memory.all).toEqual({});
  });

  test("a key that is wrong is no lesson", async () => {
    const server = fake(() => refusing(401, error("Incorrect API key: unknown role system, max_tokens unsupported")));
    await collect(providerOn(server.fetch));
    expect(server.asked.length).toBe(1);
  });
});

describe("the wire", () => {
  test("is Responses at once for models of OpenAI that need it, with tools or without", async () => {
    for (const model of ["gpt-6.1-sol", "gpt-6-astra", "gpt-5.6-terra", "gpt-5.3-codex"]) {
      const { api, provider } = await bench({ official: true });
      api.play(say("a"));
      await collect(provider, { request: request({ model }) });
      expect(api.requests.map(({ path }) => path)).toEqual(["/v1/responses"]);
    }
  });

  test("is Chat Completions for all others", async () => {
    for (const model of ["gpt-5.5", "gpt-5.4-mini", "gpt-5.1", "gpt-4.1", "gpt-4o"]) {
      const { api, provider } = await bench({ official: true });
      api.play(say("a"));
      await collect(provider, { request: request({ model }) });
      expect(api.requests.map(({ path }) => path)).toEqual(["/v1/chat/completions"]);
    }
  });

  test.each([
    ["a model that takes no tools there", responsesModel, ["chat/completions", "chat/completions", "responses", "responses"]],
    ["a model that is not offered there", "gpt-5.3-codex", ["chat/completions", "responses", "responses"]],
  ])("is changed when the server says so: %s", async (_what, model, paths) => {
    const { api, provider } = await bench();
    api.play(say("a"), say("b"));
    const asking = request({ model });
    expect(summary(await collect(provider, { request: asking }))).toEqual(['"a"', "end"]);
    expect(summary(await collect(provider, { request: asking }))).toEqual(['"b"', "end"]);
    expect(api.requests.map(({ path }) => path)).toEqual(paths.map((path) => `/v1/${path}`));
  });

  test("is Chat Completions again at a proxy that has no other", async () => {
    const server = fake((_body, url) => (url.endsWith("/responses") ? refusing(404, { detail: "Not Found" }) : chatSaying("a")));
    const memory = testMemory();
    memory.write("https://llm.example gpt-5.5", { wire: "responses" });
    const provider = providerOn(server.fetch, { memory });
    expect(summary(await collect(provider))).toEqual(['"a"', "end"]);
    await collect(provider);
    expect(server.asked.map(({ url }) => url.split("/").at(-1))).toEqual(["responses", "completions", "completions"]);
  });

  test("is Chat Completions without reasoning at a proxy that has no other, when the model takes that", async () => {
    const { api, provider } = await bench({ noResponses: true });
    api.play(say("a"), say("b"));
    const asking = request({ model: "gpt-5.6-terra" });
    expect(summary(await collect(provider, { request: asking }))).toEqual(['"a"', "end"]);
    const tries = api.requests.length;
    expect(summary(await collect(provider, { request: asking }))).toEqual(['"b"', "end"]);
    expect(api.requests.length).toBe(tries + 1);
    expect(api.requests.at(-1)).toMatchObject({ path: "/v1/chat/completions", body: { reasoning_effort: "none" } });
  });

  test("is not changed for ever and ever", async () => {
    const server = fake((_body, url) =>
      refusing(400, error(url.endsWith("/responses") ? "Use /v1/chat/completions." : "Use /v1/responses.")),
    );
    expect(summary(await collect(providerOn(server.fetch)))).toEqual(["error bad-request"]);
    expect(server.asked.length).toBe(2);
  });

  test("a model that is not known is no reason to change it", async () => {
    const { api, provider } = await bench({ official: true });
    const events = await collect(provider, { request: request({ model: "gpt-6-none" }) });
    expect(summary(events)).toEqual(["error unknown-model"]);
    expect(messageOf(events)).toContain("doesn't have the model gpt-6-none");
    expect(api.requests.length).toBe(1);
  });
});

describe("the most tokens", () => {
  const asked = (server: ReturnType<typeof fake>) => server.asked.map(({ body }) => body["max_tokens"]);

  test("a limit of the model is used at once, and remembered", async () => {
    const server = fake((body) =>
      Number(body["max_tokens"]) > 8192
        ? refusing(400, error("`max_tokens` must be less than or equal to `8192`, the maximum value for `max_tokens`"))
        : chatSaying("a"),
    );
    const provider = providerOn(server.fetch);
    await collect(provider);
    await collect(provider);
    expect(asked(server)).toEqual([64_000, 8_192, 8_192]);
  });

  test("what a prompt leaves of the window is used once; the window is remembered", async () => {
    const said =
      "maximum context length is 32768 tokens. However, you requested 64120 tokens (120 in the messages, 64000 in the completion).";
    const server = fake((body) => (Number(body["max_tokens"]) > 32_648 ? refusing(400, error(`This model's ${said}`)) : chatSaying("a")));
    const provider = providerOn(server.fetch);
    await collect(provider);
    await collect(provider, { request: request({ tokensSoFar: 20_000, maxTokens: null }) });
    expect(asked(server)).toEqual([64_000, 32_648, 32_768 - 20_000 - 1_024]);
    expect(provider.window("gpt-5.5")).toBe(32_768);
  });

  test("a window is forgotten when the server takes more than that", async () => {
    const said =
      "maximum context length is 32768 tokens. However, you requested 64120 tokens (120 in the messages, 64000 in the completion).";
    const usages = [
      [32_000, 768],
      [32_000, 769],
    ].map(([prompt_tokens, completion_tokens]) => ({ prompt_tokens, completion_tokens }));
    const server = fake((body) =>
      Number(body["max_tokens"]) > 32_648 ? refusing(400, error(`This model's ${said}`)) : chatSaying("a", usages.shift()),
    );
    const memory = testMemory();
    const provider = providerOn(server.fetch, { memory });
    await collect(provider);
    expect(provider.window("gpt-5.5")).toBe(32_768);
    await collect(provider);
    expect([provider.window("gpt-5.5"), Object.values(memory.all)]).toEqual([1_050_000, [{}]]);
  });

  test("a window that the server names first, and then says what is too much for it, as vLLM does", async () => {
    const [window, prompt] = [32_768, 22_000];
    const server = fake((body) => {
      const tokens = Number(body["max_tokens"]);
      if (tokens > window)
        return refusing(
          400,
          error(`max_tokens=${tokens}cannot be greater than max_model_len=max_total_tokens=${window}. Please request fewer output tokens.`),
        );
      if (tokens + prompt <= window) return chatSaying("a");
      const least = `at least ${window - tokens + 1} input tokens, for a total of at least ${window + 1} tokens.`;
      const said = `This model's maximum context length is ${window} tokens. However, you requested ${tokens} output tokens and your prompt contains ${least}`;
      return refusing(400, error(said));
    });
    const provider = providerOn(server.fetch);
    expect(summary(await collect(provider))).toEqual(['"a"', "end"]);
    expect(summary(await collect(provider, { request: request({ tokensSoFar: 22_500 }) }))).toEqual(['"a"', "end"]);
    expect(asked(server)).toEqual([64_000, 16_384, 8_192, window - 22_500 - 1_024]);
    expect(provider.window("gpt-5.5")).toBe(window);
  });

  test("a prompt that leaves nothing of the window is told", async () => {
    const said = (tokens: number) =>
      `This model's maximum context length is 32768 tokens. However, you requested ${tokens} output tokens and your prompt contains at least ${32_769 - tokens} input tokens, for a total of at least 32769 tokens.`;
    const server = fake((body) => refusing(400, error(said(Number(body["max_tokens"])))));
    const memory = testMemory();
    expect(summary(await collect(providerOn(server.fetch, { memory })))).toEqual(["error too-large"]);
    expect(asked(server)).toEqual([64_000, 16_384, 8_192, 4_096, 2_048, 1_024]);
    expect(memory.all).toEqual({});
  });

  test("a limit of this minute is used and forgotten", async () => {
    const said = "Request too large for x on tokens per minute (TPM): Limit 30000, Requested 64120.";
    const server = fake((body) =>
      Number(body["max_tokens"]) > 29_880 ? refusing(413, error(said, { type: "tokens", code: "rate_limit_exceeded" })) : chatSaying("a"),
    );
    const memory = testMemory();
    expect(summary(await collect(providerOn(server.fetch, { memory })))).toEqual(['"a"', "end"]);
    expect(asked(server)).toEqual([64_000, 29_880]);
    expect(memory.all).toEqual({});
  });
});

test("what is remembered does no harm when it is nonsense", async () => {
  const memory = testMemory();
  const nonsense = {
    wire: "smoke",
    tokensField: 7,
    maxTokens: "many",
    window: -1,
    role: {},
    without: [1, null],
    alternate: 1,
    shortIds: "no",
    signatures: 1,
    reasoning: "words",
    replies: {},
    texts: 1,
    toolNames: "a",
  };
  memory.write("https://llm.example gpt-5.5", nonsense);
  const server = fake(() => chatSaying("a"));
  expect(summary(await collect(providerOn(server.fetch, { memory })))).toEqual(['"a"', "end"]);
  expect(server.asked[0]?.body).toMatchObject({ max_tokens: 64_000 });
});

test("what a server wants to see in the messages is in them, and nowhere else", async () => {
  const memory = testMemory();
  memory.write("https://llm.example gpt-5.5", { signatures: true, reasoning: " ", replies: true, texts: true, toolNames: true });
  const server = fake(() => chatSaying("a"));
  const asked = dialog(user("a"), assistant(ran("1", "x"), ran("2", "y")), user("c"), assistant("d"), user("e"));
  await collect(providerOn(server.fetch, { memory }), { request: request({ dialog: asked }) });
  const called = (id: string) => ({ id, type: "function", function: { name: "run_command", arguments: "{}" } });
  expect(server.asked[0]?.body.messages).toEqual([
    { role: "system", content: "You are an agent." },
    { role: "user", content: "a" },
    {
      role: "assistant",
      content: "",
      tool_calls: [{ ...called("1"), extra_content: { google: { thought_signature: "skip_thought_signature_validator" } } }, called("2")],
      reasoning_content: " ",
    },
    { role: "tool", tool_call_id: "1", content: "x", name: "run_command" },
    { role: "tool", tool_call_id: "2", content: "y", name: "run_command" },
    { role: "assistant", content: "(No reply to these results.)", reasoning_content: " " },
    { role: "user", content: "c" },
    { role: "assistant", content: "d", reasoning_content: " " },
    { role: "user", content: "e" },
  ]);
});

test("Gemini's own server is told the names of tools unasked", async () => {
  const server = fake(() => chatSaying("a"));
  const asked = dialog(user("a"), assistant(ran("1", "x")));
  await collect(providerOn(server.fetch, { baseURL: "https://generativelanguage.googleapis.com/v1beta/openai/" }), {
    request: request({ dialog: asked }),
  });
  expect(server.asked[0]?.body.messages?.at(-1)).toEqual({ role: "tool", tool_call_id: "1", content: "x", name: "run_command" });
});

test("Responses is asked for no fewer tokens than it takes", async () => {
  const server = fake(() => responsesSaying("a"));
  const memory = testMemory();
  memory.write("https://llm.example gpt-5.5", { wire: "responses" });
  await collect(providerOn(server.fetch, { memory }), { request: request({ maxTokens: 5 }) });
  expect(server.asked[0]?.body["max_output_tokens"]).toBe(16);
});

test("a lesson of Responses alone", async () => {
  const server = fake((body) => ("store" in body ? refusing(400, error("Unknown parameter: 'store'.")) : responsesSaying("a")));
  const memory = testMemory();
  memory.write("https://llm.example gpt-5.5", { wire: "responses" });
  expect(summary(await collect(providerOn(server.fetch, { memory })))).toEqual(['"a"', "end"]);
  expect(memory.all).toEqual({ "https://llm.example gpt-5.5": { wire: "responses", without: ["store"] } });
});
