// What a person sees of the sandbox: live output, a request for a host, and the changes of a turn.
import type { Locator, Page } from "@playwright/test";
import { type Reply, say as reply } from "../tests/stand-in/claude.ts";
import { approve } from "./hands.ts";
import { dialogs, dialogWith, expect, panel, putDeed, say, test } from "./steps.ts";

const run = (command: string, id = "toolu_run"): Reply => ({ blocks: [{ call: "run_command", id, input: { command } }] });
const result = (page: Page): Locator => page.locator(".call .output");
const openCall = (page: Page) => page.locator(".call summary").last().click();

test("a command's output shows while it runs, and is kept when it is stopped", { tag: "@long" }, async ({ app, claude }) => {
  const { page } = app;
  await dialogWith(app, claude, run("echo begun; while :; do echo tick; sleep 0.1; done"));
  await approve(page);
  const output = page.getByRole("region", { name: "Output so far" });
  await expect(output).toContainText("begun\ntick\ntick");
  await expect(page.locator(".live-time")).toHaveText(/^running for \d+ s$/);
  await page.getByRole("button", { name: "Stop" }).click();
  await expect(output).toHaveCount(0);
  await openCall(page);
  await expect(result(page)).toContainText("begun");
  await expect(result(page)).toContainText("stopped before it ended");
});

test("the time limit is raised where it stopped a command, and a command goes on in the background until it is stopped", {
  tag: "@long",
}, async ({ app, claude }) => {
  const { page } = app;
  const id = await dialogWith(app, claude, reply("Hello."));
  await expect(page.getByText("Hello.")).toBeVisible();
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("button", { name: "Permissions" }).click();
  const seconds = page.getByRole("spinbutton", { name: "Command time limit, in seconds" });
  await expect(seconds).toHaveValue("30");
  await seconds.fill("0");
  await page.getByRole("button", { name: "Change", exact: true }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Enter a whole number from 1 to 3600." })).toBeVisible();
  await seconds.fill("1");
  await page.getByRole("button", { name: "Change", exact: true }).click();
  await expect(page.getByText("Commands in this dialog can run for 1 s.")).toBeVisible();
  await page.getByRole("button", { name: "Close" }).click();

  claude.play(run("sleep 30"), reply("It took too long."), {
    blocks: [{ call: "run_command", id: "toolu_beside", input: { command: "while :; do sleep 0.1; done", background: true } }],
  });
  await say(page, "Sleep.");
  await approve(page);
  await expect(page.getByText("A command was stopped after 1 s.")).toBeVisible();
  await page.getByRole("button", { name: "2 min" }).click();
  await expect(page.getByText("A command was stopped after 1 s.")).toHaveCount(0);
  expect((await app.json<{ commandSeconds: number }>("GET", `dialog/${id}`)).commandSeconds).toBe(120);

  claude.play(reply("It goes on."));
  await say(page, "Watch.");
  await approve(page);
  await expect(page.locator(".call summary em").last()).toHaveText(/ · in the background as bg-1$/);
  const beside = page.getByRole("list", { name: "Background commands" });
  await expect(beside).toContainText("running since");
  await beside.getByRole("button", { name: /^Stop/ }).click();
  await expect(beside).toContainText("stopped");
});

test("a host is asked for once: refused, it is not reached; allowed, it is, and both can be changed", { tag: "@long" }, async ({
  app,
  claude,
  context,
}) => {
  const { page } = app;
  const reached: string[] = [];
  await context.route(/^https:\/\/(one|two)\.example\//, (route) => {
    reached.push(route.request().url());
    return route.fulfill({ body: "from two\n", headers: { "access-control-allow-origin": "*" } });
  });
  await dialogWith(
    app,
    claude,
    run("curl -s https://one.example/secret?a=1; curl -s https://two.example/data; curl -s https://two.example/more"),
  );
  claude.play(reply("Done."));
  await approve(page);

  await expect(panel(page).getByRole("heading", { level: 2 })).toHaveText("A command wants to connect to one.example");
  await expect(panel(page)).toContainText("GET https://one.example/secret?a=1");
  await expect(dialogs(page)).toContainText("wants to connect to one.example");
  await expect(dialogs(page).getByRole("heading", { name: "Waiting for you" })).toBeVisible();
  await expect(page).toHaveTitle("(1) Vibey");
  // A key can't allow the connection by accident.
  await page.keyboard.press("Enter");
  await panel(page).getByRole("button", { name: "Block" }).click();

  await expect(panel(page).getByRole("heading", { level: 2 })).toHaveText("A command wants to connect to two.example");
  await panel(page).getByRole("button", { name: "Allow GET only" }).click();
  await expect(panel(page)).toHaveCount(0);
  await expect(page.getByText("Done.")).toBeVisible();
  expect(reached).toEqual(["https://two.example/data", "https://two.example/more"]);
  await page.locator(".call summary").first().click();
  await expect(result(page).first()).toContainText("from two");

  await page.getByRole("button", { name: "Change which hosts commands can connect to" }).click();
  const details = page.getByRole("dialog", { name: "Permissions" });
  const hosts = details.getByRole("list", { name: "Hosts that commands can or can't connect to" });
  await hosts.getByRole("combobox", { name: "What commands can do at two.example" }).selectOption("Nothing");
  await expect(page.getByText("Commands can't connect to one.example and two.example.").first()).toBeVisible();
});

test("what a turn changed is undone by one click, and the history knows who did what", async ({ app, claude }) => {
  const { page } = app;
  await app.open();
  for (const name of ["a.txt", "b.txt", "c.txt"]) await putDeed(app, `src/${name}`, `${name} as it was\n`);
  const id = await dialogWith(app, claude, run("rm -rf src; echo mine > left.txt"), "tidy");
  claude.play(reply("All gone."));
  await approve(page);

  const end = page.getByRole("region", { name: "Changes in this turn" });
  await expect(end).toContainText("Changed 4 files");
  expect((await app.ask("GET", "deed/src/a.txt")).status).toBe(404);
  await end.getByRole("button", { name: "Undo" }).click();
  await expect(end.getByRole("status")).toHaveText("Undid changes to 4 files.");
  expect(await app.file("src/b.txt")).toBe("b.txt as it was\n");
  expect((await app.ask("GET", "deed/left.txt")).status).toBe(404);

  // The history stores the undo, so the page shows it after a reload.
  await page.reload();
  await expect(end).toContainText("Changed 4 files (undone)");
  await end.getByRole("button", { name: "Redo" }).click();
  await expect(end.getByRole("status")).toHaveText("Redid changes to 4 files.");
  expect(await app.file("left.txt")).toBe("mine\n");
  await end.getByRole("button", { name: "Undo" }).click();
  await expect(end).toContainText("undone");

  await end.getByRole("link", { name: "Show" }).click();
  await expect(page.getByRole("link", { name: "tidy", exact: true })).toHaveAttribute("href", `#/dialogs/${id}`);
  await expect(page.locator(".commit-meta")).toContainText("1 added, 3 removed");
  await page.locator(".changed-file summary", { hasText: "src/a.txt" }).click();
  await expect(page.locator(".changed-file .diff-remove")).toContainText("a.txt as it was");

  await expect(page.getByText("This change was undone")).toBeVisible();
  const list = page.getByRole("navigation", { name: "History" });
  await expect(list).toContainText("tidy · 4 files · undone");
  await page.getByLabel("Changes by").selectOption("tidy");
  await expect(list.getByRole("link")).toHaveCount(1);
  await page.getByLabel("Changes by").selectOption("Vibey");
  // Files written at nearly the same time are one commit, whose title has their short names.
  await expect(list).toContainText("main.md");
  await page.getByLabel("Changes by").selectOption("everyone");

  // Restores everything to the state right after the agent's turn. The dialog box lists the files that will change.
  await page.getByRole("button", { name: "Restore everything to this point…" }).click();
  const confirm = page.getByRole("dialog", { name: "Restore everything?" });
  await expect(confirm.getByRole("list", { name: "Files that will change" })).toContainText("src/b.txt");
  await confirm.getByRole("button", { name: "Restore everything" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Restored 4 files." })).toBeVisible();
  expect(await app.file("left.txt")).toBe("mine\n");

  await page.goto("#/deed/left.txt");
  await page.getByRole("main").getByRole("link", { name: "History" }).click();
  await expect(list).toContainText("Only left.txt");
});
