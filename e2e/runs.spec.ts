// A team of agents: started, watched, paused, stopped, and played by the demo without a key.
import { expect, test } from "./steps.ts";

test("the demo's team makes a page, and the run bar says what happens; a run is paused and resumed, an agent is aborted and re-activated", async ({
  app,
}) => {
  const { page } = app;
  await app.open("#/agents");
  const bar = page.getByRole("region", { name: "Runs" });
  await bar.getByRole("button", { name: "Play a demo run" }).click();
  await expect(bar.getByRole("status")).toContainText(/in queue, \S+ tokens used/);
  await bar.getByRole("button", { name: "Pause" }).click();
  await expect(bar).toContainText("· paused");
  // The limits of a run can be changed while it is running.
  await bar.getByText("Limits: 3 at one time, depth 5").click();
  await bar.getByRole("slider", { name: "Agents at one time 3" }).fill("2");
  await expect(bar).toContainText("Limits: 2 at one time, depth 5");
  await bar.getByRole("button", { name: "Resume" }).click();
  await expect(async () => expect((await app.ask("GET", "deed/artifacts/tides.html")).text).toContain("<caption>")).toPass({
    timeout: 60_000,
  });
  await expect(bar.getByRole("status")).toContainText("0 agents running, 0 in queue", { timeout: 60_000 });
  await expect(bar.getByRole("button", { name: "Kill all" })).toHaveCount(0);

  // The form starts the next run and shows its permissions.
  await expect(bar.getByRole("combobox", { name: "Agent" })).toHaveValue("agents/orchestrator.md");
  await bar.getByRole("textbox", { name: "What should the orchestrator do?" }).fill("Make it again.");
  await bar.getByRole("radio", { name: "Run freely" }).check();
  await expect(bar).toContainText(
    /orchestrator\.md \([0-9a-f]{8}\), and the agents that it starts, use these without asking: read files, /,
  );
  await bar.getByText("Limits", { exact: true }).click();
  await expect(bar.getByRole("textbox", { name: "Tokens" }).first()).toHaveValue("500000");
  await bar.getByRole("textbox", { name: "Agents at one time" }).fill("1");
  await bar.getByRole("radio", { name: "Ask me" }).check();
  await bar.getByRole("button", { name: "Run", exact: true }).click();
  await expect(bar.getByRole("status")).toContainText("1 asks you");
  await bar.getByRole("radio", { name: "Run freely" }).check();
  await bar.getByRole("textbox", { name: "What should the orchestrator do?" }).fill("Once more.");
  await bar.getByRole("button", { name: "Run", exact: true }).click();
  // The bar shows the newest run.
  await expect(bar.getByRole("status")).not.toContainText("asks you");
  await bar.getByRole("button", { name: "Pause" }).click();
  await expect(bar).toContainText("· paused");
  await bar.getByRole("link", { name: "Show graph" }).click();
  const graph = page.getByRole("region", { name: "Graph" });
  const inspector = page.getByRole("complementary", { name: "Inspector" });
  await graph.getByRole("treeitem", { name: /^orchestrator, paused/ }).click();
  await expect(inspector).toContainText("You paused the run.");
  await inspector.getByRole("link", { name: "agents/orchestrator.md" }).click();
  await expect(page.getByText("This agent is active. Changes saved as draft - click Apply to update.")).toBeVisible();
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Applied." })).toBeVisible();
  await page.goBack();
  await inspector.getByRole("button", { name: "Abort this agent" }).click();
  await expect(inspector).toContainText("You stopped it. Everything so far is kept.");
  await graph.getByRole("button", { name: "Resume" }).click();
  await inspector.getByRole("textbox", { name: "New input" }).fill("Continue after all.");
  await inspector.getByRole("button", { name: "Send" }).click();
  await expect(inspector).toContainText("Continue after all.");
  await expect(graph.getByRole("treeitem", { name: /^orchestrator, completed/ })).toBeVisible({ timeout: 60_000 });
  await inspector.getByRole("button", { name: "Close" }).click();
  const log = page.getByRole("region", { name: "Log" });
  await log.getByRole("combobox", { name: "Type" }).selectOption("warning");
  await expect(log).toContainText("You paused the run.");
  await log.getByRole("combobox", { name: "Type" }).selectOption("abort");
  await expect(log).toContainText("You stopped it. Everything so far is kept.");
});
