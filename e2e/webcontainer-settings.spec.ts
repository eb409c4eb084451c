import { mergeTests, type Page } from "@playwright/test";
import type { SandboxAnswer } from "../src/protocol/index.ts";
import { say as reply } from "../tests/stand-in/claude.ts";
import { agentRuns } from "./agent-runs.ts";
import { expect, newDialog, test as withProviders } from "./steps.ts";
import { test as withContainer } from "./webcontainer/fixture.ts";

/** What a person sees of a WebContainer: the choice, its state, and the pages of its servers. */

const test = mergeTests(withProviders, withContainer);
test.use({ serviceWorkers: "allow" });
test.describe.configure({ timeout: 90_000 });

async function settings(page: Page) {
  await page.getByRole("button", { name: "Settings" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Settings" });
  await dialog.getByRole("button", { name: "Sandbox" }).press("Enter");
  return dialog;
}

async function choose(page: Page) {
  const dialog = await settings(page);
  await dialog.getByRole("radio", { name: "WebContainer" }).check();
  await dialog.getByRole("button", { name: "Use WebContainer and reload" }).press("Enter");
  await expect.poll(() => page.evaluate(() => crossOriginIsolated).catch(() => false), { timeout: 30_000 }).toBe(true);
  await expect(page.getByRole("tablist").first()).toBeVisible();
}

const server = `require("node:http").createServer((_, answer) => answer.setHeader("content-type", "text/html").end("<h1>Served</h1><button onclick='nothing()'>Go</button><script>console.warn({ from: [1] }, location.port === \\"\\")</script>")).listen(5197)`;

test("it is chosen, does what it is asked, shows the page of its server with its console, and ends when it is chosen no more", {
  tag: "@long",
}, async ({ app, claude, context, container }) => {
  const { page } = app;
  await app.open();
  await choose(page);
  await app.json("PUT", "provider/claude", { apiKey: claude.key, baseURL: claude.url });
  let dialog = await settings(page);
  await expect(dialog.getByText("Starts with the next command.")).toBeVisible();
  await dialog.getByRole("button", { name: "Close" }).press("Enter");

  await page.evaluate(async (body) => fetch("deed/server.cjs", { method: "PUT", body }), server);
  const id = await newDialog(app, "serve");
  const run = { call: "run_command", id: "toolu_1", input: { command: "node server.cjs", background: true } };
  claude.play({ blocks: [run] }, reply("It runs."));
  await app.json("PUT", "sandbox", { sandbox: "webcontainer" });
  await app.ask("PUT", "dialog", { dialogId: id, prompt: "Serve it.", authorizations: ["run_command"] });
  const notice = page.locator(".notice", { hasText: "Server running on port 5197." });
  await notice.getByRole("button", { name: "Open" }).press("Enter");
  await expect(notice).toHaveCount(0);
  const served = page.frameLocator("iframe[title='Page on port 5197']");
  await expect(served.getByRole("heading", { name: "Served" })).toBeVisible();
  const lines = page.getByRole("region", { name: "Preview console" });
  await expect(lines).toContainText("{from: [1]} true");
  await served.getByRole("button", { name: "Go" }).press("Enter");
  await expect(lines).toContainText("nothing is not defined");
  await page.getByRole("button", { name: "Reload", exact: true }).press("Enter");
  await expect(lines).not.toContainText("nothing is not defined");
  await expect(lines).toContainText("{from: [1]} true");

  dialog = await settings(page);
  await expect(dialog.getByText("Running.")).toBeVisible();
  await dialog.getByRole("button", { name: "Close" }).press("Enter");

  // Another tab shows it, too, and says which tab it runs in.
  const other = await context.newPage();
  await other.goto("./");
  const also = other.locator(".notice", { hasText: "Server running on port 5197." });
  await also.getByRole("button", { name: "Open" }).press("Enter");
  await expect(other.getByText("Running in the Vibey tab you opened first.")).toBeVisible();
  await expect((await settings(other)).getByText("Running in the Vibey tab you opened first.")).toBeVisible();
  await other.close();

  await page.getByRole("button", { name: "Stop the server on port 5197" }).press("Enter");
  await expect.poll(async () => (await app.json<SandboxAnswer>("GET", "sandbox")).servers).toEqual([]);
  await expect(page.locator(".preview")).toHaveCount(0);

  // The server of a foreground command can't be stopped separately.
  claude.play({ blocks: [{ ...run, id: "toolu_2", input: { command: "node server.cjs" } }] });
  const serving = app.ask("PUT", "dialog", { dialogId: id, prompt: "Once more." });
  await notice.getByRole("button", { name: "Open" }).press("Enter");
  await page.getByRole("button", { name: "Stop the server on port 5197" }).press("Enter");
  await expect(page.getByText("It is not known which command it belongs to; stop the dialog that started it")).toBeVisible();
  await page.getByRole("button", { name: "Stop", exact: true }).press("Enter");
  await serving;
  await expect(page.locator(".preview")).toHaveCount(0);

  // Choosing the built-in shell while commands run.
  claude.play(
    { blocks: [{ ...run, id: "toolu_3", input: { command: "sleep 600; echo never", background: true } }] },
    { blocks: [{ ...run, id: "toolu_4", input: { command: "sleep 4; echo to the end > end.txt; echo to the end" } }] },
    reply("Both."),
  );
  const turn = app.ask("PUT", "dialog", { dialogId: id, prompt: "Both." });
  await expect(page.getByText("1 running, 1 ended")).toBeVisible();
  dialog = await settings(page);
  await dialog.getByRole("radio", { name: "Built-in shell" }).check();
  await expect(dialog.getByText("Running.")).toHaveCount(0);
  await turn;
  const { markdown } = await app.json<{ markdown: string }>("GET", `dialog/${id}`);
  expect(markdown).toContain('"stdout": "to the end');
  expect((await app.ask("GET", "deed/end.txt")).text).toBe("to the end\n");
  await expect.poll(() => container.containers.size).toBe(0);
  expect((await app.json<SandboxAnswer>("GET", "sandbox")).servers).toEqual([]);
  await dialog.getByRole("radio", { name: "WebContainer" }).check();
  await dialog.getByRole("button", { name: "Use WebContainer", exact: true }).press("Enter");
  await expect(dialog.getByText("Starts with the next command.")).toBeVisible();
  await dialog.getByRole("button", { name: "Close" }).press("Enter");
  await expect(page.getByRole("list", { name: "Background commands" }).getByText("stopped")).toHaveCount(2);
  const [again] = await agentRuns(app, claude, id, ["node -p 6*7; background"]);
  expect(again?.stdout).toContain("42\n");
  expect(again?.stdout).toContain("bg-2  was stopped  sleep 600");
  expect(container.containers.size).toBe(1);
  // No complaints except those of the served page.
  expect(app.complaints.filter((line) => !/from: |nothing is not defined/.test(line))).toEqual([]);
});

test("why it can't be had is said, and it is tried again", { tag: "@long" }, async ({ app, container }) => {
  const { page } = app;
  container.weather = { fails: "no room left" };
  await app.open();
  await choose(page);
  expect((await app.ask("POST", "sandbox/start")).status).toBe(200);
  const dialog = await settings(page);
  await expect(dialog.getByText("Unavailable right now. Commands run in the built-in shell instead.")).toBeVisible();
  await expect(dialog.getByText("no room left")).toBeVisible();
  container.weather = "fair";
  await dialog.getByRole("button", { name: "Try again" }).press("Enter");
  await expect(dialog.getByText("Running.")).toBeVisible({ timeout: 30_000 });
  // Without isolation no WebContainer is available, and the settings show how to turn isolation off.
  await dialog.getByRole("button", { name: "Turn off isolation and reload" }).press("Enter");
  await expect.poll(() => page.evaluate(() => crossOriginIsolated).catch(() => true)).toBe(false);
  await expect((await settings(page)).getByRole("button", { name: "Reload", exact: true })).toBeVisible();
});
