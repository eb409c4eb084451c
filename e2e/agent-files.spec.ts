// An agent in a file: written by a person, started in its own dialog, with only its prompt and its tools.
import { messages, writeInEditor } from "./hands.ts";
import { asked, expect, files, markdownOf, openWithKey, say, test } from "./steps.ts";

test("a person writes an agent and starts a dialog with it", async ({ app, claude }) => {
  const { page } = app;
  await openWithKey(app, claude, "#/docs/doc-main.md");
  await page.getByRole("button", { name: "New doc" }).click();
  await page.getByLabel("Doc name").fill("agent-coder");
  await page.keyboard.press("Enter");
  await expect(files(page).getByRole("link", { name: "coder" })).toBeVisible();
  await writeInEditor(page, "---\ntools: [edit_file]\n---\n\nYou are Coder, who never guesses.\n");
  const begin = page.getByRole("button", { name: "New dialog with coder" });
  await begin.click();
  await expect(page.getByText("Save the file first.")).toBeVisible();
  await page.keyboard.press("ControlOrMeta+s");
  await expect.poll(() => app.file("agent-coder.md")).toContain("never guesses");
  await begin.click();

  await expect(page).toHaveURL(/#\/dialogs\/\d{8}-\d{6}-coder$/);
  const head = page.locator(".dialog-head");
  await expect(head.getByRole("link", { name: "coder" })).toHaveAttribute("href", "#/docs/agent-coder.md");
  claude.play({ blocks: [{ text: "Line 3 is wrong." }] });
  await say(page, "What is wrong here?");
  await expect(messages(page).getByText("Line 3 is wrong.")).toBeVisible();
  const [request] = asked(claude).map(({ body }) => body as { system: { text: string }[]; tools: { name: string }[] });
  expect(request?.system[0]?.text).toMatch(/^You are Coder, who never guesses\./);
  expect(request?.tools.map(({ name }) => name)).toEqual(["edit_file"]);
  const id = page.url().split("/").at(-1) ?? "";
  expect(await markdownOf(app, id)).toMatch(/^# Dialog\n> Format: 2\n[^]*\n> Agent: coder [0-9a-f]{64}\n> Tools: edit_file\n/);

  await page.reload();
  await expect(head.getByRole("link", { name: "coder" })).toBeVisible();
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("button", { name: "Permissions" }).click();
  await expect(page.getByText("It can ask for edit_file, and for no other tool.")).toBeVisible();
  await page.getByText("The file as it was when this dialog began").click();
  await expect(page.getByRole("dialog").getByText("You are Coder, who never guesses.")).toBeVisible();
});
