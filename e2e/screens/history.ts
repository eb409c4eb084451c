import { expect, putDeed } from "../steps.ts";
import { tellEvents } from "./log.ts";
import { close } from "./menus.ts";
import type { Visit } from "./visit.ts";

export const history: readonly Visit[] = [
  {
    async "history, two changes"({ app, page }) {
      await app.open("#/docs/doc-main.md");
      await app.json("POST", "file/doc-rules.md", { content: "# Rules\n\nBe kind.\n" });
      await putDeed(app, "src/a-file-with-a-rather-long-name-for-a-narrow-list.js", "let a;\n");
      await page.goto("#/history");
      await expect(page.getByRole("navigation", { name: "History" }).getByRole("link").first()).toBeVisible();
    },
    async "history, a commit"({ page }) {
      await page.getByRole("navigation", { name: "History" }).getByRole("link").first().click();
      await expect(page.locator(".diff-row").first()).toBeVisible();
    },
    async "history, everything put back as it was"({ page }) {
      await page.getByRole("button", { name: "Restore everything to this point…" }).click();
      await expect(page.getByRole("dialog", { name: "Restore everything?" })).toBeVisible();
    },
    async "history, of one file"({ page }) {
      await close(page);
      await page.goto("#/docs/doc-main.md");
      await page.getByRole("main").getByRole("link", { name: "History" }).click();
      await expect(page.getByRole("link", { name: "Show all files" })).toBeVisible();
    },
    async "history, nothing of this kind"({ page }) {
      await page.goto("#/history/of/vibey/doc-never.md");
      await expect(page.getByRole("navigation", { name: "History" })).toContainText("This file has no history yet.");
    },
    async "history, a commit that is not there"({ page }) {
      await page.goto(`#/history/${"0".repeat(40)}`);
      await expect(page.getByText("This change isn't in the history.")).toBeVisible();
    },
    async "history, a hundred changes"({ page }) {
      // Fakes a hundred commits: changes made quickly become one commit, so real ones would take an hour.
      await page.evaluate(() => {
        const inner = window.fetch;
        window.fetch = async (input, init) => {
          const answer = await inner(input, init);
          if (typeof input !== "string" || !/^history(\?|$)/.test(input)) return answer;
          const { commits, ...rest }: { commits: object[] } = await answer.json();
          const many = Array.from({ length: 100 }, (_, n) => ({
            ...commits[0],
            id: n.toString(16).padStart(40, "0"),
            filesChanged: n + 1,
          }));
          return Response.json({ ...rest, commits: many });
        };
      });
      await page.goto("#/docs");
      await page.goto("#/history");
      await expect(page.getByRole("navigation", { name: "History" }).getByText("9 files").first()).toBeVisible();
    },
  },
  {
    async "events, none yet"({ app, page }) {
      await app.open("#/docs/doc-main.md");
      await tellEvents(page, 0);
      await page.goto("#/history");
      await page.getByRole("link", { name: "Events", exact: true }).click();
      await expect(page.getByText("No events yet.")).toBeVisible();
    },
    async "events, of every kind"({ page }) {
      await page.goto("#/docs");
      await tellEvents(page, 23);
      await page.goto("#/history/events");
      await expect(page.getByRole("link", { name: "asked to run npm test" })).toBeVisible();
    },
    async "events, errors alone"({ page }) {
      await page.getByLabel("Severity").selectOption("Error");
      await expect(page.getByRole("link", { name: "asked to run npm test" })).toHaveCount(0);
      await expect(page.getByRole("link", { name: "Overloaded" })).toBeVisible();
    },
    async "events, none of this kind"({ page }) {
      await page.goto("#/docs");
      await tellEvents(page, 3);
      await page.goto("#/history/events/severity/error");
      await expect(page.getByText("No events match these filters.")).toBeVisible();
    },
    async "events, ten thousand"({ page }) {
      await page.goto("#/docs");
      await tellEvents(page, 10_000);
      await page.goto("#/history/events");
      await expect(page.locator(".event").first()).toBeVisible();
    },
  },
];
