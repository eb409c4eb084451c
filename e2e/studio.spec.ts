// What a run of agents did: as a graph, as a tree, and each of its agents and files.
import type { Locator, Page } from "@playwright/test";
import type { App } from "./app.ts";
import { expect, test } from "./steps.ts";
import { dialogText, writeDialog } from "./written.ts";

const call = (tool: string, input: object, id: string, result?: object) =>
  [
    `---\nTool request: ${tool} [${id}]\n\n    ${JSON.stringify(input)}`,
    ...(result === undefined
      ? []
      : [`\nDecision: approved\nStarted: 2026-11-21T20:11:03.000Z\nResult:\n\n    ${JSON.stringify({ success: true, ...result })}`]),
    "\n---",
  ].join("\n");
const usage = (total: number) =>
  `> Usage: input=${total - 10} output=10 total=${total}\n> Usage cumulative: input=${total - 10} output=10 total=${total}`;

/** A root with three agents below it, of which one has a child that asks, and one wrote a file that another read. */
async function writeRun(app: App): Promise<Readonly<Record<string, string>>> {
  const ids: Record<string, string> = {};
  async function add(slug: string, status: "waiting" | "done", parent: string | null, ...said: readonly string[]) {
    const head = parent === null ? [] : [`> Launched by: ${ids[parent]}`];
    const sections = [
      ["User", `Work at ${slug}.`] as const,
      ["Assistant", ...said] as unknown as readonly ["Assistant", string, ...string[]],
    ];
    ids[slug] = await writeDialog(app, slug, status, dialogText(sections, head));
  }
  await add("orchestrator", "done", null, "All of it is on its way.", usage(41_000));
  await add("planner", "done", "orchestrator", "Planned.", usage(6_000));
  await add(
    "prices",
    "waiting",
    "orchestrator",
    `${call("write_file", { path: "artifacts/spec.md", content: "# Spec\n" }, "w1", {})}\n`,
    usage(20_000),
  );
  await add(
    "writer",
    "done",
    "orchestrator",
    `${call("vfs_read", { path: "artifacts/spec.md" }, "r1", { content: "# Spec\n" })}\n\n## Assistant\n\nRead it.`,
    usage(18_000),
  );
  await add("tables", "waiting", "prices", `${call("run_command", { command: "npm test" }, "c1")}\n`, usage(9_000));
  await add("scraper", "waiting", "prices", "I was", "> Stop: error overloaded");
  return ids;
}

const node = (page: Page, name: string | RegExp): Locator => page.getByRole("treeitem", { name });

test("a run is a graph that is looked around in with the pointer and with keys", async ({ app }) => {
  const { page } = app;
  await app.open();
  const ids = await writeRun(app);
  await page.goto("#/agents");
  await page.getByRole("link", { name: "Graph and log of runs" }).click();
  await expect(page).toHaveURL(/#\/agents\/graph$/);
  const graph = page.getByRole("tree", { name: "6 agents, each under the one that launched it" });
  await expect(graph).toBeVisible();
  await expect(page.getByText("94K tokens used")).toBeVisible();
  await expect(node(page, "orchestrator, completed, 41K tokens, depth 0")).toBeVisible();
  await expect(node(page, "tables, asks you, 9K tokens, depth 2")).toHaveAttribute("aria-level", "3");
  await expect(node(page, "scraper, error, 0 tokens, depth 2")).toBeVisible();
  await expect(node(page, "artifacts/spec.md, created by prices, 1 version")).toBeVisible();
  await page.screenshot({ path: "/tmp/studio-1280.png" });

  await node(page, /^prices/).click();
  await expect(page).toHaveURL(new RegExp(`#/agents/graph/${ids["orchestrator"]}/agent/${ids["prices"]}$`));
  const inspector = page.getByRole("complementary", { name: "Inspector" });
  await expect(inspector.getByRole("heading", { name: "prices" })).toBeVisible();
  await expect(inspector).toContainText("20,000");
  await page.screenshot({ path: "/tmp/studio-agent.png" });
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await expect(inspector.getByRole("heading", { name: "tables" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(inspector).toContainText("Nothing is selected.");

  const box = page.locator(".graph-box svg");
  const width = async () => (await box.boundingBox())?.width ?? 0;
  const before = await width();
  await page.getByRole("button", { name: "Zoom in" }).click();
  expect(await width()).toBeGreaterThan(before);
  await page.getByRole("button", { name: "Fit" }).click();
  expect(await width()).toBe(before);

  await page.getByRole("checkbox", { name: "Collapse completed agents" }).check();
  await expect(node(page, /^planner/)).toHaveCount(0);
  await expect(node(page, /^orchestrator/)).toContainText("+2 completed");

  await page.setViewportSize({ width: 360, height: 740 });
  await page.reload();
  await expect(page.getByRole("tree").getByRole("treeitem")).toHaveCount(6);
  await page.screenshot({ path: "/tmp/studio-360.png" });
  await node(page, /^tables/).click();
  await expect(inspector.getByRole("heading", { name: "tables" })).toBeVisible();
  await expect(inspector).toBeFocused();
  await page.screenshot({ path: "/tmp/studio-360-sheet.png" });
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  await page.keyboard.press("Escape");
  await expect(inspector).toBeHidden();
  expect(app.complaints).toEqual([]);
});
