// An answer that breaks off: the received part stays in order, the dialog says what is missing, and nothing of it runs by itself.
import type { Page } from "@playwright/test";
import { type ClaudeStandIn, say as answer, streamText } from "../tests/stand-in/claude.ts";
import { type App, expect } from "./app.ts";
import { test } from "./claude-server.ts";
import { approve, messages, openNewDialog, panel, say } from "./hands.ts";

const reply = {
  blocks: [
    { text: "First the notes." },
    { call: "write_file", id: "toolu_1", input: { path: "notes.txt", content: "kept\n" } },
    { text: "Then the list." },
    { call: "run_command", id: "toolu_2", input: { command: "ls -la" } },
  ],
};
const stream = streamText(reply);
/** The offset of the end of the event that contains the `nth` occurrence of `words`, in bytes. */
const behind = (words: string, nth = 1): number => {
  let at = -1;
  for (let count = 0; count < nth; count++) at = stream.indexOf(words, at + 1);
  return Buffer.byteLength(stream.slice(0, stream.indexOf("\n\n", at) + 2));
};
const stops = (index: number) => behind(`"content_block_stop","index":${index}`);

const [first, notes, then, list] = ["First the notes.", "Write notes.txt", "Then the list.", "Run ls -la"];
const lost = (wish: string) => `The agent's request to ${wish} was cut off before it was complete. It didn't run.`;
const cutNote = "The agent's answer was cut off. These requests are complete, but more may have followed.";

/** Texts, calls and notes of the agent's last answer, in order, as the screen shows them. */
async function shown(page: Page): Promise<string[]> {
  const parts = messages(page).locator(".turn.ai").last().locator(".prose, :scope > details.call > summary, :scope > ul.meta > li");
  return (await parts.allInnerTexts()).map((text) => text.replace(/\s+/g, " ").trim());
}

async function openWith(app: App, server: ClaudeStandIn): Promise<void> {
  // Commands may run without asking, but the commands of a cut answer may not.
  await app.open();
  await app.json("POST", "file/doc-main.md", { content: "# A game\n\n> Authorized: run_command\n" });
  await useKey(app, server);
}

/** The page forgets the key on reload. */
const useKey = (app: App, server: ClaudeStandIn) => app.json("PUT", "provider/claude", { apiKey: server.key, baseURL: server.url });

const points = [
  ["in the first text", behind("text_delta", 3), [/^First the?/], 0],
  ["in the first call", behind("input_json_delta", 4), [first, lost("write a file")], 0],
  ["behind the first call", stops(1), [first, new RegExp(`^${notes}`)], 1],
  ["in the second text", behind('"text":"The', 1), [first, new RegExp(`^${notes}`), /^The/], 1],
  ["in the second call", behind('"content_block_start","index":3'), [first, new RegExp(`^${notes}`), then, lost("run a command")], 1],
  ["behind the second call", stops(3), [first, new RegExp(`^${notes}`), then, new RegExp(`^${list}`)], 2],
] as const;

/** With several calls, their panel covers the messages. */
async function showMessages(page: Page, calls: number): Promise<void> {
  if (calls > 1) await panel(page).getByRole("button", { name: "Show messages" }).click();
}

test("dropped at each point: what had come stays in its order, what is incomplete is named, and nothing runs", { tag: "@long" }, async ({
  app,
  start,
}) => {
  const { page } = app;
  const server = await start();
  await openWith(app, server);
  for (const [nth, [where, bytes, expected, pending]] of points.entries()) {
    await test.step(where, async () => {
      await useKey(app, server);
      await openNewDialog(page, { provider: "claude", slug: `cut-${nth}` });
      // A reset connection loses bytes that the browser hasn't read. So this body ends in the middle of the answer instead.
      server.play({ raw: stream.slice(0, bytes), contentType: "text/event-stream" });
      await say(page, "Go");
      await showMessages(page, pending);
      await expect(messages(page).locator(".stop")).toBeVisible();
      const matches = (parts: readonly string[]) =>
        parts.length === expected.length &&
        expected.every((each, at) => (typeof each === "string" ? parts[at] === each : each.test(parts[at] ?? "")));
      await expect.poll(async () => matches(await shown(page))).toBe(true);
      const now = await shown(page);
      if (pending > 0) await expect(panel(page).getByText(cutNote)).toBeVisible();
      else await expect(page.getByRole("button", { name: "Continue", exact: true })).toBeVisible();
      await page.reload();
      await showMessages(page, pending);
      await expect(messages(page).locator(".stop")).toBeVisible();
      await expect.poll(() => shown(page)).toEqual(now);
      await expect(panel(page)).toHaveCount(pending > 0 ? 1 : 0);
    });
  }
  const deed = await app.json<readonly { readonly path: string }[]>("GET", "deed");
  expect(deed.map(({ path }) => path)).not.toContain("notes.txt");
  expect(app.complaints).toEqual([]);
});

test("reloaded in the middle: what was shown is there again, the complete call can be approved, and the dialog goes on", async ({
  app,
  start,
}) => {
  const { page } = app;
  const server = await start();
  await openWith(app, server);
  await openNewDialog(page, { provider: "claude", slug: "reloaded" });
  server.play({ ...reply, faults: { stallAfterBytes: behind('"content_block_start","index":3') } });
  await say(page, "Go");
  await expect(messages(page).getByText("The agent is writing a request to run a command…")).toBeVisible();
  await expect
    .poll(() => shown(page))
    .toEqual([first, expect.stringMatching(/^Write notes\.txt.*when the answer is complete$/), then, expect.any(String)]);
  await expect(panel(page)).toHaveCount(0);

  await expect
    .poll(async () => {
      const [dialog] = await app.json<readonly { readonly filename: string }[]>("GET", "dialogs");
      return (await app.json<{ readonly content: string }>("GET", `file/${dialog?.filename}`)).content;
    })
    .toContain("> Incomplete call: run_command [toolu_2]\n");
  await page.reload();
  await expect(panel(page).getByText(cutNote)).toBeVisible();
  await expect
    .poll(() => shown(page))
    .toEqual([first, expect.stringMatching(/^Write notes\.txt.*waiting for you$/), then, lost("run a command")]);

  await useKey(app, server);
  server.play(answer("Both are done."));
  await approve(page);
  await expect(messages(page).getByText("Both are done.")).toBeVisible();
  expect(await app.file("notes.txt")).toBe("kept\n");
  expect(server.requests.flatMap(({ refused }) => refused ?? [])).toEqual([]);
  expect(app.complaints).toEqual([]);
});
