// A newcomer's first seconds: what Vibey is, and how to begin.
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { type App, expect, test } from "./app.ts";
import { approve, approveButton, expectInEditor, panel } from "./hands.ts";
import { files, overview } from "./steps.ts";

test.use({ newcomer: true });

const heading = (page: Page) => page.getByRole("heading", { name: /^Write what you want/ });
const ownText = (page: Page) => page.getByLabel("Start with your own text");
const banner = (page: Page) => page.getByRole("banner");
const demoEnd = (page: Page) => page.getByRole("region", { name: "That was the demo" });
const docNames = async (app: App) => (await app.json<string[]>("GET", "files")).toSorted();
const demoDocs = ["doc-look.md", "doc-main.md", "doc-rules.md"];

/** Whether the page in the preview ever had the focus. */
async function hadFocus(page: Page): Promise<boolean> {
  const had = await Promise.all(page.frames().map((frame) => frame.evaluate(() => "had" in globalThis)));
  return had.includes(true);
}

/** Approves every request of this dialog until its agent is done. */
async function approveAll(page: Page) {
  const done = page.locator(".dialog-head .doing-done");
  for (;;) {
    await expect(done.or(approveButton(page)).first()).toBeVisible({ timeout: 20_000 });
    if (await done.isVisible()) return;
    const asks = panel(page).getByRole("heading", { level: 2 });
    const text = await asks.innerText();
    await approve(page);
    await expect(asks.filter({ hasText: text })).toBeHidden();
  }
}

for (const [name, width, colorScheme] of [
  ["a wide screen", 1280, "light"],
  ["a wide screen at night", 1280, "dark"],
  ["a phone", 360, "light"],
  ["a phone at night", 360, "dark"],
] as const)
  test.describe(`on ${name}`, () => {
    test.use({ viewport: { width, height: 780 }, colorScheme });

    test("the page says what Vibey is and how to begin, with no script at all", async ({ browser, baseURL }) => {
      const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width, height: 780 }, colorScheme });
      const page = await context.newPage();
      await page.goto(baseURL ?? "");
      await expect(heading(page)).toBeInViewport();
      await expect(page.getByRole("button", { name: "Play the demo" })).toBeInViewport();
      await context.close();
    });

    test("nothing moves when the app takes the page over, and axe finds nothing", {
      tag: (width === 360) === (colorScheme === "dark") ? [] : "@long",
    }, async ({ app }) => {
      const { page } = app;
      await page.addInitScript(() => {
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) if ("value" in entry) console.warn(`moved by ${String(entry.value)}`);
        }).observe({ type: "layout-shift", buffered: true });
      });
      await app.open();
      await expect(heading(page)).toBeInViewport();
      await expect(page.getByRole("tablist")).toBeVisible();
      for (const absent of ["Preview", "Start", "Find"]) await expect(banner(page).getByRole("button", { name: absent })).toHaveCount(0);
      await expect(banner(page).getByRole("link", { name: "History" })).toHaveCount(0);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations).toEqual([]);
      expect(app.complaints).toEqual([]);
    });

    test("the demo is played to its end, which says what to do next", { tag: "@long" }, async ({ app }) => {
      const { page } = app;
      await app.open();
      await page.getByRole("button", { name: "Play the demo" }).click();
      await approveAll(page);
      await expect(demoEnd(page)).toHaveCount(0);
      await page.getByRole("link", { name: "Open its dialog" }).click();
      await expect(panel(page).getByRole("heading", { name: "The agent wants to run a command" })).toBeVisible();
      await approveAll(page);
      await expect(demoEnd(page)).toBeVisible();
      // Only a wide screen has room next to a dialog.
      await expect(page.getByRole("region", { name: "Preview", exact: true })).toHaveCount(width > 1000 ? 1 : 0);
      await demoEnd(page).getByRole("link", { name: "Start with your own text" }).click();
      await expect(ownText(page)).toBeFocused();
      await ownText(page).fill("# Wedding\n\nA page that counts down.");
      await page.getByRole("button", { name: "Start writing" }).click();
      await expect(banner(page)).toContainText("Wedding");
      await expectInEditor(page, "# Wedding\n\nA page that counts down.\n");
      expect(await docNames(app)).toEqual(["doc-main.md"]);
    });
  });

test("own text becomes doc-main.md of an empty project, and leads to a first dialog", async ({ app }) => {
  const { page } = app;
  await app.open();
  await ownText(page).fill("A page that counts down.");
  await page.getByRole("button", { name: "Start writing" }).click();
  await expectInEditor(page, "A page that counts down.\n");
  await expect(heading(page)).toBeHidden();
  expect(await docNames(app)).toEqual(["doc-main.md"]);
  await banner(page).getByRole("button", { name: "Start" }).click();
  const choice = page.getByRole("dialog", { name: "Start an agent" });
  await choice.getByRole("button", { name: "Add an API key" }).click();
  await expect(page.getByRole("dialog", { name: "Settings" }).getByLabel(/^API key/)).toBeVisible();
  expect(app.complaints).toEqual([]);
});

test("an empty text begins nothing", { tag: "@long" }, async ({ app }) => {
  await app.open();
  await app.page.getByRole("button", { name: "Start writing" }).click();
  await expect(ownText(app.page)).toBeFocused();
  expect(await docNames(app)).toEqual([]);
});

test("with the keyboard alone: into the text, and begun", { tag: "@long" }, async ({ app }) => {
  const { page } = app;
  await app.open();
  await page.getByRole("button", { name: "Play the demo" }).focus();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Read the guide" })).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(ownText(page)).toBeFocused();
  await page.keyboard.type("A quiz.");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expectInEditor(page, "A quiz.\n");
});

test("what is pressed before the app's script has come is done when it has", async ({ app }) => {
  const { page } = app;
  let letCome = () => {};
  const mayCome = new Promise<void>((resolve) => (letCome = resolve));
  await page.route("**/assets/first-*.js", async (route) => {
    await mayCome;
    await route.continue();
  });
  await page.goto("./", { waitUntil: "commit" });
  await ownText(page).fill("Typed early.");
  await page.getByRole("button", { name: "Start writing" }).click();
  letCome();
  await expectInEditor(page, "Typed early.\n");
});

test("a reload keeps what was typed, and the demo goes on where it was", { tag: "@long" }, async ({ app }) => {
  const { page } = app;
  await app.open();
  await ownText(page).fill("Half a thought");
  await page.reload();
  await expect(ownText(page)).toHaveValue("Half a thought");
  await page.getByRole("button", { name: "Play the demo" }).click();
  await expect(panel(page).getByRole("heading", { name: "The agent wants to run a command" })).toBeVisible();
  await page.reload();
  await expect(panel(page).getByRole("heading", { name: "The agent wants to run a command" })).toBeVisible();
  expect((await docNames(app)).filter((name) => name.startsWith("doc-"))).toEqual(demoDocs);
  // A returning user is not a newcomer.
  await page.goto("./");
  await expect(files(page)).toBeVisible();
  await expect(heading(page)).toBeHidden();
});

test("a newcomer who only looks around finds the page again", async ({ app }) => {
  const { page } = app;
  await app.open();
  await page.getByRole("tab", { name: "Docs" }).click();
  await expect(heading(page)).toBeHidden();
  await page.getByRole("tab", { name: "Dialogs" }).click();
  await expect(overview(page)).toBeVisible();
  await page.goto("./");
  await expect(heading(page)).toBeVisible();
});

test("the guide is one click away; from it the demo begins in the first project", async ({ app }) => {
  const { page } = app;
  await app.open();
  await page.getByRole("button", { name: "Read the guide" }).click();
  await expect(files(page).getByRole("link", { name: "first-dialog" })).toBeVisible();
  await banner(page).getByRole("button", { name: "Project" }).click();
  await page.getByRole("button", { name: "Welcome page" }).click();
  await expect(heading(page)).toBeVisible();
  await page.getByRole("button", { name: "Play the demo" }).click();
  await expect(panel(page).getByRole("heading", { name: "The agent wants to run a command" })).toBeVisible();
  expect(await page.evaluate(() => sessionStorage.getItem("vibey project"))).toBe("");
});

test("from the welcome page the demo never touches a project that holds something", { tag: "@long" }, async ({ app }) => {
  const { page } = app;
  await app.open();
  await ownText(page).fill("Mine.");
  await page.getByRole("button", { name: "Start writing" }).click();
  await expectInEditor(page, "Mine.\n");
  expect((await app.ask("POST", "demo")).status).toBe(409);
  await page.goto("./#/welcome");
  await page.getByRole("button", { name: "Play the demo" }).click();
  await expect(panel(page).getByRole("heading", { name: "The agent wants to run a command" })).toBeVisible();
  await expect(banner(page).locator(".project-name")).toHaveText("The demo");
  await banner(page).getByRole("button", { name: "Project" }).click();
  await page.getByRole("button", { name: /My first project/ }).click();
  await expect(banner(page).locator(".project-name")).toHaveText("My first project");
  await expectInEditor(page, "Mine.\n");
});

test("a zip can be opened from it", async ({ app }) => {
  await app.open();
  await app.page.getByRole("button", { name: "Open a project from a zip" }).click();
  await expect(app.page.locator("dialog input[type=file]")).toBeVisible();
});

test.describe("the first look at a text", () => {
  test.use({ newcomer: false });

  test("is drawn as the editor draws it, until somebody goes into it", async ({ app }) => {
    const { page } = app;
    // The editor's code doesn't load.
    await page.route("**/assets/mount-*.js", (route) => route.abort());
    await app.open();
    const look = page.locator(".first-look");
    await expect(look.locator(".md-h1")).toHaveText("Quiet tic-tac-toe");
    await expect(look.locator(".md-link").first()).toHaveText("the rules");
    await expect(look).not.toContainText("](");
    const line = look.getByText("How agents work here");
    const box = await line.boundingBox();
    await page.mouse.click((box?.x ?? 0) + 20, (box?.y ?? 0) + 10);
    await expect(look).toHaveCount(0);
    await page.keyboard.type("!");
    await expectInEditor(page, /\n## How agents work here!\n/);
  });
});

test.describe("the preview", () => {
  test("opens once when there is a page, after the open question, and takes no focus", { tag: "@long" }, async ({ app }) => {
    const { page } = app;
    const preview = page.getByRole("region", { name: "Preview", exact: true });
    await app.open();
    const { dialogId } = await app.json<{ dialogId: string }>("POST", "dialog/new", { provider: "demo", slug: "other" });
    await page.evaluate((id) => (location.hash = `#/dialogs/${id}`), dialogId);
    const box = page.getByLabel("Message", { exact: true });
    await box.fill("Please start.");
    await box.press("ControlOrMeta+Enter");
    await expect(approveButton(page)).toBeVisible();
    await app.ask(
      "PUT",
      "deed/index.html",
      "<!doctype html><button onfocus='had = true'>Mine</button><script>document.querySelector('button').focus()</script>",
    );
    await expect(banner(page).getByRole("button", { name: "Preview" })).toBeVisible();
    await expect(preview).toHaveCount(0);
    const find = banner(page).getByRole("button", { name: "Find" });
    const before = await find.boundingBox();
    await approve(page);
    await expect(preview).toBeVisible();
    await expect.poll(() => hadFocus(page)).toBe(true);
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe("IFRAME");
    expect(await find.boundingBox()).toEqual(before);
    await preview.getByRole("button", { name: "Close" }).click();
    await app.ask("PUT", "deed/second.html", "<p>Two");
    await expect.poll(async () => (await app.json<unknown[]>("GET", "deed")).length).toBe(2);
    await expect(preview).toHaveCount(0);
  });
});
