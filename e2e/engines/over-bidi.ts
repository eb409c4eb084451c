import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Frame, launch, type Page } from "puppeteer-core";
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
    extraPrefsFirefox: {
      "browser.download.dir": downloads,
      "browser.download.folderList": 2,
      "browser.download.alwaysOpenPanel": false,
    },
  });
  return {
    downloads,
    newTab: async () => tabOf(await browser.newPage()),
    close: () => browser.close(),
  };
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
    async clickAt(x, y) {
      await page.bringToFront();
      await page.mouse.click(x, y);
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
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a selector does not tell the type.
      await (input as unknown as { uploadFile(...paths: string[]): Promise<void> }).uploadFile(path);
      await input.dispose();
    },
  };
}
