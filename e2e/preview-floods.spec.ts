import { expect, type Page } from "@playwright/test";
import config from "../playwright.config.ts";
import { test } from "./app.ts";
import { heard, html, inner, openIn, type PreviewSite, startPreviewSite } from "./preview-site.ts";

/** A page in the preview that logs and holds far too much: the app around it stays usable. */

// By default Playwright turns off the browser's own protection against floods of navigations.
test.use({ launchOptions: { ...config.use?.launchOptions, ignoreDefaultArgs: ["--disable-ipc-flooding-protection"] } });

let host: PreviewSite;
test.beforeAll(async () => {
  host = await startPreviewSite();
});
test.afterAll(() => host.close());

/** Runs a script in the page when the page is idle. */
async function run(page: Page, script: string): Promise<void> {
  await inner(page).evaluate((text) => {
    const element = document.createElement("script");
    element.textContent = `setTimeout(() => { ${text} }, 50)`;
    document.body.append(element);
  }, script);
}

/** Runs `count` turns of the app's event loop, 10 ms apart if nothing delays them. */
const turns = (page: Page, count: number) =>
  page.evaluate(async (wanted) => {
    for (let n = 0; n < wanted; n++) await new Promise((resolve) => setTimeout(resolve, 10));
  }, count);

test("words to the app, without end: the frame is taken away", async ({ page }) => {
  await openIn(host, page, { "index.html": html("") });
  await run(page, "setInterval(() => { for (let n = 0; n < 20_000; n++) top.postMessage('x', '*'); }, 0);");
  await expect.poll(() => page.evaluate(() => document.querySelectorAll("iframe").length)).toBe(0);
  await turns(page, 50);
});

for (const [name, script] of [
  ["new addresses", "let n = 0; setInterval(() => { for (let m = 0; m < 500; m++) history.replaceState(null, '', '?' + n++); }, 0);"],
  ["hellos to what is around it", "setInterval(() => { for (let n = 0; n < 500; n++) parent.postMessage({ type: 'hello' }, '*'); }, 0);"],
  [
    "every word that a page may say",
    `addEventListener('message', ({ ports }) => {
      const [port] = ports;
      if (port) setInterval(() => {
        for (let n = 0; n < 500; n++) for (const type of ['anew', 'moved', 'ready', 'get']) port.postMessage({ type, id: n, as: 'file', path: 'missing' + n });
      }, 0);
    }, true);
    parent.postMessage({ type: 'hello' }, '*');`,
  ],
  ["dialogs of its own", "setInterval(() => { print(); alert(1); confirm(1); prompt(1); }, 0);"],
] as const) {
  test(`${name}, without end: the app hears a bounded number`, { tag: "@long" }, async ({ page }) => {
    await openIn(host, page, { "index.html": html("") });
    await run(page, script);
    await turns(page, 150);
    const before = (await heard(page)).length;
    const took = await page.evaluate(async () => {
      const begun = performance.now();
      for (let n = 0; n < 100; n++) await new Promise((resolve) => setTimeout(resolve, 10));
      return performance.now() - begun;
    });
    // At most three kinds of messages twenty times a second, plus a hundred lines and a note about the rest.
    expect((await heard(page)).length - before).toBeLessThan((took / 1_000 + 1) * 170);
  });
}

test("memory without end: what runs out is the frame's own", { tag: "@long" }, async ({ page }) => {
  await openIn(host, page, { "index.html": html("") });
  await run(page, "const held = []; setInterval(() => { for (let n = 0; n < 10; n++) held.push(new Uint8Array(1e7).fill(1)); }, 0);");
  await turns(page, 200);
  await page.evaluate(() => document.querySelector("iframe")?.remove());
  expect(await page.evaluate(() => 1 + 1)).toBe(2);
});
