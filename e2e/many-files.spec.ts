import type { DialogAnswer } from "../src/protocol/index.ts";
import { parseDialog } from "../src/dialog/parse.ts";
import { type ClaudeStandIn, say, startClaude } from "../tests/stand-in/claude.ts";
import { type App, expect, test } from "./app.ts";
import { isWhole } from "./campaign.ts";

/**
 * Reloads the page at twenty points (fewer in `npm test`) of a command that writes 500 files, from before it is claimed until after its result
 * was shown. The points are fractions of the command's undisturbed duration; at every point the same has to hold.
 */

const count = 500;
const points = isWhole ? 20 : 7;
const words = "word after word, ".repeat(20);
const command = (folder: string): string =>
  `mkdir -p ${folder}; for i in $(seq ${count}); do echo "file $i of ${folder}: ${words}" > ${folder}/f$i.txt; done; ls ${folder} | wc -l`;
const content = (folder: string, i: number): string => `file ${i} of ${folder}: ${words}\n`;

interface Listing {
  readonly dialogId: string;
  readonly filename: string;
  readonly status: string;
}

async function beginWith(app: App, claude: ClaudeStandIn, folder: string): Promise<string> {
  await app.json("PUT", "provider/claude", { apiKey: claude.key, baseURL: claude.url });
  claude.play({ blocks: [{ call: "run_command", id: `toolu_${folder}`, input: { command: command(folder) } }] }, say("Written."));
  const { text } = await app.ask("POST", "dialog", { provider: "claude", prompt: "Write many files.", slug: folder });
  const dialogId = /"dialogId":"([^"]+)"/.exec(text)?.[1];
  if (dialogId === undefined || !text.includes("tool_request")) throw new Error(`no call to approve: ${text}`);
  return dialogId;
}

/** Approves the command. Reloads the page after `afterMs`; null: doesn't. Returns the milliseconds until the result arrived. */
function approve(app: App, dialogId: string, callId: string, afterMs: number | null): Promise<number> {
  return app.page.evaluate(
    async ([dialog, call, after]) => {
      const { messages }: DialogAnswer = await (await fetch(`dialog/${dialog}`)).json();
      const hash = messages.flatMap(({ parts }) =>
        parts.flatMap((part) => (part.kind === "call" && part.call.id === call ? [part.call.hash] : [])),
      )[0];
      const started = performance.now();
      const reader = (await fetch(`dialog/${dialog}/stream?view=parsed`)).body?.pipeThrough(new TextDecoderStream()).getReader();
      if (after !== null) setTimeout(() => location.reload(), after);
      void fetch("dialog", {
        method: "PUT",
        body: JSON.stringify({ dialogId: dialog, decisions: [{ id: call, approved: true }], hashes: { [call]: hash } }),
      });
      for (;;) {
        const { value = "", done } = (await reader?.read()) ?? { done: true };
        if (value.includes('"success":true')) break;
        if (done) throw new Error("the stream ended before the result");
      }
      sessionStorage.setItem("shown", dialog);
      return performance.now() - started;
    },
    [dialogId, callId, afterMs] as const,
  );
}

async function filesOf(app: App, folder: string): Promise<readonly (readonly [path: string, text: string])[]> {
  return app.page.evaluate(async (prefix) => {
    const listed = (await (await fetch("deed")).json()) as { path: string }[];
    const own = listed.map(({ path }) => path).filter((path) => path.startsWith(`${prefix}/`));
    return Promise.all(own.map(async (path) => [path, await (await fetch(`deed/${path}`)).text()] as const));
  }, folder);
}

/** Checks what must hold whenever the page died. Returns how far the command got. */
async function check(app: App, dialogId: string, folder: string): Promise<string> {
  const dialogs = await app.json<Listing[]>("GET", "dialogs");
  const own = dialogs.filter((dialog) => dialog.dialogId === dialogId);
  expect(own).toHaveLength(1);
  const { markdown, status } = await app.json<{ markdown: string; status: string }>("GET", `dialog/${dialogId}`);
  const parsed = parseDialog(markdown);
  expect(parsed.format).toBe(1);
  const calls = parsed.sections.flatMap((section) => section.parts.flatMap((part) => (part.kind === "call" ? [part.call] : [])));
  expect(calls.map(({ id }) => id)).toEqual([`toolu_${folder}`]);
  const result = JSON.stringify(calls[0]?.result ?? null);
  const succeeded = result.includes('"success":true');

  const files = await filesOf(app, folder);
  expect([0, count]).toContain(files.length);
  for (const [path, text] of files) expect(text).toBe(content(folder, Number(/f(\d+)\.txt$/.exec(path)?.[1])));
  if (succeeded) expect(files).toHaveLength(count);
  else {
    expect(["waiting", "done"]).toContain(status);
    if (calls[0]?.started) expect(result).toContain("interrupted: this may or may not have run");
    else expect(files).toHaveLength(0);
  }
  const shown = await app.page.evaluate((id) => sessionStorage.getItem("shown") === id, dialogId);
  if (shown) expect(succeeded).toBe(true);
  return `${calls[0]?.started ? "started" : "not started"}, ${succeeded ? "ended" : "no result"}, ${files.length} files${shown ? ", shown" : ""}`;
}

test("the page dies at points of a command that writes 500 files", { tag: "@long" }, async ({ app }) => {
  test.setTimeout(180_000);
  const servers: ClaudeStandIn[] = [];
  const begin = async (folder: string): Promise<string> => {
    // An answer that a dead page didn't fetch must not reach the next round.
    const claude = await startClaude();
    servers.push(claude);
    return beginWith(app, claude, folder);
  };
  await app.open();
  // As in each round, the command is the first one of its page.
  const undisturbed = await begin("whole");
  const whole = await approve(app, undisturbed, "toolu_whole", null);
  // Wait until this dialog is done: its last request must not reach the next round's server.
  await expect.poll(async () => (await app.json<{ status: string }>("GET", `dialog/${undisturbed}`)).status).toBe("done");
  const found: string[] = [];
  for (let point = 0; point < points; point += 1) {
    const folder = `part${point}`;
    const dialogId = await begin(folder);
    const loaded = app.page.waitForEvent("load");
    await approve(app, dialogId, `toolu_${folder}`, (whole * 1.6 * point) / points).catch(() => undefined);
    await loaded;
    await expect(app.page.getByRole("tablist").first()).toBeVisible();
    found.push(`${point}: ${await check(app, dialogId, folder)}`);
  }
  console.log(`  ${whole.toFixed(0)} ms undisturbed\n  ${found.join("\n  ")}`);
  for (const server of servers) await server.close();
});
