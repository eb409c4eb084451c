import { randomBytes } from "node:crypto";
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import type { CopyAnswer, DeedListing } from "../src/protocol/index.ts";
import { type App, expect, test } from "./app.ts";
import { begin } from "./first-project.ts";
import { editor, expectInEditor, writeInEditor } from "./hands.ts";

/** The browser's storage fails: what the user sees, what is still there, and how to continue. */

const state = (page: Page) => page.locator(".status .state");
const recovery = (page: Page) => page.getByRole("heading", { level: 1 });

/** Saves a doc and waits until the backup has it. */
async function hadProject(app: App): Promise<void> {
  await app.open();
  await app.json("POST", "file/doc-main.md", { content: "Mine alone.\n" });
  await app.json("POST", "file/doc-second.md", { content: "Second.\n" });
  await app.json("PUT", "deed/index.html", { any: "bytes" });
  const [last] = await app.json<readonly DeedListing[]>("GET", "deed");
  await expect.poll(async () => (await app.json<CopyAnswer>("GET", "copy")).kept?.at ?? 0).toBeGreaterThan(last?.mtime ?? Infinity);
}

/** A page of our origin without any of our code. */
async function quietPage(app: App): Promise<Page> {
  const page = await app.page.context().newPage();
  await page.goto("./manifest.webmanifest");
  return page;
}

/** Leaves the app, so that no page has the database open, runs `work`, and returns. */
async function betweenVisits(app: App, work: () => Promise<void>): Promise<void> {
  await app.page.goto("./manifest.webmanifest");
  await app.page.evaluate(work);
  await app.page.goto("./");
}

const deleteDatabase = () =>
  new Promise<void>((resolve, reject) => {
    const request = indexedDB.deleteDatabase("vibey-project");
    request.addEventListener("success", () => resolve());
    request.addEventListener("error", () => reject(new Error("not deleted")));
  });

async function restore(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Restore project" }).first().click();
  await expect(page.getByRole("tablist").first()).toBeVisible();
}

test("a project that is gone comes back from the second copy, when the human says so", { tag: "@long" }, async ({ app }) => {
  const { page } = app;
  await hadProject(app);
  await betweenVisits(app, deleteDatabase);
  await expect(recovery(page)).toHaveText("Your project is missing");
  await expect(page.locator("dl")).toContainText("Docs");
  await expect(page.getByRole("definition").first()).toHaveText("4");
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  const [zip] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: /^Download backup/ }).click()]);
  expect(zip.suggestedFilename()).toMatch(/^vibey-second-copy-.*\.zip$/);
  // Nothing has started yet: another visit shows the same page.
  await page.reload();
  await restore(page);
  expect(await app.file("doc-main.md")).toBe("Mine alone.\n");
  expect(await app.file("index.html")).toBe('{"any":"bytes"}');
});

test("a database that went back: the copy stays as it is until the human decides, and the first choice keeps both", async ({ app }) => {
  const { page } = app;
  await hadProject(app);
  // A page of our origin saves what is stored now, and restores it later.
  const keeper = await quietPage(app);
  await keeper.evaluate(async () => {
    const done = <T>(request: IDBRequest<T>): Promise<T> =>
      new Promise((resolve) => request.addEventListener("success", () => resolve(request.result)));
    const db = await done(indexedDB.open("vibey-project"));
    const stores = [...db.objectStoreNames];
    const tx = db.transaction(stores);
    const kept = await Promise.all(
      stores.map(async (name) => {
        const store = tx.objectStore(name);
        return [name, await done(store.getAllKeys()), await done(store.getAll())] as const;
      }),
    );
    db.close();
    Object.assign(window, {
      async goBack() {
        const again = await done(indexedDB.open("vibey-project"));
        const writing = again.transaction(stores, "readwrite");
        for (const [name, keys, values] of kept) {
          const store = writing.objectStore(name);
          store.clear();
          for (const [at, key] of keys.entries()) store.put(values[at], ...(name === "names" ? [] : [key]));
        }
        await new Promise((resolve) => writing.addEventListener("complete", resolve));
        again.close();
      },
    });
  });
  await app.json("POST", "file/doc-third.md", { content: "Third.\n" });
  await app.json("POST", "file/doc-second.md", { content: "Second, changed.\n" });
  await expect.poll(async () => (await app.ask("GET", "copy.zip")).text.includes("doc-third.md")).toBe(true);
  await page.goto("./manifest.webmanifest");
  await keeper.evaluate(() => (window as unknown as { goBack(): Promise<void> }).goBack());
  await page.goto("./");
  await expect(recovery(page)).toHaveText("Your project isn't how you left it");
  await expect(page.getByRole("row", { name: /^Docs/ })).toHaveText(/^Docs45$/);
  await page.getByText("Only in the backup: 1").click();
  await expect(page.getByText("vibey/doc-third.md")).toBeVisible();
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  expect((await app.ask("POST", "file/doc-main.md", { content: "x" })).status).toBe(503);
  await page.getByRole("button", { name: "Keep both" }).click();
  await expect(page.getByRole("tablist").first()).toBeVisible();
  const texts = await Promise.all(["doc-main.md", "doc-second.md", "doc-second-2.md", "doc-third.md"].map((each) => app.file(each)));
  expect(texts).toEqual(["Mine alone.\n", "Second.\n", "Second, changed.\n", "Third.\n"]);
});

test("a damaged database is no silent fresh start; to start anew is asked twice, and the old copy stays", async ({ app }) => {
  const { page } = app;
  await hadProject(app);
  await betweenVisits(
    app,
    () =>
      new Promise<void>((resolve) => {
        const request = indexedDB.open("vibey-project");
        request.addEventListener("success", () => {
          const tx = request.result.transaction("meta", "readwrite");
          tx.objectStore("meta").delete("counters");
          tx.addEventListener("complete", () => {
            request.result.close();
            resolve();
          });
        });
      }),
  );
  await expect(recovery(page)).toHaveText("Couldn't read your project");
  await page.getByText("Start over instead…").click();
  const start = page.getByRole("button", { name: "Start an empty project" });
  await expect(start).toBeDisabled();
  await page.getByRole("checkbox").check();
  await start.click();
  await expect(page.getByRole("tablist").first()).toBeVisible();
  expect(await app.json("GET", "files")).toEqual([]);
  await page.getByRole("button", { name: "Settings" }).click();
  const settings = page.getByRole("dialog", { name: "Settings" });
  await expect(settings.getByText(/^A backup of the previous project here/)).toBeVisible();
  const [zip] = await Promise.all([page.waitForEvent("download"), settings.getByRole("button", { name: "Download", exact: true }).click()]);
  expect(zip.suggestedFilename()).toMatch(/\.zip$/);
});

test("what was stored a moment ago and is gone, copy and all, is told: there is no silent fresh start", async ({ app }) => {
  const { page } = app;
  await app.open();
  await app.json("POST", "file/doc-main.md", { content: "Mine alone.\n" });
  const isNoted = async () => {
    const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle("vibey-project-copy", { create: true });
    const names: string[] = [];
    for await (const name of folder.keys()) names.push(name);
    return names.includes("written");
  };
  await expect.poll(() => page.evaluate(isNoted)).toBe(true);
  await betweenVisits(app, async () => {
    await (await navigator.storage.getDirectory()).removeEntry("vibey-project-copy", { recursive: true });
    await new Promise<void>((resolve, reject) => {
      const request = indexedDB.deleteDatabase("vibey-project");
      request.addEventListener("success", () => resolve());
      request.addEventListener("error", () => reject(new Error("not deleted")));
    });
  });
  await expect(recovery(page)).toHaveText("Your project is missing");
  await expect(page.getByText(/^This browser's settings (list|say)/)).toBeVisible();
  await expect(page.getByText("No readable backup was found.")).toBeVisible();
  await expect(page.getByText("Start over instead…")).toBeVisible();
});

test.describe("a newcomer", () => {
  test.use({ newcomer: true });

  test("a first visit that broke off while its first copy was begun: nothing was there yet, and one click begins", {
    tag: "@long",
  }, async ({ app }) => {
    const { page } = app;
    await page.goto("./manifest.webmanifest");
    await page.evaluate(async () => {
      const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle("vibey-project-copy", { create: true });
      await folder.getFileHandle("generation-1.log", { create: true });
    });
    await page.goto("./");
    await expect(recovery(page)).toHaveText("No project found");
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
    await page.getByRole("button", { name: "I had no project here: start" }).click();
    await expect(page.getByRole("tablist").first()).toBeVisible();
    await expect(page.getByRole("heading", { name: /^Write what you want/ })).toBeVisible();
    expect(await app.json("GET", "files")).toEqual([]);
  });
});

test("storage that is taken away under the open app: it is said, what was typed stays, and all of it comes back", { tag: "@long" }, async ({
  app,
}) => {
  const { page } = app;
  await hadProject(app);
  const other = await page.context().newPage();
  await other.goto("./");
  await expectInEditor(other, "Mine alone.\n");
  await writeInEditor(page, "Typed and not saved.");
  await (await quietPage(app)).evaluate(deleteDatabase);
  for (const each of [page, other]) await expect(each.getByRole("alert").first()).toContainText("while it was open");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText(/Nothing was saved/).first()).toBeVisible();
  await expectInEditor(page, "Typed and not saved.");
  await page.getByRole("button", { name: "See what can be restored" }).click();
  await expect(recovery(page)).toHaveText("Your project's storage was deleted while it was open");
  const late = await page.context().newPage();
  await late.goto("./");
  await expect(recovery(late)).toHaveText("Your project's storage was deleted while it was open");
  await restore(page);
  await expectInEditor(page, "Typed and not saved.");
  // The other tab continues by itself, without a click.
  await expect(other.getByRole("alert")).toBeHidden();
  await expect(editor(other)).toBeVisible();
  await expect(editor(late)).toBeVisible();
});

test.describe("with little room from the start", () => {
  test.use({ newcomer: true });

  test("at whatever size the storage is full: what was saved is there, what could not be saved stays in the editor", async ({
    app,
    baseURL,
  }) => {
    const { page } = app;
    const session = await page.context().newCDPSession(page);
    const { origin } = new URL(baseURL ?? "");
    // Only raise the quota: the browser caches for a while how much room there was.
    const quota = (quotaSize: number) => session.send("Storage.overrideQuotaForOrigin", { origin, quotaSize });
    await quota(600_000);
    await app.open();
    await begin(page);
    const saved: [name: string, content: string][] = [];
    for (const size of [600_000, 1_100_000]) {
      await quota(size);
      for (let refused = false; !refused; ) {
        const name = `doc-${saved.length}.md`;
        // Use random bytes: the browser compresses what it stores, so repeated words would need a hundred times as much.
        const content = randomBytes(45_000).toString("base64");
        const { status, text } = await app.ask("POST", `file/${name}`, { content });
        refused = status !== 200;
        if (refused) expect([status, text]).toEqual([507, expect.stringContaining("storage is full")]);
        else saved.push([name, content]);
      }
      for (const [name, content] of saved) expect(await app.file(name)).toBe(content);
    }
    expect(saved.length).toBeGreaterThan(3);
    // More than the whole quota.
    const typed = `Typed into a full storage. ${randomBytes(900_000).toString("base64")}`;
    await writeInEditor(page, typed);
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText(/storage is full/).first()).toBeVisible();
    await expectInEditor(page, typed);
    await quota(50_000_000);
    await page.getByRole("button", { name: "Save" }).click();
    await expect(state(page)).toHaveText("Saved");
    expect(await app.file("doc-main.md")).toBe(typed);
  });
});
