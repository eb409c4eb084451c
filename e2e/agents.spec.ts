// Many agents at once, as a person sees them: who runs, who waits for whom, and how to stop and resume all.
import type { Locator, Page } from "@playwright/test";
import type { Turn } from "../tests/stand-in/claude.ts";
import type { App } from "./app.ts";
import { asked, dialogs, expect, markdownOf, newDialog, openWithKey, say, test } from "./steps.ts";
import { call, dialogText, writeDialog } from "./written.ts";

const endless: Turn = { blocks: [{ text: "Once upon a time. ".repeat(400) }], faults: { stallAfterBytes: 900 } };

/** Begins a dialog without the screen, as an agent or a script does. */
async function begin(app: App, slug: string): Promise<string> {
  return app.page.evaluate(async (name) => {
    const response = await fetch("dialog", { method: "POST", body: JSON.stringify({ provider: "claude", prompt: "Go.", slug: name }) });
    const first = await response.body?.getReader().read();
    return /"dialogId":"([^"]+)"/.exec(new TextDecoder().decode(first?.value))?.[1] ?? "";
  }, slug);
}
/** Opens a dialog. Returns the list next to it. */
async function beside(page: Page, dialogId: string): Promise<Locator> {
  await page.goto(`./#/dialogs/${dialogId}`);
  return dialogs(page);
}
const limitTo = (app: App, agents: number) => app.json("POST", "file/doc-main.md", { content: `# Main\n\n> Limit: agents ${agents}\n` });

test("those over the limit wait in a queue, in the list and in the dialog, and begin when there is room", async ({ app, claude }) => {
  const { page } = app;
  await openWithKey(app, claude, "#/dialogs");
  await limitTo(app, 1);
  claude.play(endless, { blocks: [{ text: "My turn." }] });
  const first = await begin(app, "first");
  const second = await begin(app, "second");
  await begin(app, "third");
  const list = await beside(page, first);
  await expect(list.getByRole("heading")).toHaveText(["Running · 1", "Queued · 2"]);
  await expect(list.getByRole("link", { name: "second" })).toContainText("next in the queue");
  await expect(list.getByRole("link", { name: "third" })).toContainText("queued, 1 ahead");

  await list.getByRole("link", { name: "second" }).click();
  await expect(page.locator(".strip")).toContainText("next in the queue");
  await expect(page.locator(".strip")).toContainText("> Limit: agents 1");
  await expect.poll(() => asked(claude)).toHaveLength(1);
  await app.json("PUT", "dialog", { dialogId: first, status: "waiting" });
  await expect(page.getByRole("article", { name: "Agent" })).toContainText("My turn.");
  await expect(page.locator(".strip")).toHaveCount(0);
  expect(await markdownOf(app, second)).not.toContain("> Stop:");
});

test("those in the queue stay there over a reload, say which key they need, and go on by themselves once it is there", {
  tag: "@long",
}, async ({ app, claude }) => {
  const { page } = app;
  await openWithKey(app, claude, "#/dialogs");
  await limitTo(app, 1);
  claude.play(endless, { blocks: [{ text: "My turn." }] }, { blocks: [{ text: "Mine, too." }] });
  const first = await begin(app, "first");
  const second = await begin(app, "second");
  const third = await begin(app, "third");
  const list = await beside(page, first);
  await expect(list.getByRole("heading")).toHaveText(["Running · 1", "Queued · 2"]);
  await expect.poll(() => markdownOf(app, third)).toContain("\n> Queued: ");
  await expect.poll(() => asked(claude)).toHaveLength(1);
  await page.reload();
  await expect(list.getByRole("heading")).toHaveText(["Waiting for you", "Queued · 2"]);
  await expect(list.getByRole("link", { name: "first" })).toContainText("interrupted");
  await expect(list.getByRole("link", { name: "third" })).toContainText("waiting for a key");
  await list.getByRole("link", { name: "third" }).click();
  await expect(page.locator(".strip")).toContainText("No API key for Claude.");
  expect(asked(claude)).toHaveLength(1);
  await app.json("PUT", "provider/claude", { apiKey: claude.key });
  await expect(page.getByRole("article", { name: "Agent" })).toContainText("Mine, too.");
  await expect(page.locator(".strip")).toHaveCount(0);
  for (const id of [second, third]) expect(await markdownOf(app, id)).not.toMatch(/> (?:Stop|Queued):/);
  expect(await markdownOf(app, second)).toContain("My turn.");
  expect(asked(claude)).toHaveLength(3);
});

test("Stop all stops those that run and those that wait, says so, and each goes on alone", { tag: "@long" }, async ({ app, claude }) => {
  const { page } = app;
  await openWithKey(app, claude, "#/dialogs");
  await limitTo(app, 2);
  claude.play(endless, endless);
  const ids = [await begin(app, "one"), await begin(app, "two"), await begin(app, "three")];
  const list = await beside(page, ids[0] ?? "");
  await expect(list.getByRole("link", { name: "three" })).toContainText("next in the queue");
  await list.getByRole("button", { name: "Stop all" }).click();
  await expect(page.getByRole("region", { name: "Notifications" })).toContainText("Stopped 3 agents.");
  await expect(list.getByRole("heading")).toHaveText(["Stopped"]);
  await expect(list.getByRole("button", { name: "Stop all" })).toHaveCount(0);
  expect(asked(claude)).toHaveLength(2);

  claude.play({ blocks: [{ text: "On I go." }] });
  await page.goto(`./#/dialogs/${ids[2]}`);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("article", { name: "Agent" }).last()).toContainText("On I go.");
  expect(asked(claude)).toHaveLength(3);
});

test("a waiting row tells what it waits for", { tag: "@long" }, async ({ app, claude }) => {
  const { page } = app;
  await openWithKey(app, claude, "#/dialogs");
  claude.play({ blocks: [{ call: "run_command", input: { command: "ls" } }] }, { blocks: [{ text: "Done.\n\n> Waiting: Which colour?" }] });
  const list = await beside(page, await begin(app, "asks"));
  const row = (name: string) => list.getByRole("link", { name: new RegExp(`^${name}`) });
  await expect(row("asks")).toContainText("Run ls");
  await begin(app, "wonders");
  await expect(row("wonders")).toContainText("has a question");
  await row("asks").click();
  await page.getByRole("button", { name: "Deny", exact: true }).click();
  await expect(row("asks")).toContainText("waiting for your reply");
});

test("what was interrupted is resumed all at once", { tag: "@long" }, async ({ app, claude }) => {
  const { page } = app;
  await openWithKey(app, claude, "#/dialogs");
  const broken = dialogText([
    ["User", "Paint."],
    ["Assistant", "I begin with the sky"],
  ]);
  const ids = [await writeDialog(app, "sky", "active", broken), await writeDialog(app, "sea", "active", broken)];
  const left = dialogText([
    ["User", "List."],
    ["Assistant", call("toolu_1", "ls")],
  ]);
  const list = await beside(page, await writeDialog(app, "asks", "waiting", left));
  await expect(list.getByText("interrupted")).toHaveCount(2);
  claude.play({ blocks: [{ text: "Blue." }] }, { blocks: [{ text: "Blue." }] });
  await list.getByRole("button", { name: "Continue all" }).click();
  await expect(list.getByRole("heading")).toHaveText(["Waiting for you", "Done"]);
  await expect(list.getByRole("button", { name: "Continue all" })).toHaveCount(0);
  for (const id of ids) expect(await markdownOf(app, id)).toMatch(/> Stop: interrupted[^]*Please continue\.[^]*Blue\./);
  expect(asked(claude)).toHaveLength(2);
});

test("the settings show the limits that hold, and where each comes from", { tag: "@long" }, async ({ app }) => {
  await app.open();
  await limitTo(app, 3);
  await app.page.getByRole("button", { name: "Settings" }).click();
  const limits = app.page.getByRole("dialog", { name: "Settings" }).locator(".limits li");
  await expect(limits.filter({ hasText: "Up to 3 agents at a time" })).toContainText("set in main");
  await expect(limits.filter({ hasText: "per hour" })).toContainText("default");
});

test("a finished dialog says what the agents do that it launched", { tag: "@long" }, async ({ app, claude }) => {
  const { page } = app;
  await openWithKey(app, claude, "#/dialogs");
  const parent = await writeDialog(
    app,
    "boss",
    "done",
    dialogText([
      ["User", "Begin."],
      ["Assistant", "Launched."],
    ]),
  );
  const asking = dialogText(
    [
      ["User", "Draw."],
      ["Assistant", call("toolu_1", "ls")],
    ],
    [`> Launched by: ${parent}`],
  );
  const list = await beside(page, await writeDialog(app, "artist", "waiting", asking));
  const row = list.getByRole("link", { name: /^boss/ });
  await expect(row).toContainText("its agents: 1 waiting for you");
  await row.click();
  await expect(page.locator(".doing")).toHaveText("its agents: 1 waiting for you");
  await page.goto("./#/dialogs/20261121-201100-artist");
  claude.play({ blocks: [{ text: "Fine." }] });
  await page.getByRole("button", { name: "Deny", exact: true }).click();
  await expect(dialogs(page).getByRole("link", { name: /^artist/ })).toContainText("waiting for your reply");
});

test("a dialog launched by another leads back to it", { tag: "@long" }, async ({ app, claude }) => {
  const { page } = app;
  await openWithKey(app, claude);
  const id = await newDialog(app, "boss");
  await app.json("PUT", "dialog", { dialogId: id, authorizations: ["launch_agent"] });
  const child = { provider: "claude", model: "claude-sonnet-5-5", prompt: "Draw.", slug: "artist" };
  claude.play((request) =>
    JSON.stringify(request.body.messages).includes("Draw.") && !JSON.stringify(request.body.messages).includes("Begin.")
      ? { blocks: [{ text: "Drawn." }] }
      : { blocks: [{ call: "launch_agent", input: child }] },
  );
  const answer = () => ({ blocks: [{ text: "Well." }] });
  claude.play(answer, answer);
  await say(page, "Begin.");
  await page.getByRole("link", { name: /^Open.*artist/ }).click();
  await expect(page.locator(".doing")).toContainText("launched by boss");
  await page.locator(".doing").getByRole("link", { name: "boss" }).click();
  await expect(page.getByRole("heading", { name: "boss" })).toBeVisible();
});
