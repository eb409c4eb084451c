// All agents of a project on one page: your own, those of other programs, and templates.
import JSZip from "jszip";
import type { Locator, Page } from "@playwright/test";
import { AxeBuilder } from "@axe-core/playwright";
import { expect, newDialog, putDeed, say, test } from "./steps.ts";

const axe = async (page: Page) => (await new AxeBuilder({ page }).analyze()).violations.map(({ id }) => id);
/** The controls that reach beyond the page's column. */
const overflowing = (page: Page) =>
  page
    .locator(".agents-page select, .agents-page button, .agents-page a")
    .evaluateAll((all) => all.filter((one) => one.getBoundingClientRect().right > innerWidth).map((one) => one.outerHTML.slice(0, 80)));

const reviewer = `---
name: code-reviewer
description: Reviews a change: before it is merged
tools: Read, Grep, Bash
model: sonnet
color: red
permissionMode: bypassPermissions
---

You review code.
`;

test("another program's agent is adopted, started, and turned off and on", async ({ app }) => {
  const { page } = app;
  await app.open();
  await putDeed(app, ".claude/agents/code-reviewer.md", reviewer);
  await putDeed(app, ".claude/agents/tester.md", "---\ndescription: Tests\n---\nYou test.\n");
  await page.getByRole("button", { name: "Project" }).click();
  await page.getByRole("button", { name: "Agents", exact: true }).click();
  await expect(page).toHaveURL(/#\/agents$/);
  const [yours, found, templates] = ["Your agents", "Found in this project", "Templates"].map((name) => page.getByRole("region", { name }));
  if (!yours || !found || !templates) throw new Error("three regions");
  await expect(yours).toContainText("You have no agents yet.");
  await expect(found.getByRole("listitem").filter({ hasText: "@code-reviewer" }).first()).toContainText(
    "reads files without asking · can ask to run commands",
  );
  await found.getByText("not used here").first().click();
  await expect(found).toContainText("color: Vibey shows an agent by its name.");
  await found.getByRole("button", { name: "Adopt code-reviewer" }).click();
  const adopting = page.getByRole("dialog", { name: "Adopt code-reviewer?" });
  await expect(adopting).toContainText("reads files without asking · can ask to run commands");
  await expect(adopting).toContainText("You review code.");
  await adopting.getByRole("button", { name: "Adopt" }).click();
  await expect(yours).toContainText("@code-reviewer");
  await expect(found).not.toContainText("@code-reviewer");
  expect(await app.file("agent-code-reviewer.md")).toBe(reviewer);

  // The other program's file changes. The dialog shows the change before it is adopted.
  await putDeed(app, ".claude/agents/code-reviewer.md", reviewer.replace("Read, Grep, Bash", "Read"));
  await found.getByRole("button", { name: "Compare code-reviewer with yours" }).click();
  const over = page.getByRole("dialog", { name: "Adopt the new code-reviewer?" });
  await expect(over).toContainText("reads files without asking · can ask to run commands → reads files without asking");
  await expect(over.locator(".diff")).toContainText("- tools: Read, Grep, Bash");
  await over.getByRole("button", { name: "Keep yours" }).click();
  expect(await app.file("agent-code-reviewer.md")).toBe(reviewer);
  await putDeed(app, ".claude/agents/code-reviewer.md", reviewer);

  await templates.getByRole("button", { name: "Add vibe" }).click();
  await expect(yours).toContainText("@vibe");
  await expect(templates).not.toContainText("@vibe");

  await app.ask("POST", "file/doc-main.md", { content: "# Game\n\n> Authorized: command npm test *\n" });
  await yours.getByRole("listitem").filter({ hasText: "@code-reviewer" }).getByText("What it may do").click();
  await expect(yours).toContainText(/Read files\s*without asking: it only reads/);
  await expect(yours).toContainText("asks you, except for command npm test * main, line 3");
  await expect(yours).toContainText("no, as its file says");

  // A level is a set of lines in main, which are shown before they are written.
  const levels = yours.getByRole("group", { name: "What runs without asking" });
  await expect(levels.getByRole("radio", { checked: true })).toHaveCount(0);
  await levels.getByRole("radio", { name: "0: Nothing. Everything needs approval." }).check();
  const lines = levels.getByRole("region", { name: "Lines that change in main" });
  await expect(lines).toContainText(/- > Authorized: command npm test \*\s*\+ > Revoked: vfs_read\s*\+ > Revoked: vfs_list/);
  await levels.getByRole("button", { name: "Write to main" }).click();
  await expect(yours).toContainText("asks you: main, line 3");
  expect(await app.file("doc-main.md")).toBe("# Game\n\n> Revoked: vfs_read\n> Revoked: vfs_list\n> Revoked: signal_parent\n");
  await levels.getByRole("radio", { name: "1: Reading files" }).check();
  await levels.getByRole("button", { name: "Write to main" }).click();
  await expect(yours).toContainText(/Read files\s*without asking: it only reads/);
  expect(await app.file("doc-main.md")).toBe("# Game\n\n");

  // A schedule is also a line in main.
  const schedules = page.getByRole("region", { name: "Schedules" });
  await schedules.getByLabel("Agent").selectOption("code-reviewer");
  await schedules.getByLabel("Starts").selectOption("after");
  await schedules.getByLabel("messages of a dialog").fill("30");
  await schedules.getByRole("button", { name: "Add schedule" }).click();
  await expect(schedules.getByRole("listitem")).toContainText("code-reviewer after 30 messages");
  expect(await app.file("doc-main.md")).toMatch(/\n> Schedule: code-reviewer after 30 messages \| Since: \S+\n$/);
  await schedules.getByRole("button", { name: "Remove code-reviewer after 30 messages" }).click();
  await expect(schedules.getByRole("listitem")).toHaveCount(0);
  await yours.getByRole("link", { name: "Versions of code-reviewer" }).click();
  await expect(page).toHaveURL(/#\/agents\/versions\/code-reviewer$/);
  await page.goBack();

  await yours.getByRole("button", { name: "Turn off code-reviewer" }).click();
  await expect(yours.getByRole("button", { name: "Turn on code-reviewer" })).toBeEnabled();
  await expect(yours.getByRole("button", { name: "New dialog with code-reviewer" })).toBeDisabled();
  expect(await app.file("agent-code-reviewer.md")).toBe(reviewer.replace("---\n\nYou", "is_active: false\n---\n\nYou"));
  await yours.getByRole("button", { name: "Turn on code-reviewer" }).click();
  await expect(yours.getByRole("button", { name: "New dialog with code-reviewer" })).toBeEnabled();
  expect(await app.file("agent-code-reviewer.md")).toBe(reviewer);
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  // The list scrolls, not the page with its bars.
  expect(await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBe(0);
  await templates.getByRole("button", { name: "Add agent-suggester" }).click();
  await expect(yours).toContainText("@agent-suggester");
  await page.setViewportSize({ width: 1280, height: 800 });
  await yours.getByRole("button", { name: "New dialog with code-reviewer" }).click();
  await expect(page).toHaveURL(/#\/dialogs\/\d{8}-\d{6}-code-reviewer$/);
  await page.goBack();
  await yours.getByRole("link", { name: "Edit vibe" }).click();
  await expect(page).toHaveURL(/#\/docs\/agent-vibe\.md$/);
  await page.goBack();
  const builtIn = page.getByRole("region", { name: "Built in" });
  await builtIn.getByText("Prompt").click();
  await expect(builtIn).toContainText("CONCLUSION: what was decided");
  await builtIn.getByRole("button", { name: "Edit a copy of Fork Resolver" }).click();
  await expect(page).toHaveURL(/#\/docs\/agent-_fork-resolver\.md$/);
  await expect(page.locator(".agent-form summary")).toContainText("system agent, has no tools");
  await page.goBack();
  await expect(builtIn).toContainText("your copy is used instead");
  await expect(yours.getByRole("listitem").filter({ hasText: "_fork-resolver" })).toContainText("can't be mentioned or started");
  expect(app.complaints).toEqual([]);
});

test("agents come in as files, a folder and a zip, and what isn't used is told", async ({ app }) => {
  const { page } = app;
  await app.open();
  await page.goto(`${page.url().split("#")[0]}#/agents`);
  const box = page.getByRole("region", { name: "Import agents" });
  const files = box.getByLabel("Import files or zip…");
  const file = (name: string, text: string) => ({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
  await files.setInputFiles([
    file("team.yaml", "agents:\n  - slug: writer\n    description: Writes: well\n    system_prompt: You write.\n"),
    file("notes.md", "Nothing."),
  ]);
  await expect(box).toContainText("1 file imported.");
  await expect(box).toContainText("agents/writer.md, from team.yaml: agent 1");
  await expect(box).toContainText("notes.md: It has no front matter, so it isn't taken for an agent.");
  const found = page.getByRole("region", { name: "Found in this project" });
  await expect(found).toContainText("@writer");

  const zip = new JSZip();
  zip.file("maxos/SOUL.md", "Be helpful.");
  zip.file("maxos/IDENTITY.md", "- **Name:** Maxos\n");
  zip.file("maxos/USER.md", "Charles.");
  zip.file("maxos/logo.png", "x");
  const buffer = Buffer.from(await zip.generateAsync({ type: "uint8array" }));
  await files.setInputFiles([{ name: "maxos.zip", mimeType: "application/zip", buffer }]);
  await expect(box).toContainText("vibey/doc-maxos-user.md, from maxos/USER.md");
  await expect(box).toContainText("maxos/logo.png: It is no part of an agent here.");
  await expect(found).toContainText("@maxos");
  await files.setInputFiles([{ name: "maxos.zip", mimeType: "application/zip", buffer: Buffer.from("PK no zip") }]);
  await expect(box.getByRole("alert")).toContainText("Couldn't import: zip: ");

  // Drops a file on the page.
  const data = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(["---\nname: dropped\n---\nYou drop.\n"], "dropped.md"));
    return transfer;
  });
  await page.locator(".agents-page").dispatchEvent("drop", { dataTransfer: data });
  await expect(found).toContainText("@dropped");
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
});

/** Chooses a zip to import. Returns the dialog box that asks about it. */
async function chooseZip(page: Page, name: string, bytes: Uint8Array): Promise<Locator> {
  await page.getByRole("button", { name: "Project" }).click();
  await page.getByRole("button", { name: "Import zip…", exact: true }).click();
  const box = page.getByRole("dialog", { name: "Import zip" });
  await box.getByLabel("Zip file").setInputFiles({ name, mimeType: "application/zip", buffer: Buffer.from(bytes) });
  return box;
}

test("a zip of a Claude Code project offers its agents and its instructions at once", { tag: "@long" }, async ({ app }) => {
  const { page } = app;
  await app.open();
  await app.ask("POST", "file/doc-main.md", { content: "# Mine\n" });
  const zip = new JSZip();
  zip.file(".claude/agents/code-reviewer.md", reviewer);
  zip.file(".claude/agents/tester.md", "---\ndescription: Tests\n---\nYou test.\n");
  zip.file("CLAUDE.md", "Use tabs.\n");
  const box = await chooseZip(page, "project.zip", await zip.generateAsync({ type: "uint8array" }));
  await expect(box).toContainText("2 agents of other programs: code-reviewer, tester. You can adopt them after the import.");
  await box.getByRole("radio", { name: /^This project/ }).check();
  await box.getByRole("button", { name: "Import", exact: true }).click();
  await box.getByRole("button", { name: "Show agents" }).click();
  await expect(page).toHaveURL(/#\/agents$/);
  await page.getByRole("button", { name: "Adopt all 2" }).click();
  await expect(page.getByRole("region", { name: "Your agents" }).getByRole("listitem")).toHaveCount(2);
  const instructions = page.getByRole("region", { name: "Instructions for other programs" });
  await instructions.getByRole("button", { name: "Use CLAUDE.md in main" }).click();
  await expect(instructions).toContainText("main names it");
  expect(await app.file("doc-main.md")).toBe("# Mine\n\nRead `CLAUDE.md` before you start.\n");
  expect(app.complaints).toEqual([]);
});

test("a project that is made of such a zip opens with its agents", { tag: "@long" }, async ({ app }) => {
  const { page } = app;
  await app.open();
  const zip = new JSZip();
  zip.file(".claude/agents/tester.md", "---\ndescription: Tests\n---\nYou test.\n");
  const box = await chooseZip(page, "project.zip", await zip.generateAsync({ type: "uint8array" }));
  await box.getByRole("button", { name: "Create project", exact: true }).click();
  await box.getByRole("button", { name: "Open new project" }).click();
  await expect(page).toHaveURL(/#\/agents$/);
  await expect(page.getByRole("region", { name: "Found in this project" })).toContainText("@tester");
  expect(app.complaints).toEqual([]);
});

test("a new agent answers a mention at once, and its dialog leads to the version that it began with, which comes back", {
  tag: "@long",
}, async ({ app }) => {
  const { page } = app;
  await app.open("#/agents");
  await page.getByRole("button", { name: "New agent" }).click();
  const form = page.getByRole("form", { name: "New agent" });
  await expect(form.getByLabel("Name")).toBeFocused();
  await form.getByRole("button", { name: "Create" }).click();
  await expect(form.getByRole("alert")).toContainText("Enter a name");
  await form.getByLabel("Name").fill("Game Critic");
  await expect(form).toContainText("You mention it as @game-critic.");
  await form.getByRole("button", { name: "Draft it" }).click();
  await expect(form.getByRole("alert")).toContainText("Say what it is for");
  await form.getByLabel("What it is for").fill("Says what is wrong with a game");
  await form.getByRole("button", { name: "Draft it" }).click();
  await expect(form.getByRole("alert")).toContainText("Add an API key in Settings");
  expect(await axe(page)).toEqual([]);
  await form.getByRole("button", { name: "Create" }).click();
  await expect(page).toHaveURL(/#\/docs\/agent-game-critic\.md$/);

  await newDialog(app, "game");
  await say(page, "@game-critic what is wrong here?");
  const answer = page.getByRole("article", { name: "Game critic" });
  await expect(answer).toContainText("You asked: “what is wrong here?”");
  const first = await app.file("agent-game-critic.md");
  await app.json("POST", "file/agent-game-critic.md", { content: "---\ntools: []\n---\n\nYou are kind.\n" });

  await answer.getByRole("link", { name: "Open dialog" }).click();
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("button", { name: "Permissions" }).click();
  await page.getByRole("link", { name: /^Began with version [0-9a-f]{8} of its file$/ }).click();
  const list = page.getByRole("navigation", { name: "Versions" });
  await expect(list.getByRole("link")).toHaveCount(2);
  await expect(list.getByRole("link").nth(1)).toHaveAttribute("aria-current", "true");
  const version = page.getByRole("region", { name: /^Version of / });
  await expect(version).toContainText("You are Game Critic.");
  await expect(version).toContainText("You are kind.");
  expect(await axe(page)).toEqual([]);
  await page.setViewportSize({ width: 360, height: 740 });
  await expect(version).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  expect(await overflowing(page)).toEqual([]);
  await version.getByRole("button", { name: "Restore this version" }).click();
  await expect.poll(() => app.file("agent-game-critic.md")).toBe(first);
  await expect(list.getByRole("link")).toHaveCount(3);
});
