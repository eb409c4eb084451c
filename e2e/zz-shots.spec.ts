import { test, expect, dialogWith, panel, openWithKey } from "./steps.ts";
import { expectInEditor, writeInEditor } from "./hands.ts";
for (const width of [1280, 360]) for (const scheme of ["dark", "light"] as const) test.describe(`${width}-${scheme}`, () => {
  test.use({ viewport: { width, height: 800 }, colorScheme: scheme });
  test("one", async ({ app, claude }) => {
    const { page } = app;
    await dialogWith(app, claude, { blocks: [{ text: "I run the tests before I change anything." }, { call: "run_command", id: "t1", input: { command: "npm test -- --run board --reporter=dot" } }] });
    const like = panel(page).getByRole("checkbox", { name: /^always allow npm/ });
    await expect(like).toBeVisible();
    await page.screenshot({ path: `/tmp/patterns/one-off-${width}-${scheme}.png` });
    await like.check();
    await page.screenshot({ path: `/tmp/patterns/one-on-${width}-${scheme}.png` });
    claude.play({ blocks: [{ call: "run_command", id: "t2", input: { command: "npm test && rm x" } }] });
    await panel(page).getByRole("button", { name: /^Approve/ }).click();
    await expect(panel(page)).toContainText("rm x");
    await page.screenshot({ path: `/tmp/patterns/after-${width}-${scheme}.png` });
  });
  test("several", async ({ app, claude }) => {
    const { page } = app;
    await dialogWith(app, claude, { blocks: [{ text: "Three things." }, { call: "run_command", id: "t1", input: { command: "npm test && npm run lint --fix" } }, { call: "write_file", id: "t2", input: { path: "src/lib/board.ts", content: "export {};\n" } }] });
    await expect(panel(page).locator(".like")).toHaveCount(2);
    await panel(page).getByRole("checkbox", { name: /writing under/ }).check();
    await page.screenshot({ path: `/tmp/patterns/several-${width}-${scheme}.png` });
  });
  test("main", async ({ app, claude }) => {
    const { page } = app;
    await openWithKey(app, claude, "#/docs/doc-main.md");
    await writeInEditor(page, "# A game\n\n> Authorized: command npm test *\n> Authorized: writes under src/\n> Authorized: command npm test*\n");
    await expect(page.locator(".law-meaning")).toHaveCount(3);
    await page.screenshot({ path: `/tmp/patterns/main-${width}-${scheme}.png` });
  });
});
