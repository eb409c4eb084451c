// How full the model's context window is, and what to do when it is full: a new dialog with a summary that links to lines of the old one.
import { dialogWith, expect, markdownOf, messageBox, newDialog, openWithKey, say, test } from "./steps.ts";
import { dialogText, writeDialog } from "./written.ts";

const agent = { name: "Agent" } as const;

test("after each turn it says quietly how full the window is, and offers nothing while there is room", async ({ app, claude }) => {
  const { page } = app;
  await dialogWith(app, claude, { blocks: [{ text: "One." }], usage: { input: 400_000, output: 10_000 } });
  const window = page.getByRole("article", agent).locator(".window");
  await expect(window).toContainText("41% of context");
  await expect(window).toContainText("410,000 of 1,000,000 tokens");
  claude.play({ blocks: [{ text: "Two." }], usage: { input: 500_000, output: 20_000 } });
  await say(page, "And?");
  await expect(window).toHaveText([/^52% of context/]);
  await expect(page.getByRole("button", { name: "Continue in a new dialog" })).toHaveCount(0);
});

test("past the threshold a fresh dialog is offered; its summary's points open the lines they are made from", async ({ app, claude }) => {
  const { page } = app;
  const old = await dialogWith(app, claude, {
    blocks: [{ text: "The answer is forty-two." }],
    usage: { input: 800_000, output: 20_000 },
  });
  const offer = page.getByRole("region", { name: "Context window almost full" });
  await expect(offer).toContainText("82% of the context window is used.");
  const before = await markdownOf(app, old);
  claude.play({ blocks: [{ text: "I go on from there." }] });
  await offer.getByRole("button", { name: "Continue in a new dialog" }).click();

  await expect(page.locator(".doing")).toContainText("continued from work");
  await expect(page.getByRole("article", agent)).toContainText("I go on from there.");
  await expect(page.getByRole("article", { name: "You" })).toContainText("starts from a summary by Vibey");
  expect(await markdownOf(app, old)).toBe(before);

  const point = page.getByRole("listitem").filter({ hasText: "Please do it." }).getByRole("link");
  const line = /\d+/.exec(await point.innerText())?.[0];
  await point.click();
  await expect(page.locator(".text-line.named")).toHaveText(`${line}Please do it.`);
  await expect(page.locator(".text-line.named")).toBeInViewport();
  expect(before.split("\n")[Number(line) - 1]).toBe("Please do it.");
  await page.getByRole("link", { name: "Back to dialog" }).click();
  await expect(page.getByRole("article", agent)).toContainText("The answer is forty-two.");
});

test("a window that was too small offers the same, and a failure to begin is said where it was asked for", { tag: "@long" }, async ({
  app,
  claude,
}) => {
  const { page } = app;
  await openWithKey(app, claude);
  const text = dialogText([
    ["User", "Read it all."],
    ["Assistant", "I have read half.", "> Stop: context_window"],
  ]);
  const id = await writeDialog(app, "library", "waiting", text);
  await page.goto(`./#/dialogs/${id}`);
  const offer = page.getByRole("region", { name: "Context window almost full" });
  await expect(offer).toContainText("no longer fits in the model's context window");
  await page.evaluate(() => {
    const inner = window.fetch;
    window.fetch = (input, init) =>
      typeof input === "string" && input.endsWith("/continue") ? Promise.reject(new TypeError("the line is cut")) : inner(input, init);
  });
  await offer.getByRole("button").click();
  await expect(page.getByRole("alert")).toContainText("Couldn't start the new dialog: Vibey didn't respond (the line is cut).");
  await expect(offer.getByRole("button")).toBeEnabled();
});

test("a dialog opens as text, with its lines, and grows there", { tag: "@long" }, async ({ app, claude }) => {
  const { page } = app;
  const id = await dialogWith(app, claude, { blocks: [{ text: "First." }] });
  await expect(page.getByRole("article", agent)).toContainText("First.");
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("link", { name: "View as plain text" }).click();
  const lines = page.locator(".text-line");
  await expect(lines.first()).toHaveText("1# Dialog");
  await expect(page.locator(".text-line.named")).toHaveCount(0);
  claude.play({ blocks: [{ text: "Second." }] });
  await app.json("PUT", "dialog", { dialogId: id, prompt: "More?" }).catch(() => undefined);
  await expect(lines.filter({ hasText: "Second." })).toBeVisible();
  const shown = await lines.locator("code").allInnerTexts();
  await expect.poll(async () => (await lines.locator("code").allTextContents()).join("\n")).toBe((await markdownOf(app, id)).trimEnd());
  expect(shown.length).toBeGreaterThan(10);
});

test("a link to lines that are not there any more says so; a dialog that is gone too", { tag: "@long" }, async ({ app, claude }) => {
  const { page } = app;
  await openWithKey(app, claude);
  await newDialog(app, "short");
  await expect(messageBox(page)).toBeEnabled();
  const id = /dialogs\/([^/]+)$/.exec(page.url())?.[1] ?? "";
  await page.goto(`./#/dialogs/${id}/text/900`);
  await expect(page.getByRole("alert")).toContainText("This link points to line 900");
  await page.goto("./#/dialogs/20200101-000000-nothing/text");
  await expect(page.getByText("This dialog no longer exists.")).toBeVisible();
});
