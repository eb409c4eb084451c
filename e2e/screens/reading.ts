import { expect, messageBox, openWithKey } from "../steps.ts";
import { call, dialogText, type Section, writeDialog } from "../written.ts";
import type { Here, Visit } from "./visit.ts";

const answer = `Here is what I found.

## A heading

1. A list with \`code\` in it,
2. and a [link](https://example.com).

> Somebody is quoted.

\`\`\`js
const veryLongLine = "a line of code that is much wider than a phone, and has to scroll in its own box rather than push the page wide";
\`\`\`

| name | what it is |
|---|---|
| doc-main.md | the heart |`;

/** Very long words, and scripts that run from right to left or need room above and below. */
export const scripts = `${"Donaudampfschifffahrtsgesellschaftskapitän".repeat(4)}

https://example.com/${"a-path-without-an-end/".repeat(9)}

שלום, זו שורה בעברית עם \`code\` בתוכה, ואחריה עוד מילים עד סוף השורה ועוד קצת.

- هذه قائمة بالعربية
- والثانية (2) مع English في الوسط

ภาษาไทยไม่มีช่องว่างระหว่างคำ 日本語の文章もここにあります。 👩‍👩‍👧‍👦 Z̷a̷l̷g̷o̷`;

const sixty = Array.from({ length: 60 }, (_, n) => `line ${n + 1}`).join("\n");
const result = (stdout: string) =>
  `Decision: approved\nStarted: 2026-11-21T20:11:20.511Z\nResult:\n\n    ${JSON.stringify({ success: true, stdout, stderr: "", ms: 12 })}\n`;

async function read({ app }: Here, slug: string, sections: readonly Section[], rest = ""): Promise<void> {
  await app.open(`#/dialogs/${await writeDialog(app, slug, "done", dialogText(sections))}${rest}`);
}

/** Dialogs, written as their files. */
export const reading: readonly Visit[] = [
  {
    async "dialog, all that markdown has"(here) {
      await openWithKey(here.app, here.claude);
      await read(here, "told", [
        ["User", "Tell me."],
        ["Assistant", `${answer}\n\n${"A longer line of it. ".repeat(20)}`],
      ]);
      await expect(here.page.getByRole("article", { name: "Agent" }).getByRole("table")).toBeVisible();
    },
    async "dialog, as text"({ app, page }) {
      await app.open("#/dialogs/20261121-201100-told/text/12-16");
      await expect(page.locator(".text-line.named")).toHaveCount(5);
    },
    async "dialog, lines that are not there"({ app, page }) {
      await app.open("#/dialogs/20261121-201100-told/text/900");
      await expect(page.getByRole("alert")).toContainText("This link points to line 900");
    },
    async "dialog, done with something open"(here) {
      await read(here, "left", [
        ["User", "List the files."],
        ["Assistant", call("toolu_1", "ls")],
      ]);
      await expect(here.page.locator(".reason-why")).toContainText("Sending a message denies");
    },
    async "dialog, output and code folded"(here) {
      await read(here, "long-output", [
        ["User", "Go."],
        ["Assistant", `Look:\n\n\`\`\`text\n${sixty}\n\`\`\`\n\n${call("a", "cat a-file-with-sixty-lines.txt", result(`${sixty}\n`))}`],
      ]);
      await here.page.locator("details.call summary").press("Enter");
      await expect(here.page.locator(".output").getByRole("button", { name: "Show all 60 lines" })).toBeAttached();
    },
    async "dialog, every script and words without end"(here) {
      await read(here, "scripts", [
        ["User", scripts],
        ["Assistant", scripts],
      ]);
      await expect(here.page.getByRole("article", { name: "Agent" })).toContainText("Donau");
    },
    async "dialog, a very long name"(here) {
      await read(here, "a-name-that-goes-on-and-on-".repeat(8).slice(0, 180), [["User", "Hi."]]);
      await expect(messageBox(here.page)).toBeEnabled();
    },
    async "dialog, words looked for"(here) {
      const talk = Array.from({ length: 120 }, (_, n): Section => [n % 2 === 0 ? "User" : "Assistant", `Words ${n}.`]);
      await read(here, "hay", [...talk.slice(0, 4), ["User", "The needle is here."], ["Assistant", "A needle too."], ...talk.slice(6)]);
      const { page } = here;
      await expect(page.getByText("Words 119.")).toBeVisible();
      await page.keyboard.press("ControlOrMeta+KeyF");
      await page.getByRole("searchbox", { name: "Find in dialog" }).fill("needle");
      await expect(page.locator(".find output")).toHaveText("2 of 2 messages");
      await expect(page.getByRole("button", { name: "Jump to latest" })).toBeVisible();
    },
  },
];
