// Agents outside Vibey: a key, an agent's reports and requests, and the page that shows where all agents are.
import type { AsksAnswer, DialogListing } from "../src/protocol/index.ts";
import { afterFrames, approve, approveButton, messages } from "./hands.ts";
import { dialogs, expect, panel, test } from "./steps.ts";

test("an agent outside asks, is answered in its record, and stands on the plan; its record is continued here", async ({ app }) => {
  const { page } = app;
  await app.open();
  await page.getByRole("button", { name: "Settings" }).click();
  const settings = page.getByRole("dialog", { name: "Settings" });
  await settings.getByRole("textbox", { name: "Name of the installation" }).fill("Claude on my laptop");
  await settings.getByRole("button", { name: "Make a key" }).click();
  const key = (await settings.getByRole("status").locator("pre").first().innerText()).trim();
  expect(key).toMatch(/^vak_[0-9a-f]{40}$/);
  await expect(settings.getByRole("button", { name: "Revoke the key of Claude on my laptop" })).toBeVisible();
  await page.keyboard.press("Escape");

  const event = (body: object) => app.json("POST", `k/${key}/v2/event`, { agentId: "s-1", source: "claude-code", ...body });
  await event({ type: "user_input", text: "Fix the prices" });
  await event({
    type: "tool_start",
    tool: { name: "Read", category: "read", id: "r1" },
    context: "prices.py",
    input: { file_path: "/app/prices.py" },
  });
  const [record] = await app.json<DialogListing[]>("GET", "dialogs");
  if (!record) throw new Error("no record");

  await page.goto("#/stations");
  await expect(page.getByRole("heading", { name: "Stations" })).toBeVisible();
  const row = page.getByRole("row", { name: /outside-claude-code|claude-code/ });
  await expect(row).toContainText("Bookshelf");
  await expect(row).toContainText("prices.py");
  await expect(page.locator('[data-station="bookshelf"] .peg')).toHaveCount(1);

  // The agent waits for the answer, as Claude Code does.
  const answer = page.evaluate(async ([where, body]) => (await fetch(where, { method: "POST", body })).text(), [
    `k/${key}/hooks/claude-code`,
    JSON.stringify({
      session_id: "s-1",
      cwd: "/app",
      hook_event_name: "PermissionRequest",
      tool_name: "Bash",
      tool_input: { command: "npm test" },
      permission_suggestions: [
        { type: "addRules", rules: [{ toolName: "Bash", ruleContent: "npm test:*" }], behavior: "allow", destination: "localSettings" },
      ],
    }),
  ] as const);
  await expect(row).toContainText("needs approval");
  await expect(row).toContainText("Terminal");
  await expect(page.getByText("1 needs you.")).toBeVisible();
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  await page.setViewportSize({ width: 1280, height: 800 });
  // The slider goes back to the moment when the agent read.
  const slider = page.getByRole("slider");
  await slider.focus();
  await page.keyboard.press("ArrowLeft");
  await expect(row).toContainText("Bookshelf");
  await page.getByRole("button", { name: "Back to now" }).click();

  await row.getByRole("link").click();
  await expect(panel(page)).toBeVisible();
  await expect(panel(page)).toContainText("npm test");
  await expect(panel(page)).toContainText("allow Bash(npm test:*) in localSettings");
  const asks = await app.json<AsksAnswer>("GET", `dialog/${record.dialogId}/asks`);
  expect(asks.calls).toHaveLength(1);
  await panel(page)
    .getByRole("checkbox", { name: /Always allow calls like this in claude-code/ })
    .check();
  await afterFrames(page);
  await expect(approveButton(page)).toBeEnabled();
  await approveButton(page).press("Enter");
  // The next request can take the focus from the messages, and Tab continues there.
  await expect(messages(page).locator(".message-list")).toBeFocused();
  expect(JSON.parse(await answer)).toMatchObject({
    hookSpecificOutput: { decision: { behavior: "allow", updatedPermissions: [{ type: "addRules" }] } },
  });
  await expect(panel(page)).toHaveCount(0);

  // A message written here reaches the agent with its next step.
  const hook = (body: object) =>
    page.evaluate(async ([where, sent]) => (await fetch(where, { method: "POST", body: sent })).text(), [
      `k/${key}/hooks/claude-code`,
      JSON.stringify({ session_id: "s-1", cwd: "/app", tool_name: "Bash", tool_input: { command: "npm test" }, ...body }),
    ] as const);
  await hook({ hook_event_name: "PostToolUse", tool_response: "ok" });
  await expect(page.getByText("Reported by claude-code")).toBeVisible();
  await page.getByRole("textbox", { name: "Message to claude-code" }).fill("Use tabs");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await expect(page.getByText("1 message not delivered yet.")).toBeVisible();
  expect(await hook({ hook_event_name: "PostToolUse", tool_use_id: "t9" })).toContain("Use tabs");
  await expect(page.getByText("1 message not delivered yet.")).toHaveCount(0);

  // A question with choices is approved with an answer to each.
  const questions = [
    {
      question: "Which price?",
      header: "Price",
      options: [
        { label: "Net", description: "Without tax" },
        { label: "Gross", description: "" },
      ],
    },
    {
      question: "Which files?",
      header: "Files",
      multiSelect: true,
      options: [
        { label: "a.py", description: "" },
        { label: "b.py", description: "" },
      ],
    },
  ];
  const answered = hook({ hook_event_name: "PermissionRequest", tool_name: "AskUserQuestion", tool_input: { questions } });
  const group = (name: string) => panel(page).getByRole("group", { name });
  await expect(group("Which price?")).toBeVisible();
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  await page.setViewportSize({ width: 1280, height: 800 });
  await group("Which price?").getByRole("radio", { name: "Gross" }).check();
  await group("Which files?").getByRole("checkbox", { name: "a.py" }).check();
  await group("Which files?").getByRole("checkbox", { name: "b.py" }).check();
  await group("Which price?").getByRole("textbox", { name: "Your answer" }).fill("Net, and say so");
  await expect(group("Which price?").getByRole("radio", { name: "Gross" })).not.toBeChecked();
  await approve(page);
  expect(JSON.parse(await answered)).toMatchObject({
    hookSpecificOutput: {
      decision: { behavior: "allow", updatedInput: { answers: { "Which price?": "Net, and say so", "Which files?": "a.py, b.py" } } },
    },
  });
  await expect(panel(page)).toHaveCount(0);

  await page.getByRole("button", { name: "Continue here" }).click();
  await expect(page).not.toHaveURL(new RegExp(record.dialogId));
  await expect(dialogs(page)).toBeVisible();
  await expect(page.getByText("What was said before in").first()).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Message" })).toBeVisible();
  expect(app.complaints).toEqual([]);
});
