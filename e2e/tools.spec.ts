// The specification's "Client: tools for dialogs" and "Diff rendering for edit_file".
import type { Page } from "@playwright/test";
import { type Reply, say as reply } from "../tests/stand-in/claude.ts";
import { approveButton } from "./hands.ts";
import { colour, dialogWith, expect, filenameOf, markdownOf, messageBox, panel, putDeed, recordRequests, requests, test } from "./steps.ts";

const agent = { name: "Agent" } as const;
const ls = { call: "run_command", id: "toolu_ls", input: { command: "echo listed" } } as const;
const write = { call: "write_file", id: "toolu_write", input: { path: "a.txt", content: "short\n" } } as const;
const two: Reply = { blocks: [ls, write] };

const approve = (page: Page) => panel(page).getByRole("button", { name: "Approve", exact: false }).first();
/** Scrolls to the end of what will run: Approve is enabled only after that. */
const readToTheEnd = (page: Page) =>
  panel(page)
    .locator(".ask-input")
    .evaluate((box) => box.scrollTo(0, box.scrollHeight));
const choice = (page: Page, wish: string, word: string) =>
  panel(page).getByRole("group", { name: wish }).getByRole("radio", { name: word });

test.describe("the panel", () => {
  test("shows each unauthorized call: its tool and its input in short", async ({ app, claude }) => {
    const { page } = app;
    await dialogWith(app, claude, two);
    await expect(panel(page).getByRole("heading", { level: 2 })).toHaveText("The agent needs 2 decisions");
    const calls = panel(page).locator(".ask-call");
    await expect(calls).toHaveCount(2);
    await expect(calls.nth(0).locator(".ask-line")).toContainText("Run a command");
    await expect(calls.nth(0).locator("pre")).toHaveText("echo listed");
    await expect(calls.nth(1).locator(".ask-line")).toContainText("Write");
    await expect(calls.nth(1).locator(".ask-line code")).toHaveText("a.txt");
    await expect(calls.nth(1).locator(".ask-line")).toContainText("6 B, 1 line");
  });

  test("shows none that is authorized", { tag: "@long" }, async ({ app, claude }) => {
    const { page } = app;
    await app.open();
    const main = await app.file("doc-main.md");
    await app.json("POST", "file/doc-main.md", { content: `${main}\n> Authorized: run_command\n` });
    claude.play(two);
    await dialogWith(app, claude, reply("Not yet."));
    await expect(panel(page).getByRole("heading", { level: 2 })).toHaveText("The agent wants to write a file");
    await expect(page.getByRole("article", agent).locator("summary").first()).toContainText("always allowed");
  });

  test("is derived from the file: it is the same after a reload", { tag: "@long" }, async ({ app, claude }) => {
    const { page } = app;
    await dialogWith(app, claude, two);
    await expect(panel(page).locator(".ask-call")).toHaveCount(2);
    await expect(approveButton(page)).toBeEnabled();
    // The suggested line of authority appears a moment later.
    const like = panel(page).getByText(/^Always allow echo listed/);
    await expect(like).toBeVisible();
    // Compare only the upper part: below, the page says that the key is gone, because no service worker keeps it across the reload here.
    const before = await panel(page).locator(".ask-body").innerText();
    await page.reload();
    await expect(approveButton(page)).toBeEnabled();
    await expect(like).toBeVisible();
    expect(await panel(page).locator(".ask-body").innerText()).toBe(before);
  });

  test("folds a large file and shows it when it is opened; the markdown has all of it", { tag: "@long" }, async ({ app, claude }) => {
    const { page } = app;
    const content = `line of the file\n${"more of it\n".repeat(400)}the very end\n`;
    const id = await dialogWith(app, claude, { blocks: [{ call: "write_file", input: { path: "big.txt", content } }] });
    await expect(panel(page)).toContainText("big.txt");
    await expect(panel(page)).toContainText("4.4 KB, 402 lines");
    // Both ends of the file are shown, with the number of lines between them.
    await expect(panel(page).getByText("line of the file")).toBeVisible();
    await expect(panel(page).getByText("the very end")).toBeAttached();
    await expect(panel(page)).toContainText("378 lines hidden");
    await readToTheEnd(page);
    expect(await markdownOf(app, id)).toContain(JSON.stringify(content).slice(1, -1));

    // Content that wasn't read can't be approved; denying is always possible.
    await expect(approve(page)).toBeDisabled();
    await expect(panel(page).getByRole("button", { name: "Deny", exact: true })).toBeEnabled();
    await panel(page).getByRole("button", { name: "Show whole file" }).click();
    await expect(panel(page)).not.toContainText("lines hidden");
    await expect(approve(page)).toBeDisabled();
    await readToTheEnd(page);
    await expect(approve(page)).toBeEnabled();
  });

  test("leads through what is asked for with its filled button, which then approves", { tag: "@long" }, async ({ app, claude }) => {
    const { page } = app;
    const content = "a line\n".repeat(60);
    await dialogWith(app, claude, { blocks: [ls, { call: "write_file", input: { path: "big.txt", content } }] });
    const next = panel(page).getByRole("button", { name: "Show next" });
    await expect(async () => {
      if (await next.isVisible()) await next.click({ timeout: 1_000 });
      await expect(panel(page).getByRole("button", { name: "Approve all" })).toBeEnabled({ timeout: 100 });
    }).toPass();
    await expect(next).toHaveCount(0);
    await expect(panel(page).locator(".primary")).toHaveText(/^Approve all/);
  });

  test("has no button left after a click, and its answer is on its way once", { tag: "@long" }, async ({ app, claude }) => {
    const { page } = app;
    const id = await dialogWith(app, claude, { blocks: [ls] });
    await expect(approve(page)).toBeEnabled();
    await recordRequests(page);
    // Hold the engine's answer, so that anything that disappears does so because of the click.
    await page.evaluate(() => {
      const inner = window.fetch;
      window.fetch = (input, init) => (init?.method === "PUT" ? (void inner(input, init), new Promise(() => {})) : inner(input, init));
    });
    claude.play(reply("Thank you."));
    await approve(page).dblclick({ noWaitAfter: true });
    await expect(panel(page)).toHaveCount(0);
    await expect(page.getByRole("article", agent).last()).toContainText("Thank you.");
    expect(await requests(page, "PUT", "dialog")).toHaveLength(1);
    expect((await markdownOf(app, id)).match(/^Decision: approved$/gm)).toHaveLength(1);
  });
});

test.describe("the answer", () => {
  test("is one PUT with decisions by call id and authorizations, both between əəə lines", async ({ app, claude }) => {
    const { page } = app;
    const id = await dialogWith(app, claude, two);
    await expect(panel(page).locator(".ask-call")).toHaveCount(2);
    await recordRequests(page);
    const send = panel(page).getByRole("button", { name: "Submit decisions" });
    await expect(send).toHaveCount(0);
    await choice(page, "run a command", "Approve").check();
    await expect(send).toHaveCount(0);
    await choice(page, "write a file", "Deny").check();
    await panel(page).getByRole("checkbox", { name: "Always allow commands in this dialog" }).check();
    await send.click();
    await expect(panel(page)).toHaveCount(0);
    // The panel disappears at once. Before it sends the decision, the page checks whether the agent's key is there.
    await expect.poll(async () => (await requests(page, "PUT", "dialog")).length).toBe(1);
    const puts = await requests(page, "PUT", "dialog");
    expect(puts[0]?.body).toEqual({
      dialogId: id,
      decisions: "əəə\ntoolu_ls: approve\ntoolu_write: deny\nəəə",
      authorizations: "əəə\nallow run_command\nəəə",
      hashes: { toolu_ls: expect.stringMatching(/^[0-9a-f]{64}$/), toolu_write: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });

    // A denial leaves the dialog waiting, and the approved call has run. The dialog was waiting before, too, so wait for the result first.
    await expect.poll(() => markdownOf(app, id)).toContain("Result:");
    await expect.poll(() => filenameOf(app, id)).toBe(`dialog-${id}-waiting.md`);
    const markdown = await markdownOf(app, id);
    expect(markdown).toMatch(
      /\[toolu_ls\]\n\n {4}.*\n\nDecision: approved\nStarted: \S+\nResult:\n\n {4}\{"success": true, "stdout": "listed\\n"/,
    );
    expect(markdown).toMatch(/\[toolu_write\]\n\n {4}.*\n\nDecision: denied\n/);
    expect(markdown).toContain("> Authorized: run_command");
    expect((await app.ask("GET", "deed/a.txt")).status).toBe(404);
    await expect(messageBox(page)).toBeEnabled();
  });

  test("of several denials, each with its reason, is one message that names the calls; the other choices stay", { tag: "@long" }, async ({
    app,
    claude,
  }) => {
    const { page } = app;
    const more = { call: "write_file", id: "toolu_more", input: { path: "b.txt", content: "more\n" } } as const;
    const id = await dialogWith(app, claude, { blocks: [ls, write, more] });
    await choice(page, "run a command", "Approve").check();
    await choice(page, "2: write a file", "Deny").check();
    await panel(page)
      .getByLabel(/^Tell the agent why/)
      .fill("Not here.");
    await choice(page, "3: write a file", "Deny").check();
    await panel(page)
      .getByLabel(/^Tell the agent why/)
      .last()
      .fill("Too short.");
    await expect(choice(page, "run a command", "Approve")).toBeChecked();
    claude.play(reply("I see."));
    await panel(page).getByRole("button", { name: "Submit decisions" }).click();
    await expect(page.getByRole("article", agent).last()).toContainText("I see.");
    const markdown = await markdownOf(app, id);
    expect(markdown).toContain("About call 2 of 3 (write_file): Not here.\n\nAbout call 3 of 3 (write_file): Too short.");
    expect(markdown.match(/^Decision: (approved|denied)$/gm)).toEqual(["Decision: approved", "Decision: denied", "Decision: denied"]);
  });

  test("has no authorizations when nothing is always allowed", { tag: "@long" }, async ({ app, claude }) => {
    const { page } = app;
    const id = await dialogWith(app, claude, { blocks: [ls] });
    await expect(approve(page)).toBeEnabled();
    await recordRequests(page);
    claude.play(reply("Fine."));
    await approve(page).click();
    await expect(page.getByRole("article", agent).last()).toContainText("Fine.");
    const [put] = await requests(page, "PUT", "dialog");
    expect(Object.keys(put?.body)).toEqual(["dialogId", "decisions", "hashes"]);
    expect(await markdownOf(app, id)).not.toContain("> Authorized:");
  });

  test("always allow holds for the next call of that tool in that dialog, is shown, and can be taken back", { tag: "@long" }, async ({
    app,
    claude,
  }) => {
    const { page } = app;
    await dialogWith(app, claude, { blocks: [ls] });
    await expect(approve(page)).toBeEnabled();
    await panel(page).getByRole("checkbox", { name: "Always allow commands in this dialog" }).check();
    claude.play({ blocks: [{ call: "run_command", id: "toolu_next", input: { command: "echo again" } }] }, reply("Twice."));
    await approve(page).click();
    await expect(page.getByRole("article", agent).last()).toContainText("Twice.");
    await expect(page.getByRole("article", agent).locator("summary em").last()).toContainText("always allowed");
    const allowed = page.getByRole("list", { name: "Allowed without asking" });
    await expect(allowed).toContainText("commands");
    await allowed.getByRole("button", { name: "Ask first" }).click();
    await expect(allowed).toHaveCount(0);
  });

  test("a denial with a reason sends it on, the agent goes on with it, and the keyboard's focus goes to its next request or the message box", async ({
    app,
    claude,
  }) => {
    const { page } = app;
    await dialogWith(app, claude, { blocks: [ls] });
    await panel(page).getByRole("button", { name: "Deny with a reason…" }).click();
    await panel(page).getByRole("textbox").fill("Not in this folder.");
    claude.play({ blocks: [{ call: "run_command", id: "toolu_next", input: { command: "ls /" } }] }, reply("I see."));
    await panel(page).getByRole("textbox").press("Enter");
    await expect(page.getByRole("article", { name: "You" }).last()).toContainText("Not in this folder.");
    await expect(panel(page)).toContainText("ls /");
    await expect(panel(page)).toBeFocused();
    await panel(page).getByRole("button", { name: "Deny with a reason…" }).click();
    await panel(page).getByRole("textbox").fill("Nor there.");
    await panel(page).getByRole("textbox").press("Enter");
    await expect(page.getByRole("article", agent).last()).toContainText("I see.");
    await expect(page.getByRole("article", agent).locator("summary em")).toHaveText(["denied by you", "denied by you"]);
    await expect(messageBox(page)).toBeFocused();
  });
});

test("what is cut off at the side of a row is cut off nowhere else: underscores show", { tag: "@long" }, async ({ app, claude }) => {
  const { page } = app;
  const long = `rm -rf node_modules __pycache__ ${"a_b ".repeat(60)}`;
  await dialogWith(app, claude, {
    blocks: [
      { call: "run_command", input: { command: long } },
      { call: "write_file", input: { path: "__init__/my_file.py", content: "a_b\n" } },
    ],
  });
  await panel(page).getByRole("button", { name: "Show messages" }).click();
  const names = page.locator(".call summary code, .ask-line code, .dialog-head h2, .row strong, .row small");
  await expect(names.first()).toBeVisible();
  // Clips each name only sideways. The picture stays the same if nothing is cut off at the top and bottom.
  await page.emulateMedia({ reducedMotion: "reduce" });
  for (const name of await names.all()) {
    await name.scrollIntoViewIfNeeded();
    const box = await name.boundingBox();
    if (box === null) throw new Error("it does not show");
    const clip = { x: box.x - 4, y: box.y - 6, width: Math.min(box.width, 300), height: box.height + 12 };
    const before = await page.screenshot({ clip });
    await name.evaluate((element: HTMLElement) => {
      element.style.setProperty("overflow-x", "clip");
      element.style.setProperty("overflow-y", "visible");
    });
    expect((await page.screenshot({ clip })).equals(before), (await name.textContent()) ?? "").toBe(true);
  }
});

test.describe("the diff of an edit", () => {
  const lines = (word: string) => Array.from({ length: 20 }, (_, index) => (index === 9 ? word : `line ${index + 1}`)).join("\n");
  const edit: Reply = {
    blocks: [
      { call: "edit_file", id: "toolu_edit", input: { path: "poem.txt", old_string: lines("old words"), new_string: lines("new words") } },
    ],
  };
  const rows = (page: Page, where = ".ask") => page.locator(`${where} .diff-row`);

  test("is unified: removed lines with -, added ones with +, three lines around them, the rest behind a toggle", { tag: "@long" }, async ({
    app,
    claude,
  }) => {
    const { page } = app;
    const id = await dialogWith(app, claude, edit);
    const shown = async () => (await rows(page).allInnerTexts()).map((text) => text.replace(/^(added|removed): ?\n?/, "").trimEnd());
    await expect(rows(page)).toHaveCount(10);
    expect(await shown()).toEqual([
      "⋯ 6 lines unchanged",
      "  line 7",
      "  line 8",
      "  line 9",
      "- old words",
      "+ new words",
      "  line 11",
      "  line 12",
      "  line 13",
      "⋯ 7 lines unchanged",
    ]);
    await panel(page).getByRole("button", { name: "Show full diff" }).click();
    await expect(rows(page)).toHaveCount(21);
    expect((await shown()).at(0)).toBe("  line 1");
    expect((await shown()).at(-1)).toBe("  line 20");
    await panel(page).getByRole("button", { name: "Show changes only" }).click();
    await expect(rows(page)).toHaveCount(10);

    // The Markdown contains both texts in full.
    const markdown = await markdownOf(app, id);
    expect(markdown).toContain(JSON.stringify(lines("old words")));
    expect(markdown).toContain(JSON.stringify(lines("new words")));
  });

  for (const colorScheme of ["light", "dark"] as const)
    test(`is red where lines go, green where they come, gray where they stay (${colorScheme})`, { tag: "@long" }, async ({
      app,
      claude,
    }) => {
      const { page } = app;
      await page.emulateMedia({ colorScheme });
      await dialogWith(app, claude, edit);
      const [removed, added, same] = [
        await colour(page.locator(".ask .diff-remove")),
        await colour(page.locator(".ask .diff-add")),
        await colour(page.locator(".ask .diff-same").first()),
      ];
      expect(removed.h).toBeGreaterThan(10);
      expect(removed.h).toBeLessThan(45);
      expect(removed.c).toBeGreaterThan(0.08);
      expect(added.h).toBeGreaterThan(130);
      expect(added.h).toBeLessThan(170);
      expect(added.c).toBeGreaterThan(0.08);
      expect(same.c).toBeLessThan(0.03);
      const washed = await colour(page.locator(".ask .diff-remove"), "backgroundColor");
      expect(washed.c).toBeGreaterThan(0.01);
    });

  for (const [decided, button, word] of [
    ["approved", "Approve", "approved by you"],
    ["denied", "Deny", "denied by you"],
  ] as const)
    test(`stands in the dialog too, after it was ${decided}`, { tag: "@long" }, async ({ app, claude }) => {
      const { page } = app;
      await app.open();
      await putDeed(app, "poem.txt", `${lines("old words")}\n`);
      await dialogWith(app, claude, edit);
      await expect(rows(page)).toHaveCount(10);
      await readToTheEnd(page);
      await expect(approve(page)).toBeEnabled();
      if (decided === "approved") claude.play(reply("Changed."));
      await panel(page).getByRole("button", { name: button }).first().click();
      await expect(panel(page)).toHaveCount(0);
      await expect(rows(page, ".call")).toHaveCount(10);
      await expect(page.locator(".call .diff-remove")).toContainText("old words");
      await expect(page.locator(".call .diff-add")).toContainText("new words");
      await expect(page.locator(".call summary em")).toContainText(word);
      expect(await app.file("poem.txt")).toBe(`${lines(decided === "approved" ? "new words" : "old words")}\n`);
      await page.reload();
      await expect(rows(page, ".call")).toHaveCount(10);
    });

  test("has the numbers that its lines have in the file, before it is approved and after", async ({ app, claude }) => {
    const { page } = app;
    await app.open();
    await putDeed(app, "poem.txt", `first\nsecond\n${lines("old words")}\n`);
    await dialogWith(app, claude, edit);
    const numbers = (where: string) => rows(page, where).evaluateAll((all) => all.map((row) => row.getAttribute("data-number")));
    const expected = [null, "9", "10", "11", "12", "12", "13", "14", "15", null];
    await expect(rows(page)).toHaveCount(10);
    await expect.poll(() => numbers(".ask")).toEqual(expected);
    expect(
      await rows(page)
        .nth(4)
        .evaluate((row) => getComputedStyle(row, "::before").content),
    ).toContain('"12"');
    claude.play(reply("Changed."));
    await readToTheEnd(page);
    await approve(page).click();
    await expect(rows(page, ".call")).toHaveCount(10);
    await expect.poll(() => numbers(".call")).toEqual(expected);
  });

  test("write_file over a file that exists shows what would change", { tag: "@long" }, async ({ app, claude }) => {
    const { page } = app;
    await app.open();
    await putDeed(app, "poem.txt", lines("old words"));
    await dialogWith(app, claude, { blocks: [{ call: "write_file", input: { path: "poem.txt", content: lines("new words") } }] });
    await expect(page.locator(".ask .diff-remove")).toContainText("old words");
    await expect(page.locator(".ask .diff-add")).toContainText("new words");
  });
});
