import { LLMock } from "@copilotkit/aimock";
import { afterAll, beforeAll, expect, test } from "vitest";
import { claudeProvider } from "../../../../src/engine/providers/claude/index.ts";
import { systemDeps } from "../../../../src/engine/providers/deps.ts";
import { assistant, dialog, ran, user } from "../../prompt/notation.ts";
import { testMemory } from "../memory.ts";
import { collect, request, summary } from "./setup.ts";

/** A third-party mock server. It checks no requests, but its streams are independent of this project. */
const mock = new LLMock({ port: 0 });
beforeAll(() => mock.start());
afterAll(() => mock.stop());
const provider = () => claudeProvider(() => ({ apiKey: "sk-ant-mock", baseURL: mock.url }), systemDeps, testMemory());
const asking = (text: string) => request({ dialog: dialog(user(text)) });

test("text", async () => {
  mock.onMessage("greet me", { content: "Grüß dich 👋, how are you?" });
  expect(summary(await collect(provider(), { request: asking("greet me") }))).toEqual(['"Grüß dich 👋, how are you?"', "end"]);
});

test("parallel calls, then the answer to their results", async () => {
  mock.addFixture({ match: { hasToolResult: true }, response: { content: "Two files." } });
  mock.onMessage("list files", {
    toolCalls: [
      { id: "toolu_a", name: "run_command", arguments: JSON.stringify({ command: "ls" }) },
      { id: "toolu_b", name: "run_command", arguments: "{}" },
    ],
  });
  expect(summary(await collect(provider(), { request: asking("list files") }))).toEqual([
    'run_command[toolu_a]{"command":"ls"}',
    "run_command[toolu_b]{}",
    "end",
  ]);
  const next = dialog(user("list files"), assistant(ran("toolu_a", "f g", { command: "ls" }), ran("toolu_b", "")));
  expect(summary(await collect(provider(), { request: request({ dialog: next }) }))).toEqual(['"Two files."', "end"]);
});

test("a stream that is cut off", async () => {
  mock.addFixture({
    match: { userMessage: "tell a story" },
    response: { content: "Once upon a time there was a fox." },
    truncateAfterChunks: 3,
    latency: 5,
    chunkSize: 5,
  });
  expect(summary(await collect(provider(), { request: asking("tell a story") })).at(-1)).toBe("interrupted");
});

test("the list of models", async () => {
  expect((await provider().models(new AbortController().signal)).ok).toBe(true);
});
