import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, type Page, test } from "@playwright/test";
import { isWhole } from "./campaign.ts";
import { begin } from "./first-project.ts";
import { ahead, allWays, leaving, leavingOtherwise, ownText, pageOf, type Way } from "./leaks/ways.ts";
import { startWatch, type Watch } from "./leaks/watch.ts";
import { html, openIn, type PreviewSite, startPreviewSite } from "./preview-site.ts";
import { startHost } from "./static-host.ts";

/** No page can make the browser look up or connect to a host whose name the page chooses. The watch sees DNS and TCP, not only requests. */

let site: PreviewSite;
test.beforeAll(async () => {
  site = await startPreviewSite();
});
test.afterAll(() => site.close());

const allLeaving = isWhole ? [...leaving, ...leavingOtherwise] : leaving;

let asked = 0;
/**
 * Waits until connections of another page have arrived, one after the other. Anything begun before them has reached the watch or the browser's
 * network log by then.
 */
async function settle({ context, address, connected }: Watch) {
  const after = await context.newPage();
  asked += 1;
  for (const name of [`first-after-${asked}`, `then-after-${asked}`]) {
    await after.evaluate((url) => void (new Image().src = url), address(name));
    await expect.poll(() => connected.has(name)).toBe(true);
  }
  await after.close();
}

async function unprotected(watch: Watch, page: Page, source: string, isDone: () => Promise<void>) {
  const server = createServer((_request, response) => response.writeHead(200, { "Content-Type": "text/html" }).end(source));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, { waitUntil: "commit" });
  await isDone();
  await settle(watch);
  server.close();
}

/** Uses the page's own console: the preview's console leaves out lines if there are many. */
const hasTried = (page: Page, ways: number) => page.waitForEvent("console", (line) => line.text() === `tried ${ways}`);

/** Ten seconds of silence with one byte per sample: the browser shows no picture for shorter media. */
const silence = (() => {
  const head = Buffer.alloc(44);
  head.write("RIFF", 0);
  head.writeUInt32LE(36 + 80_000, 4);
  head.write("WAVEfmt ", 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(8_000, 24);
  head.writeUInt32LE(8_000, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write("data", 36);
  head.writeUInt32LE(80_000, 40);
  return Buffer.concat([head, Buffer.alloc(80_000, 128)]).toString("base64");
})();

async function previewed(watch: Watch, page: Page, source: string, query: string, tried: number) {
  const done = hasTried(page, tried);
  await openIn(site, page, { "index.html": source }, { query });
  await done;
  await settle(watch);
}

test("no host is looked up or connected to, in whatever way a page tries it", async () => {
  test.setTimeout(isWhole ? 600_000 : 240_000);
  const watch = await startWatch();
  const ways = allWays(isWhole);
  const source = (of: readonly Way[], prefix: string) => pageOf(of, prefix, watch.address);
  /** These ways start with work in the browser itself, which a busy machine delays. Workers' sockets never get as far as a connection. */
  const late = ways.filter(({ name, seen }) => seen && /^(?:worker-(?!web|socket)|cache$)/.test(name)).map(({ name }) => `o-${name}`);
  const inPage = async (run: (page: Page) => Promise<void>) => {
    const page = await watch.context.newPage();
    await run(page);
    await page.close();
  };
  await inPage((page) =>
    unprotected(watch, page, source(ways, "o"), async () => {
      await page.waitForFunction((count) => (window as { tried?: number }).tried === count, ways.length);
      await expect.poll(() => late.filter((name) => !watch.connected.has(name))).toEqual([]);
    }),
  );
  await inPage((page) =>
    unprotected(watch, page, source(ahead, "o"), async () => {
      await expect.poll(() => ahead.filter(({ name }) => !watch.connected.has(`o-${name}`))).toEqual([]);
    }),
  );
  for (const tried of [ways, ahead]) {
    await inPage((page) => previewed(watch, page, source(tried, "h"), "", tried.length));
    await inPage((page) => previewed(watch, page, source(tried, "b"), "?bare", tried.length));
  }
  for (const way of allLeaving) {
    if (way.seen)
      await inPage((page) =>
        unprotected(watch, page, source([way], "o"), async () => {
          await expect.poll(() => watch.connected.has(`o-${way.name}`)).toBe(true);
        }),
      );
    await inPage((page) => previewed(watch, page, source([way], "h"), "", 1));
  }
  const seen = await watch.finish();
  const of = (prefix: string) => [...seen].filter((name) => name.startsWith(`${prefix}-`)).toSorted();
  const expected = [...ways, ...ahead, ...allLeaving].filter((way) => way.seen).map(({ name }) => `o-${name}`);
  console.log(
    `  ${ways.length + ahead.length + allLeaving.length + ownText.length} ways; ${of("o").length} are seen in an unprotected page`,
  );
  // The watch sees them all without protection, so it works.
  expect([...expected, ...ownText.map((name) => `o-${name}`)].filter((name) => !seen.has(name.toLowerCase()))).toEqual([]);
  expect.soft(of("h")).toEqual([]);
  // Without headers, navigations remain possible, also in a frame. The preview says so before the page runs.
  expect(of("b").filter((name) => name !== "b-frame")).toEqual([]);
});

test("nor by a hand: what it points at and presses, and what plays then", { tag: "@long" }, async () => {
  test.setTimeout(240_000);
  const watch = await startWatch();
  const source = (prefix: string) => `<!doctype html><html><head><title>T</title></head><body>
    <a href="${watch.address(`${prefix}-link`)}" style="position: fixed; inset: 0">x</a>
    <audio loop src="data:audio/wav;base64,${silence}"></audio>
    <script>
      addEventListener("click", (event) => event.preventDefault(), true);
      addEventListener("pointerdown", async () => {
        const src = ${JSON.stringify(watch.address(`${prefix}-artwork`))};
        navigator.mediaSession.metadata = new MediaMetadata({ title: "x", artwork: [{ src, sizes: "96x96", type: "image/png" }] });
        await document.querySelector("audio").play();
        console.log("tried 2");
      }, { capture: true, once: true });
      console.log("tried 1");
    </script></body></html>`;
  const press = async (page: Page) => {
    const played = hasTried(page, 2);
    await page.mouse.move(60, 60);
    await page.mouse.move(100, 100, { steps: 20 });
    await page.mouse.down();
    await played;
    await page.mouse.up();
  };
  const open = await watch.context.newPage();
  const ready = hasTried(open, 1);
  await unprotected(watch, open, source("o"), async () => {
    await ready;
    await press(open);
    for (const name of ["o-link", "o-artwork"]) await expect.poll(() => watch.connected.has(name), { message: name }).toBe(true);
  });
  await open.close();
  const page = await watch.context.newPage();
  await previewed(watch, page, source("h"), "", 1);
  await press(page);
  await settle(watch);
  const seen = await watch.finish();
  expect([...seen].filter((name) => name.startsWith("h-"))).toEqual([]);
});

for (const headers of [true, false])
  test(`with the service worker no host is looked up or connected to, on a host ${headers ? "with" : "without"} headers`, {
    tag: "@long",
  }, async () => {
    test.setTimeout(isWhole ? 600_000 : 240_000);
    const host = await startHost({ root: process.env["VIBEY_DIST"] ?? "dist", headers });
    const watch = await startWatch();
    const page = await watch.context.newPage();
    await page.goto(host.url);
    await begin(page);
    await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null), { timeout: 60_000 }).toBe(true);
    const ways = allWays(isWhole);
    for (const some of [ways, ...allLeaving.map((way) => [way])]) {
      const body = pageOf(some, "s", watch.address);
      await page.evaluate((text) => fetch("deed/index.html", { method: "PUT", body: text }), body);
      await page.reload();
      // The page navigates away in a moment, so start listening first.
      const tried = hasTried(page, some.length);
      await page.getByRole("button", { name: "Preview", exact: true }).click();
      await tried;
      // The service worker's headers sandbox the page; no attribute does.
      expect(await page.locator("iframe").getAttribute("sandbox")).toBeNull();
      await settle(watch);
    }
    const seen = await watch.finish();
    await host.stop();
    expect([...seen].filter((name) => !/^(?:first|then)-after-/.test(name)).toSorted()).toEqual([]);
  });

test("on a host without headers the preview says what stays open before the page runs", async ({ page }) => {
  const host = await startHost({ root: process.env["VIBEY_DIST"] ?? "dist", headers: false });
  await page.goto(host.url);
  await expect(page.getByRole("tablist").first()).toBeVisible();
  await page.evaluate((body) => fetch("deed/index.html", { method: "PUT", body }), html("<h1>runs</h1>"));
  const preview = page.getByRole("button", { name: "Preview", exact: true });
  const question = page.getByRole("group", { name: "The preview can't keep this page off the network" });
  await preview.click();
  await expect(question).toContainText("The host name can carry data from your files.");
  await expect(page.locator("iframe")).toHaveCount(0);
  await question.getByRole("button", { name: "Don't run" }).click();
  await expect(question).toBeHidden();
  await preview.click();
  await question.getByRole("button", { name: "Run anyway" }).click();
  await expect(page.frameLocator("iframe").frameLocator("iframe:not(.coming)").locator("h1")).toHaveText("runs");
  await host.stop();
});
