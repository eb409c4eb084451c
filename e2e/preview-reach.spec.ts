import { expect, type Page } from "@playwright/test";
import { test } from "./app.ts";
import {
  embed,
  heard,
  html,
  inner,
  lines,
  openIn,
  type PreviewSite,
  type Project,
  readies,
  shown,
  startPreviewSite,
} from "./preview-site.ts";

/** What a page in the preview can't reach: the app, its stored data, and the network. */

let host: PreviewSite;
let [app, elsewhere] = ["", ""];
let reached: string[] = [];

test.beforeAll(async () => {
  host = await startPreviewSite();
  ({ app, elsewhere, reached } = host);
});

test.afterAll(() => host.close());

test.beforeEach(() => {
  reached.length = 0;
});

const open = (page: Page, project: Project, options?: { entry?: string; query?: string }) => openIn(host, page, project, options);

for (const [name, query] of [
  ["with the shipped headers", ""],
  ["on a host without headers", "?bare"],
  ["with the header alone", "?open"],
] as const) {
  test.describe(`what is out of reach, ${name}`, () => {
    test("the app, cookies and databases, and the network", async ({ page }) => {
      await open(page, { "index.html": html("") }, { query });
      const answers = await inner(page).evaluate(async () => {
        // oxlint-disable-next-line unicorn/consistent-function-scoping -- it runs in the page
        const attempt = async (what: () => unknown) => {
          try {
            return `got ${String(await what())}`;
          } catch (error) {
            return error instanceof Error ? error.name : String(error);
          }
        };
        return {
          origin: window.origin,
          parent: await attempt(() => window.parent.document),
          top: await attempt(() => window.top?.document),
          cookie: await attempt(() => document.cookie),
          indexedDB: await attempt(
            () =>
              new Promise((resolve, reject) => {
                const request = indexedDB.open("vibey");
                request.addEventListener("success", () => resolve(request.result));
                request.addEventListener("error", () => reject(request.error ?? new Error("no reason")));
              }),
          ),
          caches: await attempt(() => caches.open("a")),
          worker: await attempt(() => navigator.serviceWorker.register("sw.js")),
          popup: await attempt(() => window.open("about:blank")),
          peers: typeof RTCPeerConnection,
        };
      });
      expect(answers).toEqual({
        origin: "null",
        parent: "SecurityError",
        top: "SecurityError",
        cookie: "SecurityError",
        indexedDB: "SecurityError",
        caches: "SecurityError",
        worker: expect.stringMatching(/^(SecurityError|TypeError)$/),
        popup: "got null",
        peers: "undefined",
      });

      await inner(page).evaluate(
        async ([site, outside]) => {
          const tries: (() => unknown)[] = [];
          for (const target of [`${outside}/secret`, `${site}/secret`, `${site}/files`]) {
            const xhr = new XMLHttpRequest();
            tries.push(
              () => fetch(target, { mode: "no-cors" }),
              () => {
                xhr.open("POST", `${target}?xhr`);
                xhr.send("x");
              },
              () => navigator.sendBeacon(`${target}?beacon`, "x"),
              () => new WebSocket(target.replace("http", "ws")),
              () => new EventSource(`${target}?events`),
              // Also tries the app's host: its own scripts come from there, but the page's may not.
              () => import(`${target}?module`),
              () => new Worker(URL.createObjectURL(new Blob([`importScripts("${target}?worker")`]))),
              () => {
                new Image().src = `${outside}/image`;
              },
              () =>
                document.body.insertAdjacentHTML(
                  "beforeend",
                  `<img src="${outside}/i"><iframe src="${outside}/f"></iframe><link rel="stylesheet" href="${outside}/c"><object data="${outside}/o"></object>
                   <video src="${outside}/v"></video><link rel="prefetch" href="${outside}/p"><form action="${outside}/form"><button></button></form>`,
                ),
              () => import(`${outside}/module.js`),
              () => new Worker(URL.createObjectURL(new Blob([`fetch("${outside}/worker")`]))),
            );
          }
          for (const attempt of tries) {
            try {
              await Promise.race([attempt(), new Promise((resolve) => setTimeout(resolve, 20))]);
            } catch {
              // Refusals are expected. What counts is what the servers saw.
            }
          }
        },
        [app, elsewhere] as const,
      );
      // This comes last: after a navigation attempt the frame may be gone for a moment.
      await inner(page).evaluate(() => {
        setTimeout(() => HTMLFormElement.prototype.submit.call(document.querySelector("form")), 0);
      });
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(reached).toEqual([]);
    });

    test("other pages: it comes back after it tried to leave", { tag: "@long" }, async ({ page }) => {
      await open(page, { "index.html": html("still here") }, { query });
      await new Promise((resolve) => setTimeout(resolve, 2_100));
      await inner(page).evaluate((target) => {
        window.location.href = target;
      }, `${elsewhere}/leave?secret`);
      await expect.poll(() => readies(page)).toBe(2);
      expect(await shown(page)).toBe("still here");
      expect(await lines(page)).toContain("warn: The page tried to navigate away. Previews don't allow that.");
      await inner(page).evaluate((target) => {
        const anchor = document.createElement("a");
        anchor.href = target;
        anchor.textContent = "out";
        document.body.append(anchor);
        anchor.click();
        try {
          if (window.top) window.top.location.href = target;
        } catch {
          // Refusals are expected.
        }
      }, `${elsewhere}/link`);
      await expect.poll(() => lines(page)).toContain(`info: External links don't open in the preview: ${elsewhere}/link`);
      expect(page.url()).toBe(`${app}/${query}`);
      expect(reached).toEqual([]);
    });
  });
}

test("no tab, window or download is opened, whatever is held down while a link is clicked", async ({ page, context }) => {
  const link = `<a href="${elsewhere}/link?secret" style="position: fixed; inset: 0">x</a>`;
  // The page's own listeners hide the click from all others.
  const hide = `for (const type of ["click", "auxclick"]) addEventListener(type, (event) => event.stopImmediatePropagation(), true);`;
  const later = (script: string) =>
    `<script>addEventListener("load", () => setTimeout(() => { ${script}; console.log("there"); }))</script>`;
  const text = JSON.stringify(`<script>${hide}</script>${link}`).replaceAll("</", "<\\/");
  const broken =
    "const real = Array.prototype[Symbol.iterator]; Array.prototype[Symbol.iterator] = null; try { document.open(); } catch {} Array.prototype[Symbol.iterator] = real";
  const pages = [
    html(link, `<script>${hide}</script>${later("")}`),
    html(
      `<div style="position: fixed; inset: 0"></div>`,
      `<script>${hide}</script>${later(`document.querySelector("div").attachShadow({ mode: "closed" }).innerHTML = ${JSON.stringify(link)}`)}`,
    ),
    html("", later(`document.write(${text}); document.close()`)),
    // A removed element adds its listeners before the document has any.
    html(
      "<x-gone></x-gone>",
      `<script>customElements.define("x-gone", class extends HTMLElement { disconnectedCallback() { ${hide} } });</script>${later(`document.write(${text}); document.close()`)}`,
    ),
    html(
      `<svg style="position: fixed; inset: 0"><defs><a id="copied" href="${elsewhere}/link?secret"><rect width="300" height="300"/></a></defs><use href="#copied"/></svg>`,
      `<script>${hide}</script>${later("")}`,
    ),
    html(
      "",
      later(
        `${broken}; ${hide}; document.append(document.createElement("html")); document.documentElement.innerHTML = ${JSON.stringify(link)}`,
      ),
    ),
  ];
  const clicks = [["Control"], ["Shift"], ["Alt"], ["Shift", "middle"]] as const;
  for (const [nth, source] of pages.entries()) {
    if (nth === 0) await open(page, { "index.html": source });
    else await embed(page, { "index.html": source });
    await expect.poll(async () => (await lines(page)).filter((line) => line === "log: there").length).toBe(nth + 1);
    await expect.poll(() => inner(page).evaluate(() => document.visibilityState)).toBe("visible");
    for (const [at, [key, button = "left"]] of clicks.entries()) {
      await page.keyboard.down(key);
      await page.mouse.click(100, 100, { button });
      await page.keyboard.up(key);
      const told = async () => (await lines(page)).filter((line) => line.includes("opens no tabs")).length;
      await expect.poll(told).toBe(nth * clicks.length + at + 1);
    }
  }
  expect(context.pages()).toHaveLength(1);
  expect(reached).toEqual([]);
});

test("no dialog of a page holds up the app", async ({ page }) => {
  const dialogs: string[] = [];
  page.on("dialog", (dialog) => {
    dialogs.push(dialog.type());
    void dialog.accept();
  });
  const asks = `addEventListener("beforeunload", (event) => event.preventDefault()); addEventListener("click", () => console.log("clicked"));`;
  await open(page, { "index.html": html("x", `<script>${asks}</script>`) });
  // A browser asks only if the page was used.
  await expect
    .poll(async () => {
      await page.mouse.click(100, 100);
      return lines(page);
    })
    .toContain("log: clicked");
  await inner(page).evaluate(() => print());
  await expect.poll(() => lines(page)).toContain("warn: The preview doesn't print.");
  await page.reload();
  expect(dialogs).toEqual([]);
});

test("nothing is shown in the app's own origin", async ({ page }) => {
  await page.goto(`${app}/?bare&open`);
  await embed(page, { "index.html": html("<script>document.title = 1</script>") });
  const frame = page.frames()[1];
  await expect.poll(() => frame?.evaluate(() => document.body.innerText)).toContain("it isn't isolated from Vibey");
  expect(await heard(page)).toEqual([]);
});
