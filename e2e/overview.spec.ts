// The dialogs page with no dialog open: all dialogs as a tree, and their requests, decided in their rows.
import type { Locator, Page } from "@playwright/test";
import type { App } from "./app.ts";
import { asked, expect, markdownOf, openWithKey, overview, test } from "./steps.ts";
import { dialogText, writeDialog } from "./written.ts";

const row = (page: Page, slug: string): Locator => page.locator(`[role=row][data-id$="-${slug}"]`);
const button = (page: Page, name: string | RegExp): Locator => page.getByRole("button", { name, exact: typeof name === "string" });
const request = (tool: string, input: object, id = "toolu_1") =>
  `---\nTool request: ${tool} [${id}]\n\n    ${JSON.stringify(input)}\n\n---`;
const asking = (...requests: string[]) => ["Assistant", requests.join("\n\n")] as const;

async function write(app: App, slug: string, said: readonly ["Assistant", string, ...string[]], parent?: string): Promise<string> {
  const head = parent === undefined ? [] : [`> Launched by: ${parent}`];
  return writeDialog(app, slug, "waiting", dialogText([["User", "Go."], said], head));
}

/** Presses like a person, who looks first: the page ignores a press on something that has only just appeared. */
async function press(target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  await target.hover();
  await expect
    .poll(async () => {
      if ((await target.count()) === 0) return true;
      await target.click();
      return (await target.count()) === 0;
    })
    .toBe(true);
}

test("each dialog is a row below the one that launched it, with state, request, time and cost", async ({ app }) => {
  const { page } = app;
  await app.open("#/dialogs");
  await expect(overview(page).getByRole("button", { name: "Start" })).toBeVisible();
  const boss = await writeDialog(
    app,
    "boss",
    "done",
    dialogText([
      ["User", "Begin."],
      ["Assistant", "Launched."],
    ]),
  );
  await write(app, "board", asking(request("run_command", { command: "npm test" })), boss);
  await write(app, "wonders", ["Assistant", "Hm.", "> Waiting: Which colour?"], boss);
  await write(app, "halted", ["Assistant", "I was", "> Stop: aborted"]);
  await write(app, "broke", ["Assistant", "I was", "> Stop: error overloaded", "> Usage cumulative: input=900 output=300 total=1200"]);

  const grid = page.getByRole("treegrid");
  await expect(grid.getByRole("row")).toHaveCount(6);
  await expect(row(page, "boss")).toHaveAttribute("aria-expanded", "true");
  await expect(row(page, "board")).toHaveAttribute("aria-level", "2");
  await expect(row(page, "boss")).toContainText("completed");
  await expect(row(page, "boss")).toContainText("its agents: 2 waiting for you");
  await expect(row(page, "board")).toContainText("needs approval");
  await expect(row(page, "board")).toContainText("npm test");
  await expect(row(page, "wonders")).toContainText("“Which colour?”");
  await expect(row(page, "halted")).toContainText("stopped");
  await expect(row(page, "broke")).toContainText("error");
  await expect(row(page, "broke")).toContainText("overloaded");
  await expect(row(page, "broke")).toContainText("1.2K");
  await expect(overview(page)).toContainText("3 need you.");

  // A folded row hides the dialogs that it launched. The filters count dialogs and show the matching ones.
  await button(page, "Fold boss").click();
  await expect(row(page, "board")).toHaveCount(0);
  await button(page, "Unfold boss").click();
  await button(page, "Waiting 3").click();
  await expect(grid.getByRole("row")).toHaveCount(4);
  await button(page, "Stopped 1").click();
  await expect(row(page, "halted")).toBeVisible();
  await expect(row(page, "board")).toHaveCount(0);
});

test("an open dialog leads back to all of them, by its tab, its key and the list beside it", { tag: "@long" }, async ({ app }) => {
  const { page } = app;
  const id = await app.open("#/dialogs").then(() => write(app, "one", ["Assistant", "Hello."]));
  const leave = [
    () => page.getByRole("tab", { name: "Dialogs" }).click(),
    () => page.keyboard.press("ControlOrMeta+Alt+Digit2"),
    () => button(page, /Overview$/).click(),
  ];
  for (const back of leave) {
    await page.goto(`./#/dialogs/${id}`);
    await expect(page.getByRole("heading", { level: 2, name: "one" })).toBeVisible();
    await back();
    await expect(row(page, "one")).toBeVisible();
  }
});

test("a row approves exactly what it shows, and offers nothing to approve where it can't show all of it", async ({ app, claude }) => {
  const { page } = app;
  await openWithKey(app, claude, "#/dialogs");
  await write(app, "sly", asking(request("run_command", { command: "echo a\u202eb   && rm x" })));
  await write(app, "long", asking(request("write_file", { path: "big.txt", content: "line\n".repeat(80) })));
  const two = await write(
    app,
    "two",
    asking(request("run_command", { command: "ls" }), request("run_command", { command: "pwd" }, "toolu_2")),
  );

  await expect(row(page, "sly").locator(".codepoint").first()).toHaveText("U+202E");
  await expect(row(page, "sly").locator(".deceit")).toHaveCount(1);
  await expect(row(page, "long").getByRole("link", { name: "Open long" })).toBeVisible();
  await expect(button(page, /^Approve.* long$/)).toHaveCount(0);
  await expect(row(page, "two").getByRole("listitem")).toHaveCount(2);

  claude.play({ blocks: [{ text: "Both ran." }] });
  await press(button(page, "Approve all two"));
  await expect.poll(() => markdownOf(app, two)).toContain("Both ran.");
  expect((await markdownOf(app, two)).match(/^Decision: approved$/gm)).toHaveLength(2);
  await expect(row(page, "two")).toContainText("completed");
  expect(app.complaints).toEqual([]);
});

test("a request that has changed takes no click that was meant for the earlier one", async ({ app, claude }) => {
  const { page } = app;
  await openWithKey(app, claude, "#/dialogs");
  const id = await write(app, "shifty", asking(request("run_command", { command: "ls" })));
  await expect(button(page, "Approve shifty")).toBeVisible();
  // Clicks at the very moment at which the other request appears.
  await page.evaluate(() => {
    new MutationObserver((_changes, observer) => {
      const hasCome = document.body.textContent.includes("rm -rf /");
      const approve = hasCome && Array.from(document.querySelectorAll("button")).find((one) => one.textContent.startsWith("Approve"));
      if (!approve) return;
      observer.disconnect();
      approve.click();
      document.body.dataset["clicked"] = "yes";
    }).observe(document.body, { childList: true, subtree: true, characterData: true });
  });
  const answers = await page.evaluate(async (dialogId) => {
    const read = async () => (await (await fetch(`dialog/${dialogId}/asks`)).json()) as { calls: { hash: string }[] };
    const before = (await read()).calls[0]?.hash ?? "";
    const { filename, markdown }: { filename: string; markdown: string } = await (await fetch(`dialog/${dialogId}`)).json();
    await fetch(`file/${filename}`, { method: "POST", body: JSON.stringify({ content: markdown.replace('"ls"', '"rm -rf /"') }) });
    const decisions = "əəə\ntoolu_1: approve\nəəə";
    const old = await fetch("dialog", { method: "PUT", body: JSON.stringify({ dialogId, decisions, hashes: { toolu_1: before } }) });
    return { status: old.status, changed: (await read()).calls[0]?.hash !== before };
  }, id);
  expect(answers).toEqual({ status: 409, changed: true });
  await expect(row(page, "shifty")).toContainText("rm -rf /");
  await expect(page.locator("body")).toHaveAttribute("data-clicked", "yes");
  await expect(row(page, "shifty")).toBeVisible();
  expect(asked(claude)).toHaveLength(0);
});

test("keys move, approve, deny with a reason and open; in a text field they are text", async ({ app, claude }) => {
  const { page } = app;
  await openWithKey(app, claude, "#/dialogs");
  const first = await write(app, "a-first", asking(request("run_command", { command: "ls" })));
  const second = await write(app, "b-second", asking(request("run_command", { command: "pwd" })));
  await expect(button(page, "Approve a-first")).toBeVisible();
  await expect(button(page, "Approve b-second")).toBeVisible();
  await expect(overview(page).locator(".foot kbd")).toHaveText(["J", "K", "A", "D", "↵"]);

  await row(page, "b-second").locator(".br-since").click();
  await row(page, "b-second").focus();
  await page.keyboard.press("j");
  await expect(row(page, "a-first")).toBeFocused();
  await page.keyboard.press("k");
  await expect(row(page, "b-second")).toBeFocused();

  // A half-written reason stays while another row is decided.
  await expect(async () => {
    await page.keyboard.press("d");
    await expect(page.getByLabel(/^Tell the agent why/)).toBeFocused({ timeout: 200 });
  }).toPass();
  await page.keyboard.type("ja");
  await expect(page.getByLabel(/^Tell the agent why/)).toHaveValue("ja");
  await row(page, "a-first").focus();
  claude.play({ blocks: [{ text: "I see." }] }, { blocks: [{ text: "I see." }] });
  // The first press may only bring the row into view.
  await expect(async () => {
    await page.keyboard.press("a");
    await expect.poll(() => markdownOf(app, first), { timeout: 1_000 }).toContain("Decision: approved");
  }).toPass();
  await expect.poll(() => markdownOf(app, first)).toContain("I see.");
  await expect(row(page, "a-first")).toBeFocused();
  await expect(page.getByLabel(/^Tell the agent why/)).toHaveValue("ja");
  await page.getByLabel(/^Tell the agent why/).press("Enter");
  await expect.poll(() => markdownOf(app, second)).toContain("Decision: denied");
  await expect.poll(() => markdownOf(app, second)).toContain("\nja\n");
  await expect(row(page, "b-second")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/b-second$/);
  expect(app.complaints).toEqual([]);
});

test("a row under the pointer stays where it is while others come", { tag: "@long" }, async ({ app, claude }) => {
  const { page } = app;
  await openWithKey(app, claude, "#/dialogs");
  for (let nth = 0; nth < 20; nth += 1) await write(app, `n${nth}`, asking(request("run_command", { command: `echo ${nth}` })));
  const target = button(page, "Approve n15");
  // Rows grow when their requests load. Wait for all rows above this one.
  for (let nth = 15; nth < 20; nth += 1) await expect(button(page, `Approve n${nth}`)).toBeVisible();
  await expect(button(page, "All 20")).toBeVisible();
  await expect(async () => {
    await target.hover();
    expect(await row(page, "n15").evaluate((element) => element.matches(":hover"))).toBe(true);
  }).toPass();
  const before = await target.boundingBox();
  // Newer rows appear above it.
  for (const slug of ["zz-one", "zz-two", "zz-three"]) await write(app, slug, asking(request("run_command", { command: "ls" })));
  await expect(button(page, "All 23")).toBeVisible();
  await expect.poll(async () => Math.abs(((await target.boundingBox())?.y ?? 0) - (before?.y ?? 0))).toBeLessThanOrEqual(1);
});

test("a phone shows cards that fit, with buttons for a finger", { tag: "@long" }, async ({ app, claude }) => {
  const { page } = app;
  await page.setViewportSize({ width: 360, height: 740 });
  await openWithKey(app, claude, "#/dialogs");
  await write(app, "edits", asking(request("edit_file", { path: "src/a.js", old_string: "const a = 1;", new_string: "const a = 2;" })));
  await write(app, "runs", asking(request("run_command", { command: "npm run a-command-with-a-very-long-name -- --and=arguments" })));
  await expect(button(page, "Approve edits")).toBeVisible();
  await expect(button(page, "Approve runs")).toBeVisible();
  expect(await overview(page).evaluate((box) => box.scrollWidth <= box.clientWidth)).toBe(true);
  for (const name of ["Approve edits", "Deny edits", "Approve runs"])
    expect((await button(page, name).boundingBox())?.height ?? 0).toBeGreaterThanOrEqual(44);
});
