import type { Turn } from "../../tests/stand-in/claude.ts";
import { approve, denyBecause, readToTheEnd } from "../hands.ts";
import { dialogs, dialogWith, expect, messageBox, newDialog, openWithKey, panel, say } from "../steps.ts";
import { chooseOf, close } from "./menus.ts";
import type { Visit } from "./visit.ts";

const oldPoem = ["Roses are red", "violets are blue", "the third line", "the fourth line", "the fifth line", "sugar is sweet"].join("\n");
const newPoem = oldPoem.replace("violets are blue", "violets are violet, whatever the song says about them and about you");
const run = (command: string, more: object = {}): Turn => ({ blocks: [{ call: "run_command", input: { command, ...more } }] });

/** The screens of an agent at work. */
export const turns: readonly Visit[] = [
  {
    async "dialog, nothing said"({ app, claude }) {
      await openWithKey(app, claude);
      await newDialog(app, "a fresh one");
    },
    async "dialog, one call waits"({ page, claude }) {
      claude.play({
        blocks: [
          { text: "I change one line of the poem." },
          { call: "edit_file", input: { path: "poem.txt", old_string: oldPoem, new_string: newPoem } },
        ],
      });
      await say(page, "Please do it.");
      await expect(panel(page).locator(".diff-row").first()).toBeVisible();
    },
    async "dialog, the arguments of a call are edited"({ page }) {
      await panel(page).getByRole("button", { name: "Edit…" }).click();
      await panel(page).getByLabel("new_string").fill("roses are green");
      await expect(panel(page).getByRole("button", { name: "Approve with changes" })).toBeEnabled();
    },
    async "dialog, why a call is denied"({ page }) {
      await panel(page).getByRole("button", { name: "Discard edits" }).click();
      await panel(page).getByRole("button", { name: "Deny with a reason…" }).click();
      await expect(page.getByLabel(/^Tell the agent why/)).toBeFocused();
    },
    async "dialog, a denied call with its reason"({ page, claude }) {
      claude.play({ blocks: [{ text: "Then I leave it as it is." }] });
      await panel(page).getByRole("button", { name: "Cancel" }).click();
      await denyBecause(page, "The song is right, and nobody should touch it.");
      await expect(page.getByText("Then I leave it as it is.")).toBeVisible();
      await page.locator("details.call summary").first().press("Enter");
      await expect(page.getByText("The song is right").first()).toBeVisible();
    },
    async "dialog, the menu of a message"({ page }) {
      await chooseOf(page, 0);
    },
    async "dialog, a message to be sent anew"({ page }) {
      await page.locator("#message-menu").getByRole("button", { name: "Edit and resend" }).press("Enter");
      await expect(page.getByRole("textbox", { name: "Edit and resend" })).toBeFocused();
    },
    async "dialog, its menu"({ page }) {
      await close(page);
      await page.getByRole("button", { name: "More", exact: true }).press("Enter");
      await expect(page.getByRole("link", { name: "View as plain text" })).toBeVisible();
    },
    async "dialog, forked"({ page }) {
      await close(page);
      await chooseOf(page, 0, "Fork from here");
      await expect(page.locator(".doing")).toContainText("forked from");
    },
  },
  {
    async "dialog, three calls wait"({ app, page, claude }) {
      await dialogWith(app, claude, {
        blocks: [
          { text: "Three things." },
          { call: "run_command", input: { command: "ls -la && git status && echo a command that is longer than a phone is wide" } },
          { call: "write_file", input: { path: "big.txt", content: "a line\n".repeat(400) } },
          { call: "launch_agent", input: { provider: "claude", model: "claude-haiku-5-5", prompt: "Draw.", slug: "artist" } },
        ],
      });
      await expect(panel(page).locator(".ask-call")).toHaveCount(3);
    },
    async "dialog, read to the end"({ page }) {
      await readToTheEnd(page);
      await expect(panel(page).getByRole("button", { name: /^Approve all/ })).toBeEnabled();
    },
    async "dialog, done"({ page, claude }) {
      await panel(page).getByRole("button", { name: "Deny all" }).click();
      claude.play({ blocks: [{ text: "One command, then." }, { call: "run_command", input: { command: "echo one" } }] });
      await say(page, "Less.");
      await expect(page.getByText("One command, then.")).toBeVisible();
      claude.play({ blocks: [{ text: "It is done." }], usage: { input: 12_345, output: 678 } });
      await panel(page).getByRole("checkbox", { name: "Always allow commands in this dialog" }).check();
      await panel(page).getByRole("button", { name: "Approve" }).click();
      await expect(page.locator(".doing")).toHaveText("done");
      await expect(messageBox(page)).toBeEnabled();
    },
    async "dialog, a command took too long"({ app, page, claude }) {
      const id = decodeURIComponent(new URL(page.url()).hash.replace("#/dialogs/", ""));
      await app.json("PUT", "dialog", { dialogId: id, limits: { command: 1 } });
      claude.play(run("sleep 30"), { blocks: [{ text: "It took too long." }] });
      await say(page, "Sleep.");
      await expect(page.getByText("A command was stopped after 1 s.")).toBeVisible();
    },
    async "dialog, a command in the background"({ page, claude }) {
      claude.play(run("while :; do sleep 0.1; done", { background: true }), { blocks: [{ text: "It goes on." }] });
      await say(page, "Watch.");
      await expect(page.getByRole("list", { name: "Background commands" })).toContainText("running since");
      await expect(messageBox(page)).toBeEnabled();
    },
  },
  {
    async "dialog, thinking"({ app, page, claude }) {
      await dialogWith(app, claude, { blocks: [{ thinking: true }, { text: "Once." }], faults: { stallAfterBytes: 620 } });
      await expect(page.locator(".thinking")).toContainText("thinking…");
    },
    async "dialog, a host is asked for"({ page, claude }) {
      await page.getByRole("button", { name: "Stop", exact: true }).press("Enter", { timeout: 10_000 });
      await expect(messageBox(page)).toBeEnabled();
      claude.play(run("echo fetching; curl -s https://one.example/a?b=c"));
      await say(page, "Fetch it.");
      await approve(page);
      await expect(page.getByRole("region", { name: "Output so far" })).toContainText("fetching");
      await expect(panel(page).getByRole("button", { name: "Allow GET only" })).toBeEnabled();
    },
    async "dialog, what it may do"({ app, page, claude }) {
      claude.play({ blocks: [{ text: "It was refused." }] });
      await panel(page).getByRole("button", { name: "Block" }).click();
      await expect(page.getByText("It was refused.")).toBeVisible();
      const dialogId = decodeURIComponent(new URL(page.url()).hash.replace("#/dialogs/", ""));
      await app.ask("PUT", "dialog", { dialogId, authorizations: ["run_command"] });
      await app.json("PUT", "dialog", { dialogId, network: [{ host: "two.example:8443", allow: true }] });
      await page.getByRole("button", { name: "Change which hosts commands can connect to" }).click();
      await expect(page.getByRole("dialog", { name: "Permissions" })).toBeVisible();
    },
    async "dialog, failed"({ page, claude }) {
      await close(page);
      claude.play({ fail: 400, type: "invalid_request_error", message: "The stand-in does not like this one." });
      await say(page, "Hello?");
      await expect(page.getByRole("alert").filter({ hasText: "does not like" })).toBeVisible();
    },
    async "dialog, tries again"({ page, claude }) {
      claude.play({ fail: 429, type: "rate_limit_error", message: "Slow down.", headers: { "retry-after": "200" } });
      await say(page, "And now?");
      await expect(page.locator(".strip")).toContainText("retrying in");
    },
  },
  {
    async "dialog, window nearly full"({ app, page, claude }) {
      await dialogWith(app, claude, { blocks: [{ text: "I have read the whole library." }], usage: { input: 800_000, output: 36_000 } });
      await expect(page.getByRole("region", { name: "Context window almost full" })).toBeVisible();
    },
    async "dialog, begun from a summary"({ page, claude }) {
      claude.play({ blocks: [{ text: "I go on from there." }], usage: { input: 1_234, output: 56 } });
      await page.getByRole("button", { name: "Continue in a new dialog" }).last().click();
      await expect(page.locator(".doing")).toContainText("continued from");
      await expect(messageBox(page)).toBeEnabled();
      await expect(dialogs(page).getByRole("link")).toHaveCount(2);
    },
  },
];
