import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium, expect, type Page } from "@playwright/test";
import { chromiumArguments, ensureChromium } from "../scripts/browser.mjs";
import { headersFor, readHeaderRules } from "../scripts/headers.mjs";
import { builtFiles } from "../scripts/vite/service-worker.ts";
import { test as base } from "./claude-server.ts";
import { begin } from "./first-project.ts";
import { approve, enterKey, messages, openNewDialog, panel, say } from "./hands.ts";
import { brokenBuild, type HostOptions, nextBuild, startHost, type StaticHost } from "./static-host.ts";

/** The app installed, without a network, and updated. Each test has its own static host. */

const built = process.env.VIBEY_DIST ?? "dist";
const rules = readHeaderRules("public/_headers");

const test = base.extend<{ host: (options?: Partial<HostOptions>) => Promise<StaticHost>; next: string; broken: string }>({
  async context({ context }, use) {
    await hurry(context);
    await use(context);
  },
  // oxlint-disable-next-line no-empty-pattern -- the runner wants a pattern
  async host({}, use) {
    const hosts: StaticHost[] = [];
    await use(async (options) => {
      const host = await startHost({ root: built, ...options });
      hosts.push(host);
      return host;
    });
    for (const each of hosts) await each.stop();
  },
  // oxlint-disable-next-line no-empty-pattern
  async next({}, use) {
    const copy = nextBuild(built);
    await use(copy.folder);
    copy.remove();
  },
  // oxlint-disable-next-line no-empty-pattern
  async broken({}, use) {
    const copy = brokenBuild(built);
    await use(copy.folder);
    copy.remove();
  },
});
test.use({ serviceWorkers: "allow" });

/** Milliseconds that the app waits before it registers the service worker: `quietMs` of src/app/pwa/start.ts. */
const quietMs = 5_000;

/** Milliseconds before the second attempt to install the service worker: `furtherAttemptsMs` of src/app/pwa/register.ts. */
const againMs = 15_000;

/** Removes that wait. Only the test about the wait doesn't use this. */
const hurry = (context: BrowserContext) =>
  context.addInitScript((quiet) => {
    const inner = window.setTimeout.bind(window);
    Object.assign(window, { setTimeout: (then: () => void, ms?: number) => inner(then, ms === quiet ? 0 : ms) });
  }, quietMs);

async function open(page: Page, host: StaticHost): Promise<void> {
  await page.goto(host.url);
  await expect(page.getByRole("tablist").first()).toBeVisible();
  await begin(page);
}

/** Waits until the service worker has all files and controls this page. */
async function installed(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null), { timeout: 90_000 }).toBe(true);
}

async function openInstalled(page: Page, host: StaticHost): Promise<void> {
  await open(page, host);
  await installed(page);
}

const stored = (page: Page) =>
  page.evaluate(async () => {
    const found: string[] = [];
    for (const name of await caches.keys())
      for (const { url } of await (await caches.open(name)).keys()) found.push(url.replace(/\?__WB_REVISION__=.*/, ""));
    return found.toSorted();
  });

/**
 * Ends idle service workers. Chromium does this by itself after half a minute, but not while a debugger is attached to them, as here.
 * See `src/app/pwa/register.ts` for when an older worker is left over.
 */
async function endIdleWorkers(page: Page): Promise<void> {
  const debug = await page.context().newCDPSession(page);
  await debug.send("ServiceWorker.enable");
  await debug.send("ServiceWorker.stopAllWorkers");
  await debug.detach();
}

/** Checks which build the page runs once it has settled: the browser lets the old worker finish its work first. */
async function isBuild(page: Page, build: 1 | 2): Promise<void> {
  const began = Date.now();
  await expect(async () => {
    if (Date.now() - began > 30_000) await endIdleWorkers(page);
    await expect(page.locator("head > meta[name=build]")).toHaveCount(build - 1, { timeout: 10_000 });
  }).toPass({ timeout: 150_000 });
}

/** A request that bypasses the page's patched `fetch`. */
const unpatched = (page: Page, method: string, path: string, body?: string) =>
  page.evaluate(
    ([how, where, what]) =>
      new Promise<{ status: number; text: string }>((resolve, reject) => {
        const request = new XMLHttpRequest();
        request.open(how, where);
        request.addEventListener("load", () => resolve({ status: request.status, text: request.responseText }));
        request.addEventListener("error", () => reject(new Error("no answer")));
        request.send(what);
      }),
    [method, path, body] as const,
  );

async function putDeed(page: Page, text: string): Promise<void> {
  expect(await page.evaluate(async (body) => (await fetch("deed/index.html", { method: "PUT", body })).status, text)).toBe(200);
}

/** Runs the page although the browser can't be told to open no connections for it. */
const runAnyway = (page: Page) => page.getByRole("button", { name: "Run anyway" }).click();

/** The frame of the preview's host, once its page shows `text`. */
async function previewWith(page: Page, text: string, { asks = false } = {}) {
  await page.getByRole("button", { name: "Preview", exact: true }).click();
  if (asks) await runAnyway(page);
  const frame = page.frameLocator("iframe[title='What your agents built']");
  await expect(frame.frameLocator("iframe").getByText(text)).toBeVisible();
  const outer = page.frames().find((each) => each.url().endsWith("preview/index.html"));
  if (outer === undefined) throw new Error("no frame has the preview's host");
  return { outer, attribute: await page.locator("iframe").getAttribute("sandbox") };
}

test.describe("installing", () => {
  test("the browser finds nothing missing, and the app is its folder's own", { tag: "@long" }, async ({ host }) => {
    const { url } = await host();
    const profile = mkdtempSync(join(tmpdir(), "vibey-profile-"));
    const context = await chromium.launchPersistentContext(profile, { executablePath: ensureChromium(), args: chromiumArguments });
    try {
      const page = await context.newPage();
      await page.goto(url);
      await installed(page);
      const devtools = await context.newCDPSession(page);
      expect((await devtools.send("Page.getInstallabilityErrors")).installabilityErrors).toEqual([]);
      const { errors, url: manifest } = await devtools.send("Page.getAppManifest");
      expect({ errors, manifest }).toEqual({ errors: [], manifest: `${url}manifest.webmanifest` });
      expect((await devtools.send("Page.getAppId")).appId).toBe(url);
    } finally {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    }
  });

  test("begins when the first screen has stood for a while", async ({ browser, host }) => {
    const here = await host();
    const context = await browser.newContext();
    const page = await context.newPage();
    // The test ends the wait.
    await page.addInitScript((quiet) => {
      const inner = window.setTimeout.bind(window);
      const later = (then: () => void, ms?: number) => (ms === quiet ? Object.assign(window, { quietIsOver: then }) : inner(then, ms));
      Object.assign(window, { setTimeout: later });
    }, quietMs);
    await open(page, here);
    const first = here.asked.length;
    await expect.poll(() => page.evaluate(() => "quietIsOver" in window)).toBe(true);
    expect(here.asked).not.toContain("sw.js");
    await page.evaluate(() => (window as unknown as { quietIsOver: () => void }).quietIsOver());
    await expect.poll(() => here.asked, { timeout: 30_000 }).toContain("sw.js");
    // Before that, only the page's own requests arrive.
    const before = here.asked.slice(first, here.asked.indexOf("sw.js"));
    expect(before.filter((path) => !/^(assets|engine)\/|^icon\.svg$/.test(path))).toEqual([]);
    await context.close();
  });
});

test("stores every file of the build, and nothing else whatever is done; what a host answers in a file's place is asked for again", async ({
  page,
  host,
}) => {
  const file = builtFiles(built).find(({ url }) => /^assets\/SettingsDialog-.*\.js$/.test(url))?.url;
  if (file === undefined) throw new Error("no chunk of the settings");
  let lies = true;
  // Between two deployments, some hosts answer requests for missing files with the app's page.
  const here = await host({ tamper: (path, text) => (lies && path === file ? "<!doctype html>" : text) });
  await page.addInitScript((again) => {
    const inner = window.setTimeout.bind(window);
    Object.assign(window, {
      setTimeout: (then: () => void, ms?: number) => (ms === again ? Object.assign(window, { tryAgain: then }) && 0 : inner(then, ms)),
    });
  }, againMs);
  await open(page, here);
  await page.waitForFunction(() => "tryAgain" in window, null, { timeout: 30_000 });
  expect(here.asked).toContain(file);
  expect(await stored(page)).not.toContain(`${here.url}${file}`);
  lies = false;
  await page.evaluate(() => (window as unknown as { tryAgain: () => void }).tryAgain());
  await installed(page);
  const all = builtFiles(built).map(({ url }) => `${here.url}${url}`);
  expect(all.length).toBeGreaterThan(20);
  expect(await stored(page)).toEqual(all);
  await page.evaluate(async () => fetch("file/doc-mine.md", { method: "POST", body: JSON.stringify({ content: "Mine.\n" }) }));
  await unpatched(page, "GET", "files");
  await unpatched(page, "GET", "nothing-here.js");
  await page.reload();
  await expect(page.getByRole("link", { name: "mine" })).toBeVisible();
  expect(await stored(page)).toEqual(all);
});

test("the engine of sqlite3 is kept once it was used, and answered when the host is gone", { tag: "@long" }, async ({ host, page }) => {
  const where = await host();
  await openInstalled(page, where);
  const name = readdirSync(join(built, "assets")).find((file) => file.startsWith("sql-wasm")) ?? "";
  const size = () => page.evaluate(async (url) => (await (await fetch(url)).arrayBuffer()).byteLength, `assets/${name}`);
  const whole = await size();
  expect(whole).toBeGreaterThan(100_000);
  await expect.poll(async () => (await stored(page)).some((url) => url.endsWith(name))).toBe(true);
  await where.stop();
  expect(await size()).toBe(whole);
});

test("without a network it opens, docs are edited, and the demo is played to its preview", { tag: "@long" }, async ({ page, host }) => {
  const here = await host();
  await openInstalled(page, here);
  await here.stop();
  await page.reload();
  await expect(page.getByRole("tablist").first()).toBeVisible();
  await page.evaluate(async () => fetch("file/doc-mine.md", { method: "POST", body: JSON.stringify({ content: "Mine.\n" }) }));
  await page.getByRole("link", { name: "mine" }).click();
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("dialog", { name: "Settings" }).getByRole("button", { name: "Close" }).click();

  await page.getByRole("button", { name: "Start", exact: true }).click();
  await page.getByRole("button", { name: "Try the demo" }).click();
  const state = page.locator(".dialog-head .doing");
  const heading = panel(page).getByRole("heading", { level: 2 });
  /** Approves all requests until the dialog is done. */
  const play = async () => {
    for (;;) {
      await expect(page.locator(".dialog-head .doing-done").or(heading).first()).toBeVisible({ timeout: 20_000 });
      if (await state.evaluate((element) => element.classList.contains("doing-done"))) return;
      await approve(page);
      await expect(panel(page)).toBeHidden();
    }
  };
  await play();
  await page
    .getByRole("navigation")
    .getByRole("link", { name: /style-the-page/ })
    .click();
  await expect(page.getByRole("heading", { level: 2, name: "style-the-page" })).toBeVisible();
  await play();
  const { outer, attribute } = await previewWith(page, "X to move.");
  expect(attribute).toBeNull();
  expect(await outer.evaluate(() => window.origin)).toBe("null");
});

test.describe("the preview's origin", () => {
  const page = "<!doctype html><p>built</p><script>document.body.append(' by ' + window.origin)</script>";

  for (const headers of [true, false]) {
    const where = headers ? "on a host with the shipped headers" : "on a host without headers";
    test(`is opaque with and without a service worker, ${where}`, { tag: "@long" }, async ({ page: tab, host }) => {
      const here = await host({ headers });
      await open(tab, here);
      await putDeed(tab, page);
      const first = await previewWith(tab, "built by null", { asks: !headers });
      expect(first.attribute).toBe("allow-scripts allow-forms allow-modals");
      expect(await first.outer.evaluate(() => window.origin)).toBe("null");
      await installed(tab);
      await tab.reload();
      const second = await previewWith(tab, "built by null");
      expect(second.attribute).toBeNull();
      const reached = await second.outer.evaluate(async () => {
        const attempt = async (what: () => unknown) => {
          try {
            return `got ${String(await what())}`;
          } catch (error) {
            return error instanceof Error ? error.name : String(error);
          }
        };
        return {
          origin: window.origin,
          parent: await attempt(() => window.parent.document.title),
          storage: await attempt(() => localStorage.length),
          caches: await attempt(() => caches.keys()),
          files: await attempt(() => fetch("../files")),
        };
      });
      expect(reached).toEqual({
        origin: "null",
        parent: "SecurityError",
        storage: "SecurityError",
        caches: "SecurityError",
        files: "TypeError",
      });
    });
  }

  test("is asked for again when the answer's policy got lost on its way: nothing of the agents' is shown or handed over", async ({
    browser,
    host,
  }) => {
    const here = await host({
      headers: false,
      tamper: (path, text) =>
        path === "preview/index.html"
          ? text.replace("<head>", "<head><script>addEventListener('message', () => parent.fed = true)</script>")
          : text,
    });
    const context = await browser.newContext({ serviceWorkers: "block" });
    const tab = await context.newPage();
    // A service worker that promises the policy, although the frame's document then arrives without it.
    await tab.addInitScript(() => {
      Object.defineProperty(navigator.serviceWorker, "controller", { value: {} });
      const inner = window.fetch.bind(window);
      window.fetch = (input, init) =>
        input === "preview/index.html"
          ? Promise.resolve(new Response("", { headers: { "Content-Security-Policy": "sandbox allow-scripts" } }))
          : inner(input, init);
    });
    await open(tab, here);
    await putDeed(tab, page);
    await tab.getByRole("button", { name: "Preview", exact: true }).click();
    await runAnyway(tab);
    await expect(tab.frameLocator("iframe").getByText("it isn't isolated from Vibey")).toBeVisible();
    expect(await tab.locator("iframe").getAttribute("sandbox")).toBeNull();
    expect(await tab.evaluate(() => "fed" in window)).toBe(false);
    expect(tab.frames()).toHaveLength(2);
    await context.close();
  });
});

test("on a host that sends no headers every file has them from the second load on, and the engine obeys", { tag: "@long" }, async ({
  page,
  host,
}) => {
  const here = await host({ headers: false });
  await open(page, here);
  const policyOf = (path: string) => page.evaluate(async (each) => (await fetch(each)).headers.get("Content-Security-Policy"), path);
  expect(await policyOf("index.html")).toBeNull();
  await installed(page);
  await page.reload();
  await expect(page.getByRole("tablist").first()).toBeVisible();
  for (const path of ["", ...builtFiles(built).map(({ url }) => url)]) {
    const headers = await page.evaluate(async (each) => Object.fromEntries((await fetch(each)).headers), path);
    const expected = Object.entries(headersFor(rules, `/${path || "index.html"}`)).map(([name, value]) => [name.toLowerCase(), value]);
    expect(headers, path).toMatchObject(Object.fromEntries(expected));
    expect(headers["referrer-policy"], path).toBe("no-referrer");
  }
  const [engine] = page.workers().filter((worker) => worker.url().includes("/engine/"));
  const refused = await engine?.evaluate(
    () =>
      new Promise<string>((resolve) => {
        addEventListener("securitypolicyviolation", (event) => resolve(event.effectiveDirective));
        fetch("http://elsewhere.invalid/").then(
          () => resolve("answered"),
          () => setTimeout(() => resolve("no policy"), 1_000),
        );
      }),
  );
  expect(refused).toBe("connect-src");
});

test("on a host that sends no headers a command of the first visit waits for the shell's policy, says so, and then runs", {
  tag: "@long",
}, async ({ page, host, start }) => {
  let letGo = () => {};
  const over = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const here = await host({ headers: false, hold: (path) => (path === "sw.js" ? over : null) });
  const claude = await start();
  await open(page, here);
  await enterKey(page, { address: claude.url, key: claude.key });
  await openNewDialog(page, { provider: "claude", slug: "first" });
  claude.play(
    { blocks: [{ call: "run_command", id: "toolu_first", input: { command: "echo from the shell" } }] },
    { blocks: [{ text: "It ran." }] },
  );
  await say(page, "Go on.");
  await approve(page);
  await expect(messages(page).getByText("Waiting for the shell's security policy.", { exact: false }).first()).toBeVisible({
    timeout: 30_000,
  });
  const shells = () => page.workers().filter((worker) => /shell/.test(worker.url())).length;
  expect(shells()).toBe(0);
  expect(claude.requests.filter(({ path }) => path === "/v1/messages")).toHaveLength(1);
  await page.screenshot({ path: "test-results/waits-for-the-policy.png" });
  letGo();
  await expect(messages(page).getByText("It ran.")).toBeVisible({ timeout: 60_000 });
  expect(JSON.stringify(claude.requests.at(-1))).toContain("from the shell");
  await expect(page.getByText("Waiting for the shell's security policy.", { exact: false })).toHaveCount(0);
});

test.describe("the router, asked past the page's fetch", () => {
  test("answers the page itself, for short answers", { tag: "@long" }, async ({ page, host }) => {
    const here = await host();
    await openInstalled(page, here);
    const listed = await unpatched(page, "GET", "files");
    expect(listed.status).toBe(200);
    expect(JSON.parse(listed.text)).toContain("doc-main.md");
    expect((await unpatched(page, "POST", "file/doc-mine.md", JSON.stringify({ content: "Mine.\n" }))).status).toBe(200);
    expect(JSON.parse((await unpatched(page, "GET", "file/doc-mine.md")).text)).toMatchObject({ content: "Mine.\n" });
    expect((await unpatched(page, "GET", "file/doc-none.md")).status).toBe(404);
    const stream = await unpatched(page, "GET", "events");
    expect(stream.status).toBe(501);
    expect(JSON.parse(stream.text)).toEqual({ error: expect.stringContaining("The fetch of the app's own page") });
    // An image of the deed needs no fetch at all.
    await page.evaluate(async () =>
      fetch("deed/dot.svg", { method: "PUT", body: '<svg xmlns="http://www.w3.org/2000/svg" width="3" height="4"/>' }),
    );
    expect((await unpatched(page, "GET", "deed/dot.svg")).text).toContain("<svg");
    expect(here.asked.filter((path) => /^(file|deed|events)/.test(path))).toEqual([]);
  });

  test("answers no frame, no worker and no address that is opened", async ({ page, host }) => {
    const here = await host();
    await openInstalled(page, here);
    await page.reload();
    await expect(page.getByRole("tablist").first()).toBeVisible();
    await installed(page);
    const statusIn = (url: string) => fetch(url).then(({ status }) => status);

    await page.evaluate(async () => {
      const frame = document.createElement("iframe");
      frame.src = "icon.svg";
      document.body.append(frame);
      await new Promise((resolve) => frame.addEventListener("load", resolve));
    });
    const frame = page.frames().find((each) => each.url().endsWith("icon.svg"));
    expect(await frame?.evaluate(statusIn, `${here.url}files`)).toBe(403);

    // The service worker never sees requests of an opaque origin, and the host has no such file.
    await page.evaluate(async () => {
      const opaque = document.createElement("iframe");
      opaque.sandbox.add("allow-scripts");
      opaque.src = "icon.svg?opaque";
      document.body.append(opaque);
      await new Promise((resolve) => opaque.addEventListener("load", resolve));
    });
    const opaque = page.frames().find((each) => each.url().endsWith("?opaque"));
    expect(await opaque?.evaluate((url) => fetch(url).catch((error: Error) => error.name), `${here.url}files`)).toBe("TypeError");

    const [engine] = page.workers().filter((worker) => worker.url().includes("/engine/"));
    expect(await engine?.evaluate(statusIn, `${here.url}files`)).toBe(403);

    const opened = await page.context().newPage();
    expect((await opened.goto(`${here.url}file/doc-main.md`))?.status()).toBe(403);
    expect((await opened.goto(`${here.url}project.zip`))?.status()).toBe(403);
    expect(here.asked.filter((path) => /^(file|project)/.test(path))).toEqual(["files"]);
  });
});

test.describe("a newer version", () => {
  // Chromium may keep the older worker in charge for a while; see src/app/pwa/register.ts.
  test.describe.configure({ timeout: 300_000 });
  const notice = (page: Page) => page.getByRole("region", { name: "Notifications" }).getByText("Update available.", { exact: true });
  const update = (page: Page) => page.getByRole("button", { name: "Update", exact: true });
  /** Uses the keyboard: elements that move on the page can't get in the way of the click. */
  const take = async (page: Page) => {
    await expect(update(page)).toBeEnabled({ timeout: 30_000 });
    await update(page).press("Enter");
  };

  /** Opens two tabs of the first build; the next build is available. */
  async function twoTabs(context: BrowserContext, host: StaticHost, next: string): Promise<[Page, Page]> {
    const one = await context.newPage();
    await openInstalled(one, host);
    const two = await context.newPage();
    host.deploy(next);
    await open(two, host);
    return [one, two];
  }

  test("is offered in every tab and taken by none, until a click takes it in all", async ({ context, host, next }) => {
    const here = await host();
    const [one, two] = await twoTabs(context, here, next);
    await expect(notice(two)).toBeVisible({ timeout: 30_000 });
    await expect(notice(one)).toBeVisible();
    await one.reload();
    await isBuild(one, 1);
    await isBuild(two, 1);
    // Files that weren't loaded yet still arrive, in the same version.
    here.asked.length = 0;
    await one.getByRole("button", { name: "Settings" }).click();
    await expect(one.getByRole("dialog", { name: "Settings" })).toBeVisible();
    expect(here.asked.filter((path) => path.startsWith("assets/"))).toEqual([]);

    await take(two);
    await isBuild(one, 2);
    await isBuild(two, 2);
    await expect(one.getByRole("tablist").first()).toBeVisible();
    await expect(notice(one)).toBeHidden();
    await here.stop();
    await one.reload();
    await expect(one.getByRole("tablist").first()).toBeVisible();
    await isBuild(one, 2);
  });

  test("leaves an old page its chunks, and cleans up when the last one is closed", { tag: "@long" }, async ({ context, host, next }) => {
    const here = await host();
    const old = await context.newPage();
    // Simulates a page that is frozen while the others reload.
    await old.addInitScript(() =>
      navigator.serviceWorker.addEventListener("controllerchange", (event) => event.stopImmediatePropagation(), { capture: true }),
    );
    await openInstalled(old, here);
    here.deploy(next);
    const other = await context.newPage();
    await open(other, here);
    await expect(update(other)).toBeVisible({ timeout: 30_000 });
    await take(other);
    await isBuild(other, 2);
    await isBuild(old, 1);
    await old.getByRole("button", { name: "Settings" }).click();
    await expect(old.getByRole("dialog", { name: "Settings" })).toBeVisible();
    await other.close();
    await old.goto("about:blank");
    await open(old, here);
    const all = readdirSync(next, { recursive: true }).map(String);
    await expect
      .poll(async () => (await stored(old)).map((url) => url.slice(here.url.length)).filter((name) => !all.includes(name)))
      .toEqual([]);
    expect((await stored(old)).length).toBe(builtFiles(next).length);
  });

  test("is offered, too, where the engine of the old one does not start", { tag: "@long" }, async ({ page, host, broken, next }) => {
    const here = await host({ root: broken });
    await page.goto(here.url);
    await expect(page.getByRole("heading", { name: "Vibey couldn't start" })).toBeVisible();
    await installed(page);
    here.deploy(next);
    await page.reload();
    await take(page);
    await isBuild(page, 2);
    await expect(page.getByRole("tablist").first()).toBeVisible();
  });

  test("waits until the agents are done", { tag: "@long" }, async ({ page, host, next, start }) => {
    const here = await host();
    const server = await start();
    await openInstalled(page, here);
    here.deploy(next);
    await page.evaluate(async () => (await navigator.serviceWorker.ready).update());
    await expect(update(page)).toBeEnabled({ timeout: 30_000 });
    await enterKey(page, { key: server.key, address: server.url });
    await openNewDialog(page, { provider: "claude", slug: "busy" });
    server.play({ blocks: [{ text: "word ".repeat(80) }], faults: { stallAfterBytes: 2_000 } });
    await say(page, "Talk");
    await expect(messages(page)).toContainText("word word");
    await expect(page.getByText("Install it when your agents are done.")).toBeVisible();
    await expect(update(page)).toBeDisabled();
    // A tab of another project, where no agent works, installs the update.
    const other = await page.context().newPage();
    await open(other, here);
    await other.getByRole("button", { name: "Project", exact: true }).click();
    await other.getByRole("button", { name: "New project…" }).click();
    await other.getByLabel("Name").fill("A garden");
    await other.getByLabel("Name").press("Enter");
    await expect(notice(other)).toBeVisible({ timeout: 30_000 });
    await take(other);
    await isBuild(other, 2);
    await expect(page.getByText("This tab reloads when its agents are done.")).toBeVisible();
    await isBuild(page, 1);
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await isBuild(page, 2);
    await expect(messages(page)).toContainText("word word");
  });
});

test("a reload past the service worker works, and the next one is back to normal", { tag: "@long" }, async ({ page, host }) => {
  const here = await host();
  await openInstalled(page, here);
  await putDeed(page, "<!doctype html><p>built</p>");
  const devtools = await page.context().newCDPSession(page);
  await Promise.all([page.waitForEvent("load"), devtools.send("Page.reload", { ignoreCache: true })]);
  await expect(page.getByRole("tablist").first()).toBeVisible();
  expect(await page.evaluate(() => navigator.serviceWorker.controller)).toBeNull();
  expect((await previewWith(page, "built")).attribute).toContain("allow-scripts");
  await page.reload();
  await expect(page.getByRole("tablist").first()).toBeVisible();
  expect(await page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
  expect((await previewWith(page, "built")).attribute).toBeNull();
});
