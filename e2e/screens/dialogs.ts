import type { Turn } from "../../tests/stand-in/claude.ts";
import type { App } from "../app.ts";
import { dialogs as list, expect, openWithKey, overview } from "../steps.ts";
import { call, dialogText, writeDialog } from "../written.ts";
import type { Visit } from "./visit.ts";

/** An answer that begins and never continues. */
const stalled: Turn = { blocks: [{ text: "Once upon a time. ".repeat(400) }], faults: { stallAfterBytes: 900 } };

const hi = ["User", "Hi."] as const;

/** Starts a dialog while another one is shown. */
async function begin(app: App, slug: string): Promise<string> {
  return app.page.evaluate(async (name) => {
    const response = await fetch("dialog", {
      method: "POST",
      body: JSON.stringify({ provider: "claude", prompt: "Tell me a story.", slug: name }),
    });
    const first = await response.body?.getReader().read();
    return /"dialogId":"([^"]+)"/.exec(new TextDecoder().decode(first?.value))?.[1] ?? "";
  }, slug);
}

/** Creates one dialog for each reason to wait for a person. */
async function waiting(app: App): Promise<void> {
  const texts = {
    "wants-to-list-files": dialogText([hi, ["Assistant", call("toolu_1", "ls")]]),
    "which-colour": dialogText([hi, ["Assistant", "Which colour do you like?", "> Waiting: question"]]),
    "stopped-in-the-middle": dialogText([hi, ["Assistant", "I was about", "> Stop: aborted"]]),
    "too-long-by-far": dialogText([hi, ["Assistant", "I have read half.", "> Stop: context_window"]]),
    "the-provider-broke": dialogText([hi, ["Assistant", "I was", "> Stop: error 529: overloaded"]]),
    "has-said-something": dialogText([hi, ["Assistant", "Hello."]]),
  };
  for (const [slug, text] of Object.entries(texts)) await app.json("GET", `dialog/${await writeDialog(app, slug, "waiting", text)}`);
  const broken = dialogText([hi, ["Assistant", "I begin with the sky"]]);
  await writeDialog(app, "paint-the-sky", "active", broken);
  await writeDialog(app, "paint-the-sea", "active", broken);
  await writeDialog(app, "an-old-one", "done", dialogText([hi, ["Assistant", "Hello."]]));
}

export const dialogs: readonly Visit[] = [
  {
    async "dialogs, none"({ app, page }) {
      await app.open("#/dialogs");
      await expect(overview(page).getByRole("button", { name: "Start" })).toBeVisible();
    },
    async "dialogs, a new one without a name"({ page }) {
      await page.getByRole("button", { name: "+ New dialog" }).click();
      await page.getByRole("button", { name: "Create" }).click();
      await expect(page.getByRole("alert")).toContainText("Enter a name.");
    },
    async "dialog, no key"({ app, page }) {
      const text = dialogText([
        ["User", "Paint."],
        ["Assistant", "I begin with the sky"],
      ]);
      await app.open(`#/dialogs/${await writeDialog(app, "paint", "active", text)}`);
      await expect(page.getByRole("button", { name: "Add a key" })).toBeVisible();
    },
    async "dialog, not there"({ app, page }) {
      await app.open("#/dialogs/20200101-000000-nothing/text");
      await expect(page.getByText("This dialog no longer exists.")).toBeVisible();
    },
  },
  {
    async "dialogs, all of them"({ app, page, claude }) {
      await openWithKey(app, claude, "#/dialogs");
      await app.json("POST", "file/doc-main.md", { content: "# Main\n\n> Limit: agents 2\n" });
      await waiting(app);
      claude.play(...Array.from({ length: 4 }, () => stalled));
      for (const slug of ["board", "rules", "look", "sounds"]) await begin(app, slug);
      await expect(overview(page)).toContainText("queued, 1 ahead");
      await expect(overview(page).getByRole("button", { name: "Stop all" })).toBeVisible();
      await expect(overview(page).getByRole("button", { name: "Continue all" })).toBeVisible();
      await expect(overview(page).getByRole("button", { name: "Approve wants-to-list-files" })).toBeAttached();
    },
    async "dialogs, every kind at once"({ page }) {
      await page.goto("#/dialogs/20261121-201100-an-old-one");
      const rows = list(page);
      await expect(rows).toContainText("queued, 1 ahead");
      await expect(rows.getByRole("button", { name: "Stop all" })).toBeVisible();
      await expect(rows.getByRole("button", { name: "Continue all" })).toBeVisible();
      await expect(rows.getByText("writing…")).toHaveCount(2);
      for (const words of ["Run ls", "has a question", "stopped", "failed", "interrupted", "waiting for your reply"])
        await expect(rows.getByText(words).first()).toBeAttached();
    },
    async "dialogs, none of this name"({ page }) {
      await page.getByRole("searchbox", { name: "Filter dialogs" }).fill("nothing is called so");
      await expect(list(page)).toContainText("No matching dialogs.");
    },
    async "dialog, writing"({ page }) {
      await page.getByRole("searchbox", { name: "Filter dialogs" }).fill("");
      await list(page)
        .getByRole("link", { name: /^board/ })
        .click();
      await expect(page.getByRole("button", { name: "Stop", exact: true })).toBeVisible();
      await expect(page.getByRole("article", { name: "Agent" })).toContainText("Once upon");
    },
    async "dialog, in the queue"({ page }) {
      await list(page)
        .getByRole("link", { name: /^sounds/ })
        .click();
      await expect(page.locator(".strip")).toContainText("1 ahead");
    },
    async "dialog, asked a question"({ page }) {
      await page.goto("#/dialogs/20261121-201100-which-colour");
      await expect(page.getByRole("article", { name: "Agent" })).toContainText("Which colour do you like?");
    },
    async "dialog, stopped"({ page }) {
      await page.goto("#/dialogs/20261121-201100-stopped-in-the-middle");
      await expect(page.getByRole("article", { name: "Agent" })).toContainText("You stopped the agent here.");
    },
    async "dialog, too long for the model"({ page }) {
      await page.goto("#/dialogs/20261121-201100-too-long-by-far");
      await expect(page.getByRole("region", { name: "Context window almost full" })).toBeVisible();
    },
    async "dialog, interrupted"({ page }) {
      await page.goto("#/dialogs/20261121-201100-paint-the-sky");
      await expect(page.getByRole("button", { name: "Continue", exact: true })).toBeVisible();
    },
  },
];
