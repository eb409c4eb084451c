// A team of agents: begun, watched, paused, stopped, and played by the demo without a key.
import { expect, test } from "./steps.ts";

test("the demo's team makes a page, and the run bar says what happens; a run is paused, resumed and stopped", async ({ app }) => {
  const { page } = app;
  await app.open("#/agents");
  const bar = page.getByRole("region", { name: "Runs" });
  await bar.getByRole("button", { name: "Play a demo run" }).click();
  await expect(bar.getByRole("status")).toContainText("in queue, 0 tokens used");
  await bar.getByRole("button", { name: "Pause" }).click();
  await expect(bar).toContainText("Paused.");
  await bar.getByRole("button", { name: "Resume" }).click();
  await expect(async () => expect((await app.ask("GET", "deed/artifacts/tides.html")).text).toContain("<caption>")).toPass({
    timeout: 60_000,
  });
  await expect(bar.getByRole("status")).toContainText("0 agents running, 0 in queue", { timeout: 60_000 });
  await expect(bar.getByRole("button", { name: "Kill all" })).toHaveCount(0);

  // The next one begins in the form, with what it may do in plain sight.
  await expect(bar.getByRole("combobox", { name: "Agent" })).toHaveValue("agents/orchestrator.md");
  await bar.getByRole("textbox", { name: "What should the orchestrator do?" }).fill("Make it again.");
  await bar.getByRole("radio", { name: "Run freely" }).check();
  await expect(bar).toContainText(
    /orchestrator\.md \([0-9a-f]{8}\), and the agents that it starts, use these without asking: read files, /,
  );
  await bar.getByText("Limits", { exact: true }).click();
  await expect(bar.getByRole("textbox", { name: "Tokens" })).toHaveValue("500000");
  await bar.getByRole("textbox", { name: "Agents at one time" }).fill("1");
  await bar.getByRole("radio", { name: "Ask me" }).check();
  await bar.getByRole("button", { name: "Run", exact: true }).click();
  await expect(bar.getByRole("status")).toContainText("1 asks you");
  await bar.getByRole("button", { name: "Kill all" }).click();
  await expect(bar).toContainText("Paused.");
  await bar.getByRole("link", { name: "Show graph" }).click();
  const graph = page.getByRole("region", { name: "Graph" });
  await graph.getByRole("button", { name: "Resume" }).click();
  await expect(graph.getByRole("button", { name: "Pause" })).toBeVisible();
});
