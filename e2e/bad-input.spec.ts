import type { DialogAnswer } from "../src/protocol/index.ts";
import { createServer, type Server } from "node:http";
import type { Page } from "@playwright/test";
import { parseDialog } from "../src/dialog/parse.ts";
import { type ClaudeStandIn, say as answer, startClaude, type Turn } from "../tests/stand-in/claude.ts";
import { type App, expect } from "./app.ts";
import { test as base } from "./claude-server.ts";
import { approve, enterKey, messages, openNewDialog, panel, say, writeBox } from "./hands.ts";

/** Outside failures and typing mistakes: each is reported where it happened, nothing is lost, and the next attempt works. */

const test = base.extend<{ closing: Server[] }>({
  // oxlint-disable-next-line no-empty-pattern -- the runner wants a pattern
  async closing({}, use) {
    const servers: Server[] = [];
    await use(servers);
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  },
});

const head = (page: Page) => page.locator(".dialog-head .doing");
/** The strip that says what a turn waits for. */
const waits = (page: Page) => page.locator(".strip");
const prompt = "Count the words, please.";

async function openWith(app: App, fields: { key: string; address: string; model?: string }, slug = "bad"): Promise<string> {
  await app.open();
  await enterKey(app.page, fields);
  return openNewDialog(app.page, { provider: "claude", slug });
}

/** Checks that the failure is shown in its dialog and written to its file, and that the user's message is kept. */
async function said(app: App, id: string, words: RegExp): Promise<void> {
  const { page } = app;
  await expect(page.getByRole("alert").filter({ hasText: words })).toBeVisible();
  await expect(head(page)).toHaveClass(/doing-waiting/);
  await expect(messages(page)).toContainText(prompt);
  const { markdown, status } = await app.json<{ markdown: string; status: string }>("GET", `dialog/${id}`);
  expect(status).toBe("waiting");
  expect(parseDialog(markdown).sections.filter(({ role }) => role === "user")).toHaveLength(1);
  // The message and the failure are still there after a reload.
  await page.reload();
  await expect(messages(page)).toContainText(prompt);
  await expect(page.locator(".dialog-pane")).toContainText(words);
}

/** After the cause is fixed, one click continues the dialog. */
async function goesOn(app: App, id: string, server: ClaudeStandIn): Promise<void> {
  const { page } = app;
  await enterKey(page, { key: server.key, address: server.url, model: "claude-sonnet-5-5" });
  server.play(answer("Four words."));
  await page.getByRole("button", { name: /^(Continue|Resume|Try again)$/ }).click();
  await expect(messages(page)).toContainText("Four words.");
  await expect(head(page)).toHaveClass(/doing-done/);
  expect(server.requests.at(-1)?.refused).toBeNull();
  const { markdown } = await app.json<{ markdown: string }>("GET", `dialog/${id}`);
  expect(markdown.split("\n").filter((line) => line === prompt)).toHaveLength(1);
}

test("a wrong key", { tag: "@long" }, async ({ app, start }) => {
  const server = await start();
  const id = await openWith(app, { key: "sk-ant-wrong-key-987654", address: server.url });
  await say(app.page, prompt);
  await said(app, id, /rejected the API key\. Check it in Settings/);
  expect((await app.json<{ markdown: string }>("GET", `dialog/${id}`)).markdown).not.toContain("sk-ant-wrong");
  await goesOn(app, id, server);
});

test("no key at all", { tag: "@long" }, async ({ app, start }) => {
  const server = await start();
  await app.open();
  const id = await openNewDialog(app.page, { provider: "claude", slug: "bad" });
  await say(app.page, prompt);
  await said(app, id, /key/i);
  await goesOn(app, id, server);
});

test("no network, when the first word is said and later", { tag: "@long" }, async ({ app, start, context }) => {
  const { page } = app;
  const server = await start();
  const id = await openWith(app, { key: server.key, address: server.url });
  const send = page.getByRole("button", { name: /^(Continue|Resume|Try again)$/ });
  await context.setOffline(true);
  await say(page, prompt);
  await expect(page.getByRole("alert").filter({ hasText: /network|offline/ })).toBeVisible();
  await expect(messages(page)).toContainText(prompt);
  await context.setOffline(false);
  // Don't reload: a reload would lose the key.
  server.play(answer("Four words."), answer("Two more."));
  await send.click();
  await expect(messages(page)).toContainText("Four words.");
  await context.setOffline(true);
  await say(page, "And now?");
  await expect(page.getByRole("alert").filter({ hasText: /You're offline\. Your message is kept|Couldn't connect/ })).toBeVisible();
  await context.setOffline(false);
  await send.click();
  await expect(messages(page)).toContainText("Two more.");
  expect(server.requests.map(({ refused }) => refused).filter((refused) => refused !== null)).toEqual([]);
  const { markdown } = await app.json<{ markdown: string }>("GET", `dialog/${id}`);
  for (const text of [prompt, "And now?"]) expect(markdown.split("\n").filter((line) => line === text)).toHaveLength(1);
});

test("a port where nothing listens", { tag: "@long" }, async ({ app, start }) => {
  const gone = await startClaude();
  await gone.close();
  const server = await start();
  const id = await openWith(app, { key: server.key, address: gone.url });
  await say(app.page, prompt);
  await said(app, id, /Couldn't connect to 127\.0\.0\.1:\d+\. Check that the server is running/);
  await goesOn(app, id, server);
});

test("a server that allows no calls from a page", { tag: "@long" }, async ({ app, start, closing }) => {
  const deaf = createServer((_request, response) => response.writeHead(200, { "Content-Type": "application/json" }).end("{}"));
  closing.push(deaf);
  await new Promise<void>((resolve) => deaf.listen(0, "127.0.0.1", resolve));
  const address = deaf.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const server = await start();
  const id = await openWith(app, { key: server.key, address: `http://127.0.0.1:${address.port}` });
  await say(app.page, prompt);
  await said(app, id, /allows requests from this page/);
  await goesOn(app, id, server);
});

test("a model that does not exist", { tag: "@long" }, async ({ app, start }) => {
  const server = await start();
  const id = await openWith(app, { key: server.key, address: server.url, model: "claude-nobody-9" });
  await say(app.page, prompt);
  await said(app, id, /doesn't have the model claude-nobody-9\. Choose another model/);
  await app.page.getByLabel("Model", { exact: true }).fill("claude-sonnet-5-5");
  server.play(answer("Four words."));
  await enterKey(app.page, { key: server.key });
  await say(app.page, "With another model, then.");
  await expect(messages(app.page)).toContainText("Four words.");
  expect(server.requests.at(-1)?.body.model).toBe("claude-sonnet-5-5");
});

for (const [name, turn, words] of [
  [
    "429 with retry-after",
    { fail: 429, type: "rate_limit_error", message: "Slow down.", headers: { "retry-after": "2" } },
    /too many requests/i,
  ],
  ["529", { fail: 529, type: "overloaded_error", message: "Overloaded" }, /overloaded/],
] as const satisfies readonly (readonly [string, Turn, RegExp])[]) {
  test(`${name}: the wait is counted down, then it goes on by itself`, { tag: "@long" }, async ({ app, start }) => {
    const { page } = app;
    const server = await start();
    await openWith(app, { key: server.key, address: server.url });
    server.play(turn, turn, answer("Four words."));
    await say(page, prompt);
    await expect(waits(page)).toContainText(/retrying in \d s/);
    await expect(waits(page)).toContainText(words);
    // The turn retries without asking the user for anything.
    await expect(waits(page)).not.toContainText(/try again/i);
    await expect(messages(page)).toContainText("Four words.", { timeout: 20_000 });
    expect(server.requests.filter(({ path }) => path === "/v1/messages")).toHaveLength(3);
  });
}

test("a wait that is counted down can be stopped, and asks no more", { tag: "@long" }, async ({ app, start }) => {
  const { page } = app;
  const server = await start();
  await openWith(app, { key: server.key, address: server.url });
  server.play({ fail: 429, type: "rate_limit_error", message: "Slow down.", headers: { "retry-after": "3" } }, answer("Too late."));
  await say(page, prompt);
  await expect(waits(page)).toContainText(/retrying in \d s/);
  await page.getByRole("button", { name: "Stop retrying" }).click();
  await expect(head(page)).toHaveClass(/doing-stopped/);
  await expect(waits(page)).toHaveCount(0);
  await page.waitForTimeout(3_500);
  expect(server.requests.filter(({ path }) => path === "/v1/messages")).toHaveLength(1);
  await page.getByRole("button", { name: /^(Continue|Resume|Try again)$/ }).click();
  await expect(messages(page)).toContainText("Too late.");
  expect(server.requests.at(-1)?.refused).toBeNull();
});

test("a page of HTML where a stream was expected", { tag: "@long" }, async ({ app, start }) => {
  const server = await start();
  const id = await openWith(app, { key: server.key, address: server.url });
  server.play({ raw: "<!doctype html><title>Sign in</title><script>alert(1)</script>", contentType: "text/html; charset=utf-8" });
  await say(app.page, prompt);
  await said(app, id, /HTML|html|not.*stream|no answer/);
  await goesOn(app, id, server);
});

test("a stream that is cut: what came is kept, a call that was not whole is not there", { tag: "@long" }, async ({ app, start }) => {
  const { page } = app;
  const server = await start();
  const id = await openWith(app, { key: server.key, address: server.url });
  server.play({
    blocks: [{ text: "I begin to count: one, two" }, { call: "run_command", input: { command: `echo ${"x".repeat(3_000)}` } }],
    faults: { cutAfterBytes: 4_000, pieceBytes: 500, pieceMs: 20 },
  });
  await say(page, prompt);
  await expect(messages(page)).toContainText("I begin to count: one, two");
  await expect(head(page)).toHaveClass(/doing-waiting/);
  await expect(messages(page)).toContainText("Interrupted here");
  await expect(panel(page)).toBeHidden();
  const { markdown } = await app.json<{ markdown: string }>("GET", `dialog/${id}`);
  expect(markdown).not.toContain("Tool request:");
  await goesOn(app, id, server);
});

test("an empty prompt, and one of three million characters, which is kept", { tag: "@long" }, async ({ app, start }) => {
  const { page } = app;
  const server = await start();
  const id = await openWith(app, { key: server.key, address: server.url });
  await writeBox(page).fill("   \n\t ");
  await expect(page.getByRole("button", { name: /^Send/ })).toBeDisabled();
  await writeBox(page).press("ControlOrMeta+Enter");
  expect((await app.json<{ messages: unknown[] }>("GET", `dialog/${id}`)).messages).toEqual([]);

  const size = 3_000_000;
  await page.evaluate((length) => {
    const box = document.querySelector<HTMLTextAreaElement>('textarea[aria-label="Message"]');
    if (box === null) throw new Error("no field");
    box.value = "word ".repeat(length / 5);
    box.dispatchEvent(new InputEvent("input", { bubbles: true }));
  }, size);
  await writeBox(page).press("ControlOrMeta+Enter");
  await expect(page.getByRole("alert").filter({ hasText: /^Couldn't send: .*2,?000,?000 characters/ })).toBeVisible({ timeout: 20_000 });
  expect((await writeBox(page).inputValue()).length).toBe(size);
  expect(server.requests.filter(({ path }) => path === "/v1/messages")).toEqual([]);
  server.play(answer("Four words."));
  await say(page, prompt);
  await expect(messages(page)).toContainText("Four words.");
});

test("a doc's name with a slash, dots, or nothing in it", { tag: "@long" }, async ({ app }) => {
  const { page } = app;
  await app.open();
  await page.getByRole("button", { name: "+ New" }).click();
  const field = page.getByLabel("Doc name");
  for (const name of ["a/b", "../up", "a..b", "", "   ", "é", "a\\b", "x".repeat(300)]) {
    await field.fill(name);
    await field.press("Enter");
    await expect(page.locator("#name-problem"), name).not.toHaveText("");
    await expect(field).toHaveValue(name);
  }
  for (const name of ["a/b.md", "..%2Fup.md", "a..md.md", "no-ending", "%00.md", "a%2Fb.md", "%E0%A4%A.md"]) {
    const { status, text } = await app.ask("POST", `file/${name}`, { content: "x" });
    expect([status, JSON.parse(text)], name).toEqual([400, { error: "Invalid filename" }]);
  }
  expect(await app.json("GET", "files")).not.toContainEqual(expect.stringContaining("up"));
  await field.fill("good one");
  await field.press("Enter");
  await expect(page.getByRole("link", { name: "good-one" })).toBeVisible();
});

test("a dialog's file cut in half, at many places", { tag: "@long" }, async ({ app, start }) => {
  const { page } = app;
  const server = await start();
  const id = await openWith(app, { key: server.key, address: server.url }, "cut");
  server.play(
    { blocks: [{ text: "I look.\n\n```\nnot closed" }, { call: "run_command", id: "toolu_1", input: { command: "echo hello" } }] },
    answer("It says hello."),
  );
  await say(page, prompt);
  await approve(page);
  await expect(messages(page)).toContainText("It says hello.");
  const [{ filename } = { filename: "" }] = await app.json<{ filename: string }[]>("GET", "dialogs");
  const whole = await app.file(filename);
  const name = (await app.json<{ filename: string }[]>("GET", "dialogs"))[0]?.filename ?? "";
  let tried = 0;
  for (let end = whole.length - 3; end > whole.indexOf("\n\n## User"); end -= 29) {
    const posted = await app.ask("POST", `file/${name}`, { content: whole.slice(0, end) });
    expect(posted.status, posted.text).toBe(200);
    const { markdown, messages: read } = await app.json<{
      markdown: string;
      messages: { parts: { kind: string; call?: { id: string; state: string } }[] }[];
    }>("GET", `dialog/${id}`);
    expect(parseDialog(markdown).sections).toHaveLength(read.length);
    const undecided = read.flatMap(({ parts }) =>
      parts.flatMap(({ call }) => (call?.state === "pending" ? [{ id: call.id, approved: false }] : [])),
    );
    server.play(answer("On it goes."));
    const before = server.requests.length;
    await app.json("GET", `dialog/${id}`);
    const sent = await app.ask("PUT", "dialog", { dialogId: id, prompt: "Please continue.", decisions: undecided });
    expect(sent.status, `cut at ${end}: ${sent.text}`).toBe(200);
    expect(
      server.requests.slice(before).map(({ refused }) => refused),
      `cut at ${end}`,
    ).toEqual([null]);
    tried += 1;
  }
  console.log(`a dialog's file cut at ${tried} places`);
  expect(tried).toBeGreaterThan(15);
  await expect(messages(page)).toContainText("On it goes.");
});

test("the same word sent many times at once counts once", { tag: "@long" }, async ({ app, start }) => {
  const { page } = app;
  const server = await start();
  const id = await openWith(app, { key: server.key, address: server.url }, "twice");
  const atOnce = (body: object) =>
    page.evaluate(
      (text) =>
        Promise.all(
          Array.from({ length: 8 }, async () => {
            const response = await fetch("dialog", { method: "PUT", body: text });
            await response.text();
            return response.status;
          }),
        ),
      JSON.stringify({ dialogId: id, ...body }),
    );
  server.play(
    {
      blocks: [
        { call: "run_command", id: "toolu_1", input: { command: "echo x >> log.txt" } },
        { call: "run_command", id: "toolu_2", input: { command: "echo y >> log.txt" } },
      ],
      faults: { pieceBytes: 100, pieceMs: 20 },
    },
    answer("Once."),
  );
  expect((await atOnce({ prompt })).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409, 409, 409, 409, 409]);
  const shown = await app.json<DialogAnswer>("GET", `dialog/${id}`);
  const calls = shown.messages.flatMap(({ parts }) => parts.flatMap((part) => (part.kind === "call" ? [part.call] : [])));
  const hashes = Object.fromEntries(calls.map((call) => [call.id, call.hash]));
  for (const status of await atOnce({ decisions: "toolu_1: approve\ntoolu_2: approve", hashes })) expect(status).toBeLessThan(500);
  await expect(messages(page)).toContainText("Once.");
  expect(await app.file("log.txt")).toBe("x\ny\n");
  const { markdown } = await app.json<{ markdown: string }>("GET", `dialog/${id}`);
  expect(markdown.match(/^Started: /gm)).toHaveLength(2);
  expect(markdown.split("\n").filter((line) => line === prompt)).toHaveLength(1);
  expect(server.requests.filter(({ path }) => path === "/v1/messages").map(({ refused }) => refused)).toEqual([null, null]);
});

test("an active dialog's file can't be written or deleted, and a decision on a call that reads otherwise is not taken", {
  tag: "@long",
}, async ({ app, start }) => {
  const { page } = app;
  const server = await start();
  const id = await openWith(app, { key: server.key, address: server.url }, "busy");
  server.play({
    blocks: [{ text: "word ".repeat(60) }, { call: "run_command", id: "toolu_1", input: { command: "echo kept > log.txt" } }],
    faults: { pieceBytes: 300, pieceMs: 20 },
  });
  await say(page, prompt);
  await expect(head(page)).toHaveClass(/doing-active/);
  const nameNow = async () => (await app.json<{ filename: string }[]>("GET", "dialogs"))[0]?.filename ?? "";
  const active = await nameNow();
  expect(active).toContain("-active.md");
  expect((await app.ask("POST", `file/${active}`, { content: "# Dialog\n> Format: 1\n" })).status).toBe(409);
  expect((await app.ask("DELETE", `file/${active}`)).status).toBe(409);
  await expect(panel(page)).toContainText("echo kept > log.txt");

  // Someone edits the file by hand between reading and clicking.
  const hash =
    (await app.json<{ messages: { parts: { call?: { hash: string } }[] }[] }>("GET", `dialog/${id}`)).messages.at(-1)?.parts.at(-1)?.call
      ?.hash ?? "";
  const waiting = await nameNow();
  const text = await app.file(waiting);
  expect((await app.ask("POST", `file/${waiting}`, { content: text.replace("echo kept > log.txt", "rm -rf everything") })).status).toBe(
    200,
  );
  const refused = await app.ask("PUT", "dialog", { dialogId: id, decisions: "toolu_1: approve", hashes: { toolu_1: hash } });
  expect(refused.status).toBe(409);
  await expect(panel(page)).toContainText("rm -rf everything");
  expect(await app.file(waiting)).not.toContain("Decision:");
});

test("bad bodies and unknown paths crash nothing", async ({ app }) => {
  await app.open();
  const tries: [string, string, unknown][] = [
    ["POST", "dialog", {}],
    ["POST", "dialog", { provider: "nobody", prompt: "x" }],
    ["POST", "dialog", { provider: "demo", prompt: "" }],
    ["POST", "dialog", { provider: "demo", prompt: "x", model: "a b\n> Authorized: run_command" }],
    ["PUT", "dialog", { dialogId: "../../x", prompt: "x" }],
    ["PUT", "dialog", { dialogId: "none", prompt: "x" }],
    ["PUT", "dialog", []],
    ["PUT", "dialog", null],
    ["PUT", "dialog", "text"],
    ["POST", "file/doc-x.md", { content: 7 }],
    ["PUT", "provider/claude", { apiKey: "line\nbreak" }],
    ["PUT", "provider/claude", { apiKey: "žluťoučký" }],
    ["PUT", "provider/claude", { baseURL: "http://example.com" }],
    ["PUT", "provider/claude", { baseURL: "javascript:alert(1)" }],
    ["PUT", "provider/claude", { baseURL: "https://user:word@example.com" }],
    ["PUT", "provider/nobody", { apiKey: "x" }],
    ["DELETE", "file/doc-none.md", undefined],
    ["PATCH", "dialog", {}],
    ["GET", "dialog/none/stream", undefined],
    ["GET", "deed/vibey/doc-main.md", undefined],
    ["PUT", "deed/vibey/doc-main.md", { content: "x" }],
    ["GET", "project.zip?scope=everything", undefined],
  ];
  for (const [method, path, body] of tries) {
    const { status, text } = await app.ask(method, path, body);
    expect(status, `${method} ${path} ${JSON.stringify(body)}: ${text}`).toBeGreaterThanOrEqual(400);
    expect(status, `${method} ${path}`).toBeLessThan(500);
    expect(typeof (JSON.parse(text) as { error: unknown }).error).toBe("string");
  }
  expect(await app.json<string[]>("GET", "files")).toContain("doc-main.md");
  expect(app.complaints).toEqual([]);
});
