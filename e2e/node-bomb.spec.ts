import { chromiumArguments } from "../scripts/browser.mjs";
import { appOn } from "./app.ts";
import { expect, newDialog, openWithKey, test } from "./steps.ts";

// A small heap is full sooner; what happens then is the same.
test.use({
  launchOptions: async ({ launchOptions }, use) =>
    use({ ...launchOptions, args: [...chromiumArguments, "--js-flags=--max-old-space-size=128"] }),
});

const call = (id: string, command: string) => ({ blocks: [{ call: "run_command" as const, id, input: { command } }] });

test("a program that fills the memory takes the tab with it, and no text", { tag: "@long" }, async ({ app, claude, page }) => {
  await openWithKey(app, claude);
  await app.json("PUT", "sandbox/node", { node: "browser" });
  const id = await newDialog(app, "bomb");
  claude.play(
    call("toolu_0", "echo kept > kept.txt; echo written"),
    call("toolu_1", "node -e 'const all = []; for (;;) all.push(new Array(100000).fill(0.5))'"),
  );
  const crash = page.waitForEvent("crash");
  const asked = app.ask("PUT", "dialog", { dialogId: id, prompt: "Go", authorizations: ["run_command"] });
  await expect(asked).rejects.toThrow("Page crashed");
  await crash;

  const again = appOn(await page.context().newPage());
  await again.open(`#/dialogs/${id}`);
  await expect
    .poll(async () => (await again.json<{ markdown: string }>("GET", `dialog/${id}`)).markdown)
    .toMatch(/written[^]*new Array[^]*Decision: approved\nStarted: /);
  expect(await again.file("kept.txt")).toBe("kept\n");
});
