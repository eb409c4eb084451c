import { say as answer } from "../../tests/stand-in/openai.ts";
import { messages, openNewDialog, say } from "../hands.ts";
import { expect } from "../steps.ts";
import { projectMenu } from "./menus.ts";
import type { Visit } from "./visit.ts";

const done = { ...answer("Done."), usage: { input: 1_000_000, output: 0 } };
const names = ["a-lead-of-many-agents", "board", "rules", "look", "sounds", "words"] as const;

export const cost: readonly Visit[] = [
  {
    async "cost, none"({ app, page }) {
      await app.open("#/cost");
      await expect(page.getByText("No costs in this period.")).toBeVisible();
    },
    async "prices, none"({ page }) {
      await page.goto("#/cost/prices");
      await expect(page.getByText("No prices yet.")).toBeVisible();
    },
  },
  {
    async "cost, many"({ app, page, startOpenAi }) {
      const models = Array.from({ length: 60 }, (_, n) => `maker/model-${n}`);
      const pricing = Object.fromEntries(models.map((model) => [model, { prompt: "0.000002", completion: "0.00001" }]));
      const server = await startOpenAi({ models: [...models, "maker/unknown"], pricing });
      await app.open();
      await app.json("PUT", "provider/openai", { apiKey: server.key, baseURL: server.url });
      await app.json("GET", "provider/openai/models");
      for (const [nth, slug] of names.entries()) {
        await openNewDialog(page, { provider: "openai", model: nth === 5 ? "maker/unknown" : `maker/model-${nth}`, slug });
        server.play(done);
        await say(page, "Go");
        await expect(messages(page).getByText("Done.")).toBeVisible();
      }
      await projectMenu(page, "Cost");
      await expect(page.locator(".cost-total")).toContainText("$10.00 for 5 responses");
      await expect(page.getByRole("img", { name: /over 30 days/ })).toBeVisible();
    },
    async "prices, listed"({ page }) {
      await page.goto("./#/cost/prices");
      await expect(page.getByRole("region", { name: "From the provider" }).getByRole("row", { name: /maker\/model-1\b/ })).toBeVisible();
    },
    async "prices, one is written"({ page }) {
      const own = page.getByRole("region", { name: "Your prices" });
      await own.getByRole("button", { name: "Add price" }).press("Enter");
      await own.getByLabel("Model").fill("maker/unknown");
      await own.getByLabel("Input").fill("a dollar");
      await own.getByLabel("Output").fill("4");
      await own.getByRole("button", { name: "Save", exact: true }).press("Enter");
      await expect(own.getByRole("alert")).toContainText("Input: enter dollars per million tokens");
    },
    async "prices, own and listed"({ page }) {
      const own = page.getByRole("region", { name: "Your prices" });
      await own.getByLabel("Input").fill("2");
      await own.getByRole("button", { name: "Save", exact: true }).press("Enter");
      await expect(own.getByRole("row", { name: /maker\/unknown/ })).toContainText("$2.00");
    },
    async "dialog, held by what it may cost"({ app, page }) {
      await app.json("POST", "file/doc-main.md", { content: "# A game\n\n> Limit: cost 2 a day\n" });
      await openNewDialog(page, { provider: "openai", model: "maker/model-1", slug: "held" });
      await say(page, "Go");
      await expect(page.getByRole("region", { name: "Spending limit" })).toBeVisible();
    },
  },
];
