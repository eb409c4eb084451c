// Every screen, wide and on a phone, dark and light: nothing sticks out, axe finds nothing, and keys and fingers reach everything.
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import type { ClaudeStandIn } from "../tests/stand-in/claude.ts";
import type { App } from "./app.ts";
import { dialogWith, expect, messageBox, newDialog, openWithKey, panel, putDeed, say, test } from "./steps.ts";

const oldPoem = ["Roses are red", "violets are blue", "the third line", "the fourth line", "the fifth line", "sugar is sweet"].join("\n");
const newPoem = oldPoem.replace("violets are blue", "violets are violet, whatever the song says about them and about you");
const answer = `Here is what I found.

## A heading

1. A list with \`code\` in it,
2. and a [link](https://example.com).

\`\`\`js
const veryLongLine = "a line of code that is much wider than a phone, and has to scroll in its own box rather than push the page wide";
\`\`\`

| name | what it is |
|---|---|
| doc-main.md | the heart |`;

/** Each leads to one screen, as a person gets there. */
const screens: Readonly<Record<string, (app: App, claude: ClaudeStandIn) => Promise<void>>> = {
  async docs(app) {
    await app.open("#/docs/doc-main.md");
    const main = await app.file("doc-main.md");
    await app.json("POST", "file/doc-rules.md", { content: "# Rules\n" });
    await putDeed(app, "src/a-file-with-a-rather-long-name-for-a-narrow-list.js", "let a;\n");
    await app.json("POST", "file/doc-main.md", { content: `${main.trimEnd()}\n\n> Authorized: run_command\n> Limit: agents 3\n` });
    await expect(app.page.locator(".authority li")).toHaveCount(2);
  },
  async "docs, the list"(app) {
    await app.open("#/docs");
    await app.json("POST", "file/doc-rules.md", { content: "# Rules\n" });
    await putDeed(app, "src/a-file-with-a-rather-long-name-for-a-narrow-list.js", "let a;\n");
    await expect(app.page.getByRole("link")).toHaveCount(4);
  },
  async "docs, two versions"(app) {
    await app.open("#/docs/doc-main.md");
    const main = await app.file("doc-main.md");
    await app.page.locator("textarea.editor").fill(`${main}\nMine.\n`);
    await app.json("POST", "file/doc-main.md", { content: `${main}\nTheirs.\n` });
    await expect(app.page.locator(".conflict .diff-row").first()).toBeVisible();
  },
  async "dialogs, empty"(app) {
    await app.open("#/dialogs");
    await expect(app.page.getByRole("navigation", { name: "Dialogs" })).toContainText("No dialogs yet.");
  },
  async "dialog, nothing said"(app, claude) {
    await openWithKey(app, claude);
    await newDialog(app, "a fresh one");
  },
  async "dialog, one call waits"(app, claude) {
    await dialogWith(app, claude, {
      blocks: [
        { text: "I change one line of the poem." },
        { call: "edit_file", input: { path: "poem.txt", old_string: oldPoem, new_string: newPoem } },
      ],
    });
    await expect(panel(app.page).locator(".diff-row").first()).toBeVisible();
  },
  async "dialog, three calls wait"(app, claude) {
    await dialogWith(app, claude, {
      blocks: [
        { text: "Three things." },
        { call: "run_command", input: { command: "ls -la && git status && echo a command that is longer than a phone is wide" } },
        { call: "write_file", input: { path: "big.txt", content: "a line\n".repeat(400) } },
        { call: "launch_agent", input: { provider: "claude", model: "claude-haiku-5-5", prompt: "Draw.", slug: "artist" } },
      ],
    });
    await expect(panel(app.page).locator(".ask-call")).toHaveCount(3);
  },
  async "dialog, done"(app, claude) {
    await dialogWith(app, claude, { blocks: [{ text: answer }, { call: "run_command", input: { command: "echo one" } }] });
    claude.play({ blocks: [{ text: "It is done." }], usage: { input: 12_345, output: 678 } });
    await panel(app.page).getByRole("checkbox").check();
    await panel(app.page).getByRole("button", { name: "Approve" }).click();
    await expect(app.page.locator(".doing")).toHaveText("has finished");
    await expect(messageBox(app.page)).toBeEnabled();
  },
  async "dialog, failed"(app, claude) {
    await openWithKey(app, claude);
    await newDialog(app, "work");
    claude.play({ fail: 400, type: "invalid_request_error", message: "The stand-in does not like this one." });
    await say(app.page, "Hello?");
    await expect(app.page.getByRole("alert").filter({ hasText: "does not like" })).toBeVisible();
  },
  async settings(app) {
    await app.open();
    await app.page.getByRole("button", { name: "Settings" }).click();
    await expect(app.page.getByRole("dialog", { name: "Settings" })).toBeVisible();
    await expect(app.page.getByRole("textbox", { name: "Address", exact: true })).not.toHaveValue("");
  },
  async start(app) {
    await app.open();
    await app.page.getByRole("banner").getByRole("button", { name: "Start" }).click();
    await expect(app.page.getByRole("button", { name: "Play the demo" })).toBeVisible();
  },
  async preview(app) {
    await app.open();
    await putDeed(app, "index.html", "<!doctype html><html lang=en><title>Game</title><h1>A game</h1><button>Play</button>");
    await app.page.getByRole("button", { name: "Preview" }).click();
    const texts = () => Promise.all(app.page.frames().map((frame) => frame.evaluate(() => document.body.innerText)));
    await expect.poll(texts).toContainEqual(expect.stringContaining("A game"));
  },
};

/** What one can press or write in now, each with a mark in the page: as a finger and as the Tab key find it. */
interface Control {
  readonly mark: string;
  readonly what: string;
  readonly height: number;
  readonly tabbable: boolean;
  /** A link inside of a text is as high as its line. */
  readonly inText: boolean;
}

const controls = (page: Page): Promise<Control[]> =>
  page.evaluate(() => {
    const modal = document.querySelector("dialog[open]");
    const all = Array.from((modal ?? document).querySelectorAll<HTMLElement>("button, a[href], input, select, textarea, summary"));
    return all.flatMap((element, index) => {
      if (!element.checkVisibility({ visibilityProperty: true })) return [];
      element.dataset["mark"] = String(index);
      // A box or circle is as large as the label that belongs to it.
      const pressed = element.matches("[type=checkbox], [type=radio]") ? (element.closest("label") ?? element) : element;
      const { height } = pressed.getBoundingClientRect();
      const isChoiceLeftOut =
        element.matches("[type=radio]:not(:checked)") &&
        all.some(
          (other) =>
            other !== element &&
            other instanceof HTMLInputElement &&
            other.name === element.getAttribute("name") &&
            (other.checked || all.indexOf(other) < index),
        );
      return [
        {
          mark: String(index),
          what: `${element.tagName.toLowerCase()} "${(element.ariaLabel ?? element.innerText ?? "").slice(0, 40)}"`,
          height,
          inText: element.closest(".prose, .doing") !== null,
          tabbable: element.tabIndex >= 0 && !element.matches(":disabled") && !isChoiceLeftOut,
        },
      ];
    });
  });

/** What axe finds, but for the order of headings in what an agent wrote: that is the agent's. */
async function axe(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).exclude("iframe").analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes
      .filter(({ html }) => !(id === "heading-order" && /class="heading-\d"/.test(html)))
      .map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary ?? ""}`),
  );
}

/** Goes once through the page with the Tab key. */
async function tabThrough(page: Page): Promise<{ readonly reached: Set<string>; readonly unseen: string[] }> {
  const reached = new Set<string>();
  const unseen: string[] = [];
  for (let step = 0; step < 80; step++) {
    await page.keyboard.press("Tab");
    const now = await page.evaluate(() => {
      const element = document.activeElement;
      if (!(element instanceof HTMLElement) || element === document.body) return null;
      const style = getComputedStyle(element);
      const isSeen = style.outlineStyle !== "none" || style.boxShadow !== "none" || element.tagName === "IFRAME";
      return { mark: element.dataset["mark"] ?? "", name: `${element.tagName} ${element.className}`, isSeen };
    });
    if (now === null) continue;
    if (!now.isSeen) unseen.push(now.name);
    reached.add(now.mark);
  }
  return { reached, unseen };
}

for (const [place, width, height] of [
  ["wide", 1280, 800],
  ["phone", 360, 740],
] as const)
  test.describe(place, () => {
    test.use({ viewport: { width, height }, ...(place === "phone" ? { hasTouch: true, isMobile: true } : {}) });

    for (const colorScheme of ["light", "dark"] as const)
      for (const [name, show] of Object.entries(screens))
        test(`${name}, ${colorScheme}`, async ({ app, claude }, info) => {
          const { page } = app;
          await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
          await show(app, claude);
          const path = info.outputPath(`${name} ${place} ${colorScheme}.png`.replaceAll(/[ ,]+/g, "-"));
          await page.screenshot({ path });
          await info.attach("screenshot", { path, contentType: "image/png" });

          const sizes = await page.evaluate(() => [document.scrollingElement?.scrollWidth ?? 0, innerWidth]);
          expect(sizes[0], "the page is no wider than the window").toBeLessThanOrEqual(width);
          expect(sizes[1]).toBe(width);

          expect(await axe(page)).toEqual([]);

          const found = await controls(page);
          const { reached, unseen } = await tabThrough(page);
          expect(
            found.filter(({ mark, tabbable }) => tabbable && !reached.has(mark)).map(({ what }) => what),
            "keys reach everything",
          ).toEqual([]);
          expect(unseen, "the focus is seen").toEqual([]);
          if (place === "phone")
            expect(
              found.filter((control) => control.height < 44 && !control.inText).map(({ what, height: h }) => `${what} ${h}`),
              "44 px under a finger",
            ).toEqual([]);
        });
  });
