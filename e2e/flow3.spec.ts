// The specification's third flow: two agents make a game that main.md asks for.
import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { type Sent, startWire, type Wire, wireNames, type WireReply } from "../tests/stand-in/wire.ts";
import type { Recorded } from "../tests/stand-in/serve.ts";
import { type App, expect, test } from "./app.ts";
import { gameFrame, playGame } from "./game.ts";
import { approve, panel, say, writeInEditor } from "./hands.ts";
import { dialogs, files, newDialog } from "./steps.ts";

const main = `# Noughts and crosses

I want a little game in my browser: a tic-tac-toe.

Two agents should work on it. The first writes the rules and the page, and launches the second, which makes the page play.
`;

/** Writes main.md as a person does. */
async function writeMain(page: Page): Promise<void> {
  await files(page).getByRole("link", { name: "main" }).click();
  await writeInEditor(page, main);
  await page.keyboard.press("ControlOrMeta+s");
  await expect(page.locator(".status .state")).toHaveText("Saved");
}

const doing = (page: Page) => page.locator(".dialog-head .doing");

/** Reads and allows what the open dialog asks for, until its agent is done. */
async function approveAll(page: Page, atMost: number): Promise<void> {
  const asks = panel(page).getByRole("heading");
  for (let approved = 0; ; approved += 1) {
    await expect(asks.or(page.locator(".dialog-head .doing-done")).first()).toBeVisible({ timeout: 20_000 });
    if (!(await asks.isVisible())) return;
    expect(approved).toBeLessThan(atMost);
    const calls = await panel(page).innerText();
    await approve(page);
    await expect.poll(async () => ((await panel(page).count()) > 0 ? panel(page).innerText() : ""), { timeout: 20_000 }).not.toBe(calls);
  }
}

interface Listed {
  readonly dialogId: string;
  readonly filename: string;
  readonly status: string;
}

/** The second agent's dialog: top level like the first, and it says who launched it. */
async function openSecond(app: App, first: string): Promise<string> {
  const { page } = app;
  const list = await app.json<Listed[]>("GET", "dialogs");
  expect(list).toHaveLength(2);
  const second = list.find(({ dialogId }) => dialogId !== first);
  if (!second) throw new Error("no second dialog");
  expect(await app.file(second.filename)).toContain(`\n> Launched by: ${first}\n`);
  await dialogs(page)
    .getByRole("link", { name: new RegExp(`^${second.dialogId.replace(/^\d{8}-\d{6}-/, "")}`) })
    .click();
  return second.dialogId;
}

async function expectBothDone(app: App): Promise<void> {
  await expect.poll(async () => (await app.json<Listed[]>("GET", "dialogs")).map(({ status }) => status)).toEqual(["done", "done"]);
}

test("with the demo: two agents make the game, and it is played", async ({ app }) => {
  const { page } = app;
  await app.open();
  await writeMain(page);
  const first = await newDialog(app, "game");
  await say(page, "please start");
  await approveAll(page, 8);
  await openSecond(app, first);
  await approveAll(page, 4);
  await expectBothDone(app);
  await playGame(page);
  // What main.md says has come to the game.
  await expect((await gameFrame(page)).getByRole("heading", { name: "Noughts and crosses" })).toBeVisible();
  expect(app.complaints).toEqual([]);
});

const part = (name: string) => readFile(new URL(`../src/engine/providers/demo/game/${name}`, import.meta.url), "utf8");
const task = "Write page.js, so that index.html plays by the rules of game.js, and style.css.";

/** What the two agents answer, told apart by how their dialogs begin; the number of results says how far they are. */
async function agents(wire: Wire): Promise<(request: Recorded) => WireReply> {
  const [rules, page, index] = await Promise.all([part("game.js"), part("page.js"), part("index.html")]);
  const write = (path: string, content: string) => ({ call: "write_file", input: { path, content } });
  const launch = { call: "launch_agent", input: { provider: wire.provider, model: wire.model, prompt: task, slug: "page" } };
  const first: Readonly<Record<number, WireReply>> = {
    0: { blocks: [{ text: "I read what is wanted." }, { call: "run_command", input: { command: "cat vibey/doc-main.md; ls" } }] },
    1: { blocks: [{ text: "The rules, and a second agent." }, write("game.js", rules), launch] },
    3: { blocks: [{ text: "The page." }, write("index.html", index)] },
    4: { blocks: [{ text: "My part is done." }] },
  };
  const second: Readonly<Record<number, WireReply>> = {
    0: { blocks: [{ text: "I read the rules." }, { call: "run_command", input: { command: "cat game.js" } }] },
    1: { blocks: [{ text: "It shall play." }, write("page.js", page), write("style.css", "body { font-family: serif; }\n")] },
    3: { blocks: [{ text: "It can be played." }] },
  };
  return (request) => {
    const sent = wire.sent(request);
    const [begin] = sent;
    const script = begin && "user" in begin && begin.user === task ? second : first;
    const reply = script[sent.filter((one) => "result" in one).length];
    if (!reply) throw new Error(`no answer to ${JSON.stringify(sent.at(-1))}`);
    return reply;
  };
}

for (const name of wireNames)
  test(`on the wire ${name}: two agents make the game, and it is played`, async ({ app }) => {
    const { page } = app;
    const wire = await startWire(name);
    try {
      const answer = await agents(wire);
      wire.play(...Array.from({ length: 7 }, () => answer));
      await app.open();
      await app.json("PUT", `provider/${wire.provider}`, { apiKey: wire.key, baseURL: wire.url, model: wire.model });
      await writeMain(page);
      const first = await newDialog(app, "game");
      await say(page, "please start");

      await expect(panel(page)).toContainText("cat vibey/doc-main.md; ls");
      await approve(page);
      await expect(panel(page).getByRole("heading")).toHaveText("The agent asks for 2 things");
      await approve(page);
      // The first goes on without waiting for the second, which works at the same time.
      await expect(panel(page)).toContainText("index.html");
      await openSecond(app, first);
      await expect(panel(page)).toContainText("cat game.js");
      await approve(page);
      await expect(panel(page)).toContainText("page.js");
      await dialogs(page).getByRole("link", { name: /^game/ }).click();
      await approveAll(page, 1);
      await dialogs(page).getByRole("link", { name: /^page/ }).click();
      await approveAll(page, 1);
      await expect(doing(page)).toHaveClass(/doing-done/);
      await expectBothDone(app);
      await playGame(page);

      // A server that is not known yet says what it wants; after the first answer no request of either agent is refused.
      const taken = wire.requests.slice(wire.requests.findIndex(({ refused }) => refused === null));
      expect(taken.map(({ refused }) => refused)).toEqual(Array.from({ length: 7 }, () => null));
      if (name === "messages") expect(wire.requests).toHaveLength(7);
      const begun = taken.map((request) => wire.sent(request)[0]);
      const of = (words: string): Sent[] => begun.flatMap((one) => (one && "user" in one && one.user === words ? [one] : []));
      expect([of("please start").length, of(task).length]).toEqual([4, 3]);
      // Every agent is told what main.md says.
      for (const { raw } of taken) expect(raw).toContain("I want a little game in my browser: a tic-tac-toe.");
      expect(app.complaints).toEqual([]);
    } finally {
      await wire.close();
    }
  });
