// The agents' page, agents in a message, and rooms.
import type { App } from "../app.ts";
import { expect, messageBox, newDialog, openWithKey, putDeed, say } from "../steps.ts";
import type { Visit } from "./visit.ts";

const broken = "---\nname: code-reviewer\ndescription: Reviews: everything\ntools: Read, Bash\ncolor: red\n---\nYou review.\n";

async function someAgents(app: App): Promise<void> {
  await app.json("POST", "file/agent-coder.md", {
    content: "---\ndescription: Writes code\ntools: [vfs_read]\nmodel: sonnet\n---\nYou are Coder.\n",
  });
  await app.json("POST", "file/agent-a-name-without-an-end-of-40-characters.md", {
    content: `---\ndescription: ${"A description without an end. ".repeat(20)}\nis_active: false\n---\nYou talk.\n`,
  });
  await putDeed(app, ".claude/agents/code-reviewer.md", broken);
  await putDeed(app, ".claude/agents/deep/tester.md", "You test.\n");
}

export const agents: readonly Visit[] = [
  {
    async "agents, none"({ app, page }) {
      await app.open("#/agents");
      await expect(page.getByText("You have no agents yet.")).toBeVisible();
    },
    async "agents, yours and found"({ app, page }) {
      await someAgents(app);
      await expect(page.getByText("@coder")).toBeVisible();
      await page.getByText("not used here").click();
    },
    async "agent, its file with a form"({ app, page }) {
      await app.json("POST", "file/agent-coder.md", {
        content:
          "---\ndescription: Writes code\ntools: [vfs_read, edit_file, spawn_agent]\nmodel: sonnet\ncolor: red\n---\nYou are Coder.\n",
      });
      await page.goto("#/docs/agent-coder.md");
      await expect(page.locator(".agent-form summary")).toContainText("reads and writes files");
    },
    async "agent, the form is open"({ page }) {
      await page.locator(".agent-form summary").click();
      await expect(page.getByRole("switch", { name: "Active" })).toBeVisible();
    },
    async "agent, the form offers models"({ page }) {
      await page.getByRole("combobox", { name: "Model" }).click();
      await expect(page.getByRole("option", { name: "opus" })).toBeVisible();
    },
    async "agent, the form says what is wrong"({ app, page }) {
      await page.keyboard.press("Escape");
      await app.json("POST", "file/agent-coder.md", { content: "---\ndescription: Writes: code\ndisabled: true\n---\nYou are Coder.\n" });
      await expect(page.getByRole("region", { name: "Agent" })).toContainText("Off");
      await page.getByRole("switch", { name: "Active" }).click();
      await expect(page.getByRole("alert")).toContainText("another line of the file");
    },
  },
  {
    async "dialog, agents are offered"({ app, page, claude }) {
      await openWithKey(app, claude);
      await someAgents(app);
      await newDialog(app, "game");
      await messageBox(page).fill("@c");
      await messageBox(page).press("End");
      await expect(page.getByRole("option", { name: /^@coder/ })).toBeVisible();
    },
    async "dialog, an agent will answer"({ page }) {
      await messageBox(page).fill("@coder what is wrong?");
      await expect(page.getByText(/^Coder will answer\./)).toBeVisible();
    },
    async "dialog, an agent has answered"({ page, claude }) {
      claude.play({ blocks: [{ text: "Line 3." }] });
      await messageBox(page).press("ControlOrMeta+Enter");
      await expect(page.getByRole("article", { name: "Coder" })).toContainText("Line 3.");
    },
    async "dialog, that answers another"({ page }) {
      await page.getByRole("link", { name: "Open dialog" }).click();
      await page.getByText("What was said before in").click();
    },
    async "room, an agent waits for approval"({ app, page, claude }) {
      const { dialogId } = await app.json<{ dialogId: string }>("POST", "dialog/new", { provider: "claude", room: "meeting" });
      await page.goto(`#/dialogs/${dialogId}`);
      await expect(page.getByText("No messages yet. Mention an agent with @ to get an answer.")).toBeVisible();
      claude.play({ blocks: [{ call: "vfs_read", id: "toolu_1", input: { path: ".env" } }] });
      await say(page, "@coder read it");
      await expect(page.getByText("Coder needs your approval.")).toBeVisible();
    },
  },
];
