// The limits in main.md apply to requests and on the screen: who runs, who waits and why, and who is told.
import { startWire } from "../tests/stand-in/wire.ts";
import { type App, expect, test } from "./app.ts";
import { say } from "./hands.ts";
import { dialogs, newDialog } from "./steps.ts";
import { everybody, expectDone, expectWhole, get, launch, logOf, main, playTeam, worker } from "./team.ts";

const notices = (app: App) => app.page.getByRole("region", { name: "Notifications" });
const row = (app: App, name: string) => dialogs(app.page).getByRole("link", { name: new RegExp(`^${name}\\b`) });
const setMain = (app: App, ...lines: readonly string[]) =>
  app.json("POST", "file/doc-main.md", { content: main("Authorized: run_command", ...lines) });

async function sayToAll(app: App, words: string): Promise<void> {
  const all = await get<{ dialogId: string }[]>(app.page, "dialogs");
  for (const { dialogId } of all)
    await app.page.evaluate(
      async (body) => void (await fetch("dialog", { method: "PUT", body })),
      JSON.stringify({ dialogId, prompt: words }),
    );
}

test("two at a time: four are launched, never more than two requests are open, and Stop all stops all", { tag: "@long" }, async ({
  app,
}) => {
  const { page } = app;
  const wire = await startWire("messages");
  try {
    const hands = ["north", "south", "east", "west"];
    const team = playTeam(wire, {
      lead: [{ text: "I launch four.", calls: hands.map((name) => launch(wire, name)) }, ...worker("lead")],
      ...Object.fromEntries(hands.map((name) => [name, worker(name)])),
    });
    await app.open();
    await app.json("PUT", `provider/${wire.provider}`, { apiKey: wire.key, baseURL: wire.url, model: wire.model });
    await setMain(app, "Limit: agents 2");
    const list = dialogs(page).getByRole("heading");
    await newDialog(app, "lead");
    const release = team.hold("lead 2", "north 1", "south 1", "east 1", "west 1");
    await say(page, "lead: begin.");
    await expect(list).toHaveText(["Running · 2", "Queued · 3"]);
    await expect(row(app, "south")).toContainText("next in the queue");
    await expect(row(app, "east")).toContainText("queued, 1 ahead");
    await expect(row(app, "west")).toContainText("queued, 2 ahead");
    await expect(notices(app)).toContainText("2 agents are already running, which is the limit");
    await expect.poll(() => team.asked.toSorted()).toEqual(["lead 1", "lead 2", "north 1"]);
    expect(team.peak()).toBe(2);

    // A higher limit lets the next agent begin; a lower one stops no one.
    await setMain(app, "Limit: agents 3");
    await expect(list).toHaveText(["Running · 3", "Queued · 2"]);
    await expect.poll(() => team.asked.at(-1)).toBe("south 1");
    await setMain(app, "Limit: agents 2");
    await expect(row(app, "east")).toContainText("next in the queue");
    await expect(list).toHaveText(["Running · 3", "Queued · 2"]);
    expect(team.peak()).toBe(3);

    await dialogs(page).getByRole("button", { name: "Stop all" }).click();
    await expect(notices(app)).toContainText("Stopped 5 agents.");
    await expect(list).toHaveText(["Stopped"]);
    await expect.poll(team.open).toBe(0);
    expect(team.asked).toHaveLength(4);
    team.peak();

    // All of them continue, two at a time.
    release();
    await sayToAll(app, "Please continue.");
    await expectDone(page);
    expect(team.peak()).toBeLessThanOrEqual(2);
    await expectWhole(page);
    expect(await logOf(page)).toEqual([...everybody]);
    expect(team.problems).toEqual([]);
    expect(wire.requests.flatMap(({ refused }) => refused ?? [])).toEqual([]);
    expect(app.complaints).toEqual([]);
  } finally {
    await wire.close();
  }
});

test("how deep and how many launches an hour: the agent is told, and so is the person", { tag: "@long" }, async ({ app }) => {
  const { page } = app;
  const wire = await startWire("messages");
  try {
    const team = playTeam(wire, {
      lead: [{ text: "I launch three.", calls: ["north", "south", "east"].map((name) => launch(wire, name)) }, ...worker("lead")],
      north: [{ text: "I need help.", calls: [launch(wire, "west")] }, ...worker("north")],
      south: worker("south"),
      east: worker("east"),
    });
    await app.open();
    await app.json("PUT", `provider/${wire.provider}`, { apiKey: wire.key, baseURL: wire.url, model: wire.model });
    await setMain(app, "Limit: depth 1", "Limit: launches 2");
    await newDialog(app, "lead");
    await say(page, "lead: begin.");

    // Too deep: nothing is created, and the agent continues without it.
    await expect(notices(app)).toContainText("Agents can be nested 1 deep (doc-main.md: > Limit: depth 1), and this agent is at depth 1");
    // One launch too many: the dialog exists and begins later.
    await expect(notices(app)).toContainText("2 agents were launched by agents in the last 60 minutes, which is the limit");
    await expect(dialogs(page).getByRole("heading")).toHaveText(["Queued · 1", "Done"]);
    await row(app, "east").click();
    await expect(page.locator(".strip")).toContainText(
      "This agent is next in the queue. 2 agents were launched by agents in the last 60 minutes",
    );
    await expect(page.locator(".strip")).toContainText("> Limit: launches 2");
    const told = wire.requests
      .flatMap((request) => wire.sent(request))
      .flatMap((one) => ("result" in one && one.text.includes("1 deep") ? [one.text] : []));
    expect(told[0]).toContain("No dialog was created");
    expect(team.asked.filter((one) => one.startsWith("east"))).toEqual([]);

    await setMain(app, "Limit: depth 1", "Limit: launches 3");
    await expect(page.locator(".strip")).toHaveCount(0);
    await expectDone(page, ["lead", "north", "south", "east"]);
    await expectWhole(page);
    expect(await logOf(page)).toEqual(["east", "lead", "north", "south"]);
    expect(team.problems).toEqual([]);
    expect(app.complaints).toEqual([]);
  } finally {
    await wire.close();
  }
});
