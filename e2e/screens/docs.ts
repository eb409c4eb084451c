import { editor, expectInEditor, writeInEditor } from "../hands.ts";
import { expect, files, putDeed } from "../steps.ts";
import { close } from "./menus.ts";
import type { Here, Visit } from "./visit.ts";

const everything = `# A plan of the house

A first paragraph with **bold**, *emphasis*, \`code\`, a [link to the rules](doc-rules.md) and one [elsewhere](https://example.com).

## What is needed

- [x] Stones
- [ ] Wood, and somebody who carries it up the hill on a day on which it does not rain
  - of oak
  - of beech

1. Begin.
2. Go on.

> Somebody said this, and it is quoted.

### Sizes

| part | wide | high |
|---|---|---|
| door | 1 m | 2 m |
| a window with a rather long name, so that the table is wider than a phone | 80 cm | 1 m |

\`\`\`js
const veryLongLine = "a line of code that is much wider than a phone, and has to scroll or wrap in its own box rather than push the page";
\`\`\`

---

## The end

That is all.
`;

const longName = `doc-${"a-name-that-goes-on-and-on-".repeat(8).slice(0, 190)}.md`;

async function twoMore({ app }: Here): Promise<void> {
  await app.json("POST", "file/doc-rules.md", { content: "# Rules\n\nBe kind to windows.\n" });
  await putDeed(app, "src/a-file-with-a-rather-long-name-for-a-narrow-list.js", "let a;\n");
}
const search = ({ page }: Here) => files(page).getByRole("searchbox", { name: "Search files" });

export const docs: readonly Visit[] = [
  {
    async docs(here) {
      const { app, page } = here;
      await app.open("#/docs/doc-main.md");
      const main = await app.file("doc-main.md");
      await twoMore(here);
      await app.json("POST", "file/doc-main.md", { content: `> Authorized: run_command\n> Limit: agents 3\n\n${main}` });
      await expect(page.locator(".law-meaning")).toHaveCount(2);
    },
    async "docs, unsaved"({ page }) {
      await editor(page).focus();
      await page.keyboard.insertText("Mine. ");
      await expect(page.locator(".status .state")).toHaveText("Unsaved changes");
    },
    async "docs, two versions"({ app, page }) {
      const main = await app.file("doc-main.md");
      await writeInEditor(page, `${main}\nMine.\n`);
      await app.json("POST", "file/doc-main.md", { content: `${main}\nTheirs.\n` });
      await expect(page.locator(".conflict .diff-row").first()).toBeVisible();
    },
  },
  {
    async "docs, the list"(here) {
      await here.app.open("#/docs");
      await twoMore(here);
      await expect(files(here.page).getByRole("link")).toHaveCount(4);
    },
    async "docs, a new one of a name that is taken"({ page }) {
      await page.getByRole("button", { name: "+ New" }).click();
      await page.getByRole("textbox", { name: "Doc name" }).fill("rules");
      await page.getByRole("textbox", { name: "Doc name" }).press("Enter");
      await expect(page.getByRole("alert")).toContainText("A doc with that name already exists.");
    },
    async "docs, found by name and text"(here) {
      await close(here.page);
      await search(here).fill("kind");
      await expect(files(here.page).getByText("In contents")).toBeVisible();
    },
    async "docs, nothing found"(here) {
      await search(here).fill("nothing reads like this");
      await expect(files(here.page)).toContainText("No results in names or contents.");
    },
    async "docs, one is deleted"(here) {
      const { page } = here;
      await search(here).fill("");
      await files(page).getByRole("link", { name: "rules" }).hover();
      await files(page).getByRole("button", { name: "Delete rules" }).click();
      await expect(page.getByRole("button", { name: "Undo" })).toBeVisible();
    },
  },
  {
    async "doc, with all that markdown has"({ app, page }) {
      await app.open("#/docs");
      await app.json("POST", "file/doc-plan.md", { content: everything });
      await page.goto("#/docs/doc-plan.md");
      await expect(editor(page)).toContainText("A plan of the house");
      await expect(page.getByRole("button", { name: "File actions" })).toBeVisible();
    },
    async "doc, its outline"({ page }) {
      await page.getByRole("button", { name: "Outline" }).click();
      await expect(page.getByRole("navigation", { name: "Outline" }).getByRole("button", { name: "Sizes" })).toBeVisible();
    },
    async "doc, its menu"({ page }) {
      await page.getByRole("button", { name: "Close outline" }).click();
      await page.getByRole("button", { name: "File actions" }).press("Enter");
      await expect(page.getByRole("switch", { name: "Vim keys" })).toBeVisible();
    },
    async "doc, another name"({ page }) {
      await page.getByRole("button", { name: "Rename…" }).click();
      await expect(page.getByRole("dialog", { name: "Rename" })).toBeVisible();
    },
    async "doc, words looked for"({ page }) {
      await close(page);
      await page.locator(".status").getByRole("button", { name: "Find" }).press("Enter");
      await page.getByRole("textbox", { name: "Find" }).pressSequentially("on");
      await expect(page.locator(".cm-searchMatch").first()).toBeVisible();
    },
  },
  {
    async "doc, empty"({ app, page }) {
      await app.open("#/docs");
      await app.json("POST", "file/doc-blank.md", { content: "" });
      await page.goto("#/docs/doc-blank.md");
      await expectInEditor(page, "");
      await expect(page.getByRole("button", { name: "File actions" })).toBeVisible();
    },
    async "doc, gone"({ page }) {
      await page.goto("#/docs/doc-that-was-never-there.md");
      await expect(page.getByText("Select a file")).toBeVisible();
    },
    async "doc, a name of 200 characters"({ app, page }) {
      await app.json("POST", `file/${longName}`, { content: `# ${"Donaudampfschifffahrtsgesellschaft".repeat(6)}\n` });
      await page.goto(`#/docs/${longName}`);
      await expect(editor(page)).toContainText("Donaudampf");
    },
    async "file, neither text nor picture"({ app, page }) {
      await putDeed(app, "table.bin", "\0\u0001\u0002");
      await page.goto("#/deed/table.bin");
      await expect(page.getByText("can't be shown here")).toBeVisible();
    },
    async "file, a picture"({ app, page }) {
      const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
      await page.evaluate(
        (text) => fetch("deed/dot.png", { method: "PUT", body: Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)) }),
        dot,
      );
      expect((await app.ask("GET", "deed/dot.png")).status).toBe(200);
      await page.goto("#/deed/dot.png");
      await expect(page.getByRole("img", { name: "dot.png" })).toBeVisible();
    },
    async "docs, a hundred files"({ page }) {
      await page.goto("#/docs");
      await page.evaluate(() =>
        Promise.all(Array.from({ length: 100 }, (_, n) => fetch(`deed/src/part-${n}.js`, { method: "PUT", body: `let a = ${n};\n` }))),
      );
      await expect(files(page).getByRole("link", { name: "part-0.js" })).toBeVisible();
    },
  },
];
