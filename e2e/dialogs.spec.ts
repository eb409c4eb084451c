// The specification's "Client: dialogs", and the requirements for the screen in its list of tasks.
import { type Recorded, say as reply } from "../tests/stand-in/claude.ts";
import {
  asked,
  colour,
  dialogs,
  dialogWith,
  expect,
  filenameOf,
  markdownOf,
  messageBox,
  newDialog,
  openWithKey,
  panel,
  say,
  sendButton,
  test,
} from "./steps.ts";

const agent = { name: "Agent" } as const;

test("the sidebar lists the dialog files, by what a person has to do about them", async ({ app, claude }) => {
  await openWithKey(app, claude);
  await app.json("POST", "file/doc-plan.md", { content: "no dialog" });
  await newDialog(app, "first");
  claude.play(reply("Done."));
  await say(app.page, "Go.");
  await expect(app.page.locator(".doing")).toHaveText("done");
  await newDialog(app, "second");
  await expect(dialogs(app.page).getByRole("link")).toHaveCount(2);
  await expect(dialogs(app.page).getByRole("heading")).toHaveText(["Waiting for you", "Done"]);
  await expect(dialogs(app.page).getByRole("link").first()).toContainText("second");
  await expect(app.page.getByRole("tab", { name: "Dialogs" })).toContainText("1");
  await expect(app.page).toHaveTitle("(1) Vibey");
  await dialogs(app.page).getByRole("link", { name: "first" }).click();
  await expect(app.page.getByRole("article")).toHaveCount(2);
});

test("the right side shows the messages that the file holds, each by who said it", async ({ app, claude }) => {
  await dialogWith(app, claude, reply("A *fine* idea.\n\n## User\n\nnot a section"));
  await expect(app.page.getByRole("article")).toHaveCount(2);
  await expect(app.page.getByRole("article", { name: "You" })).toContainText("Please do it.");
  await expect(app.page.getByRole("article", agent).locator("em")).toHaveText("fine");
  await expect(app.page.getByRole("article", agent)).toContainText("not a section");
  const [you, ai] = [app.page.getByRole("article", { name: "You" }), app.page.getByRole("article", agent)];
  expect((await you.boundingBox())?.y).toBeLessThan((await ai.boundingBox())?.y ?? 0);
});

for (const colorScheme of ["light", "dark"] as const)
  test(`the AI is purplish, not reddish (${colorScheme})`, { tag: colorScheme === "dark" ? "@long" : [] }, async ({ app, claude }) => {
    await app.page.emulateMedia({ colorScheme });
    await dialogWith(app, claude, reply("Yes."));
    const ai = await colour(app.page.getByRole("article", agent).locator(".who b"));
    expect(ai.c).toBeGreaterThan(0.08);
    expect(ai.h).toBeGreaterThan(285);
    expect(ai.h).toBeLessThan(325);
    const you = await colour(app.page.getByRole("article", { name: "You" }).locator(".who b"));
    expect(Math.abs(you.h - ai.h)).toBeGreaterThan(40);
  });

test.describe("the input", () => {
  test("has a provider to choose, a text, and Send", { tag: "@long" }, async ({ app, claude }) => {
    await openWithKey(app, claude);
    await newDialog(app, "work");
    await expect(app.page.getByRole("combobox", { name: "Provider" }).locator("option")).toHaveText([
      "Claude",
      "OpenAI",
      "Demo (scripted)",
    ]);
    expect(await messageBox(app.page).evaluate((element) => element.tagName)).toBe("TEXTAREA");
    await expect(sendButton(app.page)).toBeDisabled();
    await messageBox(app.page).fill("   ");
    await expect(sendButton(app.page)).toBeDisabled();
    await messageBox(app.page).fill("Hello");
    await expect(sendButton(app.page)).toBeEnabled();
  });

  for (const [keys, platform] of [
    ["Control+Enter", "Linux x86_64"],
    ["Meta+Enter", "MacIntel"],
  ] as const)
    test(`${keys} sends on ${platform}, and Enter alone is a line`, { tag: platform === "MacIntel" ? "@long" : [] }, async ({
      app,
      claude,
    }) => {
      await app.page.addInitScript((value) => Object.defineProperty(Navigator.prototype, "platform", { get: () => value }), platform);
      await openWithKey(app, claude);
      await newDialog(app, "work");
      claude.play(reply("Heard."));
      await messageBox(app.page).click();
      await app.page.keyboard.type("one");
      await app.page.keyboard.press("Enter");
      await app.page.keyboard.type("two");
      await app.page.keyboard.press(keys);
      await expect(app.page.getByRole("article", agent)).toContainText("Heard.");
      await expect(messageBox(app.page)).toHaveValue("");
      expect(asked(claude).at(-1)?.body.messages).toEqual([{ role: "user", content: expect.anything() }]);
      expect(JSON.stringify(asked(claude).at(-1)?.body.messages)).toContain("one\\ntwo");
    });

  test("the provider and the model chosen there are the ones that answer", { tag: "@long" }, async ({ app, claude }) => {
    await openWithKey(app, claude);
    const id = await newDialog(app, "work");
    await app.page.getByRole("combobox", { name: "Model" }).fill("claude-haiku-5-5");
    await say(app.page, "Hello");
    await expect.poll(() => asked(claude).at(-1)?.body.model).toBe("claude-haiku-5-5");
    await expect(messageBox(app.page)).toBeEnabled();
    await app.page.getByRole("combobox", { name: "Provider" }).selectOption("demo");
    await say(app.page, "And now the demo.");
    await expect.poll(() => markdownOf(app, id)).toContain("Provider: demo");
  });

  test("keeps what was typed and not sent, each dialog its own", { tag: "@long" }, async ({ app, claude }) => {
    await openWithKey(app, claude);
    const one = await newDialog(app, "one");
    await messageBox(app.page).fill("half a thought");
    await newDialog(app, "two");
    await expect(messageBox(app.page)).toHaveValue("");
    await app.page.goto(`./#/dialogs/${one}`);
    await expect(messageBox(app.page)).toHaveValue("half a thought");
    await app.page.reload();
    await expect(messageBox(app.page)).toHaveValue("half a thought");
  });
});

test("the message I send is shown before the answer begins, and even before the engine has answered", async ({ app, claude }) => {
  await openWithKey(app, claude);
  await newDialog(app, "work");
  await app.page.evaluate(() => {
    const inner = window.fetch;
    window.fetch = (input, init) => (init?.method === "PUT" ? new Promise(() => {}) : inner(input, init));
  });
  await say(app.page, "Is somebody there?");
  const mine = app.page.getByRole("article", { name: "You" });
  await expect(mine).toContainText("Is somebody there?");
  await expect(mine).toContainText("sending…");
  await expect(app.page.getByRole("article", agent)).toHaveCount(0);
});

test.describe("while an answer streams", () => {
  const slow = { ...reply(`Once upon a time. ${"More and more. ".repeat(60)}The end.`), faults: { pieceBytes: 300, pieceMs: 20 } };

  test("the part that is there is shown, with a block cursor, and the cursor goes at the end", async ({ app, claude }) => {
    const { page } = app;
    await openWithKey(app, claude);
    await newDialog(app, "work");
    claude.play({ ...reply(`Once upon a time. ${"More. ".repeat(2_000)}`), faults: { stallAfterBytes: 6_000 } });
    await say(page, "Tell me.");
    await expect(page.getByRole("article", agent)).toContainText("Once upon a time.");
    const cursor = page.getByRole("article", agent).locator(".cursor");
    await expect(cursor).toBeVisible();
    const shape = await cursor.evaluate((element) => ({
      width: element.getBoundingClientRect().width,
      height: element.getBoundingClientRect().height,
      ink: getComputedStyle(element).backgroundColor,
    }));
    expect(shape.width).toBeGreaterThan(5);
    expect(shape.height).toBeGreaterThan(14);
    expect(shape.ink).not.toBe("rgba(0, 0, 0, 0)");
    await page.getByRole("button", { name: "Stop" }).click();
    await expect(cursor).toHaveCount(0);
  });

  test("the input is disabled and says why, and it is back afterwards", { tag: "@long" }, async ({ app, claude }) => {
    const { page } = app;
    await dialogWith(app, claude, slow);
    await expect(page.getByRole("article", agent)).toContainText("Once upon");
    await expect(messageBox(page)).toBeDisabled();
    await expect(sendButton(page).and(page.locator(":enabled"))).toHaveCount(0);
    await expect(messageBox(page)).toHaveAccessibleDescription("The agent is working. Stop it, or write once its turn is over.");
    await expect(page.getByRole("article", agent)).toContainText("The end.", { timeout: 20_000 });
    await expect(messageBox(page)).toBeEnabled();
    await expect(messageBox(page)).toHaveAccessibleDescription("");
  });

  test("Stop ends the stream, keeps what was there, and asks the human", async ({ app, claude }) => {
    const { page } = app;
    const id = await dialogWith(app, claude, { ...slow, faults: { stallAfterBytes: 4_000 } });
    await expect(page.getByRole("article", agent)).toContainText("Once upon a time. More and more.");
    await page.getByRole("button", { name: "Stop" }).click();
    await expect(page.locator(".doing")).toHaveText("stopped");
    await expect(page.getByRole("button", { name: "Stop" })).toHaveCount(0);
    expect(await asked(claude).at(-1)?.left).toBe(true);
    const markdown = await markdownOf(app, id);
    expect(markdown).toContain("Once upon a time. More and more.");
    expect(markdown).toContain("> Stop: aborted");
    expect(markdown).toMatch(/> Time: \S+ - \S+\n\nOnce/);
    expect(await filenameOf(app, id)).toBe(`dialog-${id}-waiting.md`);
    await expect(messageBox(page)).toBeEnabled();
    await expect(page.getByRole("button", { name: "Continue" })).toBeVisible();
  });

  test("Mark done ends it too, and the dialog is done", { tag: "@long" }, async ({ app, claude }) => {
    const { page } = app;
    const id = await dialogWith(app, claude, { ...slow, faults: { stallAfterBytes: 4_000 } });
    await expect(page.getByRole("article", agent)).toContainText("Once upon");
    await page.getByRole("button", { name: "Mark as done" }).click();
    await expect(page.locator(".doing")).toHaveText("done");
    expect(await asked(claude).at(-1)?.left).toBe(true);
    expect(await filenameOf(app, id)).toBe(`dialog-${id}-done.md`);
    await expect(page.getByRole("button", { name: "Mark as done" })).toHaveCount(0);
  });
});

test("a waiting dialog can be marked done, and a done one goes on when I write", async ({ app, claude }) => {
  const { page } = app;
  await openWithKey(app, claude);
  const id = await newDialog(app, "work");
  await page.getByRole("button", { name: "Mark as done" }).click();
  await expect.poll(() => filenameOf(app, id)).toBe(`dialog-${id}-done.md`);
  claude.play(reply("Here I am."));
  await say(page, "Are you there?");
  await expect(page.getByRole("article", agent)).toContainText("Here I am.");
});

test("input is disabled while a call is undecided, and says why", { tag: "@long" }, async ({ app, claude }) => {
  const { page } = app;
  await dialogWith(app, claude, { blocks: [{ call: "run_command", input: { command: "ls" } }] });
  await expect(panel(page)).toBeVisible();
  await expect(messageBox(page)).toBeDisabled();
  await expect(sendButton(page).and(page.locator(":enabled"))).toHaveCount(0);
  await expect(messageBox(page)).toHaveAccessibleDescription("Approve or deny the request above, then you can write.");
  claude.play(reply("I saw."));
  await panel(page).getByRole("button", { name: "Approve" }).click();
  await expect(page.getByRole("article", agent).last()).toContainText("I saw.");
  await expect(messageBox(page)).toBeEnabled();
});

test.describe("tokens", () => {
  test("are shown for each message and summed for the dialog, as the provider reported them", async ({ app, claude }) => {
    const { page } = app;
    const id = await dialogWith(app, claude, { ...reply("One."), usage: { input: 1000, output: 23 } });
    await expect(page.getByRole("article", agent).first()).toContainText("One.");
    await expect(messageBox(page)).toBeEnabled();
    claude.play({ ...reply("Two."), usage: { input: 2000, output: 7 } });
    await say(page, "More.");
    const usage = page.locator(".usage");
    await expect(usage).toHaveCount(2);
    await expect(usage.first()).toContainText("1,000 tokens in · 23 out");
    await expect(usage.last()).toContainText("2,000 tokens in · 7 out");
    await expect(usage.last()).toContainText("3,030 total in this dialog");
    const markdown = await markdownOf(app, id);
    expect(markdown).toContain("> Usage: input=2000 output=7 total=2007\n> Usage cumulative: input=3000 output=30 total=3030");
    await page.reload();
    await expect(usage).toHaveCount(2);
  });

  test("are not shown, nor written, when the provider reports none", { tag: "@long" }, async ({ app, claude }) => {
    const id = await dialogWith(app, claude, { ...reply("No numbers."), usage: null });
    await expect(app.page.locator(".doing")).toHaveText("done");
    await expect(app.page.getByRole("article", agent)).toContainText("No numbers.");
    await expect(app.page.locator(".usage")).toHaveCount(0);
    expect(await markdownOf(app, id)).not.toContain("Usage");
  });
});

test.describe("times", () => {
  test.use({ timezoneId: "Asia/Kolkata", locale: "en-GB" });

  test("stand beside each message: when mine was sent, when the answer began and ended, in my own time", { tag: "@long" }, async ({
    app,
    claude,
  }) => {
    const id = await dialogWith(app, claude, reply("Now."));
    await expect(app.page.locator(".doing")).toHaveText("done");
    const markdown = await markdownOf(app, id);
    const [, sent = ""] = /## User\n> Time: (\S+)\n/.exec(markdown) ?? [];
    const [, start = "", end = ""] = /## Assistant\n> Time: (\S+) - (\S+)\n/.exec(markdown) ?? [];
    const local = (iso: string) => new Date(Date.parse(iso) + 5.5 * 3_600_000).toISOString().slice(11, 19);
    const mine = app.page.getByRole("article", { name: "You" }).locator("time");
    const its = app.page.getByRole("article", agent).locator("time");
    await expect(mine).toHaveAttribute("datetime", sent);
    await expect(mine).toHaveText(local(sent).slice(0, 5));
    await expect(its).toHaveAttribute("title", `${start} – ${end} (UTC)`);
    const minutes = [local(start).slice(0, 5), local(end).slice(0, 5)];
    await expect(its).toHaveText(minutes[0] === minutes[1] ? `${local(start)} – ${local(end)}` : `${minutes[0]} – ${minutes[1]}`);
  });
});

test("the content of a file that is sent is hidden on the screen and whole in the markdown", { tag: "@long" }, async ({ app, claude }) => {
  const { page } = app;
  const content = `first secret line\n${"more of it\n".repeat(300)}`;
  const id = await dialogWith(app, claude, { blocks: [{ call: "write_file", input: { path: "big.txt", content } }] });
  const line = page.getByRole("article", agent).locator("summary");
  await expect(line).toContainText("Write");
  await expect(line).toContainText("big.txt");
  await expect(line).toContainText("3.3 KB, 301 lines");
  await expect(page.getByRole("article", agent).getByText("first secret line")).toHaveCount(0);
  expect(await markdownOf(app, id)).toContain("first secret line\\nmore of it\\n");
});

test("an agent that has a question waits, and the question is shown", { tag: "@long" }, async ({ app, claude }) => {
  const id = await dialogWith(app, claude, reply("I have looked.\n\n> Waiting: Which colour do you want?"));
  await expect(app.page.locator(".doing")).toHaveText("has a question");
  await expect(app.page.getByRole("article", agent)).toContainText("Which colour do you want?");
  expect(await filenameOf(app, id)).toBe(`dialog-${id}-waiting.md`);
  await expect(messageBox(app.page)).toBeEnabled();
});

test("one dialog is enough to get going: Start asks for it, and an agent spawns another", { tag: "@long" }, async ({ app, claude }) => {
  const { page } = app;
  await openWithKey(app, claude);
  // The two agents ask in any order. Their first messages tell them apart.
  const answer = (request: Recorded) =>
    reply(JSON.stringify(request.body.messages[0]).includes("Draw the board.") ? "Drawn." : "The artist works.");
  claude.play(
    {
      blocks: [
        { call: "launch_agent", input: { provider: "claude", model: "claude-haiku-5-5", prompt: "Draw the board.", slug: "artist" } },
      ],
    },
    answer,
    answer,
  );
  await page.getByRole("banner").getByRole("button", { name: "Start" }).click();
  await expect(panel(page)).toContainText("The agent wants to launch another agent");
  expect(JSON.stringify(asked(claude).at(-1)?.body.messages)).toContain("doc-main.md");
  await panel(page).getByRole("button", { name: "Approve" }).click();
  await expect(dialogs(page).getByRole("link", { name: "artist" })).toBeVisible();
  await expect(page.getByRole("article", agent).last()).toContainText("The artist works.");
  await dialogs(page).getByRole("link", { name: "artist" }).click();
  await expect(page.getByRole("article", { name: "You" })).toContainText("Draw the board.");
  await expect(page.getByRole("article", agent)).toContainText("Drawn.");
  await expect(page.locator(".doing")).toContainText("launched by");
  const files = (await app.json<string[]>("GET", "files")).filter((name) => name.startsWith("dialog-"));
  expect(files).toHaveLength(2);
  for (const name of files) expect(name).toMatch(/^dialog-\d{8}-\d{6}-[a-z0-9-]+-(active|waiting|done)\.md$/);
});
