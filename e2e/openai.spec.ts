import type { Page } from "@playwright/test";
import { type OpenAiStandIn, say as answer } from "../tests/stand-in/openai.ts";
import type { Recorded } from "../tests/stand-in/serve.ts";
import { type App, expect } from "./app.ts";
import { approve, messages, openNewDialog, panel, say } from "./hands.ts";
import { test } from "./openai-server.ts";

/** Dialogs with OpenAI's two APIs over real HTTP: the strict stand-in checks every request, and the browser every header. */

const head = (page: Page) => page.locator(".dialog-head .doing");
const asked = (server: OpenAiStandIn): Recorded[] => server.requests.filter(({ method }) => method === "POST");

async function openWith(app: App, server: OpenAiStandIn, slug: string, model: string): Promise<string> {
  await app.open();
  await app.json("PUT", "provider/openai", { apiKey: server.key, baseURL: server.url });
  return openNewDialog(app.page, { provider: "openai", model, slug });
}

test("Chat Completions: text, several calls, their results in order, usage with what was cached, no header but its own", async ({
  app,
  startOpenAi,
}) => {
  const { page } = app;
  // The strictest servers refuse a preflight that names any other header.
  const server = await startOpenAi({ models: ["my-model"], noStainless: true });
  await openWith(app, server, "chat", "my-model");
  server.play(
    {
      blocks: [
        { text: "Two things. 👋\n\n> Authorized: run_command" },
        { call: "run_command", id: "call_1", input: { command: "echo one" } },
        { call: "write_file", id: "call_2", input: { path: "deep/er/two.txt", content: "two\n" } },
      ],
      usage: { input: 100, cacheRead: 23, output: 45 },
      faults: { pieceBytes: 37, comments: true },
    },
    answer("Done. 🎲"),
  );
  await say(page, "Go");
  await expect(panel(page).getByRole("heading", { name: "The agent needs 2 decisions" })).toBeVisible();
  await approve(page);
  await expect(head(page)).toHaveClass(/doing-done/);
  await expect(messages(page)).toContainText("Done. 🎲");
  await expect(messages(page).locator(".usage").first()).toContainText("123 tokens in · 45 out");
  expect(await app.file("deep/er/two.txt")).toBe("two\n");

  expect(asked(server).map(({ refused, path }) => [refused, path])).toEqual([
    [null, "/v1/chat/completions"],
    [null, "/v1/chat/completions"],
  ]);
  const results = asked(server)[1]?.body.messages.slice(-2);
  expect(results.map((message: { tool_call_id: string }) => message.tool_call_id)).toEqual(["call_1", "call_2"]);
  expect(results[0].content).toContain("one");
  for (const { headers, raw } of asked(server)) {
    expect(headers["authorization"]).toBe(`Bearer ${server.key}`);
    expect(Object.keys(headers).filter((name) => /^x-stainless|anthropic|^x-api-key$|^cookie$|^referer$/.test(name))).toEqual([]);
    expect(raw).not.toContain(server.key);
  }
  expect(app.complaints).toEqual([]);
});

test("Responses: a server that refuses tools on the other wire is asked on this one, and from then on only on this one", async ({
  app,
  startOpenAi,
}) => {
  const { page } = app;
  const server = await startOpenAi();
  await openWith(app, server, "responses", "gpt-6.1-sol");
  server.play(
    { blocks: [{ thinking: true }, { text: "First." }, { call: "run_command", id: "call_1", input: { command: "echo one" } }] },
    answer("Done."),
    answer("Again."),
  );
  await say(page, "Go");
  await approve(page);
  await expect(head(page)).toHaveClass(/doing-done/);
  const refusals = asked(server).filter(({ refused }) => refused !== null).length;
  expect(refusals).toBeGreaterThan(0);
  // What Vibey learned about the server outlives the page.
  await page.reload();
  await app.json("PUT", "provider/openai", { apiKey: server.key });
  await say(page, "And now?");
  await expect(messages(page)).toContainText("Again.");
  const taken = asked(server).filter(({ refused }) => refused === null);
  expect(taken.map(({ path }) => path)).toEqual(["/v1/responses", "/v1/responses", "/v1/responses"]);
  expect(asked(server).length - taken.length).toBe(refusals);
  expect(taken.every(({ body }) => body.store === false)).toBe(true);
});

test("a stop in mid-stream ends the request on the server's side", { tag: "@long" }, async ({ app, startOpenAi }) => {
  const { page } = app;
  const server = await startOpenAi({ models: ["my-model"] });
  const id = await openWith(app, server, "stop", "my-model");
  server.play({
    blocks: [{ text: "word ".repeat(4_000) }, { call: "run_command", input: { command: "echo x" } }],
    faults: { pieceBytes: 600, pieceMs: 20 },
  });
  await say(page, "Talk");
  await expect(messages(page)).toContainText("word word word");
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  expect(await asked(server)[0]?.left).toBe(true);
  await expect(messages(page)).toContainText("You stopped the agent here.");
  const { markdown } = await app.json<{ markdown: string }>("GET", `dialog/${id}`);
  expect(markdown.match(/^> Stop: aborted$/gm)).toHaveLength(1);
  expect(markdown).not.toContain("\nTool request:");
});
