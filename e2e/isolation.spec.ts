import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Plant, plants, pythonReaches, sandboxReaches } from "../tests/shell/isolation.ts";
import { say } from "../tests/stand-in/claude.ts";
import type { App } from "./app.ts";
import { isWhole } from "./campaign.ts";
import { type CommandResult, expect, newDialog, openWithKey, results, test } from "./steps.ts";
import { main } from "./team.ts";

/** The tables of `tests/shell/isolation.ts` in a real browser, on the build. The campaign runs all of them, with the shipped headers and without. */

const some = <T extends { readonly always?: boolean }>(all: readonly T[]): readonly T[] =>
  isWhole ? all : all.filter(({ always }) => always);

/** The first command also fetches and compiles Python, which takes long on a busy machine. */
async function withTime(app: App): Promise<void> {
  await app.json("POST", "file/doc-main.md", { content: main("Limit: command 120") });
}

test("what one dialog's command leaves behind is met by no other dialog", { tag: "@long" }, async ({ app, claude }) => {
  test.setTimeout(isWhole ? 1_800_000 : 300_000);
  await openWithKey(app, claude);
  await withTime(app);
  const [a, b] = [await newDialog(app, "plants"), await newDialog(app, "looks")];
  let calls = 0;
  const run = async (dialogId: string, commands: readonly string[]): Promise<readonly CommandResult[]> => {
    const blocks = commands.map((command) => ({ call: "run_command", id: `toolu_${(calls += 1)}`, input: { command } }));
    claude.play({ blocks }, say("Done."));
    const { status, text } = await app.ask("PUT", "dialog", { dialogId, prompt: "Go", authorizations: ["run_command"] });
    expect(status, text).toBe(200);
    const all = await results(app, dialogId);
    return all.slice(all.length - commands.length);
  };
  const failures: string[] = [];
  let looks = 0;
  const judge = (plant: Plant, from: string, expected: string, seen: CommandResult | undefined): void => {
    looks += 1;
    if (seen?.stdout !== expected) failures.push(`${plant.name}, from ${from}: ${JSON.stringify(seen)}`);
  };
  let before: Plant | null = null;
  for (const plant of [...some(plants), null]) {
    // The dialog that planted looks for what it may see, and then plants the next.
    const own = await run(a, [...(before === null ? [] : [before.look]), ...(plant === null ? [] : [plant.plant])]);
    if (before !== null) judge(before, "a", before.sameDialog ?? before.clean, own[0]);
    if (plant === null) break;
    const planted = own.at(-1);
    if (planted?.success !== true) failures.push(`${plant.name}: could not be planted: ${JSON.stringify(planted)}`);
    judge(plant, "b", plant.clean, (await run(b, [plant.look]))[0]);
    before = plant;
  }
  expect(failures).toEqual([]);
  expect(looks).toBe(2 * some(plants).length);
});

test("no way from a program to code made of text, nor to a server", { tag: "@long" }, async ({ app, claude }) => {
  test.setTimeout(isWhole ? 900_000 : 300_000);
  const heard: string[] = [];
  const server = createServer((request, response) => {
    heard.push(`${request.method} ${request.url}`);
    response.writeHead(200, { "access-control-allow-origin": "*", "content-type": "text/javascript" }).end("export {}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  await openWithKey(app, claude);
  await withTime(app);
  const dialogId = await newDialog(app, "reaches");
  // Node's own fetch asks the user, so deny the host in advance.
  await app.json("PUT", "dialog", { dialogId, network: [{ host, allow: false }] });
  const toServer = (code: string, at: string) =>
    code.replaceAll("globalThis.vibeyReached = 1", `fetch(\`http://${host}/${at}\`),import(\`http://${host}/${at}.js\`)`);
  const python = some(pythonReaches).map(({ code }, at) => `python3 - <<'EOF'\n${toServer(code, `python-${at}`)}\nprint("REACHED")\nEOF`);
  const others = some(sandboxReaches).map(({ code }, at) => toServer(code, `other-${at}`));
  const commands = [...python, ...others];
  claude.play({ blocks: commands.map((command, at) => ({ call: "run_command", id: `toolu_${at}`, input: { command } })) }, say("Done."));
  const { status, text } = await app.ask("PUT", "dialog", { dialogId, prompt: "Go", authorizations: ["run_command"] });
  expect(status, text).toBe(200);
  const ran = await results(app, dialogId);
  expect(ran).toHaveLength(commands.length);
  const reached = python.filter((_command, at) => ran[at]?.success !== false || ran[at].stdout.includes("REACHED"));
  expect(reached).toEqual([]);
  expect(heard).toEqual([]);
  server.close();
});
