// Several agents and two tabs that take turns. There is one engine, one request for each response, and one run of each call.
import type { BrowserContext, Page } from "@playwright/test";
import { startWire } from "../tests/stand-in/wire.ts";
import { expect, test } from "./app.ts";
import { approve, approveButton, messages, panel, readToTheEnd, say } from "./hands.ts";
import { dialogs, newDialog, overview } from "./steps.ts";
import { everybody, expectDone, expectWhole, family, get, logOf, main, playTeam } from "./team.ts";

const doing = (page: Page) => page.locator(".dialog-head .doing");
/** A dialog's row: in the list next to an open dialog, or in the overview if none is open. */
const row = (page: Page, name: string) =>
  dialogs(page)
    .or(overview(page))
    .getByRole("link", { name: new RegExp(`^${name}\\b`) });

async function openTab(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.goto("./#/dialogs");
  await expect(overview(page)).toBeVisible();
  return page;
}

async function openDialog(page: Page, name: string): Promise<void> {
  await row(page, name).click();
  await expect(page.getByRole("heading", { level: 2, name, exact: true })).toBeVisible();
}

/** The number of workers that run the engine, and the number of relays. */
const roles = (page: Page): Promise<readonly [engines: number, relays: number]> =>
  page.evaluate(async () => {
    const { held = [] } = await navigator.locks.query();
    const count = (start: string) => held.filter(({ name }) => name?.startsWith(start)).length;
    return [count("vibey-project-engine"), count("vibey-project-line-")] as const;
  });

test("two tabs begin, watch, allow, stop and resume agents by turns", { tag: "@long" }, async ({ app, context }) => {
  const { page: a } = app;
  const wire = await startWire("chat");
  try {
    const team = playTeam(wire, family(wire));
    await app.open();
    await app.json("PUT", `provider/${wire.provider}`, { apiKey: wire.key, baseURL: wire.url, model: wire.model });
    await app.json("POST", "file/doc-main.md", { content: main() });
    const b = await openTab(context);

    // Started in A, watched in B while the text arrives.
    const release = team.hold("lead 2");
    team.stall("south 1", "lead 3");
    await newDialog(app, "lead");
    await say(a, "lead: begin.");
    await openDialog(b, "south");
    for (const page of [a, b]) await expect(row(page, "south")).toContainText("writing…");
    await expect(messages(b)).toContainText("I am south. And on it goes.");
    await expect(doing(b)).toHaveClass(/doing-active/);

    // Stopped in B, continued in A.
    await openDialog(a, "south");
    await b.getByRole("button", { name: "Stop", exact: true }).click();
    for (const page of [a, b]) await expect(doing(page)).toHaveText(/^stopped/);
    const stopped = wire.requests.find((request) => request.raw.includes("south: do your part.") && !request.raw.includes("lead: begin."));
    expect(await stopped?.left).toBe(true);
    await a.getByRole("button", { name: "Continue" }).click();

    // Both approve the same call at once, each with a double click.
    for (const page of [a, b]) {
      await expect(panel(page)).toContainText("echo south >> log.txt");
      await readToTheEnd(page);
      await expect(approveButton(page)).toBeEnabled();
    }
    // The button may disappear in the slower tab before it is clicked there.
    const clicks = await Promise.allSettled([a, b].map((page) => approveButton(page).dblclick({ force: true, timeout: 5_000 })));
    expect(clicks.map(({ status }) => status)).toContain("fulfilled");
    for (const page of [a, b]) await expect(messages(page)).toContainText("This was south.");

    // Approved in B, seen in A.
    await openDialog(a, "north");
    await openDialog(b, "north");
    await approve(b);
    for (const page of [a, b]) await expect(messages(page)).toContainText("This was north.");
    expect(await roles(b)).toEqual([1, 1]);

    // A, which has the engine, is closed in the middle of a text; B continues.
    release();
    await openDialog(a, "lead");
    await expect(messages(a)).toContainText("Now the log, says lead. And on it goes.");
    await expect(row(b, "west")).toContainText(/Run |Write |Edit |Launch agent /);
    await expect(row(b, "east")).toContainText(/Run |Write |Edit |Launch agent /);
    await a.close();
    await expect(row(b, "lead")).toContainText("interrupted");
    expect(await roles(b)).toEqual([1, 0]);
    await openDialog(b, "lead");
    await expect(messages(b)).toContainText("Interrupted here");
    await b.getByRole("button", { name: "Continue", exact: true }).click();
    await approve(b);
    await expect(messages(b)).toContainText("This was lead.");

    // A is opened again, and each tab approves one of the last two.
    const again = await openTab(context);
    await openDialog(again, "east");
    await openDialog(b, "west");
    await Promise.all([approve(again), approve(b)]);
    await expectDone(again);
    for (const page of [again, b]) await expect(dialogs(page).getByRole("heading")).toHaveText(["Done"]);
    expect(await roles(b)).toEqual([1, 1]);

    const whole = await expectWhole(b);
    expect(await Promise.all(whole.map(({ dialogId }) => get(again, `dialog/${dialogId}`)))).toEqual(whole);
    expect(await logOf(again)).toEqual([...everybody]);
    expect(team.problems).toEqual([]);
    const requests = { east: 4, lead: 5, north: 3, south: 4, west: 3 };
    expect(team.asked.toSorted()).toEqual(
      everybody.flatMap((each) => Array.from({ length: requests[each] }, (_, nth) => `${each} ${nth + 1}`)),
    );
    expect(app.complaints).toEqual([]);
  } finally {
    await wire.close();
  }
});
