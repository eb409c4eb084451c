import { expect, type Page } from "@playwright/test";
import { test } from "./app.ts";
import { html, inner, lines, openIn, type PreviewSite, readies, shown, startPreviewSite } from "./preview-site.ts";

/** Pages of a server that a command started, in the shipped preview. The test simulates the server. */

let host: PreviewSite;

test.beforeAll(async () => {
  host = await startPreviewSite();
});
test.afterAll(() => host.close());
test.beforeEach(() => void (host.reached.length = 0));

const js = { "content-type": "text/javascript" };
const css = { "content-type": "text/css" };
const page404 = { status: 404, headers: { "content-type": "text/html" }, body: "<p>no such page" };
// One red pixel.
const gif = [
  71, 73, 70, 56, 57, 97, 1, 0, 1, 0, 128, 0, 0, 255, 0, 0, 0, 0, 0, 33, 249, 4, 0, 0, 0, 0, 0, 44, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 68, 1,
  0, 59,
];

async function serve(page: Page, answers: Parameters<Window["serve"]>[0]) {
  await openIn(host, page, { "index.html": html("the project's own page"), "style.css": "p { color: red }" });
  await page.evaluate((given) => window.serve(given), answers);
  await expect.poll(() => readies(page)).toBe(2);
}
const asks = (page: Page) => page.evaluate(() => window.asks);

test("the document, its scripts, modules, styles, images and requests come from the server, as its types say", async ({ page }) => {
  await serve(page, {
    "GET /": {
      headers: { "content-type": "text/html;charset=utf-8" },
      body: html(
        `<p id="out"></p><img src="/pixel?size=1">`,
        `<link rel="stylesheet" href="look?v=1"><link rel="preconnect" href="${host.elsewhere}">
         <script>var order = ["inline"];</script><script src="/classic"></script>
         <script type="module" src="src/main?t=1"></script>`,
      ),
    },
    "GET /look?v=1": { headers: css, body: '@import "more"; p { background: url(/pixel?size=1) }' },
    "GET /more": { headers: css, body: "p { color: rgb(1, 2, 3) }" },
    "GET /pixel?size=1": { headers: { "content-type": "image/gif" }, body: gif },
    "GET /classic": { headers: js, body: 'order.push("classic")' },
    "GET /src/main?t=1": {
      headers: js,
      body: `import { a } from "./a"; import data from "/data" with { type: "json" }; const { late } = await import("./late?x");
        const got = await fetch(new Request("/api/items?q=1")); const gone = await fetch("api/none"); const sent = await fetch("/api", { method: "POST", body: "x=1", headers: { "X-Own": "1" } });
        const { headers } = await sent.json();
        const put = await fetch(new Request("/api", { method: "POST", body: "z=2", headers: { "X-Own": "2" } })); const { headers: ofPut } = await put.json();
        const removed = await fetch(new Request("/items/1", { method: "DELETE" }));
        const old = new XMLHttpRequest(); old.open("PUT", "/old"); await new Promise((done) => { old.onload = done; old.send("y"); });
        document.querySelector("#out").textContent = [...order, a, data.n, late, await got.text(), got.headers.get("x-of"), gone.status, headers.find(([name]) => name === "x-own"), ofPut.find(([name]) => name === "x-own"), removed.status, old.status, old.responseText, old.getResponseHeader("x-of"), location.href, import.meta.url].join(" ");`,
    },
    "GET /src/a": { headers: js, body: 'export const a = "a";' },
    "GET /src/late?x": { headers: js, body: 'export const late = "late";' },
    "GET /data": { headers: { "content-type": "application/json" }, body: '{"n": 42}' },
    "GET /api/items?q=1": { headers: { "x-of": "header" }, body: "items" },
    "POST /api": "echo",
    "DELETE /items/1": { status: 202, headers: {}, body: "removed" },
    "PUT /old": { status: 201, headers: { "x-of": "old" }, body: "put" },
  });
  const said =
    "inline classic a 42 late items header 404 x-own,1 x-own,2 202 201 put old http://localhost:3000/ http://localhost:3000/src/main?t=1";
  await expect.poll(() => shown(page)).toBe(said);
  const looks = await inner(page).evaluate(() => {
    const image = document.querySelector("img");
    return [getComputedStyle(document.querySelector("#out") as Element).color, image?.naturalWidth];
  });
  expect(looks).toEqual(["rgb(1, 2, 3)", 1]);
  expect(await asks(page)).toContain("POST /api x=1");
  expect(await asks(page)).toContain("POST /api z=2");
  expect((await lines(page)).filter((line) => !line.includes("preconnect"))).toEqual([]);
  expect(host.reached).toEqual([]);
});

test("links, forms and redirects lead to pages of the server; what it lacks is said", async ({ page }) => {
  await serve(page, {
    "GET /": '<a href="two?x=1#here">two</a><form method="post" action="/add"><input name="what" value="milk"><button>Add</button></form>',
    "GET /two?x=1": '<p id="here">two</p><a href="https://elsewhere.example/">out</a><a href="/none">none</a>',
    "POST /add": { leads: "/list/" },
    "GET /list/":
      '<p>milk</p><a href="../two?x=1">two</a><script src="gone.js"></script><script>new WebSocket("ws://localhost:3000/")</script>' +
      `<script>fetch("${host.elsewhere}/fetch").catch(() => 0); new Image().src = "${host.elsewhere}/image"; location.href = "${host.elsewhere}/page"</script>`,
    "GET /none": page404,
  });
  await inner(page).getByRole("button", { name: "Add" }).click();
  await expect.poll(() => readies(page)).toBe(3);
  expect(await shown(page)).toContain("milk");
  expect(await inner(page).evaluate(() => window.previewLocation.href)).toBe("http://localhost:3000/list/");
  expect(await asks(page)).toContain("POST /add what=milk");
  await expect.poll(async () => (await lines(page)).join("\n")).toContain("The server didn't answer with /list/gone.js.");
  expect((await lines(page)).join("\n")).toContain("The preview has no WebSocket: ws://localhost:3000/ isn't connected.");
  await inner(page).getByRole("link", { name: "two" }).click();
  await expect.poll(() => readies(page)).toBe(4);
  expect(await shown(page)).toContain("two");
  await inner(page).getByRole("link", { name: "out" }).click();
  await expect
    .poll(async () => (await lines(page)).join("\n"))
    .toContain("External links don't open in the preview: https://elsewhere.example/");
  await inner(page).getByRole("link", { name: "none" }).click();
  await expect.poll(() => readies(page)).toBe(5);
  expect(await shown(page)).toBe("no such page");
  expect(host.reached).toEqual([]);
});
