// The specification's "Client: files" and its second flow, sentence by sentence.
import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import JSZip from "jszip";
import { expect, files, putDeed, test } from "./steps.ts";

const editor = (page: Page) => page.locator("textarea.editor");
const main = "#/docs/doc-main.md";
const state = (page: Page) => page.locator(".status .state");
const content = async (page: Page) => (await editor(page).inputValue()).trim();

test.describe("the sidebar", () => {
  test("I appear on the Docs tab, and there are two tabs only", async ({ app }) => {
    await app.open();
    await expect(app.page.getByRole("tab")).toHaveText(["Docs", "Dialogs"]);
    await expect(app.page.getByRole("tab", { name: "Docs" })).toHaveAttribute("aria-selected", "true");
    await expect(files(app.page)).toBeVisible();
    expect(app.complaints).toEqual([]);
  });

  test("lists all files: docs, the deed, and the files of dialogs", async ({ app }) => {
    await app.open();
    await app.json("POST", "file/doc-rules.md", { content: "rules" });
    await app.json("POST", "file/notes.md", { content: "notes" });
    await putDeed(app, "src/game.js", "let a;");
    const { filename } = await app.json<{ filename: string }>("POST", "dialog/new", { provider: "demo", slug: "hello" });
    const listed = await app.json<string[]>("GET", "files");
    expect(listed).toEqual(expect.arrayContaining(["doc-main.md", "doc-rules.md", "notes.md", filename]));
    for (const name of [...listed, "src/game.js"]) await expect(files(app.page).locator(`a[title="${name}"]`)).toBeVisible();
    await expect(files(app.page).getByRole("link")).toHaveCount(listed.length + 1);
  });

  test("shows doc-main.md as main, and a click opens it", async ({ app }) => {
    await app.open("#/docs");
    await expect(editor(app.page)).toHaveCount(0);
    await files(app.page).getByRole("link", { name: "main" }).click();
    await expect(editor(app.page)).toHaveValue(await app.file("doc-main.md"));
  });

  test("has New, which makes a file and opens it", async ({ app }) => {
    await app.open();
    await app.page.getByRole("button", { name: "+ New" }).click();
    await app.page.getByRole("textbox", { name: "Name of the doc" }).fill("house rules");
    await app.page.getByRole("button", { name: "Create" }).click();
    await expect(files(app.page).getByRole("link", { name: "house-rules" })).toHaveAttribute("aria-current", "page");
    await expect(editor(app.page)).toHaveValue("# house-rules\n\n");
    expect(await app.json("GET", "files")).toContain("doc-house-rules.md");
  });

  for (const [typed, problem] of [
    ["", "Please give the doc a name."],
    ["a/b", '"/" is none of them'],
    ["../up", '"/" is none of them'],
    ["a..b", "two dots in a row"],
    ["spätzle", '"ä" is none of them'],
    ["a\\b", '"\\" is none of them'],
    ["main", "There is a doc of that name already."],
    ["x".repeat(300), "too long"],
  ] as const)
    test(`New refuses the name "${typed.slice(0, 20)}" and says why`, async ({ app }) => {
      await app.open();
      const before = await app.json("GET", "files");
      await app.page.getByRole("button", { name: "+ New" }).click();
      const name = app.page.getByRole("textbox", { name: "Name of the doc" });
      await name.fill(typed);
      await name.press("Enter");
      await expect(app.page.getByRole("alert")).toContainText(problem);
      await expect(name).toHaveAttribute("aria-invalid", "true");
      await expect(name).toHaveValue(typed);
      expect(await app.json("GET", "files")).toEqual(before);
    });

  test("has × at every file, which deletes it; Undo brings it back as it was", async ({ app }) => {
    await app.open();
    await app.json("POST", "file/doc-old.md", { content: "old text\n" });
    await files(app.page).getByRole("link", { name: "old" }).hover();
    await files(app.page).getByRole("button", { name: "Delete old" }).click();
    await expect(files(app.page).getByRole("link", { name: "old" })).toHaveCount(0);
    expect(await app.json("GET", "files")).not.toContain("doc-old.md");
    await expect(editor(app.page)).toHaveValue(await app.file("doc-main.md"));
    await app.page.getByRole("button", { name: "Undo" }).click();
    await expect(editor(app.page)).toHaveValue("old text\n");
    expect(await app.file("doc-old.md")).toBe("old text\n");
  });
});

test.describe("the editor", () => {
  test("is a textarea on the right, as high as the page", async ({ app }) => {
    await app.open(main);
    const box = await editor(app.page).boundingBox();
    const list = await files(app.page).boundingBox();
    if (box === null || list === null) throw new Error("not in the page");
    expect(await editor(app.page).evaluate((element) => element.tagName)).toBe("TEXTAREA");
    expect(box.x).toBeGreaterThanOrEqual(list.x + list.width);
    expect(box.height).toBeGreaterThan(400);
  });

  for (const [keys, platform] of [
    ["Control+s", "Linux x86_64"],
    ["Meta+s", "MacIntel"],
  ] as const)
    test(`${keys} saves on ${platform}`, async ({ app }) => {
      await app.page.addInitScript((value) => Object.defineProperty(Navigator.prototype, "platform", { get: () => value }), platform);
      await app.open(main);
      await editor(app.page).fill(`Saved with ${keys}.`);
      await app.page.keyboard.press(keys);
      await expect(state(app.page)).toHaveText("Saved");
      expect(await app.file("doc-main.md")).toBe(`Saved with ${keys}.`);
    });

  test("Ctrl+S saves wherever the focus is", async ({ app }) => {
    await app.open(main);
    await editor(app.page).fill("From the filter.");
    await app.page.getByRole("searchbox", { name: "Filter files" }).focus();
    await app.page.keyboard.press("Control+s");
    await expect(state(app.page)).toHaveText("Saved");
    expect(await app.file("doc-main.md")).toBe("From the filter.");
  });

  test("knows whether there are unsaved changes, and the list shows it", async ({ app }) => {
    await app.open(main);
    const [save, discard] = [app.page.getByRole("button", { name: "Save" }), app.page.getByRole("button", { name: "Discard" })];
    const row = files(app.page).getByRole("link", { name: "main" });
    const before = await editor(app.page).inputValue();
    await expect(state(app.page)).toHaveText("Saved");
    await expect(save).toBeDisabled();
    await expect(discard).toBeDisabled();

    await editor(app.page).fill("Other");
    await expect(state(app.page)).toHaveText("Unsaved changes");
    await expect(row).toContainText("unsaved");
    await expect(save).toBeEnabled();
    await expect(discard).toBeEnabled();

    await editor(app.page).fill(before);
    await expect(state(app.page)).toHaveText("Saved");
    await expect(row).not.toContainText("unsaved");
  });

  test("unsaved text of one file stays while another is open", async ({ app }) => {
    await app.open(main);
    await app.json("POST", "file/doc-b.md", { content: "b" });
    await editor(app.page).fill("Half a thought");
    await files(app.page).getByRole("link", { name: "b", exact: true }).click();
    await expect(editor(app.page)).toHaveValue("b");
    await expect(state(app.page)).toHaveText("Saved");
    await files(app.page).getByRole("link", { name: "main" }).click();
    await expect(editor(app.page)).toHaveValue("Half a thought");
    await expect(state(app.page)).toHaveText("Unsaved changes");
  });

  test("I can save my changes, make more changes and discard them", async ({ app }) => {
    await app.open(main);
    await editor(app.page).fill("The first change.");
    await app.page.getByRole("button", { name: "Save" }).click();
    await expect(state(app.page)).toHaveText("Saved");
    await editor(app.page).press("End");
    await app.page.keyboard.type(" And a second.");
    await expect(state(app.page)).toHaveText("Unsaved changes");
    await app.page.getByRole("button", { name: "Discard" }).click();
    await expect(editor(app.page)).toHaveValue("The first change.");
    await expect(state(app.page)).toHaveText("Saved");
    await app.page.reload();
    await expect(editor(app.page)).toHaveValue("The first change.");
    expect(await app.file("doc-main.md")).toBe("The first change.");
    expect(app.complaints).toEqual([]);
  });

  test("warns on close while there are unsaved changes, and only then", async ({ app }) => {
    await app.open(main);
    const asked: string[] = [];
    app.page.on("dialog", (dialog) => {
      asked.push(dialog.type());
      void dialog.dismiss();
    });
    await editor(app.page).click();
    await app.page.keyboard.type("Unsaved. ");
    await app.page.close({ runBeforeUnload: true });
    await expect.poll(() => asked).toEqual(["beforeunload"]);
    expect(app.page.isClosed()).toBe(false);
    expect(await content(app.page)).toContain("Unsaved. ");

    await app.page.keyboard.press("ControlOrMeta+s");
    await expect(state(app.page)).toHaveText("Saved");
    const closed = app.page.waitForEvent("close");
    await app.page.close({ runBeforeUnload: true });
    await closed;
    expect(asked).toEqual(["beforeunload"]);
  });

  test("unsaved text survives a reload that the human insists on", async ({ app }) => {
    await app.open(main);
    app.page.on("dialog", (dialog) => void dialog.accept());
    await editor(app.page).click();
    await app.page.keyboard.press("ControlOrMeta+a");
    await app.page.keyboard.type("Not saved yet");
    await app.page.reload();
    await expect(editor(app.page)).toHaveValue("Not saved yet");
    await expect(state(app.page)).toHaveText("Unsaved changes");
    expect(await app.file("doc-main.md")).not.toBe("Not saved yet");
  });

  test("unsaved text survives a crash of the page", async ({ app, context }) => {
    await app.open(main);
    await editor(app.page).click();
    await app.page.keyboard.press("ControlOrMeta+a");
    await app.page.keyboard.type("Written before the crash");
    await expect.poll(() => app.page.evaluate(() => JSON.stringify(localStorage))).toContain("Written before the crash");
    const crashed = app.page.waitForEvent("crash");
    const devtools = await context.newCDPSession(app.page);
    // A page that is gone never answers this.
    void devtools.send("Page.crash").catch(() => null);
    await crashed;
    const next = await context.newPage();
    await next.goto(`./${main}`);
    await expect(editor(next)).toHaveValue("Written before the crash");
    await expect(state(next)).toHaveText("Unsaved changes");
  });
});

test.describe("files that go away", () => {
  test("deleting the open file clears the editor immediately", async ({ app }) => {
    await app.open();
    await app.json("POST", "file/doc-gone.md", { content: "soon gone" });
    await files(app.page).getByRole("link", { name: "gone" }).click();
    await expect(editor(app.page)).toHaveValue("soon gone");
    // The engine never answers the deletion, so whatever is cleared was cleared without waiting for it.
    await app.page.evaluate(() => {
      const inner = window.fetch;
      window.fetch = (input, init) => (init?.method === "DELETE" ? new Promise(() => {}) : inner(input, init));
    });
    await files(app.page).getByRole("button", { name: "Delete gone" }).click();
    await expect(editor(app.page)).toHaveCount(0);
    await expect(app.page.getByText("Choose a file on the left, or write a new one.")).toBeVisible();
  });

  test("deleting the open file throws its unsaved text away too, and Undo brings both back", async ({ app }) => {
    await app.open();
    await app.json("POST", "file/doc-gone.md", { content: "saved" });
    await files(app.page).getByRole("link", { name: "gone" }).click();
    await editor(app.page).fill("unsaved");
    await files(app.page).getByRole("button", { name: "Delete gone" }).click();
    await expect(files(app.page).getByRole("link", { name: "gone" })).toHaveCount(0);
    await app.page.getByRole("button", { name: "Undo" }).click();
    await expect(editor(app.page)).toHaveValue("unsaved");
    expect(await app.file("doc-gone.md")).toBe("saved");
  });

  test("loading a file that no longer exists silently deselects it", async ({ app }) => {
    await app.open("#/docs/doc-nowhere.md");
    await expect(app.page.getByText("Choose a file on the left, or write a new one.")).toBeVisible();
    await expect.poll(() => new URL(app.page.url()).hash).toBe("#/docs");
    await expect(app.page.getByRole("alert")).toHaveCount(0);
    await expect(app.page.locator(".notice")).toHaveCount(0);
    await expect(files(app.page).locator("[aria-current]")).toHaveCount(0);
    expect(app.complaints).toEqual([]);
  });

  test("a file that is deleted elsewhere while it is open is silently deselected", async ({ app }) => {
    await app.open();
    await app.json("POST", "file/doc-gone.md", { content: "soon gone" });
    await files(app.page).getByRole("link", { name: "gone" }).click();
    await expect(editor(app.page)).toHaveValue("soon gone");
    await app.json("DELETE", "file/doc-gone.md");
    await expect(app.page.getByText("Choose a file on the left, or write a new one.")).toBeVisible();
    await expect(app.page.getByRole("alert")).toHaveCount(0);
    await expect(files(app.page).getByRole("link", { name: "gone" })).toHaveCount(0);
  });

  test("but unsaved text is never thrown away so", async ({ app }) => {
    await app.open();
    await app.json("POST", "file/doc-gone.md", { content: "soon gone" });
    await files(app.page).getByRole("link", { name: "gone" }).click();
    await editor(app.page).fill("mine");
    await app.json("DELETE", "file/doc-gone.md");
    await expect(editor(app.page)).toHaveValue("mine");
    await app.page.reload();
    await expect(editor(app.page)).toHaveValue("mine");
    await expect(app.page.getByRole("alert")).toContainText("deleted meanwhile");
    await app.page.keyboard.press("ControlOrMeta+s");
    await expect(state(app.page)).toHaveText("Saved");
    expect(await app.file("doc-gone.md")).toBe("mine");
  });
});

test.describe("a file that somebody else changed meanwhile", () => {
  const conflict = (page: Page) => page.getByRole("region", { name: "Two versions of this file" });

  test("shows the new text when nothing was unsaved", async ({ app }) => {
    await app.open(main);
    await app.json("POST", "file/doc-main.md", { content: "by somebody else" });
    await expect(editor(app.page)).toHaveValue("by somebody else");
    await expect(conflict(app.page)).toHaveCount(0);
  });

  for (const [choice, text] of [
    ["Keep mine", "mine"],
    ["Take theirs", "theirs"],
  ] as const)
    test(`is shown beside mine, and "${choice}" is what it says`, async ({ app }) => {
      await app.open(main);
      await editor(app.page).fill("mine");
      await app.json("POST", "file/doc-main.md", { content: "theirs" });
      await expect(conflict(app.page)).toBeVisible();
      await expect(conflict(app.page).getByRole("textbox")).toHaveValue("theirs");
      await expect(editor(app.page)).toHaveValue("mine");
      expect(await app.file("doc-main.md")).toBe("theirs");
      await conflict(app.page).getByRole("button", { name: choice }).click();
      await expect(conflict(app.page)).toHaveCount(0);
      await expect(editor(app.page)).toHaveValue(text);
      await expect(state(app.page)).toHaveText("Saved");
      expect(await app.file("doc-main.md")).toBe(text);
    });

  test("is never written over by a save that did not know of it (412)", async ({ app }) => {
    await app.open(main);
    await editor(app.page).fill("mine");
    // Somebody writes in the moment before the page's own request arrives.
    await app.page.evaluate(() => {
      const inner = window.fetch;
      window.fetch = async (input, init) => {
        if (init?.method === "POST" && new Headers(init.headers).has("If-Match")) {
          window.fetch = inner;
          await inner(input, { method: "POST", body: JSON.stringify({ content: "theirs" }) });
        }
        return inner(input, init);
      };
    });
    await app.page.keyboard.press("ControlOrMeta+s");
    await expect(conflict(app.page)).toBeVisible();
    expect(await app.file("doc-main.md")).toBe("theirs");
    await expect(editor(app.page)).toHaveValue("mine");
    await expect(state(app.page)).toHaveText("Unsaved changes");
  });
});

for (const [label, inside] of [
  ["Export the docs", ["doc"]],
  ["Export docs and dialogs", ["doc", "dialog"]],
  ["Export everything", ["doc", "dialog", "deed"]],
] as const)
  test(`"${label}" saves the project at this time as a zip of just that`, async ({ app }) => {
    await app.open();
    await putDeed(app, "src/game.js", "let a;");
    await app.json("POST", "dialog/new", { provider: "demo", slug: "hello" });
    await app.page.getByRole("button", { name: "Project" }).click();
    const downloading = app.page.waitForEvent("download");
    await app.page.getByRole("button", { name: label }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toMatch(/\.zip$/);
    const zip = await JSZip.loadAsync(await readFile(await download.path()));
    const kind = (path: string) => (path.startsWith("vibey/dialog-") ? "dialog" : path.startsWith("vibey/") ? "doc" : "deed");
    const paths = Object.values(zip.files).flatMap((entry) => (entry.dir ? [] : [entry.name]));
    expect(new Set(paths.map(kind))).toEqual(new Set(inside));
    expect(await zip.file("vibey/doc-main.md")?.async("string")).toBe(await app.file("doc-main.md"));
  });
