import { LLMock } from "@copilotkit/aimock";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemDeps } from "../../../../src/engine/providers/deps.ts";
import { openaiProvider } from "../../../../src/engine/providers/openai/index.ts";
import { assistant, dialog, ran, user } from "../../prompt/notation.ts";
import { testMemory } from "../memory.ts";
import { collect, request, summary } from "./setup.ts";

/** A third-party mock server. It checks no requests, but its streams are independent of this project. */
const mock = new LLMock({ port: 0 });
beforeAll(async () => {
  await mock.start();
  mock.addFixture({ match: { hasToolResult: true }, response: { content: "Two files." } });
  mock.onMessage("greet me", { content: "Grüß dich 👋, how are you?" });
  mock.onMessage("list files", {
    content: "Let me look.",
    toolCalls: [
      { id: "call_a", name: "run_command", arguments: JSON.stringify({ command: "ls" }) },
      { id: "call_b", name: "run_command", arguments: "{}" },
    ],
  });
  mock.onMessage("think", { content: "Done.", reasoning: "Hm, let me see." });
  mock.addFixture({
    match: { userMessage: "tell a story" },
    response: { content: "Once upon a time there was a fox." },
    truncateAfterChunks: 3,
    latency: 5,
    chunkSize: 5,
  });
});
afterAll(() => mock.stop());

describe.each(["chat", "responses"])("%s", (wire) => {
  const memory = testMemory();
  const provider = () => {
    memory.write(`${mock.url} gpt-5.5`, { wire });
    return openaiProvider(() => ({ apiKey: "sk-mock", baseURL: mock.url }), systemDeps, memory);
  };
  const ask = async (text: string) => summary(await collect(provider(), { request: request({ dialog: dialog(user(text)) }) }));

  test("text", async () => expect(await ask("greet me")).toEqual(['"Grüß dich 👋, how are you?"', "end"]));

  test("thinking", async () => expect((await ask("think")).slice(-2)).toEqual(['"Done."', "end"]));

  test("text and parallel calls, then the answer to their results", async () => {
    expect(await ask("list files")).toEqual(['"Let me look."', 'run_command[call_a]{"command":"ls"}', "run_command[call_b]{}", "end"]);
    const next = dialog(user("list files"), assistant(ran("call_a", "f g", { command: "ls" }), ran("call_b", "")));
    expect(summary(await collect(provider(), { request: request({ dialog: next }) }))).toEqual(['"Two files."', "end"]);
  });

  test("a stream that is cut off", async () => expect((await ask("tell a story")).at(-1)).toBe("interrupted"));

  test("the list of models", async () => expect((await provider().models(new AbortController().signal)).ok).toBe(true));
});
