import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Browser, type Frame, launch, type Page } from "puppeteer-core";
import type { OverBidi } from "../../scripts/engines.mjs";
import { type Engine, type Key, type Tab, windowSize } from "./engine.ts";

/** Firefox over WebDriver BiDi. */
export async function start({ firefox }: OverBidi, folder: string): Promise<Engine> {
  const downloads = join(folder, "downloads");
  mkdirSync(downloads);
  const browser = await launch({
    browser: "firefox",
    executablePath: firefox,
    userDataDir: join(folder, "profile"),
    defaultViewport: windowSize,
    args: ["--remote-allow-system-access"],
    extraPrefsFirefox: {
      "browser.download.dir": downloads,
      "browser.download.folderList": 2,
      "browser.download.alwaysOpenPanel": false,
    },
  });
  await forgetWorkers(browser);
  return {
    downloads,
    newTab: async () => tabOf(await browser.newPage()),
    close: () => browser.close(),
  };
}

/**
 * Stops Firefox's remote control from listening for workers. With that listener, a `new Worker` inside a worker sometimes never returns
 * (Firefox 153: on 11 of 68 pages that kept starting workers, and on none of 45 without it), and the engine hangs when it starts a shell.
 */
async function forgetWorkers(browser: Browser): Promise<void> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Puppeteer's types don't include its connection.
  const { connection } = browser as unknown as Connected;
  const [own] = (await connection.send("browsingContext.getTree", { "moz:scope": "chrome", maxDepth: 0 })).result.contexts ?? [];
  const { result } = await connection.send("script.evaluate", {
    expression: 'ChromeUtils.unregisterProcessActor("WebDriverWorkerListener")',
    target: { context: own?.context },
    awaitPromise: false,
  });
  if (result.type !== "success") throw new Error("Firefox's listener for workers could not be removed");
}

interface Connected {
  readonly connection: { send(method: string, parameters: object): Promise<Answer> };
}

interface Answer {
  readonly result: { readonly type?: string; readonly contexts?: readonly { readonly context: string }[] };
}

async function frameIn(page: Page, frames: readonly string[]): Promise<Frame> {
  let frame = page.mainFrame();
  for (const selector of frames) {
    const element = await frame.$(selector);
    const inside = await element?.contentFrame();
    await element?.dispose();
    if (!inside) throw new Error(`no frame is ${selector}`);
    frame = inside;
  }
  return frame;
}

function tabOf(page: Page): Tab {
  return {
    goto: async (url) => void (await page.goto(url)),
    reload: async () => void (await page.reload()),
    close: () => page.close(),
    evaluate: async (expression, frames) => {
      const value: unknown = await (await frameIn(page, frames)).evaluate(expression);
      return String(value);
    },
    async clickAt(x, y, { held, middle = false } = {}) {
      await page.bringToFront();
      if (held !== undefined) await page.keyboard.down(held);
      await page.mouse.click(x, y, { button: middle ? "middle" : "left" });
      if (held !== undefined) await page.keyboard.up(held);
    },
    type: (text) => page.keyboard.type(text),
    async press(key: Key, { control = false } = {}) {
      if (control) await page.keyboard.down("Control");
      await page.keyboard.press(key);
      if (control) await page.keyboard.up("Control");
    },
    async setFile(selector, path) {
      const input = await page.$(selector);
      if (input === null) throw new Error(`no input is ${selector}`);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a selector doesn't carry the element type.
      await (input as unknown as { uploadFile(...paths: string[]): Promise<void> }).uploadFile(path);
      await input.dispose();
    },
  };
}
