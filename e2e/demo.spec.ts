import type { Page } from "@playwright/test";
import { type App, expect, test } from "./app.ts";
import { playGame } from "./game.ts";
import { approve, approveButton, denyBecause, messages, panel } from "./hands.ts";

/** The scripted demo, played as a newcomer plays it: every request is read and decided, and the game is played to its end. */

interface Step {
  /** The heading of the request. */
  readonly asks: string | RegExp;
  readonly act: (page: Page) => Promise<void>;
}

const builder: readonly Step[] = [
  { asks: "The agent wants to run a command", act: readCommand },
  { asks: "The agent wants to write a file", act: longFile },
  { asks: "The agent needs 2 decisions", act: approve },
  { asks: "The agent wants to edit a file", act: edit },
  { asks: "The agent wants to run a command", act: denyDeletion },
  { asks: "The agent wants to launch another agent", act: approve },
];
const stylist: readonly Step[] = [
  { asks: "The agent wants to run a command", act: approve },
  { asks: "The agent wants to write a file", act: approve },
];

async function readCommand(page: Page): Promise<void> {
  await expect(panel(page)).toContainText("cat vibey/doc-main.md && echo && ls");
  await approve(page);
}

/** A long input can't be approved before its end has been visible. */
async function longFile(page: Page): Promise<void> {
  await expect(approveButton(page)).toBeDisabled();
  const open = panel(page).getByRole("button", { name: "Show whole file" });
  if ((await open.count()) > 0) await open.click();
  await expect(panel(page).locator("pre").last()).toBeVisible();
  await expect(approveButton(page)).toBeDisabled();
  await approve(page);
}

async function edit(page: Page): Promise<void> {
  await expect(panel(page).locator(".diff-add").first()).toBeVisible();
  await expect(panel(page).locator(".diff-same").first()).toBeVisible();
  await approve(page);
}

async function denyDeletion(page: Page): Promise<void> {
  await expect(panel(page)).toContainText("rm -rf demo-leftovers");
  await denyBecause(page, "Nobody asked for that.");
}

async function begin(app: App): Promise<void> {
  const { page } = app;
  await app.open();
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await page.getByRole("button", { name: "Try the demo" }).click();
}

async function play(page: Page, steps: readonly Step[], between: () => Promise<void> = async () => undefined): Promise<void> {
  for (const { asks, act } of steps) {
    await expect(panel(page).getByRole("heading", { name: asks })).toBeVisible({ timeout: 20_000 });
    await between();
    await expect(panel(page).getByRole("heading", { name: asks })).toBeVisible();
    await act(page);
    await expect(panel(page).getByRole("heading", { name: asks })).toBeHidden();
  }
}

const head = (page: Page) => page.locator(".dialog-head .doing");
const ended = (page: Page) => expect(head(page)).toHaveClass(/doing-done/, { timeout: 20_000 });

async function openStylist(page: Page): Promise<void> {
  await page
    .getByRole("navigation")
    .getByRole("link", { name: /style-the-page/ })
    .click();
  await expect(page.getByRole("heading", { level: 2, name: "style-the-page" })).toBeVisible();
}

async function checkEnd(app: App): Promise<void> {
  const files = await app.json<{ path: string }[]>("GET", "deed");
  expect(files.map(({ path }) => path).toSorted()).toEqual(["game.js", "index.html", "page.js", "style.css"]);
  const dialogs = await app.json<{ filename: string; status: string }[]>("GET", "dialogs");
  expect(dialogs.map(({ status }) => status)).toEqual(["done", "done"]);
  const first = dialogs.find(({ filename }) => filename.includes("start"));
  const text = await app.file(first?.filename ?? "");
  expect(text.match(/^Decision: denied$/gm)).toHaveLength(1);
  expect(text.match(/rm -rf demo-leftovers/g)).toHaveLength(1);
  expect(text).toContain("You said no. Nothing was deleted");
}

test("is played, approved, denied once, and its game won, drawn and played with the keyboard", async ({ app }) => {
  const { page } = app;
  await begin(app);
  await play(page, builder);
  await expect(messages(page)).toContainText("You said no. Nothing was deleted, and I won't ask again.");
  await ended(page);
  await openStylist(page);
  await play(page, stylist);
  await ended(page);
  await expect(page.getByRole("tab", { name: "Dialogs" }).locator(".badge")).toHaveCount(0);
  await playGame(page);
  await checkEnd(app);
  expect(app.complaints).toEqual([]);
});

test("goes on after a reload between every two steps", { tag: "@long" }, async ({ app }) => {
  const { page } = app;
  await begin(app);
  const again = async () => void (await page.reload());
  await play(page, builder, again);
  await ended(page);
  await again();
  await openStylist(page);
  await again();
  await play(page, stylist, again);
  await ended(page);
  await again();
  await playGame(page);
  await checkEnd(app);
  expect(app.complaints).toEqual([]);
});

test("goes on after a reload right behind every decision, in mid-turn", { tag: "@long" }, async ({ app }) => {
  const { page } = app;
  await begin(app);
  /** One click continues a turn that the reload interrupted. */
  const settle = async () => {
    const resume = page.getByRole("button", { name: /^(Resume|Continue|Try again)$/ });
    await expect(
      resume
        .or(panel(page).getByRole("heading", { level: 2 }))
        .or(page.locator(".doing-done"))
        .first(),
    ).toBeVisible({ timeout: 20_000 });
    if (await resume.isVisible()) await resume.click();
  };
  const decisions = async () => {
    const id = /#\/dialogs\/([\w-]+)/.exec(page.url())?.[1] ?? "";
    const { markdown } = await app.json<{ markdown: string }>("GET", `dialog/${id}`);
    return markdown.match(/^Decision:/gm)?.length ?? 0;
  };
  const through = async (steps: readonly Step[]) => {
    for (const { asks, act } of steps) {
      await settle();
      await expect(panel(page).getByRole("heading", { name: asks })).toBeVisible({ timeout: 20_000 });
      const before = await decisions();
      await act(page);
      // Reload only once the decision is stored. Before that, the request would be asked again.
      await expect.poll(decisions).toBeGreaterThan(before);
      await page.reload();
    }
    await settle();
  };
  await through(builder);
  await ended(page);
  await openStylist(page);
  await through(stylist);
  await ended(page);
  await playGame(page);
  await checkEnd(app);
  expect(app.complaints).toEqual([]);
});
