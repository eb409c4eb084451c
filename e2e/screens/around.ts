import { expect } from "../steps.ts";
import { close } from "./menus.ts";
import type { Visit } from "./visit.ts";

const engine = /\/engine\/worker-[\w-]+\.js$/;

/** Screens next to docs and dialogs, or in their place. */
export const around: readonly Visit[] = [
  {
    async palette({ app, page }) {
      await app.open();
      await page.keyboard.press("ControlOrMeta+KeyK");
      await expect(page.getByRole("combobox", { name: /^Find a command/ })).toBeFocused();
    },
    async "palette, found"({ page }) {
      await page.getByRole("combobox", { name: /^Find a command/ }).fill("ex");
      await expect(page.getByRole("option", { name: /^Export everything/ })).toBeVisible();
    },
    async "palette, nothing found"({ page }) {
      await page.getByRole("combobox", { name: /^Find a command/ }).fill("nothing has this name");
      await expect(page.getByText("No results.")).toBeVisible();
    },
    async keys({ page }) {
      await close(page);
      await page.keyboard.press("ControlOrMeta+Slash");
      await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
    },
  },
  {
    async "shared, three things wait"({ app, page }) {
      await app.open();
      await page.evaluate(
        () =>
          new Promise<void>((resolve, reject) => {
            const opening = indexedDB.open("vibey-inbox", 1);
            opening.addEventListener("upgradeneeded", () => opening.result.createObjectStore("arrivals", { autoIncrement: true }));
            opening.addEventListener("error", () => reject(new Error("no inbox")));
            opening.addEventListener("success", () => {
              const writing = opening.result.transaction("arrivals", "readwrite");
              writing.objectStore("arrivals").add({
                title: "Notes on <b>tea</b>",
                text: "Pour it slowly. ".repeat(60),
                files: [
                  new File(["# Plan B\n"], "Plan B.md"),
                  new File([new Uint8Array([0x89, 0x50, 0xff, 0])], "a-picture-with-a-rather-long-name-that-somebody-gave-it.png"),
                ],
              });
              writing.addEventListener("complete", () => {
                opening.result.close();
                resolve();
              });
            });
          }),
      );
      await page.reload();
      await page.getByRole("button", { name: "Review", exact: true }).press("Enter");
      await expect(page.getByRole("dialog", { name: "Shared with Vibey" }).getByRole("listitem")).toHaveCount(3);
    },
    async "notice, handed over"({ page }) {
      await close(page);
      await page.reload();
      await expect(page.getByRole("button", { name: "Review", exact: true })).toBeVisible();
    },
    async "notice, time to export"({ app, page }) {
      await page.evaluate(() => localStorage.setItem("vibey storage care", JSON.stringify({ asked: { at: 1, granted: false }, work: 30 })));
      await page.reload();
      await expect(page.getByRole("button", { name: "Review", exact: true })).toBeVisible();
      await app.json("POST", "file/doc-rules.md", { content: "# Rules\n" });
      await expect(page.getByRole("button", { name: "Export everything" })).toBeVisible();
    },
    async "notice, the storage was taken away"({ page }) {
      const other = await page.context().newPage();
      await other.goto("./manifest.webmanifest");
      await other.evaluate(() => void indexedDB.deleteDatabase("vibey-project"));
      await expect(page.getByRole("alert").first()).toContainText("while it was open");
      await other.close();
      await page.bringToFront();
    },
    async "recovery, nothing to be restored"({ page }) {
      await page.getByRole("button", { name: "See what can be restored" }).press("Enter");
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("Your project's storage was deleted while it was open");
      await page.getByText("Start over instead…").press("Enter");
      await expect(page.getByRole("button", { name: "Start an empty project" })).toBeVisible();
    },
  },
  {
    async "before the engine answers"({ page }) {
      await page.route(engine, () => {});
      await page.goto("./");
      await expect(page.getByRole("tablist").first()).toBeVisible();
    },
    async "an engine that does not start"({ page }) {
      await page.unroute(engine);
      await page.route(engine, (route) => route.fulfill({ contentType: "text/javascript", body: 'throw new Error("It is broken.");' }));
      await page.reload();
      await expect(page.getByRole("heading", { name: "Vibey couldn't start" })).toBeVisible();
    },
  },
];
