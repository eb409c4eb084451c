import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium, type Page } from "playwright";
import { chromiumArguments, ensureChromium } from "../scripts/browser.mjs";
import { serve } from "../scripts/serve.mjs";

export interface Bench {
  readonly context: BrowserContext;
  /** The production build, served with its headers. */
  readonly url: string;
  /** Seconds of processor time that the pages' processes have used, workers and all. */
  cpu(): Promise<number>;
  close(): Promise<void>;
}

/** A Chromium with a profile on disk, since IndexedDB in memory is another one, and a built site (the app) at an address of its own. */
export async function openBrowser(root = process.env["VIBEY_DIST"] ?? "dist"): Promise<Bench> {
  const profile = mkdtempSync(join(tmpdir(), "vibey-bench-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: ensureChromium(),
    args: [...chromiumArguments, "--ignore-certificate-errors"],
    viewport: { width: 1280, height: 800 },
    serviceWorkers: "block",
  });
  const server = await serve({ root, port: 0 });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  const browser = context.browser();
  const page = context.pages()[0] ?? (await context.newPage());
  const session = browser ? await browser.newBrowserCDPSession() : await context.newCDPSession(page);
  return {
    context,
    url: `http://localhost:${address.port}/`,
    async cpu() {
      const { processInfo } = await session.send("SystemInfo.getProcessInfo");
      return processInfo.filter(({ type }) => type === "renderer").reduce((sum, { cpuTime }) => sum + cpuTime, 0);
    },
    async close() {
      await context.close();
      server.closeAllConnections();
      server.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

/** Seconds of processor time of the page's main thread. */
export async function mainThread(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  return async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    const duration = metrics.find(({ name }) => name === "TaskDuration");
    if (!duration) throw new Error("the browser reports no TaskDuration");
    return duration.value;
  };
}
