// Reading a dialog: code, long texts, finding words, the newest message, and what can be put into a message.
import { say as reply } from "../tests/stand-in/claude.ts";
import { dialogWith, expect, markdownOf, messageBox, openWithKey, panel, pasted, test } from "./steps.ts";
import { call, dialogText, writeDialog } from "./written.ts";

const long = Array.from({ length: 60 }, (_, n) => `line ${n + 1}`).join("\n");
const result = (stdout: string) =>
  `Decision: approved\nStarted: 2026-11-21T20:11:20.511Z\nResult:\n\n    ${JSON.stringify({ success: true, stdout, stderr: "", ms: 12 })}\n`;

test("code has colours and is copied whole; long code and output show their beginning until asked", async ({ app, claude, context }) => {
  const { page } = app;
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await openWithKey(app, claude);
  const text = `Look:\n\n\`\`\`js\n// why\nconst a = "<b>";\n\`\`\`\n\n\`\`\`text\n${long}\n\`\`\`\n\n${call("a", "ls", result(`${long}\n`))}`;
  const id = await writeDialog(
    app,
    "code",
    "done",
    dialogText([
      ["User", "Go."],
      ["Assistant", text],
    ]),
  );
  await page.goto(`./#/dialogs/${id}`);
  const [script, plain] = [page.locator(".code").first(), page.locator(".code").last()];
  await expect(script.locator(".code-comment")).toHaveText("// why");
  await expect(script.locator(".code-string")).toHaveText('"<b>"');
  await expect(script.locator("pre")).toHaveText('// why\nconst a = "<b>";');
  await script.getByRole("button", { name: "Copy code" }).press("Enter");
  await expect(script.getByRole("status")).toHaveText("Copied");
  expect(await pasted(page)).toBe('// why\nconst a = "<b>";');

  await expect(plain).not.toContainText("line 40");
  await plain.getByRole("button", { name: "Show all 60 lines" }).press("Enter");
  await expect(plain).toContainText("line 60");
  await expect(plain.locator("pre")).toBeFocused();

  await page.locator("details.call summary").press("Enter");
  const output = page.locator(".output");
  await expect(output).not.toContainText("line 40");
  await output.getByRole("button", { name: "Show all 60 lines" }).press("Enter");
  await expect(output).toContainText("line 60");
  expect(app.complaints).toEqual([]);
});

test("words are found where nobody has scrolled, and where they are in a call", async ({ app, claude }) => {
  const { page } = app;
  await openWithKey(app, claude);
  const talk = Array.from({ length: 300 }, (_, n): ["User" | "Assistant", string] => [n % 2 === 0 ? "User" : "Assistant", `Words ${n}.`]);
  talk[4] = ["User", "The Needle is here."];
  talk[7] = ["Assistant", call("a", "ls", result("a needle too"))];
  const id = await writeDialog(app, "hay", "done", dialogText(talk));
  await page.goto(`./#/dialogs/${id}`);
  await expect(page.getByText("Words 299.")).toBeVisible();
  await page.keyboard.press("ControlOrMeta+KeyF");
  const find = page.getByRole("searchbox", { name: "Find in dialog" });
  await expect(find).toBeFocused();
  await find.fill("needle");
  await expect(page.locator(".find output")).toHaveText("2 of 2 messages");
  await expect(page.locator(".output")).toContainText("a needle too");
  await find.press("Enter");
  await expect(page.locator(".find output")).toHaveText("1 of 2 messages");
  await expect(page.getByText("The Needle is here.")).toBeInViewport();
  await expect(page.getByRole("button", { name: "Jump to latest" })).toBeVisible();
  await find.press("Escape");
  await expect(find).toHaveCount(0);
  await page.getByRole("button", { name: "Jump to latest" }).press("Enter");
  await expect(page.getByText("Words 299.")).toBeInViewport();
});

test("the field to find words stays open and keeps the keys while the agent goes on and asks", async ({ app, claude }) => {
  const { page } = app;
  const id = await dialogWith(app, claude, reply("A needle."));
  await expect(page.locator(".window")).toBeVisible();
  await page.keyboard.press("ControlOrMeta+KeyF");
  const find = page.getByRole("searchbox", { name: "Find in dialog" });
  await find.fill("need");
  claude.play({ blocks: [{ call: "run_command", input: { command: "ls" } }] });
  await app.json("PUT", "dialog", { dialogId: id, prompt: "Look." }).catch(() => undefined);
  await expect(panel(page)).toBeVisible();
  await expect(find).toBeFocused();
  await page.keyboard.type("les");
  await expect(find).toHaveValue("needles");
  await expect(panel(page)).toBeVisible();
});

test("nothing moves under a pressed pointer: a link is clicked although the dialog grows, and the newest message shows after it", async ({
  app,
  claude,
}) => {
  const { page } = app;
  const id = await dialogWith(app, claude, reply(`${long.replaceAll("\n", "\n\n")}\n\nRead [the plan](doc-main.md).`));
  const link = page.getByRole("link", { name: "the plan" });
  const end = page.locator(".window");
  await expect(end).toBeInViewport({ ratio: 1 });
  const grows = async (text: string) => {
    claude.play(reply(text));
    await app.json("PUT", "dialog", { dialogId: id, prompt: "More?" }).catch(() => undefined);
    await expect(page.getByText(text)).toBeAttached();
    await expect(end).toHaveCount(1);
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  };

  await page.getByText("line 60", { exact: true }).hover();
  const place = await link.boundingBox();
  await page.mouse.down();
  await grows("A second answer.");
  expect(await link.boundingBox()).toEqual(place);
  await page.mouse.up();
  await expect(end).toBeInViewport({ ratio: 1 });

  // A list that scrolls, also by itself, can be clicked all the while.
  const reached = await page.evaluate(async () => {
    const list = document.querySelector(".message-list");
    const links = Array.from(list?.querySelectorAll("a") ?? []);
    const { x = 0, y = 0 } = links.find(({ textContent }) => textContent === "the plan")?.getBoundingClientRect() ?? {};
    const scrolled = new Promise((done) => list?.addEventListener("scroll", () => requestAnimationFrame(done), { once: true }));
    list?.scrollBy(0, -20);
    await scrolled;
    return document.elementFromPoint(x + 2, y + 22)?.textContent;
  });
  expect(reached).toBe("the plan");

  await link.hover();
  await page.mouse.down();
  await grows("A third answer.");
  await page.mouse.up();
  await expect(page).toHaveURL(/#\/docs\/doc-main\.md$/);
});

test("the arrow up in an empty message edits the last one; a short text file is quoted, another goes into the project", {
  tag: "@long",
}, async ({ app, claude }) => {
  const { page } = app;
  const id = await dialogWith(app, claude, reply("Done."));
  await expect(messageBox(page)).toBeEnabled();
  await messageBox(page).press("ArrowUp");
  const editor = page.getByRole("textbox", { name: "Edit and resend" });
  await expect(editor).toHaveValue("Please do it.");
  await editor.press("Escape");

  const drop = (files: readonly (readonly [string, readonly number[]])[]) =>
    page.locator("form.composer").evaluate((form, given) => {
      const data = new DataTransfer();
      for (const [name, bytes] of given) data.items.add(new File([new Uint8Array(bytes)], name));
      for (const type of ["dragover", "drop"])
        form.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
    }, files);
  await messageBox(page).fill("Read this:");
  await messageBox(page).press("End");
  await drop([
    ["notes.txt", Array.from(Buffer.from("one\ntwo\n"))],
    ["pixel.png", [0x89, 0x50, 0, 0xff]],
  ]);
  const words = "Read this:\n\n`notes.txt`:\n\n```txt\none\ntwo\n```\n\n`pixel.png` was added to the project.";
  await expect.poll(async () => (await messageBox(page).inputValue()).trim()).toBe(words);
  expect((await app.json<{ path: string; size: number }[]>("GET", "deed")).map(({ path, size }) => [path, size])).toEqual([
    ["pixel.png", 4],
  ]);
  claude.play(reply("Read."));
  await messageBox(page).press("ControlOrMeta+Enter");
  await expect(page.getByRole("article", { name: "Agent" }).last()).toContainText("Read.");
  expect(await markdownOf(app, id)).toContain("```txt\none\ntwo\n```");
});

test("the keys on the panel's buttons decide, once the panel has been seen", async ({ app, claude }) => {
  const { page } = app;
  const id = await dialogWith(app, claude, { blocks: [{ call: "run_command", input: { command: "ls" } }] });
  await expect(panel(page)).toBeFocused();
  const always = panel(page).getByRole("checkbox", { name: "Always allow commands in this dialog" });
  // Keys are ignored at first, so that a key meant for something else decides nothing.
  await expect
    .poll(async () => {
      await panel(page).press("a");
      return always.isChecked();
    })
    .toBe(true);
  await panel(page).press("w");
  await expect(page.getByLabel(/^Tell the agent why/)).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(panel(page)).toBeFocused();
  await panel(page).press("d");
  await expect(panel(page)).toHaveCount(0);
  await expect.poll(() => markdownOf(app, id)).toContain("Decision: denied");
});
