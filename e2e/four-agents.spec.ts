// Many agents at the same time: the first launches three, and one of those launches another. All write files, and all ask for a command.
import { parseDialog } from "../src/dialog/parse.ts";
import { serialiseDialog } from "../src/dialog/serialise.ts";
import { startWire, wireNames } from "../tests/stand-in/wire.ts";
import { expect, test } from "./app.ts";
import { playGame } from "./game.ts";
import { approve, panel, say } from "./hands.ts";
import { dialogs, newDialog } from "./steps.ts";
import { everybody, expectDone, expectWhole, family, get, logOf, main, playTeam } from "./team.ts";

for (const name of wireNames)
  test(`on the wire ${name}: four agents work at one time, and a fifth that one of them launched`, {
    tag: name === "messages" ? [] : "@long",
  }, async ({ app }) => {
    const { page } = app;
    const wire = await startWire(name);
    try {
      const team = playTeam(wire, family(wire));
      await app.open();
      await app.json("PUT", `provider/${wire.provider}`, { apiKey: wire.key, baseURL: wire.url, model: wire.model });
      await app.json("POST", "file/doc-main.md", { content: main() });
      await newDialog(app, "lead");
      const release = team.hold("lead 2", "north 1", "south 1", "east 1");
      await say(page, "lead: begin.");
      const list = dialogs(page);
      await expect(list.getByRole("heading")).toHaveText(["Running · 4"]);
      await expect.poll(team.open).toBe(4);
      release();

      // main.md authorizes writing files and launching. For its command, each agent asks in its own dialog.
      await expect(list.locator(".mark-leave")).toHaveCount(5, { timeout: 20_000 });
      for (const each of everybody) {
        await list.getByRole("link", { name: new RegExp(`^${each}\\b`) }).click();
        await expect(panel(page)).toContainText(`echo ${each} >> log.txt`);
        await approve(page);
        await expect(panel(page)).toHaveCount(0);
      }
      await expectDone(page);
      await expect(list.getByRole("heading")).toHaveText(["Done"]);

      const all = await expectWhole(page);
      const nameOf = (id: string | null) => id?.replace(/^\d{8}-\d{6}-/, "") ?? null;
      expect(Object.fromEntries(all.map(({ dialogId, launchedBy }) => [nameOf(dialogId), nameOf(launchedBy)]))).toEqual({
        lead: null,
        north: "lead",
        south: "lead",
        east: "lead",
        west: "east",
      });
      expect(await logOf(page)).toEqual([...everybody]);
      for (const each of everybody) expect(await app.file(`${each}.txt`)).toBe(`By ${each}.\n`);
      expect(team.problems).toEqual([]);
      expect(team.asked.toSorted()).toEqual(
        everybody.flatMap((each) => [1, 2, 3, ...(each === "lead" || each === "east" ? [4] : [])].map((nth) => `${each} ${nth}`)),
      );
      // A server that Vibey doesn't know yet refuses a request once, with a reason.
      expect(
        wire.requests.slice(wire.requests.findIndex(({ refused }) => refused === null)).flatMap(({ refused }) => refused ?? []),
      ).toEqual([]);
      expect(app.complaints).toEqual([]);
    } finally {
      await wire.close();
    }
  });

test("with the demo: two agents build at one time, each launches another, and all come to the end", { tag: "@long" }, async ({ app }) => {
  const { page } = app;
  await app.open("#/dialogs");
  await app.json("POST", "file/doc-main.md", { content: main("Authorized: run_command", "Authorized: edit_file") });
  await page.evaluate(async () => {
    for (const slug of ["first", "second"])
      await fetch("dialog", { method: "POST", body: JSON.stringify({ provider: "demo", slug, prompt: "Build the game." }) });
    const [newest]: { dialogId: string }[] = await (await fetch("dialogs")).json();
    location.hash = `#/dialogs/${newest?.dialogId}`;
  });
  const list = dialogs(page);
  await expect(list.getByRole("heading")).toHaveText(["Running · 2"]);
  await expect(list.getByRole("link", { name: /^style-the-page/ })).toHaveCount(2, { timeout: 30_000 });
  await expect(list.getByRole("heading")).toHaveText(["Done"], { timeout: 30_000 });
  const all = await get<{ dialogId: string }[]>(page, "dialogs");
  expect(all).toHaveLength(4);
  for (const { dialogId } of all) {
    const { markdown } = await get<{ markdown: string }>(page, `dialog/${dialogId}`);
    expect(serialiseDialog(parseDialog(markdown))).toBe(markdown);
  }
  await playGame(page);
  expect(app.complaints).toEqual([]);
});
