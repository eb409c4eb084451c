// How screens look under other conditions: forced colors, zoom, a very large screen, no motion, other scripts.
import type { Locator, Page } from "@playwright/test";
import type { Turn } from "../tests/stand-in/claude.ts";
import { check } from "./screens/checks.ts";
import { openSettings } from "./screens/menus.ts";
import { scripts } from "./screens/reading.ts";
import { dialogs, dialogWith, expect, messageBox, openWithKey, panel, test } from "./steps.ts";
import { dialogText, writeDialog } from "./written.ts";

const asks: Turn = {
  blocks: [
    { text: "Two things." },
    { call: "write_file", input: { path: "poem.txt", content: "Roses are red\n".repeat(400) } },
    { call: "run_command", input: { command: "ls -la && echo a command that is longer than half of a window is wide" } },
  ],
};

/** What tells two similar things apart without color: lines, weight, decoration, or the system's own selection color. */
const told = (locator: Locator) =>
  locator.evaluate((element) => {
    const {
      borderTopStyle,
      borderBottomStyle,
      borderBottomColor,
      borderBottomWidth,
      outlineStyle,
      fontWeight,
      textDecorationLine,
      backgroundColor,
    } = getComputedStyle(element);
    const line = getComputedStyle(element, "::after");
    return JSON.stringify([
      [
        borderTopStyle,
        borderBottomStyle,
        borderBottomColor,
        borderBottomWidth,
        outlineStyle,
        fontWeight,
        textDecorationLine,
        backgroundColor,
      ],
      [line.content, line.backgroundColor, line.borderBottomColor],
    ]);
  });

/** Controls that have no words, no line and not the browser's default look. */
const invisible = (page: Page) =>
  page.evaluate(() => {
    const scope = document.querySelector("dialog[open]") ?? document;
    return Array.from(scope.querySelectorAll<HTMLElement>("button, a[href], input, select, textarea, summary")).flatMap((element) => {
      if (!element.checkVisibility({ visibilityProperty: true })) return [];
      const { appearance, borderBottomStyle, borderBottomWidth, borderBottomColor, backgroundColor } = getComputedStyle(element);
      const hasLine = borderBottomStyle !== "none" && Number.parseFloat(borderBottomWidth) > 0 && borderBottomColor !== backgroundColor;
      // Text fields and the one primary button of a screen must have a box: words alone don't show what they are.
      const isBox = element.matches("input:not([type=checkbox], [type=radio]), select, textarea, .primary");
      const hasWords = element.innerText.trim() !== "" && !isBox;
      return hasWords || hasLine || (appearance !== "none" && element.matches("input")) ? [] : [element.outerHTML.slice(0, 120)];
    });
  });

test.describe("forced colours", () => {
  test("every control is seen, and so is the focus; the tab that shows and the dialog that waits are told by more than colour", async ({
    app,
    claude,
  }) => {
    const { page } = app;
    await page.emulateMedia({ forcedColors: "active" });
    await dialogWith(app, claude, asks);
    await expect(panel(page).locator(".ask-call")).toHaveCount(2);
    expect(await invisible(page)).toEqual([]);
    expect((await check(page)).unseen).toEqual([]);
    const tab = (name: string) => page.getByRole("tab", { name });
    expect(await told(tab("Dialogs"))).not.toBe(await told(tab("Docs")));
    await expect(dialogs(page).getByRole("link", { name: "work" })).toContainText("2 requests: Write poem.txt, Run ls -la");
    await expect(tab("Dialogs").getByTitle("waiting for you")).toHaveText("1");

    await openSettings(page);
    expect(await invisible(page)).toEqual([]);
    expect((await check(page)).unseen).toEqual([]);
    const providers = page.getByRole("group", { name: "Provider" }).locator("label > span");
    expect(await told(providers.first())).not.toBe(await told(providers.last()));
  });
});

test.describe("at 200 %", () => {
  test.use({ viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 });

  test("nothing sticks out, and what decides can be pressed", async ({ app, claude }) => {
    const { page } = app;
    await dialogWith(app, claude, asks);
    await expect(panel(page).locator(".ask-call")).toHaveCount(2);
    expect((await check(page)).sticksOut).toEqual([]);
    await panel(page).getByRole("button", { name: "Show whole file" }).click();
    for (const name of ["Deny all", "Show next"]) await panel(page).getByRole("button", { name }).click({ trial: true });
    // The agent's text can still be read.
    const text = panel(page).getByText("Two things.");
    await text.scrollIntoViewIfNeeded();
    await expect(text).toBeInViewport({ ratio: 1 });
    await page.goto("#/docs/doc-main.md");
    expect((await check(page)).sticksOut).toEqual([]);
    await page.getByRole("button", { name: "File actions" }).click({ trial: true });
    await openSettings(page);
    expect((await check(page)).sticksOut).toEqual([]);
    await page.getByRole("button", { name: "Close" }).click({ trial: true });
  });
});

test.describe("on a very large screen", () => {
  test.use({ viewport: { width: 3840, height: 2160 } });

  test("lines of text keep their measure and their size, and controls stay beside them", { tag: "@long" }, async ({ app, claude }) => {
    const { page } = app;
    await dialogWith(app, claude, { blocks: [{ text: "A longer line of it. ".repeat(60) }] });
    const answer = page.getByRole("article", { name: "Agent" }).locator("p").first();
    await expect(answer).toContainText("A longer line");
    const measure = await page.evaluate(() => 43.5 * Number.parseFloat(getComputedStyle(document.documentElement).fontSize));
    const width = (locator: Locator) => locator.evaluate((element) => element.getBoundingClientRect().width);
    const size = (locator: Locator) => locator.evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize));
    // A message gets its position in the list a moment after it is in the page.
    await expect.poll(() => width(answer)).toBeGreaterThan(measure / 2);
    expect(await width(answer)).toBeLessThanOrEqual(measure);
    expect(await size(answer)).toBeGreaterThanOrEqual(16);
    expect(await width(messageBox(page))).toBeLessThanOrEqual(measure);
    await page.goto("#/docs/doc-main.md");
    const line = page.locator(".editor-mount .cm-line", { hasText: "A game for two people" });
    await expect(line).toBeVisible();
    expect(await width(line)).toBeLessThanOrEqual(measure);
    expect(await size(line)).toBeGreaterThanOrEqual(16);
  });
});

test("without motion nothing moves, whatever opens and whoever writes", { tag: "@long" }, async ({ app, claude }) => {
  const { page } = app;
  await page.emulateMedia({ reducedMotion: "reduce" });
  // Records everything that starts to move, however briefly.
  await page.addInitScript(() => {
    const moved: string[] = [];
    Object.assign(window, { moved });
    for (const type of ["transitionrun", "animationstart"])
      addEventListener(type, ({ target }) => target instanceof Element && moved.push(`${type} ${target.outerHTML.slice(0, 80)}`), true);
  });
  await dialogWith(app, claude, { blocks: [{ text: "Once upon a time. ".repeat(400) }], faults: { stallAfterBytes: 3_000 } });
  await expect(page.getByRole("article", { name: "Agent" })).toContainText("Once upon");
  await expect(page.locator(".cursor")).toBeVisible();
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.keyboard.press("Escape");
  await page.keyboard.press("ControlOrMeta+KeyK");
  await expect(page.getByRole("combobox", { name: /^Find a command/ })).toBeFocused();
  await page.keyboard.press("Escape");
  await openSettings(page);
  await page.getByRole("button", { name: "Save", exact: true }).hover();
  expect(await page.evaluate(() => [document.getAnimations().length, ...(window as unknown as { moved: string[] }).moved])).toEqual([0]);
});

test("words without an end stay in their column, and lines from right to left begin at the right", { tag: "@long" }, async ({
  app,
  claude,
}) => {
  const { page } = app;
  await openWithKey(app, claude);
  await writeDialog(app, "a-name-".repeat(12), "done", dialogText([["User", "Hi."]]));
  await page.goto("#/dialogs");
  const row = page.getByRole("row", { name: /a-name-a-name/ });
  const [name, state] = [await row.getByRole("link").boundingBox(), await row.getByText("completed").boundingBox()];
  expect(name === null || state === null ? Number.NaN : name.x + name.width).toBeLessThanOrEqual(state?.x ?? 0);
  await page.setViewportSize({ width: 360, height: 740 });
  const text = dialogText([
    ["User", scripts],
    ["Assistant", scripts],
  ]);
  await app.open(`#/dialogs/${await writeDialog(app, "scripts", "done", text)}`);
  for (const who of ["You", "Agent"]) {
    const article = page.getByRole("article", { name: who });
    await expect(article).toContainText("Donau");
    expect(await article.locator(".prose").evaluate((prose) => prose.scrollWidth - prose.clientWidth)).toBeLessThanOrEqual(0);
    for (const start of ["שלום", "هذه"]) {
      const gap = await article.getByText(start).evaluate((element, words) => {
        const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
        for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
          const at = node.nodeValue?.indexOf(words) ?? -1;
          if (at < 0) continue;
          const range = document.createRange();
          range.setStart(node, at);
          range.setEnd(node, at + 1);
          return element.getBoundingClientRect().right - range.getBoundingClientRect().right;
        }
        throw new Error("the words are not there");
      }, start);
      expect(gap, `${who}: ${start} begins at the right`).toBeLessThan(40);
    }
  }
});
