import { chromiumArguments } from "../scripts/browser.mjs";
import { say } from "../tests/stand-in/claude.ts";
import { expect, newDialog, openWithKey, test } from "./steps.ts";

// A small heap fills up sooner, with the same effect.
test.use({
  launchOptions: async ({ launchOptions }, use) =>
    use({ ...launchOptions, args: [...chromiumArguments, "--js-flags=--max-old-space-size=128"] }),
});

const call = (id: string, command: string) => ({ blocks: [{ call: "run_command" as const, id, input: { command } }] });

test("a program that fills the memory ends with its frame's process; the tab, the text and the next program stay", {
  tag: "@long",
}, async ({ app, claude, page }) => {
  await openWithKey(app, claude);
  const id = await newDialog(app, "bomb");
  // Playwright treats a crashed frame as a crashed page and sends the page nothing more, so use a separate session.
  const direct = await page.context().newCDPSession(page);
  claude.play(
    call("toolu_0", "echo kept > kept.txt; echo written"),
    call("toolu_1", "node -e 'const all = []; for (;;) all.push(new Array(100000).fill(0.5))'"),
    call("toolu_2", "cat kept.txt; node -p 6*7"),
    say("Done."),
  );
  const crash = page.waitForEvent("crash");
  const asked = app.ask("PUT", "dialog", { dialogId: id, prompt: "Go", authorizations: ["run_command"] });
  await expect(asked).rejects.toThrow("Page crashed");
  await crash;

  const read = async (): Promise<unknown> => {
    const expression = `fetch("dialog/${id}").then(async (answer) => (await answer.json()).markdown)`;
    return (await direct.send("Runtime.evaluate", { expression, awaitPromise: true })).result.value;
  };
  await expect
    .poll(read, { timeout: 60_000 })
    .toMatch(/written[^]*new Array[^]*it may have taken too much memory[^]*kept\\n42\\n[^]*Done\./);
});
