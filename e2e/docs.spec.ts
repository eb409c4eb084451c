// The specification's "Client: files" and its second flow, sentence by sentence.
import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import JSZip from "jszip";
import { editor, expectInEditor, textInEditor, writeInEditor } from "./hands.ts";
import { expect, files, putDeed, test } from "./steps.ts";

const main = "#/docs/doc-main.md";
const state = (page: Page) => page.locator(".status .state");
const content = async (page: Page) => (await textInEditor(page))?.trim();

test.describe("the sidebar", () => {
  test("I appear on the Docs tab, and there are two tabs only", { tag: "@long" }, async ({ app }) => {
    await app.open();
    await expect(app.page.getByRole("tab")).toHaveText(["Docs", "Dialogs"]);
    await expect(app.page.getByRole("tab", { name: "Docs" })).toHaveAttribute("aria-selected", "true");
    await expect(files(app.page)).toBeVisible();
    expect(app.complaints).toEqual([]);
  });

  test("lists all files: docs, the deed, and the files of dialogs", { tag: "@long" }, async ({ app }) => {
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

  test("shows doc-main.md as main, and a click opens it", { tag: "@long" }, async ({ app }) => {
    await app.open("#/docs");
    await expect(editor(app.page)).toHaveCount(0);
    await files(app.page).getByRole("link", { name: "main" }).click();
    await expectInEditor(app.page, await app.file("doc-main.md"));
  });

  test("has New, which makes a file and opens it", async ({ app }) => {
    await app.open();
    await app.page.getByRole("button", { name: "+ New" }).click();
    await app.page.getByRole("textbox", { name: "Doc name" }).fill("house rules");
    await app.page.getByRole("button", { name: "Create" }).click();
    await expect(files(app.page).getByRole("link", { name: "house-rules" })).toHaveAttribute("aria-current", "page");
    await expectInEditor(app.page, "# house-rules\n\n");
    expect(await app.json("GET", "files")).toContain("doc-house-rules.md");
  });

  const refused = [
    ["", "Enter a name."],
    ["a/b", `"/" isn't allowed`],
    ["../up", `"/" isn't allowed`],
    ["a..b", "two dots in a row"],
    ["spätzle", `"ä" isn't allowed`],
    ["a\\b", `"\\" isn't allowed`],
    ["main", "A doc with that name already exists."],
    ["x".repeat(300), "too long"],
  ] as const;
  test("New refuses what can't be a name and says why", async ({ app }) => {
    await app.open();
    const before = await app.json("GET", "files");
    await app.page.getByRole("button", { name: "+ New" }).click();
    const name = app.page.getByRole("textbox", { name: "Doc name" });
    for (const [typed, problem] of refused) {
      await name.fill(typed);
      await name.press("Enter");
      await expect(app.page.getByRole("alert")).toContainText(problem);
      await expect(name).toHaveAttribute("aria-invalid", "true");
      await expect(name).toHaveValue(typed);
    }
    expect(await app.json("GET", "files")).toEqual(before);
  });

  test("has × at every file, which deletes it; Undo brings it back as it was", async ({ app }) => {
    await app.open();
    await app.json("POST", "file/doc-old.md", { content: "old text\n" });
    await files(app.page).getByRole("link", { name: "old" }).hover();
    await files(app.page).getByRole("button", { name: "Delete old" }).click();
    await expect(files(app.page).getByRole("link", { name: "old" })).toHaveCount(0);
    expect(await app.json("GET", "files")).not.toContain("doc-old.md");
    await expectInEditor(app.page, await app.file("doc-main.md"));
    await app.page.getByRole("button", { name: "Undo" }).click();
    await expectInEditor(app.page, "old text\n");
    expect(await app.file("doc-old.md")).toBe("old text\n");
  });
});

test.describe("the editor", () => {
  test("is a plain field at once; the editor takes its place with text, selection and focus, and all of it can be undone", async ({
    app,
  }) => {
    // The test decides when the editor's code arrives.
    let letGo = () => {};
    const held = new Promise<void>((resolve) => (letGo = resolve));
    await app.page.route(/assets\/mount-[\w-]+\.js$/, async (route) => {
      await held;
      await route.continue();
    });
    await app.open(main);
    const plain = app.page.locator("textarea.editor");
    const before = await plain.inputValue();
    await plain.focus();
    await app.page.keyboard.press("ControlOrMeta+Home");
    await app.page.keyboard.type("One. ");
    await app.page.keyboard.press("Shift+ArrowLeft");
    letGo();
    await expect(editor(app.page)).toBeFocused();
    await expect(plain).toHaveCount(0);
    await expectInEditor(app.page, `One. ${before}`);
    await app.page.keyboard.type("! ");
    await expectInEditor(app.page, `One.! ${before}`);
    const list = await files(app.page).boundingBox();
    const box = await editor(app.page).boundingBox();
    if (box === null || list === null) throw new Error("not in the page");
    expect(box.x).toBeGreaterThanOrEqual(list.x + list.width);
    expect(box.height).toBeGreaterThan(400);
    for (let step = 0; step < 8; step++) await app.page.keyboard.press("ControlOrMeta+z");
    await expectInEditor(app.page, before);
    await expect(state(app.page)).toHaveText("Saved");
    expect(app.complaints).toEqual([]);
  });

  for (const [keys, platform] of [
    ["Control+s", "Linux x86_64"],
    ["Meta+s", "MacIntel"],
  ] as const)
    test(`${keys} saves on ${platform}`, { tag: platform === "MacIntel" ? "@long" : [] }, async ({ app }) => {
      await app.page.addInitScript((value) => Object.defineProperty(Navigator.prototype, "platform", { get: () => value }), platform);
      await app.open(main);
      await writeInEditor(app.page, `Saved with ${keys}.`);
      await app.page.keyboard.press(keys);
      await expect(state(app.page)).toHaveText("Saved");
      expect(await app.file("doc-main.md")).toBe(`Saved with ${keys}.`);
    });

  test("once the editor's code is there no plain field comes first: a long text in it would be laid out for seconds", {
    tag: "@long",
  }, async ({ app }) => {
    const { page } = app;
    await app.open(main);
    await expect(editor(page)).toBeVisible();
    await app.json("POST", "file/doc-long.md", { content: "- a\n".repeat(200_000) });
    const texts = await page.evaluateHandle(() => {
      const given: number[] = [];
      const own = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value");
      Object.defineProperty(HTMLTextAreaElement.prototype, "value", {
        ...own,
        set(text: string) {
          given.push(text.length);
          own?.set?.call(this, text);
        },
      });
      return given;
    });
    await files(page).getByRole("link", { name: "long" }).click();
    await expectInEditor(page, "- a\n".repeat(200_000));
    expect(await texts.evaluate((given) => given.filter((length) => length > 1_000))).toEqual([]);
  });

  test("lines keep the ends that they have, whoever wrote or copied them", { tag: "@long" }, async ({ app }) => {
    const { page } = app;
    await page.route(/assets\/mount-[\w-]+\.js$/, async (route) => {
      await page.locator("textarea.editor").evaluate((field: HTMLTextAreaElement) => {
        field.setRangeText("0", 0, 0, "end");
        field.dispatchEvent(new InputEvent("input", { bubbles: true }));
      });
      await route.continue();
    });
    await app.open("#/docs");
    await putDeed(app, "windows.txt", "one\r\ntwo\r\n");
    await page.goto("#/deed/windows.txt");
    await expectInEditor(page, /^0one/);
    await expect(editor(page)).toBeVisible();
    const paste = (text: string) =>
      editor(page).evaluate((element, words) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData("text/plain", words);
        element.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
      }, text);
    await editor(page).focus();
    await page.keyboard.press("ControlOrMeta+Home");
    await paste("a\nb\r\n");
    await expectInEditor(page, "a\r\nb\r\n0one\r\ntwo\r\n");
    await page.keyboard.press("ControlOrMeta+s");
    await expect(state(page)).toHaveText("Saved");
    // Another program changes the line ends. Text typed after that uses the new ones.
    await putDeed(app, "windows.txt", "one\ntwo\n");
    await expectInEditor(page, "one\ntwo\n");
    await page.keyboard.press("ControlOrMeta+Home");
    await paste("a\r\nb\rc");
    await expectInEditor(page, "a\nb\ncone\ntwo\n");
    expect(app.complaints).toEqual([]);
  });

  test("of a long text, too, no letter is lost to whoever leaves it with a key", { tag: "@long" }, async ({ app }) => {
    const { page } = app;
    await app.open(main);
    await putDeed(app, "long.txt", "x".repeat(99).concat("\n").repeat(2_500));
    await page.goto("#/deed/long.txt");
    await expect(editor(page)).toBeVisible();
    await editor(page).focus();
    // The second letter is typed before the first is reported, which happens after a pause, and the file is closed at once.
    await editor(page).evaluate((element: Element & { cmTile?: { root: { view: { dispatch(change: object): void } } } }) => {
      for (const insert of ["1", "2"]) element.cmTile?.root.view.dispatch({ changes: { from: 0, insert }, userEvent: "input.type" });
      location.hash = "#/docs/doc-main.md";
    });
    await expectInEditor(page, await app.file("doc-main.md"));
    await page.goBack();
    await expectInEditor(page, /^21xx/);
    await expect(state(page)).toHaveText("Unsaved changes");
    expect(app.complaints).toEqual([]);
  });

  test("Ctrl+S saves wherever the focus is", { tag: "@long" }, async ({ app }) => {
    await app.open(main);
    await writeInEditor(app.page, "From the filter.");
    await app.page.getByRole("searchbox", { name: "Search files" }).focus();
    await app.page.keyboard.press("Control+s");
    await expect(state(app.page)).toHaveText("Saved");
    expect(await app.file("doc-main.md")).toBe("From the filter.");
  });

  test("knows whether there are unsaved changes, and the list shows it", { tag: "@long" }, async ({ app }) => {
    await app.open(main);
    const [save, discard] = [app.page.getByRole("button", { name: "Save" }), app.page.getByRole("button", { name: "Discard" })];
    const row = files(app.page).getByRole("link", { name: "main" });
    const before = await app.file("doc-main.md");
    await expect(state(app.page)).toHaveText("Saved");
    await expect(save).toBeDisabled();
    await expect(discard).toBeDisabled();

    await writeInEditor(app.page, "Other");
    await expect(state(app.page)).toHaveText("Unsaved changes");
    await expect(row).toContainText("unsaved");
    await expect(save).toBeEnabled();
    await expect(discard).toBeEnabled();

    await writeInEditor(app.page, before);
    await expect(state(app.page)).toHaveText("Saved");
    await expect(row).not.toContainText("unsaved");
  });

  test("unsaved text of one file stays while another is open", { tag: "@long" }, async ({ app }) => {
    await app.open(main);
    await app.json("POST", "file/doc-b.md", { content: "b" });
    await writeInEditor(app.page, "Half a thought");
    await files(app.page).getByRole("link", { name: "b", exact: true }).click();
    await expectInEditor(app.page, "b");
    await expect(state(app.page)).toHaveText("Saved");
    await files(app.page).getByRole("link", { name: "main" }).click();
    await expectInEditor(app.page, "Half a thought");
    await expect(state(app.page)).toHaveText("Unsaved changes");
  });

  test("I can save my changes, make more changes and discard them", { tag: "@long" }, async ({ app }) => {
    await app.open(main);
    await writeInEditor(app.page, "The first change.");
    await app.page.getByRole("button", { name: "Save" }).click();
    await expect(state(app.page)).toHaveText("Saved");
    await editor(app.page).press("End");
    await app.page.keyboard.type(" And a second.");
    await expect(state(app.page)).toHaveText("Unsaved changes");
    await app.page.getByRole("button", { name: "Discard" }).click();
    await expectInEditor(app.page, "The first change.");
    await expect(state(app.page)).toHaveText("Saved");
    await app.page.reload();
    await expectInEditor(app.page, "The first change.");
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

  test("who comes back can write before the engine answers, and what was saved elsewhere meanwhile is not lost", { tag: "@long" }, async ({
    app,
    context,
  }) => {
    await app.open();
    await app.json("POST", "file/doc-main.md", { content: "first\n\nmiddle\n\nlast\n" });
    await expectInEditor(app.page, "first\n\nmiddle\n\nlast\n");
    await expect.poll(() => app.page.evaluate(() => localStorage.getItem("vibey glance  doc:doc-main.md"))).toContain("middle");
    // The test decides when the next page's engine loads.
    let letGo = () => {};
    const held = new Promise<void>((resolve) => (letGo = resolve));
    const next = await context.newPage();
    await next.route(/engine\/worker-[\w-]+\.js$/, async (route) => {
      await held;
      await route.continue();
    });
    await next.goto("./");
    await expectInEditor(next, "first\n\nmiddle\n\nlast\n");
    await expect(state(next)).toHaveText("");
    await editor(next).focus();
    await next.keyboard.press("ControlOrMeta+Home");
    await next.keyboard.type("My ");
    await expect(state(next)).toHaveText("Unsaved changes");
    await next.keyboard.press("ControlOrMeta+s");
    await expect(state(next)).toHaveText("Saving…");
    await app.json("POST", "file/doc-main.md", { content: "first\n\nmiddle\n\nlast and least\n" });
    letGo();
    await expect(state(next)).toHaveText("Saved");
    await expectInEditor(next, "My first\n\nmiddle\n\nlast and least\n");
    expect(await app.file("doc-main.md")).toBe("My first\n\nmiddle\n\nlast and least\n");
    await next.close();
  });

  test("unsaved text survives a reload that the human insists on", { tag: "@long" }, async ({ app }) => {
    await app.open(main);
    app.page.on("dialog", (dialog) => void dialog.accept());
    await editor(app.page).click();
    await app.page.keyboard.press("ControlOrMeta+a");
    await app.page.keyboard.type("Not saved yet");
    await app.page.reload();
    await expectInEditor(app.page, "Not saved yet");
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
    // A crashed page never answers this command.
    void devtools.send("Page.crash").catch(() => null);
    await crashed;
    const next = await context.newPage();
    await next.goto(`./${main}`);
    await expectInEditor(next, "Written before the crash");
    await expect(state(next)).toHaveText("Unsaved changes");
  });
});

test.describe("live markdown", () => {
  const text = "# Title\n\nSome **bold** and [rules](doc-rules.md).\n\n- [ ] one\n- [x] two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nEnd.\n";
  const line = (page: Page, words: string) => page.locator(".cm-line", { hasText: words });

  test("marks show in the line that one writes in, checkboxes and links work, and Enter goes on with a list", async ({ app }) => {
    const { page } = app;
    await app.open(main);
    await app.json("POST", "file/doc-rules.md", { content: "# Rules\n" });
    await app.json("POST", "file/doc-main.md", { content: text });
    // A change made to an open editor's text can also be undone. After a reload, the first undo step is the typing below.
    await page.reload();
    await expect(line(page, "Some bold")).toHaveText("Some bold and rules.");
    await expect(line(page, "Title")).toHaveText("Title");
    await expect(page.locator(".md-row")).toHaveText(["ab", "12"]);
    await line(page, "Title").click();
    await expect(line(page, "Title")).toHaveText("# Title");
    await expect(line(page, "Some bold")).toHaveText("Some bold and rules.");

    await page.getByRole("checkbox", { name: "Done" }).first().click();
    await expectInEditor(page, text.replace("[ ]", "[x]"));
    await line(page, "two").click();
    await page.keyboard.press("ControlOrMeta+Enter");
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await page.keyboard.type("three");
    await expectInEditor(page, text.replace("[ ] one\n- [x] two", "[x] one\n- [ ] two\n- [ ] three"));

    await page.locator(".md-link", { hasText: "rules" }).click();
    await expect(page.getByRole("button", { name: "Open doc-rules.md" })).toBeVisible();
    await page.keyboard.press("ControlOrMeta+Enter");
    await expectInEditor(page, "# Rules\n");
    await page.goBack();
    // The earlier typing is still there and can still be undone.
    await expectInEditor(page, /three/);
    await editor(page).focus();
    for (let step = 0; step < 4; step++) await page.keyboard.press("ControlOrMeta+z");
    await expectInEditor(page, text);
    expect(app.complaints).toEqual([]);
  });

  test("what agents may do stands behind its line; sections fold; the outline jumps; find and replace works; Tab leaves", async ({
    app,
  }) => {
    const { page } = app;
    const long = `# One\n\n> Authorized: run_command\n> Limit imported: agents 3\n\n${"words to pass\n\n".repeat(60)}## Two\n\nthe end\n`;
    await app.open(main);
    await app.json("POST", "file/doc-main.md", { content: long });
    await expect(page.locator(".law-meaning")).toHaveText([
      "New dialogs can run commands without asking.",
      "Imported, so not active. Delete “imported” to activate it.",
    ]);
    await page.getByRole("button", { name: "Outline" }).click();
    await page.getByRole("navigation", { name: "Outline" }).getByRole("button", { name: "Two" }).click();
    await expect(line(page, "the end")).toBeInViewport();
    await expect(editor(page)).toBeFocused();
    await page.keyboard.press("ControlOrMeta+Home");
    await page.keyboard.press("ControlOrMeta+Shift+BracketLeft");
    await expect(page.getByRole("button", { name: "Unfold this section" })).toBeVisible();
    await page.keyboard.press("ControlOrMeta+Shift+BracketRight");
    await page.locator(".status").getByRole("button", { name: "Find" }).click();
    await page.getByRole("textbox", { name: "Find" }).fill("the end");
    await page.getByRole("textbox", { name: "Replace" }).fill("the beginning");
    await page.getByRole("button", { name: "replace all" }).click();
    await page.keyboard.press("Escape");
    await expectInEditor(page, long.replace("the end", "the beginning"));
    await editor(page).focus();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Tab");
    await expect(editor(page)).not.toBeFocused();
  });

  test("what stands over two lines is drawn, too, whatever the ends of the lines are", { tag: "@long" }, async ({ app }) => {
    const { page } = app;
    await app.open("#/docs");
    const lines = ["# A", "", "[a](b", '"t") and [c](d "two', 'lines") and', "", "x", "", ...Array<string>(30).fill("y"), "doc-main.md"];
    await app.json("POST", "file/doc-lf.md", { content: lines.join("\n") });
    await app.json("POST", "file/doc-crlf.md", { content: lines.join("\r\n") });
    for (const name of ["lf", "crlf"]) {
      await page.goto(`#/docs/doc-${name}.md`);
      await expect(editor(page)).toHaveAttribute("aria-label", name);
      await expect(editor(page).locator(".md-link", { hasText: /^doc-main\.md$/ })).toBeVisible();
      await expect(editor(page).locator(".md-h1")).toHaveText("A");
    }
    expect(app.complaints).toEqual([]);
  });

  test("vi keys are a setting, and stay", { tag: "@long" }, async ({ app }) => {
    const { page } = app;
    await app.open(main);
    await editor(page).focus();
    await page.getByRole("button", { name: "File actions" }).click();
    await page.getByRole("switch", { name: "Vim keys" }).click();
    await expect(page.getByRole("switch", { name: "Vim keys" })).toBeChecked();
    await page.reload();
    await expect(page.locator(".cm-vim-panel")).toBeVisible();
    await app.json("POST", "file/doc-main.md", { content: "one\ntwo\nthree\n" });
    await expectInEditor(page, "one\ntwo\nthree\n");
    await editor(page).focus();
    const mode = page.locator(".cm-vim-panel").first();
    await expect(mode).toHaveText("NORMAL");
    await page.keyboard.type("v");
    await expect(mode).toHaveText("VISUAL");
    await page.keyboard.press("Escape");
    await page.keyboard.type("ggddi");
    await expect(mode).toHaveText("INSERT");
    await page.keyboard.type("hello ");
    await page.keyboard.press("Escape");
    await expect(mode).toHaveText("NORMAL");
    await page.keyboard.type(":");
    const command = page.locator(".cm-vim-panel:visible");
    await expect(command).toHaveCount(1);
    expect((await command.textContent())?.match(/:/g)).toHaveLength(1);
    await page.keyboard.type("w\n");
    await expect(state(page)).toHaveText("Saved");
    expect(await app.file("doc-main.md")).toBe("hello two\nthree\n");
    expect(app.complaints).toEqual([]);
  });
});

test.describe("what a doc shows", () => {
  const square = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><rect width="40" height="30" fill="teal"/></svg>';
  const images = (page: Page) => page.locator(".md-image");
  const line = (page: Page, words: string) => page.locator(".cm-line", { hasText: words });

  test("images of the project and images in the text are shown; of another host there is a link, and nothing is loaded", async ({
    app,
  }) => {
    const { page } = app;
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await app.open("#/docs");
    await putDeed(app, "img/a b.svg", square);
    await app.json("POST", "file/doc-pictures.md", {
      content: [
        "Top",
        "![of the project](img/a%20b.svg)",
        "![beside the docs](../img/a%20b.svg)",
        `![in the text](data:image/svg+xml;base64,${btoa(square)})`,
        "![far away](https://elsewhere.example/a.png)",
        "![nowhere](img/none.png)",
      ].join("\n\n"),
    });
    await page.goto("#/docs/doc-pictures.md");
    await expect(images(page)).toHaveCount(3);
    for (const name of ["of the project", "beside the docs", "in the text"]) {
      const image = page.getByRole("img", { name });
      await expect.poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBe(40);
    }
    await expect(page.locator(".md-link", { hasText: "far away" })).toBeVisible();
    await expect(line(page, "nowhere")).toBeVisible();
    expect(asked.filter((url) => url.includes("elsewhere"))).toEqual([]);
    // A click shows the source text, but only of this image.
    await page.getByRole("img", { name: "beside the docs" }).click();
    await expect(line(page, "../img/a%20b.svg")).toBeVisible();
    await expect(images(page)).toHaveCount(2);
    expect(app.complaints).toEqual([]);
  });

  test("the cursor in a link shows this link's marks, and no others of its line", { tag: "@long" }, async ({ app }) => {
    const { page } = app;
    await app.open(main);
    await app.json("POST", "file/doc-main.md", { content: "Some **bold** words, [one](doc-one.md) and [two](doc-two.md).\n" });
    await expect(line(page, "Some bold words")).toHaveText("Some bold words, one and two.");
    await page.locator(".md-link", { hasText: "one" }).click();
    await expect(line(page, "Some bold words")).toHaveText("Some bold words, [one](doc-one.md) and two.");
    await page.keyboard.press("End");
    await expect(line(page, "Some bold words")).toHaveText("Some bold words, one and two.");
  });

  test("find says which hit of how many, and marks hits in tables, too", { tag: "@long" }, async ({ app }) => {
    const { page } = app;
    await app.open(main);
    await app.json("POST", "file/doc-main.md", { content: "needle\n\n| a needle | b |\n|---|---|\n| x \\| **needle** | 2 |\n\nneedle\n" });
    await expect(page.locator(".md-row")).toHaveCount(2);
    await editor(page).focus();
    await page.keyboard.press("ControlOrMeta+Home");
    await page.keyboard.press("ControlOrMeta+f");
    await page.getByRole("textbox", { name: "Find" }).fill("needle");
    const count = page.locator(".find-count");
    await expect(count).toHaveText("4 matches");
    await expect(page.locator(".md-row .cm-searchMatch")).toHaveText(["needle", "needle"]);
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await expect(count).toHaveText("2 of 4");
    await expect(page.locator(".md-row .cm-searchMatch-selected")).toHaveCount(1);
    await page.getByRole("textbox", { name: "Find" }).fill("nothing like it");
    await expect(count).toHaveText("No matches");
    await page.keyboard.press("Escape");
    await expect(page.locator(".cm-searchMatch")).toHaveCount(0);
  });
});

test.describe("files as a whole", () => {
  test("the search finds names and texts, and opens at the line", async ({ app }) => {
    const { page } = app;
    await app.open(main);
    await app.json("POST", "file/doc-rules.md", { content: `${"filler\n\n".repeat(80)}a Needle in it\n` });
    await putDeed(app, "src/needle.js", "// nothing\n");
    await page.getByRole("searchbox", { name: "Search files" }).fill("needle");
    await expect(files(page).getByRole("link")).toHaveCount(2);
    await expect(files(page).locator("mark")).toHaveText("Needle");
    await files(page).getByRole("link", { name: "rules" }).click();
    await expect(page.locator(".cm-line", { hasText: "a Needle in it" })).toBeInViewport();
    await page.keyboard.type("pin");
    await expectInEditor(page, /a pin in it/);
    await page.getByRole("searchbox", { name: "Search files" }).fill("no such words anywhere");
    await expect(files(page)).toContainText("No results in names or contents.");
  });

  test("a doc gets another name with its unsaved text, and a second one like it; main and dialogs keep theirs", { tag: "@long" }, async ({
    app,
  }) => {
    const { page } = app;
    const menu = page.getByRole("button", { name: "File actions" });
    await app.open(main);
    await app.json("POST", "file/doc-a.md", { content: "saved" });
    await editor(page).focus();
    await menu.click();
    await expect(page.getByRole("button", { name: "Rename…" })).toBeDisabled();
    await page.keyboard.press("Escape");
    await files(page).getByRole("link", { name: "a", exact: true }).click();
    await writeInEditor(page, "unsaved");
    await menu.click();
    await page.getByRole("button", { name: "Rename…" }).click();
    const name = page.getByRole("textbox", { name: "Doc name" });
    await name.fill("main");
    await name.press("Enter");
    await expect(page.getByRole("alert")).toContainText("A file with that name already exists.");
    await name.fill("b");
    await name.press("Enter");
    await expect(files(page).locator('a[title="doc-b.md"]')).toHaveAttribute("aria-current", "page");
    await expectInEditor(page, "unsaved");
    await page.keyboard.press("ControlOrMeta+s");
    await expect(state(page)).toHaveText("Saved");
    await menu.click();
    await page.getByRole("button", { name: "Duplicate" }).click();
    await expect(files(page).getByRole("link", { name: "b-copy" })).toHaveAttribute("aria-current", "page");
    await expectInEditor(page, "unsaved");
    expect(await app.json("GET", "files")).toEqual(expect.arrayContaining(["doc-b.md", "doc-b-copy.md"]));
    expect(await app.json("GET", "files")).not.toContain("doc-a.md");
  });
});

test.describe("files that go away", () => {
  test("deleting the open file clears the editor immediately", { tag: "@long" }, async ({ app }) => {
    await app.open();
    await app.json("POST", "file/doc-gone.md", { content: "soon gone" });
    await files(app.page).getByRole("link", { name: "gone" }).click();
    await expectInEditor(app.page, "soon gone");
    // The engine never answers the deletion, so everything cleared here was cleared without waiting for it.
    await app.page.evaluate(() => {
      const inner = window.fetch;
      window.fetch = (input, init) => (init?.method === "DELETE" ? new Promise(() => {}) : inner(input, init));
    });
    await files(app.page).getByRole("button", { name: "Delete gone" }).click();
    await expect(editor(app.page)).toHaveCount(0);
    await expect(app.page.getByText("Select a file, or create a doc.")).toBeVisible();
  });

  test("deleting the open file throws its unsaved text away too, and Undo brings both back", { tag: "@long" }, async ({ app }) => {
    await app.open();
    await app.json("POST", "file/doc-gone.md", { content: "saved" });
    await files(app.page).getByRole("link", { name: "gone" }).click();
    await writeInEditor(app.page, "unsaved");
    await files(app.page).getByRole("button", { name: "Delete gone" }).click();
    await expect(files(app.page).getByRole("link", { name: "gone" })).toHaveCount(0);
    await app.page.getByRole("button", { name: "Undo" }).click();
    await expectInEditor(app.page, "unsaved");
    expect(await app.file("doc-gone.md")).toBe("saved");
  });

  test("loading a file that no longer exists silently deselects it", { tag: "@long" }, async ({ app }) => {
    await app.open("#/docs/doc-nowhere.md");
    await expect(app.page.getByText("Select a file, or create a doc.")).toBeVisible();
    await expect.poll(() => new URL(app.page.url()).hash).toBe("#/docs");
    await expect(app.page.getByRole("alert")).toHaveCount(0);
    await expect(app.page.locator(".notice")).toHaveCount(0);
    await expect(files(app.page).locator("[aria-current]")).toHaveCount(0);
    expect(app.complaints).toEqual([]);
  });

  test("a file that is deleted elsewhere while it is open is silently deselected", { tag: "@long" }, async ({ app }) => {
    await app.open();
    await app.json("POST", "file/doc-gone.md", { content: "soon gone" });
    await files(app.page).getByRole("link", { name: "gone" }).click();
    await expectInEditor(app.page, "soon gone");
    await app.json("DELETE", "file/doc-gone.md");
    await expect(app.page.getByText("Select a file, or create a doc.")).toBeVisible();
    await expect(app.page.getByRole("alert")).toHaveCount(0);
    await expect(files(app.page).getByRole("link", { name: "gone" })).toHaveCount(0);
  });

  test("but unsaved text is never thrown away so", { tag: "@long" }, async ({ app }) => {
    await app.open();
    await app.json("POST", "file/doc-gone.md", { content: "soon gone" });
    await files(app.page).getByRole("link", { name: "gone" }).click();
    await writeInEditor(app.page, "mine");
    await app.json("DELETE", "file/doc-gone.md");
    await expectInEditor(app.page, "mine");
    await app.page.reload();
    await expectInEditor(app.page, "mine");
    await expect(app.page.getByRole("alert")).toContainText("deleted while you were editing");
    await app.page.keyboard.press("ControlOrMeta+s");
    await expect(state(app.page)).toHaveText("Saved");
    expect(await app.file("doc-gone.md")).toBe("mine");
  });
});

test.describe("a file that somebody else changed meanwhile", () => {
  const conflict = (page: Page) => page.getByRole("region", { name: "Two versions of this file" });

  test("shows the new text when nothing was unsaved", { tag: "@long" }, async ({ app }) => {
    await app.open(main);
    await app.json("POST", "file/doc-main.md", { content: "by somebody else" });
    await expectInEditor(app.page, "by somebody else");
    await expect(conflict(app.page)).toHaveCount(0);
  });

  for (const [choice, text] of [
    ["Keep mine", "mine"],
    ["Use saved version", "theirs"],
  ] as const)
    test(`is shown beside mine, and "${choice}" is what it says`, { tag: choice === "Keep mine" ? [] : "@long" }, async ({ app }) => {
      await app.open(main);
      await writeInEditor(app.page, "mine");
      await app.json("POST", "file/doc-main.md", { content: "theirs" });
      await expect(conflict(app.page)).toBeVisible();
      await expect(conflict(app.page)).toContainText("You saved another version of this file in another tab.");
      await expect(conflict(app.page).getByRole("textbox")).toHaveValue("theirs");
      await expectInEditor(app.page, "mine");
      expect(await app.file("doc-main.md")).toBe("theirs");
      await conflict(app.page).getByRole("button", { name: choice }).click();
      await expect(conflict(app.page)).toHaveCount(0);
      await expectInEditor(app.page, text);
      await expect(state(app.page)).toHaveText("Saved");
      expect(await app.file("doc-main.md")).toBe(text);
    });

  test("is merged where it changed other lines: the cursor stays, and it can be undone", async ({ app }) => {
    await app.open(main);
    await app.json("POST", "file/doc-main.md", { content: "one\n\ntwo\n\nthree\n" });
    await expectInEditor(app.page, "one\n\ntwo\n\nthree\n");
    await app.page.locator(".cm-line", { hasText: "two" }).click();
    await app.page.keyboard.press("End");
    await app.page.keyboard.type(" mine");
    await app.json("POST", "file/doc-main.md", { content: "ONE\n\ntwo\n\nthree\nfour\n" });
    await expectInEditor(app.page, "ONE\n\ntwo mine\n\nthree\nfour\n");
    await expect(conflict(app.page)).toHaveCount(0);
    await app.page.keyboard.type("!");
    await app.page.keyboard.press("ControlOrMeta+s");
    await expect(state(app.page)).toHaveText("Saved");
    expect(await app.file("doc-main.md")).toBe("ONE\n\ntwo mine!\n\nthree\nfour\n");
  });

  test("is never written over by a save that did not know of it (412)", { tag: "@long" }, async ({ app }) => {
    await app.open(main);
    await writeInEditor(app.page, "mine");
    // Someone else writes just before the page's own request arrives.
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
    await expectInEditor(app.page, "mine");
    await expect(state(app.page)).toHaveText("Unsaved changes");
  });
});

for (const [label, inside] of [
  ["Export docs", ["doc"]],
  ["Export docs and dialogs", ["doc", "dialog"]],
  ["Export everything", ["doc", "dialog", "deed"]],
] as const)
  test(`"${label}" saves the project at this time as a zip of just that`, { tag: "@long" }, async ({ app }) => {
    await app.open();
    await putDeed(app, "src/game.js", "let a;");
    await app.json("POST", "dialog/new", { provider: "demo", slug: "hello" });
    await app.page.getByRole("button", { name: "Project" }).click();
    const downloading = app.page.waitForEvent("download");
    await app.page.getByRole("button", { name: label, exact: true }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toMatch(/\.zip$/);
    const zip = await JSZip.loadAsync(await readFile(await download.path()));
    const kind = (path: string) => (path.startsWith("vibey/dialog-") ? "dialog" : path.startsWith("vibey/") ? "doc" : "deed");
    const paths = Object.values(zip.files).flatMap((entry) => (entry.dir ? [] : [entry.name]));
    expect(new Set(paths.map(kind))).toEqual(new Set(inside));
    expect(await zip.file("vibey/doc-main.md")?.async("string")).toBe(await app.file("doc-main.md"));
  });

test("code of the deed has colours and line numbers in the editor", { tag: "@long" }, async ({ app }) => {
  const { page } = app;
  await app.open();
  await putDeed(app, "src/game.js", '// Draws.\nconst name = "a_b";\n');
  await page.goto("#/deed/src/game.js");
  await editor(page).focus();
  await expect(editor(page).locator(".code-comment")).toHaveText("// Draws.");
  await expect(editor(page).locator(".code-keyword")).toHaveText("const");
  await expect(editor(page).locator(".code-string")).toHaveText('"a_b"');
  await expect(page.locator(".cm-lineNumbers .cm-gutterElement").last()).toHaveText("3");
});
