import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { Builder, Button, By, Capabilities, Key, type WebDriver } from "selenium-webdriver";
import type { OverWebDriver } from "../../scripts/engines.mjs";
import { type Engine, type Tab, windowSize } from "./engine.ts";

/** WebKitGTK over WebDriver, on its own screen. A session has one current window, so the requests of two tabs run one after the other. */
export async function start({ server, browser, xvfb }: OverWebDriver, folder: string): Promise<Engine> {
  const downloads = join(folder, "downloads");
  for (const each of [downloads, join(folder, "config")]) mkdirSync(each);
  writeFileSync(join(folder, "config/user-dirs.dirs"), `XDG_DOWNLOAD_DIR="${downloads}"\n`);
  const screen = xvfb === null ? null : await startScreen(xvfb);
  const port = await freePort();
  const service = spawn(server, [`--port=${port}`], {
    stdio: "ignore",
    env: {
      ...process.env,
      ...(screen === null ? {} : { DISPLAY: screen.display }),
      HOME: folder,
      XDG_CONFIG_HOME: join(folder, "config"),
      XDG_CACHE_HOME: join(folder, "cache"),
      XDG_DATA_HOME: join(folder, "data"),
      // A test machine has no graphics card.
      WEBKIT_DISABLE_COMPOSITING_MODE: "1",
      WEBKIT_DISABLE_DMABUF_RENDERER: "1",
      LIBGL_ALWAYS_SOFTWARE: "1",
      GDK_BACKEND: "x11",
    },
  });
  const stop = () => {
    service.kill();
    screen?.process.kill();
  };
  try {
    const url = `http://127.0.0.1:${port}`;
    await untilAnswered(`${url}/status`);
    const capabilities = new Capabilities({
      browserName: "MiniBrowser",
      "webkitgtk:browserOptions": { binary: browser, args: ["--automation"] },
    });
    const driver = await new Builder().usingServer(url).withCapabilities(capabilities).build();
    await driver.manage().setTimeouts({ script: 120_000, pageLoad: 60_000 });
    const base = await driver.getWindowHandle();
    const inTurn = turns();
    return {
      downloads,
      newTab: () =>
        inTurn(async () => {
          await driver.switchTo().window(base);
          // A second tab would be in the background, where nothing is drawn.
          await driver.switchTo().newWindow("window");
          await driver
            .manage()
            .window()
            .setRect({ x: 0, y: 0, ...windowSize });
          return tabOf(driver, await driver.getWindowHandle(), base, inTurn);
        }),
      async close() {
        await inTurn(() => driver.quit());
        stop();
      },
    };
  } catch (error) {
    stop();
    throw error;
  }
}

type Turns = <T>(task: () => Promise<T>) => Promise<T>;

/** Runs tasks one after the other. */
function turns(): Turns {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const next = last.then(task, task);
    last = next.catch(() => undefined);
    return next;
  };
}

function tabOf(driver: WebDriver, handle: string, base: string, inTurn: Turns): Tab {
  const here: Turns = (task) =>
    inTurn(async () => {
      await driver.switchTo().window(handle);
      return task();
    });
  const heldKeys = { Control: Key.CONTROL, Shift: Key.SHIFT, Alt: Key.ALT };
  const keys = {
    Enter: Key.ENTER,
    Escape: Key.ESCAPE,
    ArrowDown: Key.ARROW_DOWN,
    ArrowRight: Key.ARROW_RIGHT,
    ArrowUp: Key.ARROW_UP,
    a: "a",
    s: "s",
  };
  return {
    goto: (url) => here(() => driver.get(url)),
    reload: () => here(() => driver.navigate().refresh()),
    close: () =>
      here(async () => {
        await driver.close();
        await driver.switchTo().window(base);
      }),
    evaluate: (expression, frames) =>
      here(async () => {
        for (const selector of frames) await driver.switchTo().frame(await driver.findElement(By.css(selector)));
        const answer = await driver.executeAsyncScript<{ readonly value: string } | { readonly error: string }>(
          `const done = arguments[arguments.length - 1]; Promise.resolve(${expression}).then((value) => done({ value }), (error) => done({ error: String(error) }))`,
        );
        if ("error" in answer) throw new Error(answer.error);
        return answer.value;
      }),
    clickAt: (x, y, { held, middle = false } = {}) =>
      here(async () => {
        const actions = driver.actions();
        const button = middle ? Button.MIDDLE : Button.LEFT;
        if (held !== undefined) actions.keyDown(heldKeys[held]);
        actions
          .move({ x: Math.round(x), y: Math.round(y), duration: 0 })
          .press(button)
          .release(button);
        if (held !== undefined) actions.keyUp(heldKeys[held]);
        await actions.perform();
      }),
    type: (text) => here(() => driver.actions().sendKeys(text).perform()),
    press: (key, { control = false } = {}) =>
      here(() => {
        const actions = driver.actions();
        return (control ? actions.keyDown(Key.CONTROL).sendKeys(keys[key]).keyUp(Key.CONTROL) : actions.sendKeys(keys[key])).perform();
      }),
    setFile: (selector, path) => here(async () => driver.findElement(By.css(selector)).sendKeys(path)),
  };
}

async function startScreen(xvfb: string): Promise<{ readonly process: ChildProcess; readonly display: string }> {
  const child = spawn(xvfb, ["-displayfd", "3", "-screen", "0", "1600x1200x24", "-nolisten", "tcp"], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the fourth channel is a pipe to which the X server writes its display number.
  const numbers = child.stdio[3] as Readable;
  const number = await new Promise<string>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`Xvfb ended with ${code}`)));
    numbers.once("data", (data: Buffer) => resolve(data.toString().trim()));
  });
  return { process: child, display: `:${number}` };
}

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });

/** Repeats the request until the service answers. Each attempt waits for an answer or a refusal. */
async function untilAnswered(url: string): Promise<void> {
  const end = Date.now() + 30_000;
  for (;;) {
    try {
      if ((await fetch(url)).ok) return;
    } catch (error) {
      if (Date.now() > end) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
