import { plants } from "../tests/shell/isolation.ts";
import { say } from "../tests/stand-in/claude.ts";
import type { App } from "./app.ts";
import { isWhole } from "./campaign.ts";
import { listenForRequests, lookForPlants, reaching, type RunIn, some } from "./isolation-tables.ts";
import { expect, newDialog, openWithKey, results, test } from "./steps.ts";
import { main } from "./team.ts";

/** The tables of `tests/shell/isolation.ts` in a real browser, on the build. The campaign runs all of them, with the shipped headers and without. */

/** The first command also fetches and compiles Python, which takes long on a busy machine. */
async function withTime(app: App): Promise<void> {
  await app.json("POST", "file/doc-main.md", { content: main("Limit: command 120") });
}

test("what one dialog's command leaves behind is met by no other dialog", { tag: "@long" }, async ({ app, claude }) => {
  test.setTimeout(isWhole ? 1_800_000 : 300_000);
  await openWithKey(app, claude);
  await withTime(app);
  const ids = { a: await newDialog(app, "plants"), b: await newDialog(app, "looks") };
  let calls = 0;
  const run: RunIn = async (dialog, commands) => {
    const blocks = commands.map((command) => ({ call: "run_command", id: `toolu_${(calls += 1)}`, input: { command } }));
    claude.play({ blocks }, say("Done."));
    const { status, text } = await app.ask("PUT", "dialog", { dialogId: ids[dialog], prompt: "Go", authorizations: ["run_command"] });
    expect(status, text).toBe(200);
    const all = await results(app, ids[dialog]);
    return all.slice(all.length - commands.length);
  };
  const { looks, failures } = await lookForPlants(some(plants), run);
  expect(failures).toEqual([]);
  expect(looks).toBe(2 * some(plants).length);
});

test("no way from a program to code made of text, nor to a server", { tag: "@long" }, async ({ app, claude }) => {
  test.setTimeout(isWhole ? 900_000 : 300_000);
  const { host, heard, close } = await listenForRequests();
  await openWithKey(app, claude);
  await withTime(app);
  const dialogId = await newDialog(app, "reaches");
  // Node's own fetch asks the user, so deny the host in advance.
  await app.json("PUT", "dialog", { dialogId, network: [{ host, allow: false }] });
  const { commands, reached } = reaching(host);
  claude.play({ blocks: commands.map((command, at) => ({ call: "run_command", id: `toolu_${at}`, input: { command } })) }, say("Done."));
  const { status, text } = await app.ask("PUT", "dialog", { dialogId, prompt: "Go", authorizations: ["run_command"] });
  expect(status, text).toBe(200);
  const ran = await results(app, dialogId);
  expect(ran).toHaveLength(commands.length);
  expect(reached(ran)).toEqual([]);
  expect(heard).toEqual([]);
  close();
});
