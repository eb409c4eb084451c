// A run of agents: as a graph, as a tree, and each of its agents and files.
import { readFile } from "node:fs/promises";
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

/** A root with three agents below it. One of them has a child that asks, and one wrote a file that another read. */
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
    `${call("vfs_read", { path: "artifacts/spec.md" }, "r1", { text: "# Spec\n" })}\n\n## Assistant\n\nRead it.`,
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
  await expect(page).toHaveURL(new RegExp(`#/agents/graph/${ids["orchestrator"]}$`));
  const graph = page.getByRole("tree", { name: "6 agents, each under the one that launched it" });
  await expect(graph).toBeVisible();
  await expect(page.getByText("94K tokens used")).toBeVisible();
  await expect(node(page, "orchestrator, completed, 41K tokens, depth 0")).toBeVisible();
  await expect(node(page, "tables, asks you, 9K tokens, depth 2")).toHaveAttribute("aria-level", "3");
  await expect(node(page, "scraper, error, 0 tokens, depth 2")).toBeVisible();
  await expect(node(page, "artifacts/spec.md, created by prices, 1 version")).toBeVisible();

  await node(page, /^prices/).click();
  await expect(page).toHaveURL(new RegExp(`#/agents/graph/${ids["orchestrator"]}/agent/${ids["prices"]}$`));
  const inspector = page.getByRole("complementary", { name: "Inspector" });
  await expect(inspector.getByRole("heading", { name: "prices" })).toBeVisible();
  await expect(inspector).toContainText("20,000");
  await expect(inspector).toContainText("nothing; every use needs approval");
  await inspector.getByText("[write_file] artifacts/spec.md (7 chars)").click();
  await expect(inspector.locator("pre")).toHaveText("# Spec\n");
  await node(page, /^prices/).focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await expect(inspector.getByRole("heading", { name: "tables" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(inspector.getByRole("heading", { name: "Log" })).toBeVisible();

  const box = page.locator(".graph-box svg");
  const width = async () => (await box.boundingBox())?.width ?? 0;
  const before = await width();
  await page.getByRole("button", { name: "Zoom in" }).click();
  expect(await width()).toBeGreaterThan(before);
  await page.getByRole("button", { name: "Fit" }).click();
  expect(await width()).toBe(before);

  // Two fingers zoom around the point between them, and the background can be dragged.
  const touch = await page.context().newCDPSession(page);
  await touch.send("Emulation.setTouchEmulationEnabled", { enabled: true, maxTouchPoints: 2 });
  const middle = await page.locator(".graph-box").boundingBox();
  const [x, y] = [(middle?.x ?? 0) + (middle?.width ?? 0) / 2, (middle?.y ?? 0) + (middle?.height ?? 0) / 2];
  const fingers = (apart: number) => [
    { x: x - apart, y, id: 1 },
    { x: x + apart, y, id: 2 },
  ];
  await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: fingers(40) });
  for (const apart of [60, 80, 100, 120]) await touch.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: fingers(apart) });
  await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await touch.send("Emulation.setTouchEmulationEnabled", { enabled: false });
  await expect(async () => expect(await width()).toBeGreaterThan(before * 1.5)).toPass();
  const scrolled = () => page.locator(".graph-box").evaluate((shown) => shown.scrollLeft);
  const from = await scrolled();
  expect(from).toBeGreaterThan(0);
  const ground = (middle?.y ?? 0) + (middle?.height ?? 0) - 30;
  await page.mouse.move(x - 200, ground);
  await page.mouse.down();
  await page.mouse.move(x - 160, ground, { steps: 4 });
  await page.mouse.up();
  expect(await scrolled()).toBeLessThan(from);
  await page.getByRole("button", { name: "Fit" }).click();

  await page.getByRole("checkbox", { name: "Collapse completed agents" }).check();
  await expect(node(page, /^planner/)).toHaveCount(0);
  await expect(node(page, /^orchestrator/)).toContainText("+2 completed");

  await page.setViewportSize({ width: 360, height: 740 });
  await page.reload();
  await expect(page.getByRole("tree").getByRole("treeitem")).toHaveCount(6);
  await node(page, /^tables/).click();
  await expect(inspector.getByRole("heading", { name: "tables" })).toBeVisible();
  await expect(inspector).toBeFocused();
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  await page.keyboard.press("Escape");
  await expect(inspector).toBeHidden();
  expect(app.complaints).toEqual([]);
});

test("the log is narrowed down and taken along, and the scrubber shows the past", { tag: "@long" }, async ({ app }) => {
  const { page } = app;
  await app.open();
  const ids = await writeRun(app);
  await page.goto(`#/agents/graph/${ids["orchestrator"]}`);
  const log = page.getByRole("region", { name: "Log" });
  const rows = log.locator(".run-log-row");
  await expect(rows.filter({ hasText: "scraper" }).filter({ hasText: "error" })).toContainText("The request failed: overloaded");
  await log.getByRole("combobox", { name: "Tool", exact: true }).selectOption("vfs_read");
  await expect(rows).toHaveCount(2);
  await expect(rows.first()).toContainText("tool_result");
  await log.getByRole("combobox", { name: "Type", exact: true }).selectOption("tool_call");
  await expect(rows).toHaveCount(1);
  const [download] = await Promise.all([page.waitForEvent("download"), log.getByRole("button", { name: "Export event log" }).click()]);
  const exported: readonly Record<string, unknown>[] = JSON.parse(await readFile(await download.path(), "utf8"));
  expect(exported).toEqual([
    {
      timestamp: expect.any(Number),
      type: "tool_call",
      agentId: ids["writer"],
      activationId: `${ids["writer"]}/0`,
      data: { call: "r1", tool: "vfs_read", input: { path: "artifacts/spec.md" } },
    },
  ]);
  await log.getByRole("combobox", { name: "Tool", exact: true }).selectOption("");
  await log.getByRole("combobox", { name: "Type", exact: true }).selectOption("");
  await rows.filter({ hasText: "writer" }).first().click();
  const inspector = page.getByRole("complementary", { name: "Inspector" });
  await expect(inspector.getByRole("heading", { name: "writer" })).toBeVisible();
  await inspector.getByRole("button", { name: "Close" }).click();

  // An earlier moment shows the agents that existed then, at their current positions, and the log up to that moment.
  const scrubber = page.getByRole("slider", { name: "Moment of the run" });
  await scrubber.focus();
  await page.keyboard.press("Home");
  await expect(page.getByRole("status").filter({ hasText: "You're viewing an earlier moment." })).toBeVisible();
  await expect(page.getByRole("treeitem")).toHaveCount(0);
  await page.getByRole("button", { name: "Next event" }).click();
  await expect(page.getByRole("treeitem")).toHaveCount(1);
  for (let at = 0; at < 3; at += 1) await page.keyboard.press("Enter");
  await node(page, /^orchestrator/).click();
  await expect(inspector.getByText("Work at orchestrator.")).toBeVisible();
  await expect(inspector.getByRole("button", { name: "Send" })).toHaveCount(0);
  await page.getByRole("button", { name: "Back to the present" }).click();
  await expect(page.getByRole("treeitem")).toHaveCount(7);
  await expect(page.getByText("Live")).toBeVisible();
  await expect(inspector.getByText("All of it is on its way.")).toBeVisible();
  await inspector.getByRole("button", { name: "Close" }).click();

  // The replay runs by itself until the slider is moved or the end is reached.
  const status = page.getByRole("status");
  await page.getByRole("button", { name: "Play", exact: true }).press("Enter");
  await expect(status.filter({ hasText: "Replaying at 1×" })).toHaveCount(1);
  await expect(page.getByRole("button", { name: "Pause", exact: true })).toBeFocused();
  await scrubber.press("ArrowRight");
  await expect(status.filter({ hasText: /^Replay paused. Event \d+ of \d+$/ })).toHaveCount(1);
  await expect(page.getByRole("button", { name: "Play", exact: true })).toBeVisible();
  await page.getByRole("combobox", { name: "Speed" }).selectOption("16×");
  await page.getByRole("button", { name: "Play", exact: true }).press("Space");
  await expect(status.filter({ hasText: "Replay ended." })).toHaveCount(1);
  await expect(page.getByText("Live")).toBeVisible();
  await expect(page.getByRole("treeitem")).toHaveCount(7);
  await expect(rows.first()).toBeVisible();
  await node(page, /^artifacts/).click();
  await expect(inspector).toContainText("Created by");

  // The agents' files next to the graph: creating by drop, duplicating, renaming, deleting.
  const explorer = page.getByRole("navigation", { name: "Files of agents" });
  await explorer.evaluate((box) => {
    const dropped = new DataTransfer();
    dropped.items.add(new File(["---\nname: Critic\n---\nYou judge.\n"], "critic.md"));
    dropped.items.add(new File(["# Notes\n"], "notes.md"));
    box.dispatchEvent(new DragEvent("drop", { dataTransfer: dropped, bubbles: true, cancelable: true }));
  });
  await expect(explorer.getByRole("link")).toHaveText(["critic.md", "notes.md"]);
  await explorer.getByRole("button", { name: "Actions for notes.md" }).click();
  await explorer.getByRole("button", { name: "Duplicate" }).click();
  await expect(explorer.getByRole("link", { name: "notes-copy.md" })).toBeVisible();
  await explorer.getByRole("textbox", { name: "Path, such as artifacts/report.md" }).fill("memory/notes.md");
  await explorer.getByRole("button", { name: "Rename" }).click();
  await expect(explorer.getByRole("link")).toHaveText(["critic.md", "notes.md", "notes-copy.md"]);
  await explorer.getByRole("button", { name: "Actions for notes-copy.md" }).click();
  await explorer.getByRole("button", { name: "Delete" }).click();
  await expect(explorer.getByRole("link")).toHaveText(["critic.md", "notes.md"]);
  expect(await app.json("GET", "deed")).toMatchObject([{ path: "agents/critic.md" }, { path: "memory/notes.md" }]);

  // The editor is shown next to the files, and the panes keep the width that the user sets.
  await explorer.getByRole("link", { name: "critic.md" }).click();
  const editor = page.getByRole("textbox", { name: "agents/critic.md" });
  await expect(editor).toContainText("You judge.");
  await expect(editor.locator(".code-literal")).toHaveText("name");
  await editor.press("Control+End");
  await editor.pressSequentially("Be fair.");
  await editor.press("Control+s");
  await expect.poll(async () => (await app.ask("GET", "deed/agents/critic.md")).text).toContain("Be fair.");
  const edge = page.getByRole("separator", { name: "Width of the files" });
  await edge.press("ArrowRight");
  await expect(edge).toHaveAttribute("aria-valuenow", "304");
  await page.getByRole("button", { name: "Graph", exact: true }).click();
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`#/agents/graph/${ids["orchestrator"]}`);
  await page.getByRole("button", { name: "Log", exact: true }).click();
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  expect(app.complaints).toEqual([]);
});
