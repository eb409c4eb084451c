// The specification's three flows, each with a mouse, with a finger on a phone, and with the keyboard alone.
import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { say as reply } from "../tests/stand-in/claude.ts";
import type { Recorded } from "../tests/stand-in/serve.ts";
import { type Sent, startWire, type Wire, type WireName, wireNames, type WireReply } from "../tests/stand-in/wire.ts";
import type { App } from "./app.ts";
import { gameFrame } from "./game.ts";
import { editor, expectInEditor, panel, textInEditor } from "./hands.ts";
import { expect, filenameOf, markdownOf, messageBox, putDeed, test } from "./steps.ts";
import { expectFits, readAndApprove, type Way, ways } from "./ways.ts";

const answers = (page: Page) => page.getByRole("article", { name: "Agent" });

/** Opens a new dialog with this name. Returns its id. */
async function openDialog(app: App, way: Way, name: string): Promise<string> {
  const { page } = app;
  await way.list(page, "Dialogs");
  await way.press(page, "button", "+ New dialog");
  await expect(page.getByRole("textbox", { name: "Dialog name" })).toBeFocused();
  await page.keyboard.insertText(name);
  await way.submit(page, "Create", "Enter");
  // The message box has the focus.
  await expect(messageBox(page)).toBeFocused();
  const id = /#\/dialogs\/(\d{8}-\d{6}-[\w-]+)$/.exec(page.url())?.[1];
  if (id === undefined) throw new Error(`no dialog is open at ${page.url()}`);
  return id;
}

async function send(page: Page, way: Way, text: string): Promise<void> {
  await way.enter(page, "Message");
  await page.keyboard.insertText(text);
  await way.submit(page, /^Send/, "ControlOrMeta+Enter");
}

/** Replaces the text of the open file. */
async function rewrite(page: Page, way: Way, name: string, text: string): Promise<void> {
  await way.enter(page, name);
  await expect(editor(page)).toBeFocused();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText(text);
}

async function save(page: Page, way: Way): Promise<void> {
  await way.command(page, /^Save/, "ControlOrMeta+s");
  await expect(page.locator(".status .state")).toHaveText("Saved");
}

for (const [name, way] of Object.entries(ways))
  test.describe(`with ${name === "keyboard" ? "the keyboard alone" : name === "touch" ? "a finger" : "the mouse"}`, () => {
    test.use(way.use);

    test("flow 1: a dialog is opened and answered, and its diff authorized once and applied", {
      tag: name === "keyboard" ? [] : "@long",
    }, async ({ app, openai }) => {
      const { page } = app;
      await app.open();
      await app.json("PUT", "provider/openai", { apiKey: openai.key, baseURL: openai.url, model: "gpt-5.5" });
      await putDeed(app, "game.txt", `one\ntwo\n${"a line more\n".repeat(40)}the last\n`);

      // I appear on the Files tab. I go to the dialogs tab. I open a new dialog, entering its name.
      await expect(page.getByRole("tab", { name: "Docs" })).toHaveAttribute("aria-selected", "true");
      const id = await openDialog(app, way, "my first");
      // A file named dialog-<timestamp>-<name>-waiting.md is created.
      expect((await app.json<string[]>("GET", "files")).filter((file) => file.startsWith("dialog-"))).toEqual([`dialog-${id}-waiting.md`]);
      await expectFits(page);

      // The provider is selected. I enter some text in the box below, and I send it.
      await expect(page.getByRole("combobox", { name: "Provider" })).toHaveValue("openai");
      openai.play({ blocks: [{ text: "Hello, human." }], usage: { input: 123, output: 456 } });
      await send(page, way, "Hello!");
      // I get a response. I can see tokens used, times.
      await expect(answers(page).first()).toContainText("Hello, human.");
      await expect(answers(page).first().locator(".usage")).toContainText("123 tokens in · 456 out");
      await expect(answers(page).first().locator(".usage")).toContainText("579 total in this dialog");
      await expect(answers(page).first().locator("time")).toHaveText(/^\d\d:\d\d(:\d\d)? – \d\d:\d\d(:\d\d)?$/);
      await expect.poll(() => filenameOf(app, id)).toBe(`dialog-${id}-done.md`);

      // I ask a question which requires tool use, a diff. The model asks for it and I need to authorize it. I authorize it once.
      const before = await app.file("game.txt");
      const edited = { path: "game.txt", old_string: before, new_string: before.replace("two", "TWO").replace("last", "end") };
      openai.play({ blocks: [{ text: "I change two lines." }, { call: "edit_file", input: edited }] }, reply("It is changed."));
      await send(page, way, "Please write two in capitals.");
      await expect(panel(page)).toContainText("The agent wants to edit a file");
      await expect(panel(page).locator(".diff-add")).toHaveText([/TWO/, /the end/]);
      expect(await filenameOf(app, id)).toBe(`dialog-${id}-waiting.md`);
      expect(await app.file("game.txt")).toBe(before);
      await readAndApprove(page, way);

      // The diff is applied.
      await expect(answers(page).last()).toContainText("It is changed.");
      expect(await app.file("game.txt")).toBe(edited.new_string);
      const markdown = await markdownOf(app, id);
      expect(markdown.match(/^Decision: approved$/gm)).toHaveLength(1);
      expect(markdown).not.toContain("> Authorized:");
      expect(app.complaints).toEqual([]);
    });

    test("flow 2: main.md is edited and saved, and what was changed after it discarded", { tag: "@long" }, async ({ app }) => {
      const { page } = app;
      await app.open();
      // I appear on the Files tab. I click on main.md (which is, under the hood, doc-main.md).
      await expect(page.getByRole("tab", { name: "Docs" })).toHaveAttribute("aria-selected", "true");
      await way.list(page, "Docs");
      await way.press(page, "link", /^main\b/);
      await expect(page).toHaveURL(/#\/docs\/doc-main\.md$/);

      // I can have a good editing experience of the file: what is written shows as what it is, and Enter goes on with a list.
      await rewrite(page, way, "main", "# A game\n\n");
      await page.keyboard.type("A **big** one.\n\n- for two\nto play");
      const written = "# A game\n\nA **big** one.\n\n- for two\n- to play";
      await expectInEditor(page, written);
      await expect(editor(page).locator(".cm-line").first()).toHaveCSS("font-weight", "650");
      await expect(page.locator(".status .state")).toHaveText("Unsaved changes");
      await expectFits(page);

      // I can save my changes.
      await save(page, way);
      expect(await app.file("doc-main.md")).toBe(written);

      // I can make more changes and discard them.
      await way.enter(page, "main");
      await page.keyboard.press("ControlOrMeta+End");
      await page.keyboard.type(", or for three");
      await expect(page.locator(".status .state")).toHaveText("Unsaved changes");
      await way.press(page, "button", "Discard");
      await expectInEditor(page, written);
      await expect(page.locator(".status .state")).toHaveText("Saved");
      await page.reload();
      await expect.poll(() => textInEditor(page)).toBe(written);
      expect(await app.file("doc-main.md")).toBe(written);
      expect(app.complaints).toEqual([]);
    });

    test("flow 3 with the demo: two agents make the game that main.md asks for, and it is played", {
      tag: "@long",
    }, async ({ app }) => {
      const { page } = app;
      await app.open();
      await makeGame(app, way, "style-the-page");
      // The game contains the requirement from main.md.
      await expect((await gameFrame(page)).getByRole("heading", { name: "Noughts and crosses" })).toBeVisible();
      expect(app.complaints).toEqual([]);
    });
  });

const main = `# Noughts and crosses

I want a little game in my browser: a tic-tac-toe.

Two agents should work on it. The first writes the rules and the page, and launches the second, which makes the page play.
`;

interface Listed {
  readonly dialogId: string;
  readonly filename: string;
  readonly status: string;
}

/** The third flow with any two agents. `second` is the name of the second agent's dialog. */
async function makeGame(app: App, way: Way, second: string): Promise<void> {
  const { page } = app;
  // I write in main.md that I want to create a little game, and that two agents should work on it.
  await way.list(page, "Docs");
  await way.press(page, "link", /^main\b/);
  await rewrite(page, way, "main", main);
  await expectInEditor(page, main);
  await save(page, way);
  // I go to the dialogs tab. I start a new dialog to say "please start".
  const first = await openDialog(app, way, "game");
  await send(page, way, "please start");
  // The agent starts working, spawning another agent. It does not wait for that one to end.
  await approveAll(page, way, 8);
  const list = await app.json<Listed[]>("GET", "dialogs");
  expect(list.map(({ dialogId, status }) => [dialogId.slice(16), status])).toEqual(
    expect.arrayContaining([
      ["game", "done"],
      [second, "waiting"],
    ]),
  );
  expect(list).toHaveLength(2);
  // The second agent's dialog is top level like the first, and says who launched it.
  const launched = list.find(({ dialogId }) => dialogId !== first)?.filename ?? "";
  expect(await app.file(launched)).toContain(`\n> Launched by: ${first}\n`);
  await way.nextWaiting(page, second);
  await expect(page).toHaveURL(new RegExp(`-${second}$`));
  // The first dialog, which is done, may still show for a moment.
  await expect(panel(page).getByRole("heading", { level: 2 })).toBeVisible();
  await approveAll(page, way, 4);
  expect((await app.json<Listed[]>("GET", "dialogs")).map(({ status }) => status)).toEqual(["done", "done"]);

  await way.command(page, "Preview", "ControlOrMeta+Backslash");
  const frame = await gameFrame(page);
  await expect(frame.getByRole("status")).toHaveText("X to move.");
  await way.take(page, frame, [
    [1, 3],
    [1, 1],
    [2, 2],
    [1, 2],
    [3, 1],
  ]);
  await expect(frame.getByRole("status")).toHaveText("X wins.");
}

/** Reads and approves the open dialog's requests until its agent is done. */
async function approveAll(page: Page, way: Way, atMost: number): Promise<void> {
  const asks = panel(page).getByRole("heading", { level: 2 });
  for (let approved = 0; ; approved += 1) {
    await expect(asks.or(page.locator(".dialog-head .doing-done")).first()).toBeVisible();
    if (!(await asks.isVisible())) return;
    expect(approved).toBeLessThan(atMost);
    const calls = await panel(page).innerText();
    await readAndApprove(page, way);
    await expect.poll(async () => ((await panel(page).count()) > 0 ? panel(page).innerText() : "")).not.toBe(calls);
  }
}

const part = (name: string) => readFile(new URL(`../src/engine/providers/demo/game/${name}`, import.meta.url), "utf8");
const task = "Write page.js, so that index.html plays by the rules of game.js, and style.css.";

/** The answers of the two agents. The first message tells them apart; the number of results says how far each one is. */
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
    1: {
      blocks: [{ text: "It shall play." }, write("page.js", page), write("style.css", "#board button { width: 5rem; height: 5rem; }\n")],
    },
    3: { blocks: [{ text: "It can be played." }] },
  };
  return (request) => {
    const sent = wire.sent(request);
    const [begin] = sent;
    const script = begin && "user" in begin && begin.user === task ? second : first;
    const answer = script[sent.filter((one) => "result" in one).length];
    if (!answer) throw new Error(`no answer to ${JSON.stringify(sent.at(-1))}`);
    return answer;
  };
}

const handsOn: Readonly<Record<WireName, Way>> = { messages: ways.mouse, chat: ways.touch, responses: ways.keyboard };
for (const name of wireNames)
  test.describe("on a wire", () => {
    test.use(handsOn[name].use);
    test(`flow 3 on the wire ${name}: two agents make the game, and it is played`, { tag: "@long" }, async ({ app }) => {
      const wire = await startWire(name);
      try {
        const answer = await agents(wire);
        wire.play(...Array.from({ length: 7 }, () => answer));
        await app.open();
        await app.json("PUT", `provider/${wire.provider}`, { apiKey: wire.key, baseURL: wire.url, model: wire.model });
        await makeGame(app, handsOn[name], "page");

        // A server that Vibey doesn't know yet refuses requests with a reason. After its first answer, no request of either agent is refused.
        const taken = wire.requests.slice(wire.requests.findIndex(({ refused }) => refused === null));
        expect(taken.map(({ refused }) => refused)).toEqual(Array.from({ length: 7 }, () => null));
        if (name === "messages") expect(wire.requests).toHaveLength(7);
        const begun = taken.map((request) => wire.sent(request)[0]);
        const of = (words: string): Sent[] => begun.flatMap((one) => (one && "user" in one && one.user === words ? [one] : []));
        expect([of("please start").length, of(task).length]).toEqual([4, 3]);
        // Every agent gets the content of main.md.
        for (const { raw } of taken) expect(raw).toContain("I want a little game in my browser: a tic-tac-toe.");
        expect(app.complaints).toEqual([]);
      } finally {
        await wire.close();
      }
    });
  });
