// What agents cost: shown next to each answer, summed for the project, and limited before more is spent.
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { say as answer } from "../tests/stand-in/openai.ts";
import { type App, expect } from "./app.ts";
import { messages, openNewDialog, say } from "./hands.ts";
import { test } from "./openai-server.ts";

const million = { input: 1_000_000, output: 0 };
const done = { ...answer("Done."), usage: million };
const axe = async (page: Page) => (await new AxeBuilder({ page }).analyze()).violations.map(({ id }) => id);
const asked = (server: { readonly requests: readonly { readonly method: string }[] }) =>
  server.requests.filter(({ method }) => method === "POST").length;
const limit = (app: App, line: string) => app.json("POST", "file/doc-main.md", { content: `# A game\n\n> Limit: ${line}\n` });

test("prices come with the list of models; each answer, dialog and day says what it cost; a price of one's own comes first", {
  tag: "@long",
}, async ({ app, startOpenAi }) => {
  const { page } = app;
  const server = await startOpenAi({
    models: ["maker/a", "maker/b"],
    pricing: { "maker/a": { prompt: "0.000002", completion: "0.00001" } },
  });
  await app.open("#/cost");
  await expect(page.getByText("No costs in this period.")).toBeVisible();
  await app.json("PUT", "provider/openai", { apiKey: server.key, baseURL: server.url });
  await app.json("GET", "provider/openai/models");
  await openNewDialog(page, { provider: "openai", model: "maker/a", slug: "priced" });
  server.play(done);
  await say(page, "Go");
  await expect(messages(page).locator(".usage")).toContainText("$2.00");
  await expect(page.locator(".dialog-head .doing")).toContainText("$2.00");
  await expect(page.getByRole("navigation", { name: "Dialogs" }).getByRole("link", { name: "priced" })).toContainText("$2.00");

  await page.goto("./#/cost/prices");
  const own = page.getByRole("region", { name: "Your prices" });
  await expect(page.getByRole("region", { name: "From the provider" }).getByRole("row", { name: /maker\/a/ })).toContainText("$10.00");
  await own.getByRole("button", { name: "Add price" }).click();
  await expect(own.getByLabel("Provider address")).toHaveValue(new URL(server.url).origin);
  await own.getByLabel("Model").fill("maker/*");
  await own.getByLabel("Input").fill("a dollar");
  await own.getByLabel("Output").fill("4");
  await own.getByRole("button", { name: "Save", exact: true }).press("Enter");
  await expect(own.getByRole("alert")).toHaveText("Input: enter dollars per million tokens, such as 0.15. Use 0 for a free model.");
  await own.getByLabel("Input").fill("$0,50");
  await own.getByRole("button", { name: "Save", exact: true }).press("Enter");
  await expect(own.getByRole("row", { name: /maker\/\*/ })).toContainText("$0.50");
  expect(await axe(page)).toEqual([]);

  await openNewDialog(page, { provider: "openai", model: "maker/b", slug: "cheaper" });
  server.play(done, { ...answer("Done."), usage: null });
  await say(page, "Go");
  await expect(messages(page).locator(".usage")).toContainText("$0.50");
  await say(page, "More");
  await expect(messages(page).getByText("Done.")).toHaveCount(2);
  await page.getByRole("button", { name: "Project" }).click();
  await page.locator("#project-menu").getByRole("button", { name: "Cost" }).click();
  await expect(page.locator(".cost-total")).toHaveText(
    "$2.50 for 2 responses, plus 1 response without a price (add one for future responses)",
  );
  await expect(page.getByRole("img", { name: /^\$2\.50 over 30 days/ })).toBeVisible();
  const rows = page.getByRole("table").getByRole("rowheader");
  await expect(rows).toHaveText(["priced", "cheaper", /^Total/]);
  await page.getByRole("button", { name: "Cost", exact: false }).and(page.locator("th button")).press("Enter");
  await expect(rows).toHaveText(["cheaper", "priced", /^Total/]);
  await page.getByRole("radio", { name: "By model" }).check({ force: true });
  await expect(rows).toHaveText(["maker/a", "maker/b", /^Total/]);
  expect(await axe(page)).toEqual([]);
  expect(app.complaints).toEqual([]);
});

test("at the limit no request goes out, the person is asked, and one click lets the agent go on once", async ({ app, startOpenAi }) => {
  const { page } = app;
  const server = await startOpenAi({ models: ["maker/a"] });
  await app.open();
  const origin = new URL(server.url).origin;
  await app.json("PUT", "provider/openai", { apiKey: server.key, baseURL: server.url });
  await limit(app, "cost 2 a day");
  await openNewDialog(page, { provider: "openai", model: "maker/a", slug: "held" });
  await say(page, "Go");
  const strip = page.getByRole("region", { name: "Spending limit" });
  await expect(messages(page)).toContainText("this model's cost is unknown. Nothing was sent to the provider.");
  await expect(strip.getByRole("link", { name: "Add a price" })).toHaveAttribute("href", "#/cost/prices");
  expect(asked(server)).toBe(0);
  server.play(done);
  await app.json("PUT", "prices", { prices: [{ origin, model: "*", input: 2, output: 10 }] });
  await strip.getByRole("button", { name: "Continue without a price" }).press("Enter");
  await expect(messages(page).locator(".usage")).toContainText("$2.00");

  await say(page, "More");
  await expect(messages(page)).toContainText("Spending limit reached: $2.00 of $2.00 in 24 hours. Nothing was sent to the provider.");
  await expect(page.locator(".resume")).toHaveCount(0);
  await expect(strip.getByRole("link", { name: "Change limit in main" })).toHaveAttribute("href", "#/docs/doc-main.md");
  expect(await axe(page)).toEqual([]);
  expect(asked(server)).toBe(1);
  server.play(done);
  await strip.getByRole("button", { name: "Continue once" }).press("Enter");
  await expect(page.locator(".dialog-head .doing")).toContainText("$4.00");
  await expect(strip).toHaveCount(0);
  await expect(messages(page)).toContainText("You let the agent continue once past the spending limit.");
  expect(asked(server)).toBe(2);
  expect(app.complaints).toEqual([]);
});

const paid = (model: string, lines: string) => {
  const time = new Date().toISOString();
  return `# Dialog\n> Format: 1\n> Provider: claude | Model: ${model}\n\n## User\n\nGo.\n\n## Assistant\n> Time: ${time} - ${time}\n\nDone.\n\n> Usage: input=1000 output=20 total=1020\n${lines}`;
};

test("list prices come with Vibey: the screens say so, and of which day; a model without a price says so and offers to set one", {
  tag: "@long",
}, async ({ app }) => {
  const { page } = app;
  await page.setViewportSize({ width: 360, height: 740 });
  await app.open();
  await app.json("POST", "file/dialog-20261121-120000-odd-done.md", { content: paid("model-99", "") });
  await page.goto("./#/cost");
  await expect(page.getByText("Vibey doesn't know what model-99 costs. Set a price to see the cost of the next responses.")).toBeVisible();
  await expect(page.getByText("$0.00")).toHaveCount(0);
  await expect(page.locator(".cost-page svg")).toHaveCount(0);
  expect(await axe(page)).toEqual([]);

  const price =
    "> Cost: 0.0055 USD\n> Price: input=5 output=25 read=0.5 write=6.25 USD a million, list of 2026-09-23\n> Cost cumulative: 0.0055 USD\n";
  await app.json("POST", "file/dialog-20261121-120001-listed-done.md", { content: paid("claude-opus-4-5", price) });
  await page.getByRole("button", { name: "Refresh" }).click();
  await expect(page.locator(".cost-note")).toHaveText("1 response by list prices of 2026-09-23. Your own prices override them.");
  await expect(page.locator(".cost-total")).toContainText("1 response without a price");

  await page.getByRole("link", { name: "list prices of 2026-09-23" }).click();
  const list = page.getByRole("region", { name: /^List prices of \d{4}-\d\d-\d\d$/ });
  await list.getByRole("searchbox").fill("opus-4-5");
  await expect(list.getByRole("row", { name: /claude-opus-4-5/ })).toContainText("$25.00");
  expect(await axe(page)).toEqual([]);
  await list.getByRole("button", { name: "Edit claude-opus-4-5" }).click();
  const own = page.getByRole("region", { name: "Your prices" });
  await own.getByLabel("Input").fill("4");
  await own.getByRole("button", { name: "Save", exact: true }).click();
  await expect(own.getByRole("row", { name: /claude-opus-4-5/ })).toContainText("$4.00");
  await expect(list.getByText("your price applies")).toBeVisible();

  await page.goto("./#/dialogs/20261121-120001-listed");
  await expect(messages(page).locator(".usage [title*='calculated from the list price of 2026-09-23']")).toBeVisible();
  expect(app.complaints).toEqual([]);
});
