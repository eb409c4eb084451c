// Agents mentioned in a message: the page shows who will answer before it is sent, they answer in the dialog, and no one else does.
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { messages } from "./hands.ts";
import type { App } from "./app.ts";
import { asked, dialogs, dialogWith, expect, markdownOf, messageBox, newDialog, openWithKey, panel, say, test } from "./steps.ts";
import type { ClaudeStandIn, Recorded } from "../tests/stand-in/claude.ts";

const coder = "---\ndescription: Reads code and says what is wrong\ntools: [edit_file, write_file]\n---\n\nYou are Coder.\n";
const critic = "---\ndescription: Doubts everything\ntools: []\n---\n\nYou are Critic.\n";

async function room(app: App, claude: ClaudeStandIn): Promise<string> {
  await openWithKey(app, claude);
  await app.json("POST", "file/agent-coder.md", { content: coder });
  await app.json("POST", "file/agent-critic.md", { content: critic });
  return newDialog(app, "game");
}
const promptOf = ({ body }: Recorded): string => (body as { system: { text: string }[] }).system[0]?.text ?? "";
const axe = async (page: Page) => (await new AxeBuilder({ page }).analyze()).violations.map(({ id }) => id);
/** An answer that waits until the test releases it. */
function gate() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open: () => open(), opened };
}

test("`@` offers agents, says who will answer, and the answer streams into the dialog, through a reload", async ({ app, claude }) => {
  const { page } = app;
  const id = await room(app, claude);
  const list = page.getByRole("listbox", { name: "Agents" });
  await messageBox(page).pressSequentially("@");
  await expect(list.getByRole("option")).toHaveText([/^@coder Reads code/, /^@critic Doubts everything/]);
  await expect(list.getByRole("option").first()).toHaveAttribute("aria-selected", "true");
  await messageBox(page).press("ArrowDown");
  await expect(list.getByRole("option").nth(1)).toHaveAttribute("aria-selected", "true");
  await messageBox(page).press("ArrowUp");
  await messageBox(page).press("Enter");
  await expect(messageBox(page)).toHaveValue("@coder ");
  await expect(list).toHaveCount(0);
  await messageBox(page).pressSequentially("what is wrong here? @c");
  await expect(list.getByRole("option")).toHaveCount(2);
  await messageBox(page).press("Escape");
  await expect(list).toHaveCount(0);
  await messageBox(page).press("Backspace");
  await messageBox(page).press("Backspace");
  await expect(page.locator(".mention-note output")).toHaveText(/^Coder will answer\./);

  const held = gate();
  claude.play(async () => {
    await held.opened;
    return { blocks: [{ text: "Line 3 is **wrong**." }] };
  });
  await messageBox(page).press("ControlOrMeta+Enter");
  await expect(messages(page).getByText("Coder is thinking…")).toBeVisible();
  await expect(messageBox(page)).toBeEnabled();
  await expect(page.getByRole("button", { name: "Resume" })).toHaveCount(0);
  await expect(page.locator(".dialog-head")).toContainText("its agents: 1 running");
  held.open();
  const answer = page.getByRole("article", { name: "Coder" });
  await expect(answer.getByText("Line 3 is wrong.")).toBeVisible();
  await expect(messages(page).getByText("Coder is thinking…")).toHaveCount(0);
  await expect(page.getByRole("article")).toHaveCount(2);
  expect(asked(claude).map(promptOf)).toEqual([expect.stringMatching(/^You are Coder\./)]);
  await expect.poll(() => markdownOf(app, id)).toMatch(/\n> From: agent \d{8}-\d{6}-coder 2 \| coder\n\nLine 3 is \*\*wrong\*\*\.\n/);

  await page.reload();
  await expect(answer.getByText("Line 3 is wrong.")).toBeVisible();
  await expect(answer.getByText(/^[\d,]+ tokens in · [\d,]+ out$/)).toBeVisible();
  await expect(page.getByRole("navigation", { name: "Dialogs" })).toContainText("answers a mention in game");
  await answer.getByRole("link", { name: "Open dialog" }).click();
  await expect(page.locator(".dialog-head")).toContainText("answers a mention in game");
  await expect(page.getByRole("article", { name: "Context" }).getByText("What was said before in game")).toBeVisible();
  await expect(page.getByRole("article", { name: "You" })).toContainText("what is wrong here?");
});

test("two agents answer one message; the dialog's own agent is told of it when it is asked", { tag: "@long" }, async ({ app, claude }) => {
  const { page } = app;
  await room(app, claude);
  const answer = (request: Recorded) => ({
    blocks: [{ text: promptOf(request).startsWith("You are Coder.") ? "It is right." : "It is not." }],
  });
  claude.play(answer, answer);
  await say(page, "@coder @critic is it right?");
  await expect(page.getByRole("article", { name: "Coder" })).toContainText("It is right.");
  await expect(page.getByRole("article", { name: "Critic" })).toContainText("It is not.");
  claude.play({ blocks: [{ text: "I side with Coder." }] });
  await say(page, "Who is right?");
  await expect(page.getByRole("article", { name: "Agent" })).toContainText("I side with Coder.");
  const sent = JSON.stringify(asked(claude).at(-1)?.body);
  expect(sent).toContain("[Coder (AI)]: It is right.");
  expect(sent).toContain("[Critic (AI)]: It is not.");
});

test("a project without agents is offered two, which answer at once", { tag: "@long" }, async ({ app, claude }) => {
  const { page } = app;
  await openWithKey(app, claude);
  await newDialog(app, "game");
  await messageBox(page).pressSequentially("@");
  await expect(page.getByText("This project has no agents yet.")).toBeVisible();
  await page.getByRole("button", { name: "Add Vibe and Coder" }).click();
  const options = page.getByRole("listbox", { name: "Agents" }).getByRole("option");
  await expect(options).toHaveText([/^@coder Code specialist/, /^@vibe General-purpose/]);
  await expect(messageBox(page)).toBeFocused();
  await messageBox(page).pressSequentially("c");
  await messageBox(page).press("Tab");
  await messageBox(page).pressSequentially("read main");
  claude.play(
    { blocks: [{ call: "vfs_read", id: "toolu_1", input: { path: "vibey/doc-main.md" } }] },
    { blocks: [{ text: "I have read it." }] },
  );
  await messageBox(page).press("ControlOrMeta+Enter");
  // The agent read without asking, and wrote nothing.
  await expect(page.getByRole("article", { name: "Coder" })).toContainText("I have read it.");
  expect(await app.file("agent-vibe.md")).toContain("You are Vibe");
});

test("agents answer one after another where the person says so", { tag: "@long" }, async ({ app, claude }) => {
  const { page } = app;
  await room(app, claude);
  await messageBox(page).fill("@coder write it, @critic review it");
  await page.getByRole("combobox", { name: "Order" }).selectOption("One after another");
  claude.play({ blocks: [{ text: "It is written." }] }, { blocks: [{ text: "It is wrong." }] });
  await messageBox(page).press("ControlOrMeta+Enter");
  await expect(page.getByText("Then Critic will answer.")).toBeVisible();
  await expect(page.getByRole("article", { name: "Critic" })).toContainText("It is wrong.");
  await expect(page.getByRole("article")).toHaveText([/@coder write it/, /It is written\./, /It is wrong\./]);
  expect(JSON.stringify(asked(claude)[1]?.body)).toContain("[Coder (AI)]: It is written.");
});

test("in a room only agents answer that are mentioned", async ({ app, claude }) => {
  const { page } = app;
  await room(app, claude);
  await page.getByRole("button", { name: "New dialog" }).click();
  await page.getByRole("textbox", { name: "Dialog name" }).fill("Meeting");
  await page.getByRole("checkbox", { name: "Room: only agents I mention answer" }).check();
  await page.getByRole("button", { name: "Create" }).click();
  await expect(page.locator(".dialog-head")).toContainText("· room");
  await expect(page.getByText("No messages yet. Mention an agent with @ to get an answer.")).toBeVisible();
  await say(page, "First a note to myself.");
  await expect(page.getByRole("article", { name: "You" })).toHaveCount(1);
  await expect(page.getByRole("button", { name: "Continue" })).toHaveCount(0);
  await messageBox(page).fill("@critic is the note good?");
  await expect(page.locator(".mention-note output")).toHaveText("Critic will answer.");
  await page.getByRole("button", { name: "Ask for a short answer" }).click();
  await expect(messageBox(page)).toHaveValue("@critic is the note good? Be brief.");
  await expect(messageBox(page)).toBeFocused();
  await expect(page.getByRole("button", { name: "Ask for a short answer" })).toHaveCount(0);
  claude.play({ blocks: [{ text: "It is short." }] });
  await messageBox(page).press("ControlOrMeta+Enter");
  await expect(page.getByRole("article", { name: "Critic" })).toContainText("It is short.");
  expect(asked(claude).map(promptOf)).toEqual([expect.stringMatching(/^You are Critic\./)]);
  expect(JSON.stringify(asked(claude)[0]?.body)).toContain("[Owner]: First a note to myself.");
});

test("the person can ask the dialog's own agent instead", { tag: "@long" }, async ({ app, claude }) => {
  const { page } = app;
  await room(app, claude);
  await messageBox(page).fill("What does @coder do?");
  await page.getByRole("button", { name: "Ask this dialog's agent instead" }).click();
  await expect(page.locator(".mention-note output")).toHaveText("This dialog's own agent will answer.");
  claude.play({ blocks: [{ text: "It reads code." }] });
  await messageBox(page).press("ControlOrMeta+Enter");
  await expect(page.getByRole("article", { name: "Agent" })).toContainText("It reads code.");
  expect(promptOf(asked(claude)[0] ?? ({} as Recorded))).not.toMatch(/^You are Coder/);
});

test("an agent that needs approval says so where it was mentioned, and answers there once it has it", { tag: "@long" }, async ({
  app,
  claude,
}) => {
  const { page } = app;
  const id = await room(app, claude);
  claude.play(
    { blocks: [{ call: "write_file", id: "toolu_1", input: { path: "fix.txt", content: "fixed\n" } }] },
    { blocks: [{ text: "Fixed." }] },
  );
  await say(page, "@coder fix it");
  const pending = page.getByRole("article", { name: "Coder" });
  await expect(pending).toContainText("Coder needs your approval.");
  await pending.getByRole("link", { name: "Open dialog" }).click();
  await expect(panel(page)).toBeVisible();
  await panel(page)
    .getByRole("button", { name: /^Approve/ })
    .click();
  await expect(page.getByRole("article", { name: "Coder" }).last()).toContainText("Fixed.");
  await dialogs(page).getByRole("link", { name: /^game/ }).click();
  await expect(page).toHaveURL(new RegExp(`${id}$`));
  await expect(page.getByRole("article", { name: "Coder" })).toContainText("Fixed.");
  expect((await app.ask("GET", "deed/fix.txt")).text).toContain("fixed");
});

test("a fork is resolved: its summary goes to the dialog that was forked", { tag: "@long" }, async ({ app, claude }) => {
  const { page } = app;
  const id = await dialogWith(app, claude, { blocks: [{ text: "Red or blue?" }] }, "colour");
  await expect(page.getByText("Red or blue?")).toBeVisible();
  await page.getByRole("article", { name: "Agent" }).hover();
  await page.getByRole("article", { name: "Agent" }).getByRole("button", { name: "Message actions" }).click();
  await page.getByRole("button", { name: "Fork from here" }).click();
  await expect(page.locator(".dialog-head")).toContainText("colour-fork");
  claude.play({ blocks: [{ text: "Blue is calm." }] });
  await say(page, "Blue.");
  await expect(page.getByText("Blue is calm.")).toBeVisible();
  claude.play({ blocks: [{ text: "CONCLUSION: blue." }] });
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("button", { name: "Resolve fork" }).click();
  await expect(page.getByRole("article", { name: "Vibe" })).toContainText("CONCLUSION: blue.");
  await page.getByRole("button", { name: "Send summary to colour" }).click();
  await expect(page).toHaveURL(new RegExp(`${id}$`));
  const summary = page.getByRole("article", { name: "Vibe" });
  await expect(summary.getByRole("heading", { name: "Resolved: colour-fork" })).toBeVisible();
  await expect(summary).toContainText("CONCLUSION: blue.");
});

test("agents answer each other in a side discussion, which comes back as a summary, through a reload", async ({ app, claude }) => {
  const { page } = app;
  const id = await room(app, claude);
  await messageBox(page).fill("@coder @critic red or blue?");
  await page.getByRole("combobox", { name: "Order" }).selectOption("In turns, up to 10 replies");
  const held = gate();
  claude.play({ blocks: [{ text: "Red." }] }, async () => {
    await held.opened;
    return { blocks: [{ text: "Blue.\n\nDONE" }] };
  });
  await messageBox(page).press("ControlOrMeta+Enter");
  const sides = page.getByRole("list", { name: "Side discussions" });
  await expect(sides).toHaveText("Side discussion: red or blue? · open, 1 of up to 10 replies");
  await sides.getByRole("link").click();
  await expect(page.locator(".dialog-head")).toContainText("side discussion of game");
  const strip = page.locator(".side-strip");
  await expect(strip).toContainText("Coder and Critic answer each other: 1 of up to 10 replies.");
  claude.play({ blocks: [{ text: "1. CONCLUSION: Blue.\n2. KEY POINTS:\n- It is calm.\n3. ACTION ITEMS: none" }] });
  held.open();
  await expect(strip).toContainText("Resolved. The summary is in game.");
  await strip.getByRole("link", { name: "game" }).click();
  await expect(page).toHaveURL(new RegExp(`${id}$`));
  const summary = page.getByRole("article", { name: "Vibe" });
  await expect(summary.getByRole("heading")).toHaveText(["Resolved: red or blue?", "Conclusion", "Key points", "Action items"]);
  await expect(sides).toContainText("resolved");
  await page.reload();
  await expect(summary.getByRole("heading", { name: "Resolved: red or blue?" })).toBeVisible();
  await expect(sides).toContainText("resolved");
  expect(asked(claude).length).toBe(3);
});

test("a message is discussed on the side, and the discussion ends with a summary or without one", { tag: "@long" }, async ({
  app,
  claude,
}) => {
  const { page } = app;
  await room(app, claude);
  claude.play({ blocks: [{ text: "Red or blue?" }] });
  await say(page, "Choose.");
  const question = page.getByRole("article", { name: "Agent" });
  const begin = async (topic: string) => {
    await question.hover();
    await question.getByRole("button", { name: "Message actions" }).click();
    await page.getByRole("button", { name: "Discuss on the side…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Start" }).click();
    await expect(page.getByText("Enter a topic")).toBeVisible();
    await page.getByRole("textbox", { name: "What is it about?" }).fill(topic);
    await page.keyboard.press("Enter");
    await expect(page.locator(".dialog-head")).toContainText("side discussion of game");
  };
  await begin("The colour");
  const strip = page.locator(".side-strip");
  await expect(strip).toContainText("What is said here stays here.");
  await expect(page.getByRole("article", { name: "Agent" })).toContainText("Red or blue?");
  claude.play({ blocks: [{ text: "Blue." }] });
  await say(page, "@critic which?");
  await expect(page.getByRole("article", { name: "Critic" })).toContainText("Blue.");
  expect(JSON.stringify(asked(claude).at(-1)?.body)).toContain('[This conversation forked from: \\"Red or blue?...\\"]');
  claude.play({ blocks: [{ text: "CONCLUSION: blue." }] });
  await strip.getByRole("button", { name: "Resolve" }).click();
  await expect(strip).toContainText("Resolved. The summary is in game.");
  await page.setViewportSize({ width: 360, height: 740 });
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await axe(page)).toEqual([]);
  await strip.getByRole("link", { name: "game" }).click();
  await expect(page.getByRole("article", { name: "Vibe" })).toContainText("Resolved: The colour");
  expect(await axe(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  await page.setViewportSize({ width: 1280, height: 800 });
  await begin("The size");
  await strip.getByRole("button", { name: "End without a summary" }).click();
  await expect(strip).toContainText("Ended without a summary. Nothing goes to game.");
  await strip.getByRole("link", { name: "game" }).click();
  await expect(page.getByRole("list", { name: "Side discussions" })).toHaveText(
    "Side discussion: The colour · resolvedSide discussion: The size · ended without a summary",
  );
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });

  test("agents are offered and chosen with a finger, and everything fits", { tag: "@long" }, async ({ app, claude }) => {
    const { page } = app;
    await room(app, claude);
    await messageBox(page).tap();
    await page.keyboard.type("@cr");
    const option = page.getByRole("option", { name: /^@critic/ });
    expect((await option.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    await option.tap();
    await expect(messageBox(page)).toHaveValue("@critic ");
    await expect(messageBox(page)).toBeFocused();
    await page.keyboard.type("is it good?");
    claude.play({ blocks: [{ text: "No." }] });
    await page.getByRole("button", { name: /^Send/ }).tap();
    await expect(page.getByRole("article", { name: "Critic" })).toContainText("No.");
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  });
});
