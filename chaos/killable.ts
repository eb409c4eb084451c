import { type ChildProcess, spawn } from "node:child_process";
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright";
import { chromiumArguments, ensureChromium } from "../scripts/browser.mjs";

export interface Killable {
  /** A new page in the profile itself, not in a private context. */
  newPage(): Promise<Page>;
  /** Sends SIGKILL to the browser, its renderers and its helpers at once. */
  kill(): Promise<void>;
}

/** Chromium with a profile on disk. Playwright's own launch shuts a browser down properly; this browser can be killed. */
export async function launchKillable(profile: string): Promise<Killable> {
  const args = [
    ...chromiumArguments,
    "--headless=new",
    // The browser's messages about its storage go to a log in the profile, which a campaign keeps.
    "--enable-logging=stderr",
    "--ignore-certificate-errors",
    "--remote-debugging-port=0",
    `--user-data-dir=${profile}`,
  ];
  const child: ChildProcess = spawn(ensureChromium(), [...args, "about:blank"], { detached: true, stdio: ["ignore", "ignore", "pipe"] });
  const log = createWriteStream(join(profile, "browser.log"), { flags: "a" });
  log.write(`--- ${new Date().toISOString()} ${child.pid}\n`);
  child.stderr?.pipe(log);
  const signal = (name: NodeJS.Signals | 0): boolean => {
    try {
      return child.pid !== undefined && process.kill(-child.pid, name);
    } catch (error) {
      // ESRCH: all processes of the group have ended.
      if (error instanceof Error && "code" in error && error.code === "ESRCH") return false;
      throw error;
    }
  };
  const endWithUs = (): void => void signal("SIGKILL");
  process.once("exit", endWithUs);
  const kill = async (): Promise<void> => {
    process.off("exit", endWithUs);
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once("exit", resolve));
    signal("SIGKILL");
    await gone;
    // The process that holds the storage may end a little later. Wait for it before the next browser starts.
    for (const end = Date.now() + 3_000; signal(0) && Date.now() < end; ) await new Promise((resolve) => setTimeout(resolve, 20));
  };
  const endpoint = await new Promise<string>((resolve, reject) => {
    let said = "";
    child.once("exit", () => reject(new Error(`Chromium ended: ${said}`)));
    child.stderr?.on("data", (data: Buffer) => {
      if (said.length < 10_000) said += data.toString();
      const found = /DevTools listening on (ws:\S+)/.exec(said)?.[1];
      if (found) resolve(found);
    });
  });
  let browser: Browser;
  try {
    browser = await chromium.connectOverCDP(endpoint);
  } catch (error) {
    await kill();
    throw error;
  }
  return {
    newPage: async () => (browser.contexts()[0] ?? (await browser.newContext())).newPage(),
    kill,
  };
}
