// Two tabs write to one file. Whatever they do, in whatever order, both texts can be read afterwards.
import type { BrowserContext, Page } from "@playwright/test";
import type { App } from "./app.ts";
import { editor, expectInEditor, textInEditor } from "./hands.ts";
import { expect, files, messageBox, newDialog, openWithKey, test } from "./steps.ts";

const main = "#/docs/doc-main.md";
const before = "first\n\nmiddle\n\nlast\n";
const state = (page: Page) => page.locator(".status .state");
const conflict = (page: Page) => page.getByRole("region", { name: "Two versions of this file" });

/** Opens the same file in two tabs, each with its editor. */
async function twoTabs(app: App, context: BrowserContext): Promise<readonly [Page, Page]> {
  await app.open(main);
  await app.json("POST", "file/doc-main.md", { content: before });
  const other = await context.newPage();
  await other.goto(`./${main}`);
  for (const page of [app.page, other]) {
    await editor(page).focus();
    await expectInEditor(page, before);
    page.on("dialog", (dialog) => void dialog.accept());
  }
  return [app.page, other];
}

/**
 * Inserts words before the first `at`, or replaces everything, in one task, like the last key before switching to the other tab. Returns
 * the text.
 */
const put = (page: Page, at: string | null, words: string) =>
  editor(page).evaluate(
    (
      element: Element & { cmTile?: { root: { view: { state: { sliceDoc(): string }; dispatch(change: object): void } } } },
      [place, insert],
    ) => {
      const view = element.cmTile?.root.view;
      if (view === undefined) throw new Error("no editor");
      const text = view.state.sliceDoc();
      const changes = place === null ? { from: 0, to: text.length, insert } : { from: text.indexOf(place), insert };
      view.dispatch({ changes, userEvent: "input.type" });
      return view.state.sliceDoc();
    },
    [at, words] as const,
  );

/** Anna and Bert type into the same line before either tab has received the other's change. */
async function bothInto(a: Page, b: Page, at: string): Promise<void> {
  const whole = (await textInEditor(a)) ?? "";
  for (;;) {
    const texts = await Promise.all([put(a, at, "Anna "), put(b, at, "Bert ")]);
    if (!texts.some((text) => text.includes("Anna Bert ") || text.includes("Bert Anna "))) return;
    // One tab received the other's change first, which is a different case. Reset and try again.
    for (const page of [a, b]) await put(page, null, whole);
    for (const page of [a, b]) await expect(state(page)).toHaveText("Saved");
  }
}

/** Everything readable on the page: in the editor and next to it. */
async function shown(page: Page): Promise<string> {
  const beside = await page
    .locator(".conflict textarea")
    .evaluateAll((fields) => fields.map((field) => (field as HTMLTextAreaElement).value));
  return [await textInEditor(page), ...beside].join("\n---\n");
}
async function expectBoth(page: Page, ...words: readonly string[]): Promise<void> {
  for (const each of words) await expect.poll(() => shown(page)).toContain(each);
}

test("the same line, saved in one tab before the other's text is stored: both are shown, also after a reload", { tag: "@long" }, async ({
  app,
  context,
}) => {
  const [a, b] = await twoTabs(app, context);
  await bothInto(a, b, "first");
  await b.keyboard.press("ControlOrMeta+s");
  await expect(state(b)).toHaveText("Saved");
  await expect(conflict(a)).toBeVisible();
  await expectBoth(a, "Anna first", "Bert first");
  await a.reload();
  await expect(conflict(a)).toBeVisible();
  await expectBoth(a, "Anna first", "Bert first");
  expect(await app.file("doc-main.md")).toContain("Bert first");
});

test("the same line, and saved a while later: both are shown in either tab, also after a reload", async ({ app, context }) => {
  const [a, b] = await twoTabs(app, context);
  await bothInto(a, b, "first");
  for (const page of [a, b]) {
    await expect(conflict(page)).toBeVisible();
    await expectBoth(page, "Anna first", "Bert first");
  }
  await expect(files(a).getByText("unsaved")).toHaveCount(1);
  await a.reload();
  await expectBoth(a, "Anna first", "Bert first");
  await b.reload();
  await expectBoth(b, "Anna first", "Bert first");
});

test("other lines: both tabs have both changes, and so has the file", { tag: "@long" }, async ({ app, context }) => {
  const [a, b] = await twoTabs(app, context);
  await Promise.all([put(a, "first", "Anna "), put(b, "last", "Bert ")]);
  for (const page of [a, b]) await expectInEditor(page, "Anna first\n\nmiddle\n\nBert last\n");
  await b.keyboard.press("ControlOrMeta+s");
  for (const page of [a, b]) await expect(state(page)).toHaveText("Saved");
  expect(await app.file("doc-main.md")).toBe("Anna first\n\nmiddle\n\nBert last\n");
});

test("a tab that is closed at once after typing: its text is shown in the other one, also after a reload", { tag: "@long" }, async ({
  app,
  context,
}) => {
  const [a, b] = await twoTabs(app, context);
  await bothInto(a, b, "first");
  const closed = a.waitForEvent("close");
  await a.close({ runBeforeUnload: true });
  await closed;
  await expectBoth(b, "Anna first", "Bert first");
  await b.reload();
  await expectBoth(b, "Anna first", "Bert first");
});

test("the one that I keep is in both tabs and in the file; the other one is gone in both", { tag: "@long" }, async ({ app, context }) => {
  const [a, b] = await twoTabs(app, context);
  await bothInto(a, b, "first");
  await expect(conflict(b)).toBeVisible();
  await conflict(a).getByRole("button", { name: "Keep mine" }).click();
  for (const page of [a, b]) {
    await expect(conflict(page)).toHaveCount(0);
    await expectInEditor(page, "Anna first\n\nmiddle\n\nlast\n");
    await expect(state(page)).toHaveText("Saved");
  }
  expect(await app.file("doc-main.md")).toBe("Anna first\n\nmiddle\n\nlast\n");
  await bothInto(a, b, "middle");
  await expect(conflict(b)).toBeVisible();
  await conflict(a)
    .getByRole("button", { name: /^Use (other|saved) version$/ })
    .click();
  for (const page of [a, b]) {
    await expect(conflict(page)).toHaveCount(0);
    await expectInEditor(page, "Anna first\n\nBert middle\n\nlast\n");
  }
});

test("a doc that is deleted in one tab while the other one types in it: the text is kept and can be saved", { tag: "@long" }, async ({
  app,
  context,
}) => {
  await app.open();
  await app.json("POST", "file/doc-a.md", { content: before });
  const [a, b] = await twoTabs(app, context);
  await a.goto("#/docs/doc-a.md");
  await expectInEditor(a, before);
  await files(b).getByRole("link", { name: "a", exact: true }).hover();
  await Promise.all([put(a, "first", "Anna "), files(b).getByRole("button", { name: "Delete a" }).click()]);
  await expect(files(a).getByRole("link", { name: "a", exact: true })).toHaveCount(0);
  await expectInEditor(a, `Anna ${before}`);
  await expect(a.getByRole("alert")).toContainText("deleted while you were editing");
  await a.keyboard.press("ControlOrMeta+s");
  await expect(state(a)).toHaveText("Saved");
  expect(await app.file("doc-a.md")).toBe(`Anna ${before}`);
});

test("a message that both tabs write at once is one message with both texts", { tag: "@long" }, async ({ app, context, claude }) => {
  await openWithKey(app, claude);
  const id = await newDialog(app, "work");
  const b = await context.newPage();
  await b.goto(`./#/dialogs/${id}`);
  await expect(messageBox(b)).toBeEnabled();
  await Promise.all([messageBox(app.page).fill("from A"), messageBox(b).fill("from B")]);
  for (const page of [app.page, b]) await expect(messageBox(page)).toHaveValue("from A\n\nfrom B");
  await b.reload();
  await expect(messageBox(b)).toHaveValue("from A\n\nfrom B");
});
