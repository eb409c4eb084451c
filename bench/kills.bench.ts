/** Goal 4: the browser is killed while dialogs stream. Only the last moment's text may be lost, never anything before it. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium } from "playwright";
import { chromiumArguments, ensureChromium } from "../scripts/browser.mjs";
import { serve } from "../scripts/serve.mjs";
import { median } from "./ratio.ts";
import { goal, note } from "./report.ts";
import { startTokens } from "./token-server.ts";

const kills = Number(process.env["VIBEY_BENCH_KILLS"] ?? 20);
const streams = 5;
/** Milliseconds that a token may take from the server to the engine. */
const onTheWay = 50;

const profile = mkdtempSync(join(tmpdir(), "vibey-bench-"));
const site = await serve({ root: process.env["VIBEY_DIST"] ?? "dist", port: 0 });
const address = site.address();
if (address === null || typeof address === "string") throw new Error("the server has no port");
const url = `http://localhost:${address.port}/`;

/** Playwright's own launch shuts a browser down properly; this browser can be killed. */
async function launch(): Promise<{ browser: Browser; kill: () => Promise<void> }> {
  const args = [
    ...chromiumArguments,
    "--headless=new",
    "--ignore-certificate-errors",
    "--remote-debugging-port=0",
    `--user-data-dir=${profile}`,
  ];
  const child: ChildProcess = spawn(ensureChromium(), [...args, "about:blank"], { detached: true, stdio: ["ignore", "ignore", "pipe"] });
  const endpoint = await new Promise<string>((resolve, reject) => {
    let said = "";
    child.once("exit", () => reject(new Error(`Chromium ended: ${said}`)));
    child.stderr?.on("data", (data: Buffer) => {
      said += data.toString();
      const found = /DevTools listening on (ws:\S+)/.exec(said)?.[1];
      if (found) resolve(found);
    });
  });
  const browser = await chromium.connectOverCDP(endpoint);
  return {
    browser,
    async kill() {
      const gone = new Promise((resolve) => child.once("exit", resolve));
      // Kills the whole process group: the browser with its renderers and helpers.
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
      await gone;
    },
  };
}

const lost: number[] = [];
for (let round = 0; round < kills; round += 1) {
  const tokens = await startTokens({ tokensPerSecond: 50, seconds: 30, numbered: true });
  const before = await launch();
  const page = await (before.browser.contexts()[0] ?? (await before.browser.newContext())).newPage();
  await page.goto(url);
  await page.getByRole("tablist").first().waitFor();
  const ids = await page.evaluate(
    async ([base, count]) => {
      const send = (method: string, path: string, body: unknown) => fetch(path, { method, body: JSON.stringify(body) });
      await send("PUT", "provider/claude", { apiKey: "sk-bench", baseURL: base });
      const made: string[] = [];
      for (let one = 0; one < count; one += 1) {
        const { dialogId } = await (await send("POST", "dialog/new", { provider: "claude", slug: `kill ${one}` })).json();
        await (await send("PUT", "dialog", { dialogId, prompt: `${dialogId}` })).body?.cancel();
        made.push(dialogId);
      }
      return made;
    },
    [tokens.url, streams] as const,
  );
  while (tokens.open < streams) await new Promise((resolve) => setTimeout(resolve, 20));
  tokens.begin();
  await new Promise((resolve) => setTimeout(resolve, 500 + Math.random() * 1_500));
  const killedAt = performance.now();
  await before.kill();
  const sentAt = tokens.times();
  await tokens.close();

  const after = await launch();
  const again = await (after.browser.contexts()[0] ?? (await after.browser.newContext())).newPage();
  await again.goto(url);
  await again.getByRole("tablist").first().waitFor();
  const files = await again.evaluate(
    (all) =>
      Promise.all(
        all.map(async (id) => {
          const answer = await fetch(`dialog/${id}`);
          if (!answer.ok) throw new Error(`the dialog ${id} is gone: ${answer.status}`);
          return (await answer.json()) as { markdown: string; status: string };
        }),
      ),
    ids,
  );
  await after.kill();
  files.forEach(({ markdown, status }, one) => {
    const id = ids[one] ?? "";
    if (!markdown.includes(`## User\n> Time: `) || !markdown.includes(`\n\n${id}\n`)) throw new Error(`the prompt of ${id} is lost`);
    if (status !== "waiting") throw new Error(`${id} is ${status} after the kill`);
    const kept = [...markdown.matchAll(/\bn(\d+)\b/g)].map((match) => Number(match[1]));
    kept.forEach((number, at) => {
      if (number !== at) throw new Error(`${id}: token ${number} stands where ${at} belongs`);
    });
    // The first missing token was sent this long before the kill.
    const stream = sentAt.get(id) ?? [];
    const missing = stream[kept.length];
    lost.push(missing === undefined || missing > killedAt ? 0 : killedAt - missing);
  });
}
site.closeAllConnections();
site.close();
rmSync(profile, { recursive: true, force: true });
note(`${kills} kills, ${streams} streams each; text lost: median ${median(lost).toFixed(0)} ms`);
goal("milliseconds of streamed text lost at a kill, at most", Math.max(...lost), { atMost: 100 + onTheWay });
