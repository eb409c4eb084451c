import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type BrowserType, type Frame, firefox, type Page, webkit } from "@playwright/test";
import type { EngineName } from "../../scripts/engines.mjs";
import { type Engine, type Tab, windowSize } from "./engine.ts";

/** Uses Playwright's own build of the engine. */
export const start = (name: EngineName, folder: string): Promise<Engine> => startType(name === "firefox" ? firefox : webkit, folder);

async function startType(type: BrowserType, folder: string): Promise<Engine> {
  const downloads = join(folder, "downloads");
  mkdirSync(downloads);
  const browser = await type.launch();
  const context = await browser.newContext({ viewport: windowSize });
  return {
    downloads,
    newTab: async () => tabOf(await context.newPage(), downloads),
    close: () => browser.close(),
  };
}

async function frameIn(page: Page, frames: readonly string[]): Promise<Frame> {
  let frame = page.mainFrame();
  for (const selector of frames) {
    const inside = await (await frame.$(selector))?.contentFrame();
    if (!inside) throw new Error(`no frame is ${selector}`);
    frame = inside;
  }
  return frame;
}

function tabOf(page: Page, downloads: string): Tab {
  page.on("download", (download) => void download.saveAs(join(downloads, download.suggestedFilename())));
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
    press: (key, { control = false } = {}) => page.keyboard.press(control ? `Control+${key}` : key),
    setFile: (selector, path) => page.setInputFiles(selector, path),
  };
}
