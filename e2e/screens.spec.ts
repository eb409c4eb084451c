// Every screen, wide and on a phone, dark and light: nothing sticks out, axe finds nothing, and keys and fingers reach everything.
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import type { ClaudeStandIn, Turn } from "../tests/stand-in/claude.ts";
import type { App } from "./app.ts";
import { writeInEditor } from "./hands.ts";
import { dialogWith, expect, messageBox, newDialog, openWithKey, panel, putDeed, say, test } from "./steps.ts";
import { call, dialogText, writeDialog } from "./written.ts";

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

/** An answer that begins and does not go on. */
const stalled: Turn = { blocks: [{ text: "Once upon a time. ".repeat(400) }], faults: { stallAfterBytes: 900 } };

/** A dialog that is begun while another one shows. */
async function begin(app: App, slug: string): Promise<string> {
  return app.page.evaluate(async (name) => {
    const response = await fetch("dialog", {
      method: "POST",
      body: JSON.stringify({ provider: "claude", prompt: "Tell me a story.", slug: name }),
    });
    const first = await response.body?.getReader().read();
    return /"dialogId":"([^"]+)"/.exec(new TextDecoder().decode(first?.value))?.[1] ?? "";
  }, slug);
}

/** Each leads to one screen, as a person gets there. */
const screens: Readonly<Record<string, (app: App, claude: ClaudeStandIn) => Promise<void>>> = {
  async docs(app) {
    await app.open("#/docs/doc-main.md");
    const main = await app.file("doc-main.md");
    await app.json("POST", "file/doc-rules.md", { content: "# Rules\n" });
    await putDeed(app, "src/a-file-with-a-rather-long-name-for-a-narrow-list.js", "let a;\n");
    await app.json("POST", "file/doc-main.md", { content: `> Authorized: run_command\n> Limit: agents 3\n\n${main}` });
    await expect(app.page.locator(".law-meaning")).toHaveCount(2);
  },
  async "docs, the list"(app) {
    await app.open("#/docs");
    await app.json("POST", "file/doc-rules.md", { content: "# Rules\n" });
    await putDeed(app, "src/a-file-with-a-rather-long-name-for-a-narrow-list.js", "let a;\n");
    await expect(app.page.getByRole("navigation", { name: "Files" }).getByRole("link")).toHaveCount(4);
  },
  async "docs, two versions"(app) {
    await app.open("#/docs/doc-main.md");
    const main = await app.file("doc-main.md");
    await writeInEditor(app.page, `${main}\nMine.\n`);
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
  async "dialog, a host is asked for"(app, claude) {
    await dialogWith(app, claude, {
      blocks: [{ call: "run_command", input: { command: "echo fetching; curl -s https://one.example/a?b=c" } }],
    });
    await panel(app.page).getByRole("button", { name: "Approve" }).click();
    await expect(app.page.getByRole("region", { name: "Output so far" })).toContainText("fetching");
    await expect(panel(app.page).getByRole("button", { name: "Allow" })).toBeEnabled();
  },
  async "dialog, what it may do"(app, claude) {
    const id = await dialogWith(app, claude, { blocks: [{ text: "Done." }] });
    await expect(app.page.getByText("Done.")).toBeVisible();
    await app.ask("PUT", "dialog", { dialogId: id, authorizations: ["run_command"] });
    await app.json("PUT", "dialog", {
      dialogId: id,
      network: [
        { host: "one.example", allow: true },
        { host: "two.example:8443", allow: false },
      ],
    });
    await app.page.getByRole("button", { name: "Change which hosts commands may reach" }).click();
    await expect(app.page.getByRole("dialog", { name: "What this dialog may do" })).toBeVisible();
  },
  async "history, a commit"(app) {
    await app.open("#/docs/doc-main.md");
    await app.json("POST", "file/doc-rules.md", { content: "# Rules\n\nBe kind.\n" });
    await putDeed(app, "src/a-file-with-a-rather-long-name-for-a-narrow-list.js", "let a;\n");
    await app.page.goto("#/history");
    await app.page.getByRole("navigation", { name: "History" }).getByRole("link").first().click();
    await expect(app.page.locator(".diff-row").first()).toBeVisible();
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
  async "dialogs, many at once"(app, claude) {
    await openWithKey(app, claude, "#/dialogs");
    await app.json("POST", "file/doc-main.md", { content: "# Main\n\n> Limit: agents 2\n" });
    const asks = dialogText([
      ["User", "List the files."],
      ["Assistant", call("toolu_1", "ls")],
    ]);
    const id = await writeDialog(app, "wants-to-list-files", "waiting", asks);
    await app.json("GET", `dialog/${id}`);
    const broken = dialogText([
      ["User", "Paint."],
      ["Assistant", "I begin with the sky"],
    ]);
    await writeDialog(app, "paint-the-sky", "active", broken);
    await writeDialog(app, "paint-the-sea", "active", broken);
    await writeDialog(
      app,
      "an-old-one",
      "done",
      dialogText([
        ["User", "Hi."],
        ["Assistant", "Hello."],
      ]),
    );
    claude.play(...Array.from({ length: 4 }, () => stalled));
    for (const slug of ["board", "rules", "look", "sounds"]) await begin(app, slug);
    const rows = app.page.getByRole("navigation", { name: "Dialogs" });
    await expect(rows).toContainText("waits for its turn, 1 ahead");
    await expect(rows.getByRole("button", { name: "Stop all" })).toBeVisible();
    await expect(rows.getByRole("button", { name: "Resume all" })).toBeVisible();
    await expect(rows.getByText("writing…")).toHaveCount(2);
  },
  async "dialog, in the queue"(app, claude) {
    await openWithKey(app, claude, "#/dialogs");
    await app.json("POST", "file/doc-main.md", { content: "# Main\n\n> Limit: agents 1\n" });
    claude.play(stalled, stalled);
    await begin(app, "board");
    const id = await begin(app, "rules");
    await app.open(`#/dialogs/${id}`);
    await expect(app.page.locator(".strip")).toContainText("next to begin");
  },
  async "dialog, tries again"(app, claude) {
    await openWithKey(app, claude);
    await newDialog(app, "work");
    claude.play({ fail: 429, type: "rate_limit_error", message: "Slow down.", headers: { "retry-after": "200" } });
    await say(app.page, "Hello?");
    await expect(app.page.locator(".strip")).toContainText("tries again in");
  },
  async "dialog, window nearly full"(app, claude) {
    await dialogWith(app, claude, { blocks: [{ text: "I have read the whole library." }], usage: { input: 800_000, output: 36_000 } });
    await expect(app.page.getByRole("region", { name: "The window is nearly full" })).toBeVisible();
  },
  async "dialog, begun from a summary"(app, claude) {
    await openWithKey(app, claude);
    const old = dialogText([
      ["User", "Read everything."],
      ["Assistant", "I have read the library.", "> Stop: context_window"],
    ]);
    await app.open(`#/dialogs/${await writeDialog(app, "library", "waiting", old)}`);
    claude.play({ blocks: [{ text: "I go on from there." }], usage: { input: 1_234, output: 56 } });
    await app.page.getByRole("button", { name: "Continue in a fresh dialog" }).last().click();
    await expect(app.page.locator(".doing")).toContainText("continued from");
    await expect(messageBox(app.page)).toBeEnabled();
  },
  async "dialog, as text"(app, claude) {
    await openWithKey(app, claude);
    const text = dialogText([
      ["User", "Tell me."],
      ["Assistant", `${answer}\n\n${"A longer line of it. ".repeat(20)}`],
    ]);
    await app.open(`#/dialogs/${await writeDialog(app, "told", "done", text)}/text/12-16`);
    await expect(app.page.locator(".text-line.named")).toHaveCount(5);
  },
  async "dialog, done with something open"(app, claude) {
    await openWithKey(app, claude);
    const text = dialogText([
      ["User", "List the files."],
      ["Assistant", call("toolu_1", "ls")],
    ]);
    await app.open(`#/dialogs/${await writeDialog(app, "left", "done", text)}`);
    await expect(app.page.locator(".reason-why")).toContainText("Writing on denies it");
  },
  async "dialog, no key"(app) {
    await app.open(`#/dialogs`);
    const text = dialogText([
      ["User", "Paint."],
      ["Assistant", "I begin with the sky"],
    ]);
    await app.open(`#/dialogs/${await writeDialog(app, "paint", "active", text)}`);
    await expect(app.page.getByRole("button", { name: "Enter a key" })).toBeVisible();
  },
  async settings(app) {
    await app.open();
    await app.page.getByRole("button", { name: "Settings" }).click();
    await expect(app.page.getByRole("dialog", { name: "Settings" })).toBeVisible();
    await expect(app.page.getByRole("textbox", { name: "Address", exact: true })).not.toHaveValue("");
  },
  async "settings, a server of one's own"(app) {
    await app.open();
    await app.page.getByRole("button", { name: "Settings" }).click();
    await app.page.getByRole("radio", { name: "OpenAI and compatible" }).check();
    await app.page.getByRole("combobox", { name: "Server" }).selectOption("Ollama");
    await expect(app.page.getByText("OLLAMA_ORIGINS")).toBeVisible();
    await expect(app.page.getByText("agents run at a time")).toBeVisible();
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
          inText: element.closest(".prose, .doing, .limits p") !== null,
          tabbable: element.tabIndex >= 0 && !element.matches(":disabled") && !isChoiceLeftOut,
        },
      ];
    });
  });

/** What axe finds, of all its rules or of these, but for the order of headings in what an agent wrote: that is the agent's. */
async function axe(page: Page, rules?: readonly string[]): Promise<string[]> {
  const builder = new AxeBuilder({ page }).exclude("iframe");
  const { violations } = await (rules ? builder.withRules([...rules]) : builder).analyze();
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
  let first: string | null = null;
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
    // Once around.
    if (now.mark !== "" && now.mark === first) break;
    first ??= now.mark;
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

    for (const [name, show] of Object.entries(screens))
      test(name, async ({ app, claude }, info) => {
        const { page } = app;
        await page.emulateMedia({ reducedMotion: "reduce" });
        await show(app, claude);
        for (const colorScheme of ["light", "dark"] as const) {
          await page.emulateMedia({ colorScheme });
          const path = info.outputPath(`${name} ${place} ${colorScheme}.png`.replaceAll(/[ ,]+/g, "-"));
          await page.screenshot({ path });
          await info.attach("screenshot", { path, contentType: "image/png" });
          // Nothing but the colours is another in the dark.
          expect(await axe(page, colorScheme === "dark" ? ["color-contrast", "link-in-text-block"] : undefined), colorScheme).toEqual([]);
        }

        const sizes = await page.evaluate(() => [document.scrollingElement?.scrollWidth ?? 0, innerWidth]);
        expect(sizes[0], "the page is no wider than the window").toBeLessThanOrEqual(width);
        expect(sizes[1]).toBe(width);

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
