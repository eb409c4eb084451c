import { AxeBuilder } from "@axe-core/playwright";
import { readFileSync } from "node:fs";
import JSZip from "jszip";
import type { Page } from "@playwright/test";
import { startWire } from "../tests/stand-in/wire.ts";
import { expect, test } from "./app.ts";
import { messages, say } from "./hands.ts";
import { newDialog, putDeed } from "./steps.ts";
import { putState } from "./stored-state.ts";
import { main, playTeam, write } from "./team.ts";

/** What a person does with zips. */
const menu = (page: Page, name: string) =>
  page
    .getByRole("button", { name: "Project" })
    .click()
    .then(() => page.getByRole("button", { name, exact: true }).click());
const box = (page: Page) => page.getByRole("dialog", { name: "Import zip" });

async function chooseZip(page: Page, name: string, bytes: Uint8Array): Promise<void> {
  await menu(page, "Import zip…");
  await box(page)
    .getByLabel("Zip file")
    .setInputFiles({ name, mimeType: "application/zip", buffer: Buffer.from(bytes) });
}

const dialogFile = "dialog-20260101-120000-game-waiting.md";
const dialogText =
  "# Dialog\n> Format: 1\n> Provider: claude | Model: m\n> Authorized: run_command\n\n## User\n> Time: 2026-01-01T12:00:00.000Z\n\nHello\n";

test("everything goes out as a zip, and comes in whole as a project of its own, beside the one that is open", async ({
  app,
  browser,
  baseURL,
  firstProject,
}) => {
  const { page } = app;
  await app.open();
  await app.ask("POST", "file/doc-main.md", { content: "# A game\n\n> Authorized: write_file\n" });
  await app.ask("PUT", "deed/src/a.js", undefined);
  await page.evaluate(() => fetch("deed/src/a.js", { method: "PUT", body: "alert(1)" }));
  await app.ask("POST", `file/${dialogFile}`, { content: dialogText });
  const commits = (await app.json<{ commits: { id: string }[] }>("GET", "history")).commits.map(({ id }) => id);
  const [download] = await Promise.all([page.waitForEvent("download"), menu(page, "Export everything")]);
  const zip = readFileSync(await download.path());
  await expect(page.getByRole("dialog")).toHaveCount(0);

  const other = await browser.newContext({ ...(baseURL === undefined ? {} : { baseURL }), serviceWorkers: "block" });
  await putState(other, firstProject);
  const there = await other.newPage();
  await there.goto("./");
  await expect(there.getByRole("tablist").first()).toBeVisible();
  const welcome = await there.evaluate(async () => (await fetch("file/doc-main.md")).text());
  await chooseZip(there, "My game.zip", zip);
  const inside = box(there).getByRole("region", { name: "Contents" });
  await expect(inside).toContainText("1 dialog, and 1 deed file");
  await expect(inside).toContainText(`Includes history: ${commits.length} commit`);
  await expect(box(there).getByRole("list", { name: "Lines turned off" })).toContainText("> Authorized: write_file");
  await box(there).getByText("Files").click();
  await expect(box(there).getByRole("list", { name: "Deed" })).toContainText("src/a.js");
  expect((await new AxeBuilder({ page: there }).analyze()).violations).toEqual([]);
  expect(await there.evaluate(async () => (await fetch("file/doc-main.md")).text())).toBe(welcome);

  await box(there).getByRole("button", { name: "Create project" }).click();
  await box(there).getByRole("button", { name: "Open new project" }).click();
  await expect.poll(() => there.evaluate(async () => (await fetch("deed/src/a.js")).text()).catch(() => "")).toBe("alert(1)");
  const text = await there.evaluate(async () => ((await (await fetch("file/doc-main.md")).json()) as { content: string }).content);
  expect(text).toBe("# A game\n\n> Authorized imported: write_file\n");
  const theirs = await there.evaluate(async () =>
    ((await (await fetch("history")).json()) as { commits: { id: string }[] }).commits.map(({ id }) => id),
  );
  expect(theirs.slice(-commits.length)).toEqual(commits);

  await there.goto("./#/dialogs/20260101-120000-game");
  await there.getByRole("button", { name: "Review its old permissions" }).click();
  const details = there.getByRole("dialog", { name: "Permissions" });
  await details.getByRole("button", { name: /^Accept/ }).click();
  await expect(details.getByText("Imported, not active here")).toHaveCount(0);
  await expect(details.getByRole("list", { name: "Allowed without asking" })).toBeVisible();
  await details.getByRole("button", { name: "Close" }).click();

  await menu(there, "Go to “My first project”");
  await expect.poll(() => there.evaluate(async () => (await fetch("file/doc-main.md")).text()).catch(() => "")).toBe(welcome);
  await other.close();
  expect(app.complaints).toEqual([]);
});

test("what would run outside the browser is shown before the export, and held back unless it is wanted", async ({ app }) => {
  const { page } = app;
  await page.setViewportSize({ width: 360, height: 740 });
  await app.open();
  await page.evaluate(async () => {
    await fetch("deed/.envrc", { method: "PUT", body: "touch ran" });
    await fetch("deed/site/.git/HEAD", { method: "PUT", body: "ref: refs/heads/main\n" });
    await fetch("deed/site/.git/config", { method: "PUT", body: "[core]\n\tfsmonitor = ./evil\n" });
    await fetch("deed/Makefile", { method: "PUT", body: "all:\n" });
  });
  const step = page.getByRole("dialog", { name: "Export" });
  await menu(page, "Export everything");
  await expect(step.getByRole("list", { name: "Files that run by themselves" }).getByRole("listitem")).toContainText([
    /^\.envrc\s*Runs when a shell enters the folder: direnv\. Written by you\.$/,
    /^site\/\.git\/config\s*git may run programs that these settings name: core\.fsmonitor\. Written by you\.$/,
  ]);
  await expect(step.getByRole("list", { name: "Files that run with a command" })).toContainText("Makefile");
  await expect(step.getByRole("radio", { name: /^Held back/ })).toBeChecked();
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  const names = async () => {
    const [download] = await Promise.all([page.waitForEvent("download"), step.getByRole("button", { name: "Export" }).click()]);
    return Object.keys((await JSZip.loadAsync(readFileSync(await download.path()))).files);
  };
  const safe = await names();
  expect(safe).toContain(".envrc~held-back");
  expect(safe).not.toContain(".envrc");
  await menu(page, "Export everything");
  await step.getByRole("radio", { name: /^As they are/ }).check();
  const asTheyAre = await names();
  expect(asTheyAre).toContain(".envrc");
  expect(asTheyAre).toContain("site/.git~held-back/config~held-back");
  expect(app.complaints).toEqual([]);
});

test("where a project has more files than can be imported, the export leaves installed packages out unless they are wanted", async ({
  app,
}) => {
  const { page } = app;
  await page.setViewportSize({ width: 360, height: 740 });
  await app.open();
  await page.evaluate(async () => {
    for (const path of ["a.txt", "node_modules/b/index.js"]) await fetch(`deed/${path}`, { method: "PUT", body: "1" });
    // Pretends that there are 20,000 files.
    const fetchNow = window.fetch;
    window.fetch = async (input, init) => {
      const response = await fetchNow(input, init);
      if (typeof input !== "string" || !input.includes("look=1")) return response;
      return Response.json({ ...(await response.json()), packages: 20_000 });
    };
  });
  const step = page.getByRole("dialog", { name: "Export" });
  const names = async () => {
    const [download] = await Promise.all([page.waitForEvent("download"), step.getByRole("button", { name: "Export" }).click()]);
    return Object.keys((await JSZip.loadAsync(readFileSync(await download.path()))).files).filter((name) => !name.startsWith(".git/"));
  };
  await menu(page, "Export everything");
  const choice = step.getByRole("checkbox", { name: /^Leave out installed packages \(20,000 files in node_modules\)/ });
  await expect(choice).toBeChecked();
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  const without = await names();
  expect(without).toContain("a.txt");
  expect(without).not.toContain("node_modules/b/index.js");
  await menu(page, "Export everything");
  await choice.uncheck();
  expect(await names()).toContain("node_modules/b/index.js");
  expect(app.complaints).toEqual([]);
});

test("an export says of each file who wrote it and when it would run, of earlier versions too, at any width", { tag: "@long" }, async ({
  app,
}) => {
  const { page } = app;
  const wire = await startWire("messages");
  try {
    const tasks = write(".vscode/tasks.json", '{ "version": "2.0.0", "tasks": [] }\n');
    const head = write("site/.git/HEAD", "ref: refs/heads/main\n");
    const hook = write("site/.git/hooks/pre-commit", "#!/bin/sh\ntouch ran\n");
    playTeam(wire, { painter: [{ text: "I set the editor up.", calls: [tasks, head, hook] }, { text: "It is set up." }] });
    await app.open();
    await app.json("PUT", `provider/${wire.provider}`, { apiKey: wire.key, baseURL: wire.url, model: wire.model });
    await app.json("POST", "file/doc-main.md", { content: main() });
    await putDeed(app, ".envrc", "touch ran");
    await expect.poll(async () => JSON.stringify(await app.json("GET", "history"))).toContain(".envrc");
    await app.ask("DELETE", "deed/.envrc");
    await putDeed(app, "Makefile", "all:\n");
    await newDialog(app, "painter");
    await say(page, "painter: begin.");
    await expect(messages(page)).toContainText("It is set up.");

    await menu(page, "Export everything");
    const step = page.getByRole("dialog", { name: "Export" });
    const group = step.getByRole("region", { name: "What would run on your machine" });
    for (const [width, height] of [
      [1280, 800],
      [360, 740],
    ] as const) {
      await page.setViewportSize({ width, height });
      await expect(group.getByRole("list", { name: "Files that run by themselves" }).getByRole("listitem")).toHaveText([
        /^\.vscode\/tasks\.json\s*Runs when the folder is opened in an editor: Visual Studio Code\. Written by the dialog painter\.$/,
        /^site\/\.git\/hooks\/pre-commit\s*git runs this hook by itself\. Written by the dialog painter\.$/,
      ]);
      await expect(group.getByRole("list", { name: "Files of earlier versions that run by themselves" }).getByRole("listitem")).toHaveText([
        /^\.envrc\s*Runs when a shell enters the folder: direnv\. Written by you\.$/,
      ]);
      await expect(group.getByRole("list", { name: "Files that run with a command" }).getByRole("listitem")).toHaveText([
        /^Makefile\s*Runs with a command: make\. Written by you\.$/,
      ]);
      expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      // Everything can be reached, including the button at the end.
      const go = step.getByRole("button", { name: "Export" });
      await go.scrollIntoViewIfNeeded();
      await expect(go).toBeInViewport({ ratio: 1 });
      await page.screenshot({ path: `test-results/export-${width}-end.png` });
      await group.scrollIntoViewIfNeeded();
      await step.getByRole("heading", { name: "What would run on your machine" }).scrollIntoViewIfNeeded();
      await page.screenshot({ path: `test-results/export-${width}.png` });
    }
    const [download] = await Promise.all([page.waitForEvent("download"), step.getByRole("button", { name: "Export" }).click()]);
    const names = Object.keys((await JSZip.loadAsync(readFileSync(await download.path()))).files);
    expect(names).toContain(".vscode/tasks.json~held-back");
    expect(names.filter((name) => /tasks\.json$|pre-commit$|\.envrc$/.test(name))).toEqual([]);
    expect(app.complaints).toEqual([]);
  } finally {
    await wire.close();
  }
});

test("a hostile zip is refused with its reason, and a good one that is dropped comes into the project without overwriting", async ({
  app,
}) => {
  const { page } = app;
  await app.open();
  await app.ask("POST", "file/doc-main.md", { content: "# Mine\n" });
  const hostile = new JSZip();
  hostile.file("ok.txt", "fine");
  hostile.file("link", "/etc/passwd", { unixPermissions: 0o120777 });
  await chooseZip(page, "evil.zip", await hostile.generateAsync({ type: "uint8array", platform: "UNIX" }));
  await expect(box(page).getByRole("alert")).toContainText("evil.zip can't be imported. It's a link, not a file.");
  await expect(box(page).getByRole("alert")).toContainText("In the zip, it's called link.");
  await expect(box(page).getByRole("alert")).toContainText("Your project is unchanged.");
  expect(await app.json("GET", "deed")).toEqual([]);
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(box(page)).toHaveCount(0);

  const good = new JSZip();
  good.file("vibey/doc-main.md", "# Theirs\n");
  good.file("a.txt", "new");
  const base64 = await good.generateAsync({ type: "base64" });
  /** Drops a file on the page. Returns whether the page handled it instead of the browser. */
  const drop = (name: string, content: string) =>
    page.evaluate(
      ([called = "", text = ""]) => {
        const data = new DataTransfer();
        data.items.add(new File([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))], called));
        return !document.body.dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: data }));
      },
      [name, content],
    );
  expect(await drop("good.zip", base64)).toBe(true);
  await box(page)
    .getByRole("radio", { name: /^This project/ })
    .check();
  await expect(box(page).getByRole("group", { name: /may conflict/ })).toContainText("vibey/doc-main.md");
  await box(page).getByRole("radio", { name: /^Both/ }).check();
  await box(page).getByRole("button", { name: "Import", exact: true }).click();
  await expect(box(page).getByRole("status")).toContainText("1 file imported. 1 file imported under another name.");
  await box(page).getByRole("button", { name: "Done" }).click();
  expect(await app.file("doc-main.md")).toBe("# Mine\n");
  expect(await app.file("doc-main-2.md")).toBe("# Theirs\n");
  expect(await app.file("a.txt")).toBe("new");

  // Any other dropped file waits until the user says what to do with it.
  expect(await drop("Late.md", btoa("# Late"))).toBe(true);
  const handed = page.getByRole("dialog", { name: "Shared with Vibey" });
  const items = handed.getByRole("listitem");
  await expect(items).toHaveCount(1);
  expect(await drop("Later.md", btoa("# Later"))).toBe(true);
  await expect(items).toHaveCount(2);
  await items.first().getByRole("button", { name: "Create doc" }).click();
  await expect(page).toHaveURL(/#\/docs\/doc-late\.md$/);
  await expect(items).toHaveCount(1);
  await items.getByRole("button", { name: "Discard" }).click();
  await expect(handed).toHaveCount(0);
  expect(await app.file("doc-late.md")).toContain("# Late");
  expect(app.complaints).toEqual([]);
});

test("what is dropped before the page is all there is kept until it is", async ({ app }) => {
  const { page } = app;
  await page.route(/\/later-[\w-]+\.js$/, async (route) => {
    await dropped;
    await route.continue();
  });
  let tell = () => {};
  const dropped = new Promise<void>((resolve) => {
    tell = resolve;
  });
  await app.open();
  expect(
    await page.evaluate(() => {
      const data = new DataTransfer();
      data.items.add(new File(["# Early"], "Early.md"));
      return !document.body.dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: data }));
    }),
  ).toBe(true);
  tell();
  await expect(page.getByRole("dialog", { name: "Shared with Vibey" })).toContainText("Early");
  expect(app.complaints).toEqual([]);
});
