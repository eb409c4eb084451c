import { readFileSync } from "node:fs";
import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";
import { style as gameStyle } from "../src/engine/providers/demo/game/style.ts";
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

/** The preview host with its shipped headers, framed as the app frames it. preview-reach.spec.ts tests what it must not reach. */

let host: PreviewSite;
let app = "";
let reached: string[] = [];

test.beforeAll(async () => {
  host = await startPreviewSite();
  ({ app, reached } = host);
});

test.afterAll(() => host.close());

test.beforeEach(() => {
  reached.length = 0;
});

const open = (page: Page, project: Project, options?: { entry?: string; query?: string }) => openIn(host, page, project, options);
const shouting = (word: string) => ({
  "index.html": html(`<script>const word = "${word}"; document.body.append(word); setInterval(() => console.log(word), 30)</script>`),
});
const game = (name: string) => readFileSync(`src/engine/providers/demo/game/${name}`, "utf8");
// One red pixel.
const gif = [
  71, 73, 70, 56, 57, 97, 1, 0, 1, 0, 128, 0, 0, 255, 0, 0, 0, 0, 0, 33, 249, 4, 0, 0, 0, 0, 0, 44, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 68, 1,
  0, 59,
];

test.describe("what works", () => {
  test("modules: relative, from the root, in folders, in a circle, computed late, with the page's own import map", async ({ page }) => {
    await open(page, {
      "index.html": html(
        '<p id="out"></p>',
        `<script type="importmap">{"imports": {"tools": "./lib/tools.js", "lib/": "./lib/"}}</script>
         <script type="module" src="src/main.js"></script>
         <script type="module">import { one } from "./src/one.js"; window.fromInline = one;</script>`,
      ),
      "src/main.js": `import { one } from "./one.js"; import tools from "tools"; import { deep } from "lib/deep/a.js"; import data from "/data.json" with { type: "json" };
        const { late } = await import("./late.js");
        document.querySelector("#out").textContent = [one, tools, deep, data.n, late, import.meta.url.split("/").pop()].join(" ");`,
      "src/one.js": 'import { two } from "./two.js"; export const one = "one"; export const both = () => one + two;',
      "src/two.js": 'import { both } from "./one.js"; export const two = "two"; export { both };',
      "src/late.js": 'export const late = "late";',
      "lib/tools.js": 'export { default } from "../src/tool.js";',
      "src/tool.js": 'export default "tool";',
      "lib/deep/a.js": 'export const deep = "deep";',
      "data.json": '{"n": 42}',
    });
    await expect.poll(() => shown(page)).toBe("one tool deep 42 late main.js");
    expect(await inner(page).evaluate(() => window.fromInline)).toBe("one");
    expect(await lines(page)).toEqual([]);
  });

  test("classic scripts in order, inline ones too, and events of loading", async ({ page }) => {
    await open(page, {
      "index.html": html(
        '<script src="a.js"></script><script>order.push("inline")</script><script src="./b.js?v=2"></script><script>addEventListener("DOMContentLoaded", () => order.push("dom")); addEventListener("load", () => { order.push("load"); document.body.append(order.join(" ")); })</script>',
        '<script defer src="c.js"></script>',
      ),
      "a.js": 'const order = ["a"];',
      "b.js": 'order.push("b");',
      "c.js": 'order.push("deferred");',
    });
    expect(await shown(page)).toBe("a inline b deferred dom load");
  });

  test("style sheets, imported ones, images in them and in the page", async ({ page }) => {
    await open(page, {
      "index.html": html(
        '<img id="a" src="img/dot.gif"><img id="b" srcset="img/dot.gif 1x, /img/dot.gif 2x"><p style="background: url(img/dot.gif)">x</p><div></div>',
        '<link rel="stylesheet" href="css/main.css?v=1"><style>div { background-image: url("img/dot.gif") }</style>',
      ),
      "css/main.css": '@import "base.css"; p { color: rgb(1, 2, 3); } body { background: url(../img/dot.gif) }',
      "css/base.css": '@import url("main.css"); p { margin: 7px; }',
      "img/dot.gif": gif,
    });
    const seen = await inner(page).evaluate(() => {
      // oxlint-disable-next-line unicorn/consistent-function-scoping -- it runs in the page
      const style = (selector: string) => getComputedStyle(document.querySelector(selector) ?? document.body);
      return {
        colour: style("p").color,
        margin: style("p").marginTop,
        widths: [...document.images].map((image) => image.naturalWidth),
        backgrounds: ["body", "p", "div"].map((each) => style(each).backgroundImage.slice(0, 14)),
      };
    });
    expect(seen).toEqual({ colour: "rgb(1, 2, 3)", margin: "7px", widths: [1, 1], backgrounds: Array(3).fill('url("blob:null') });
    expect(await lines(page)).toEqual([]);
  });

  test("what scripts make: images, scripts, styles, workers", async ({ page }) => {
    await open(page, {
      "index.html": html("<p></p>"),
      "dot.gif": gif,
      "late.js": "window.late = true;",
      "worker.js": "postMessage('from the worker');",
    });
    const seen = await inner(page).evaluate(async () => {
      const image = new Image();
      image.src = "dot.gif";
      await image.decode();
      document.body.insertAdjacentHTML("beforeend", '<img id="inner" src="dot.gif">');
      const script = document.createElement("script");
      script.setAttribute("src", "late.js");
      await new Promise((resolve) => {
        script.addEventListener("load", resolve);
        document.head.append(script);
      });
      const paragraph = document.querySelector("p");
      if (paragraph) paragraph.style.backgroundImage = "url('dot.gif')";
      const worker = new Worker("worker.js");
      const message = await new Promise((resolve) => worker.addEventListener("message", (event) => resolve(event.data)));
      return { width: image.naturalWidth, late: window.late, message };
    });
    expect(seen).toEqual({ width: 1, late: true, message: "from the worker" });
    await expect.poll(() => inner(page).evaluate(() => document.querySelector<HTMLImageElement>("#inner")?.naturalWidth)).toBe(1);
    await expect.poll(() => inner(page).evaluate(() => document.querySelector("p")?.style.backgroundImage)).toContain("blob:null");
  });

  test("fetch and XMLHttpRequest of project files", async ({ page }) => {
    await open(page, { "index.html": html(""), "data/a.json": '{"a": 1}', "ü b.txt": "ü" });
    const seen = await inner(page).evaluate(async () => {
      const xhr = new XMLHttpRequest();
      xhr.open("GET", "data/a.json");
      const text = await new Promise((resolve) => {
        xhr.addEventListener("load", () => resolve(xhr.responseText));
        xhr.send();
      });
      const json = await (await fetch("./data/a.json?x=1")).json();
      const spaced = await (await fetch(new Request("ü b.txt"))).text();
      const root = await (await fetch(new URL("data/a.json", document.baseURI))).text();
      const [missing, posted] = [await fetch("none.json"), await fetch("/data/a.json", { method: "POST", body: "x" })];
      const type = (await fetch("/data/a.json", { method: "HEAD" })).headers.get("content-type");
      return { text, json, spaced, root, missing: missing.status, posted: posted.status, type };
    });
    expect(seen).toEqual({
      text: '{"a": 1}',
      json: { a: 1 },
      spaced: "ü",
      root: '{"a": 1}',
      missing: 404,
      posted: 405,
      type: "application/json;charset=utf-8",
    });
    expect(reached).toEqual([]);
  });

  test("a page's scripts, data and templates keep what they say of links", async ({ page }) => {
    const head = 'const of = (link) => `<Link rel="icon" href="${link}">`; const less = (at, link) => at<link;';
    const source = html(
      `<template><link rel="stylesheet" href="data:text/css,p{color:rgb(1,2,3)}"><p>in a tree</p></template>
       <script type="application/json">["<link rel=icon>"]</script>
       <script>${head} console.log(of("x"), less(1, 2), /<link\\b/.test("<link rel"), JSON.parse(document.querySelector("script[type$=json]").text)[0]);</script>
       <script type="module">const link = "<link>"; console.log(link);
         const box = document.createElement("div"); document.body.append(box);
         box.attachShadow({ mode: "open" }).append(document.querySelector("template").content.cloneNode(true));
         box.shadowRoot.querySelector("link").addEventListener("load", () => console.log(getComputedStyle(box.shadowRoot.querySelector("p")).color));</script>`,
    );
    await open(page, { "index.html": source });
    await expect
      .poll(() => lines(page))
      .toEqual(['log: <Link rel="icon" href="x"> true true <link rel=icon>', "log: <link>", "log: rgb(1, 2, 3)"]);
  });

  test("storage until the page is left, and eval", async ({ page }) => {
    await open(page, { "index.html": html("") });
    const seen = await inner(page).evaluate(() => {
      localStorage.setItem("a", "1");
      localStorage["b"] = 2;
      delete localStorage["a"];
      // oxlint-disable-next-line no-eval
      return [localStorage.getItem("b"), localStorage.length, Object.keys(localStorage), sessionStorage.getItem("b"), eval("1 + 1")];
    });
    expect(seen).toEqual(["2", 1, ["b"], null, 2]);
  });

  test("links to other pages of the project, to places in them, and back", async ({ page }) => {
    await open(page, {
      "index.html": html('<a href="sub/two.html#there">two</a>'),
      "sub/two.html": html(
        '<p id="there">second</p><a href="../index.html">one</a><a id="in" href="#there">here</a><script src="../a.js"></script>',
      ),
      "a.js": 'document.body.append("a.js ran");',
    });
    await inner(page).click("text=two");
    await expect.poll(() => readies(page)).toBe(2);
    expect(await shown(page)).toContain("a.js ran");
    expect(await inner(page).evaluate(() => location.hash)).toBe("#there");
    await inner(page).click("#in");
    expect(await shown(page)).toContain("second");
    await embed(page, { "index.html": html(""), "sub/two.html": html('<a href="../index.html">one</a>') });
    await expect.poll(() => readies(page)).toBe(3);
    await inner(page).click("text=one");
    await expect.poll(() => readies(page)).toBe(4);
    expect((await heard(page)).filter(({ type }) => type === "ready").map(({ path }) => path)).toEqual([
      "index.html",
      "sub/two.html",
      "sub/two.html",
      "index.html",
    ]);
  });

  test("TypeScript, JSX, packages of both kinds, and files as modules", async ({ page }) => {
    await open(page, {
      "index.html": html('<p id="out"></p>', '<script type="module" src="/src/main.tsx"></script>'),
      "src/main.tsx": `import { createElement, type Node } from "./dom";
import * as React from "react";
import cjs, { answer, again } from "old-style";
import "./look.css";
import text from "./note.txt?raw";
import url from "./dot.gif";
import data from "./data.json" with { type: "json" };
import sheet from "./sheet.css" with { type: "css" };
enum Colour { Red = "red" }
const element: Node = <b title={Colour.Red}>{answer as number}</b>;
document.adoptedStyleSheets = [sheet];
const name: string = "late";
const late = await import(\`./\${name}.js\`);
const out = [React.version, element.type, element.title, element.child, cjs.answer, again(), text, url.slice(0, 9), data.n, late.default, createElement.name];
document.querySelector("#out")!.textContent = out.join(" ");`,
      "src/dom/index.ts": "export interface Node { type: string; title: string; child: unknown }\nexport function createElement() {}",
      "src/late.ts": "export default 'late' as string;",
      "src/look.css": "p { color: rgb(1, 2, 3); background: url(dot.gif) }",
      "src/sheet.css": "p { margin: 9px }",
      "src/note.txt": "note",
      "src/dot.gif": gif,
      "src/data.json": '{"n": 7}',
      "node_modules/react/package.json": '{"exports": {".": "./index.mjs", "./jsx-runtime": "./jsx.mjs"}}',
      "node_modules/react/index.mjs": "export const version = process.env.NODE_ENV;",
      "node_modules/react/jsx.mjs": "export const jsx = (type, { children, ...rest }) => ({ type, ...rest, child: children });",
      "node_modules/old-style/package.json": '{"main": "lib"}',
      "node_modules/old-style/lib/index.js": "sloppy = 2; exports.answer = 42; exports.again = require('./round').again;",
      "node_modules/old-style/lib/round.js": "const all = require('./index.js'); module.exports = { again: () => all.answer + sloppy };",
    });
    await expect.poll(() => shown(page)).toBe("development b red 42 42 44 note blob:null 7 late createElement");
    const style = await inner(page).evaluate(() => {
      const { color, marginTop, backgroundImage } = getComputedStyle(document.querySelector("p") ?? document.body);
      return [color, marginTop, backgroundImage.slice(0, 14)];
    });
    expect(style).toEqual(["rgb(1, 2, 3)", "9px", 'url("blob:null']);
    expect(await lines(page)).toEqual([]);
  });

  test("workers: classic with scripts of their own, and modules", async ({ page }) => {
    await open(page, {
      "index.html": html(""),
      "w/classic.js": "importScripts('add.js'); onmessage = ({ data }) => postMessage(add(data, 1));",
      "w/add.js": "function add(a, b) { return a + b }",
      "w/module.ts": "import { twice } from './twice'; onmessage = ({ data }: MessageEvent<number>) => postMessage(twice(data));",
      "w/twice.ts": "export const twice = (n: number) => 2 * n;",
    });
    const seen = await inner(page).evaluate(() => {
      const ask = (worker: Worker) =>
        new Promise((resolve) => {
          worker.addEventListener("message", ({ data }) => resolve(data));
          worker.postMessage(20);
        });
      return Promise.all([ask(new Worker("w/classic.js")), ask(new Worker("/w/module.ts", { type: "module" }))]);
    });
    expect(seen).toEqual([21, 40]);
  });

  test("the page's address: queries, forms, what scripts read and write, the history", { tag: "@long" }, async ({ page }) => {
    await open(page, {
      "index.html": html('<form action="sub/found.html"><input name="q" value="a b"><button>go</button></form>'),
      "sub/found.html": html(
        `<p></p><button onclick="location.href = '../index.html'">back</button><script>document.querySelector("p").textContent = [location.pathname, new URLSearchParams(window.location.search).get("q"), location.hash].join(" ");</script>`,
      ),
    });
    await inner(page).click("button");
    await expect.poll(() => readies(page)).toBe(2);
    expect(await shown(page)).toContain("/sub/found.html a b");
    await inner(page).click("text=back");
    await expect.poll(() => readies(page)).toBe(3);
    const moved = await inner(page).evaluate(async () => {
      const at = () => `${window.previewLocation.pathname}${window.previewLocation.search} ${JSON.stringify(history.state)}`;
      const seen = [at()];
      history.pushState({ n: 1 }, "", "/about?x=1");
      seen.push(at());
      const popped = new Promise((resolve) => addEventListener("popstate", resolve, { once: true }));
      history.back();
      await popped;
      return [...seen, at()];
    });
    expect(moved).toEqual(["/ null", '/about?x=1 {"n":1}', "/ null"]);
  });

  test("files are read when they are asked for, and once", { tag: "@long" }, async ({ page }) => {
    await open(page, {
      "index.html": html('<script src="a.js"></script>'),
      "a.js": "document.body.append('a')",
      "unused/large.bin": Array.from({ length: 100_000 }, () => 0),
    });
    await embed(page, { "index.html": html("new"), "unused/large.bin": [1] });
    await expect.poll(() => readies(page)).toBe(2);
    expect(await page.evaluate(() => window.reads)).toEqual(["index.html", "a.js", "index.html"]);
  });

  test("changes: only those that the page asked for, style sheets without a new start, and where it stood", async ({ page }) => {
    const tall = (word: string) => html(`<link rel="stylesheet" href="a.css"><p>${word}</p><div style="height: 9000px"></div>`);
    await open(page, { "index.html": tall("one"), "a.css": "p { color: rgb(1, 1, 1) }", "README.md": "" });
    const colour = () => inner(page).evaluate(() => getComputedStyle(document.querySelector("p") ?? document.body).color);
    await inner(page).evaluate(() => {
      window.late = true;
      window.scrollTo(0, 777);
    });
    await page.evaluate(() => window.change({ "README.md": "x", "a.css": "p { color: rgb(2, 2, 2) }" }));
    await expect.poll(colour).toBe("rgb(2, 2, 2)");
    expect(await inner(page).evaluate(() => window.late)).toBe(true);
    // The frame reports its scroll position a moment after scrolling.
    await new Promise((resolve) => setTimeout(resolve, 200));
    await page.evaluate((text) => window.change({ "index.html": text }), tall("two"));
    await expect.poll(() => readies(page)).toBe(2);
    expect(await shown(page)).toBe("two");
    expect(await inner(page).evaluate(() => [window.late, window.scrollY])).toEqual([undefined, 777]);
  });

  test("new files start the page anew, with nothing left of the old one", { tag: "@long" }, async ({ page }) => {
    await open(page, shouting("old"));
    await expect.poll(() => lines(page)).toContain("log: old");
    await embed(page, shouting("new"));
    await expect.poll(() => readies(page)).toBe(2);
    expect(await shown(page)).toBe("new");
    expect(page.frames()).toHaveLength(3);
    const before = (await lines(page)).filter((line) => line === "log: old").length;
    await expect.poll(async () => (await lines(page)).filter((line) => line === "log: new").length).toBeGreaterThan(3);
    expect((await lines(page)).filter((line) => line === "log: old")).toHaveLength(before);
  });

  test("a page that reloads itself gets its files again", { tag: "@long" }, async ({ page }) => {
    await open(page, {
      "index.html": html('<button onclick="location.reload()">again</button><script src="a.js"></script>'),
      "a.js": 'document.body.append("there")',
    });
    await inner(page).click("button");
    await expect.poll(() => readies(page)).toBe(2);
    expect(await shown(page)).toContain("there");
  });

  test("an entry that is no page is shown as what it is", { tag: "@long" }, async ({ page }) => {
    await open(page, { "notes.txt": "<b>not bold</b>" }, { entry: "notes.txt" });
    expect(await shown(page)).toBe("<b>not bold</b>");
  });

  test("without the entry the first page of the project's root is shown, until the entry is there", async ({ page }) => {
    await open(page, { "a/first.html": html("no"), "play.html": html("play"), "zoo.html": html("no") }, { entry: "index.html" });
    expect(await shown(page)).toBe("play");
    await embed(page, { "play.html": html("play"), "index.html": html("index") });
    await expect.poll(() => readies(page)).toBe(2);
    expect(await shown(page)).toBe("index");
  });

  test("a missing entry is said, and shown once it is there", async ({ page }) => {
    await page.goto(app);
    await embed(page, { "a.js": "" });
    await expect(page.frameLocator("iframe").getByText("No page yet")).toBeVisible();
    await embed(page, { "index.html": html("here now") });
    await expect.poll(() => readies(page)).toBe(1);
    expect(await shown(page)).toBe("here now");
  });
});

test.describe("the console", () => {
  test("comes through, with errors, rejections and missing files by their names", async ({ page }) => {
    await open(page, {
      "index.html": html('<script src="a.js"></script><script src="none.js"></script><link rel="stylesheet" href="none.css">'),
      "a.js": `console.log("a", { b: [1, "two", null], f() {} }, new Map([[1, new Set([2])]]));
console.warn("%s is %d%% %cdone", "it", 99.5, "color: red");
console.error(new TypeError("typed"));
const round = {}; round.self = round; console.info(round, document.body);
console.debug({ get bad() { throw new Error("no"); } });
Promise.reject(new Error("rejected"));
throw new Error("thrown");`,
    });
    await expect.poll(async () => (await lines(page)).length).toBe(9);
    const all = await lines(page);
    expect(all[0]).toBe('log: a {b: [1, "two", null], f: [function f]} Map {1 => Set {2}}');
    expect(all[1]).toBe("warn: it is 99% done");
    expect(all[2]).toMatch(/^error: TypeError: typed\n.*a\.js:3/);
    expect(all[3]).toBe("info: {self: {self: {self: {…}}}} <body></body>");
    expect(all[4]).toBe("debug: [unreadable: Error: no]");
    expect(all).toContainEqual(expect.stringMatching(/^error: Uncaught Error: thrown \(a\.js:7:\d+\)$/));
    expect(all).toContainEqual(expect.stringMatching(/^error: Uncaught \(in promise\) Error: rejected/));
    expect(all).toContain("error: none.js isn't in the project.");
    expect(all).toContain("warn: none.css isn't in the project.");
    expect(reached).toEqual([]);
  });

  test("says which import leads nowhere, and where a script is wrong", async ({ page }) => {
    await open(page, {
      "index.html": html(
        '<script type="module" src="a.ts"></script><script type="module">import "nothing";</script><script type="module" src="b.ts"></script>',
      ),
      "a.ts": 'const a: number = 1;\n\nimport "https://esm.sh/react";',
      "b.ts": "let a: = 1",
    });
    await expect
      .poll(async () => (await lines(page)).join("\n"))
      .toMatch(/no network access, so it can't load https:\/\/esm\.sh\/react.*\(a\.ts:3\)/);
    const all = (await lines(page)).join("\n");
    expect(all).toMatch(/error: Couldn't find "nothing": it isn't a file path.*npm install nothing/);
    expect(all).toMatch(/error: Unexpected token.*\(b\.ts:1:\d+\)/);
  });

  test("tables, groups, counts and times", { tag: "@long" }, async ({ page }) => {
    await open(page, { "index.html": html("") });
    await inner(page).evaluate(() => {
      console.table([{ a: 1, b: "x" }, { a: 20 }]);
      console.group("outer");
      console.log("inner");
      console.groupEnd();
      console.count();
      console.assert(false, "wrong");
    });
    await expect
      .poll(() => lines(page))
      .toEqual([
        'log: (index)  a   b\n───────  ──  ───\n0        1   "x"\n1        20',
        "log: outer",
        "log:   inner",
        "log: default: 1",
        "error: Assertion failed: wrong",
      ]);
  });

  test("is bounded in length and in number", { tag: "@long" }, async ({ page }) => {
    await open(page, { "index.html": html("") });
    await inner(page).evaluate(() => {
      console.log("x".repeat(50_000));
      for (let n = 0; n < 5_000; n++) console.log(n);
    });
    await expect.poll(async () => (await lines(page)).length).toBeGreaterThan(50);
    expect((await lines(page))[0]?.length).toBeLessThan(10_100);
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    await inner(page).evaluate(() => console.log("after"));
    await expect.poll(() => lines(page)).toContain("log: after");
    const all = await lines(page);
    expect(all.length).toBeLessThan(320);
    expect(all).toContainEqual(expect.stringMatching(/^warn: \d+ more messages not shown\.$/));
  });

  test("takes only levels that there are, whatever the page sends", async ({ page }) => {
    await open(page, { "index.html": html("") });
    await inner(page).evaluate(() => {
      window.parent.postMessage({ type: "files", files: [{ path: "index.html", bytes: new Uint8Array() }] }, "*", [
        new MessageChannel().port1,
      ]);
      alert("hi");
    });
    await expect.poll(() => lines(page)).toEqual(["info: alert: hi"]);
    expect(await readies(page)).toBe(1);
  });
});

test.describe("a page that loops for ever", () => {
  const looping = { "index.html": html('<script type="module" src="a.js"></script>'), "a.js": "setTimeout(() => { for (;;); }, 50);" };

  test("holds up nothing outside its frame, and is told from one that works", { tag: "@long" }, async ({ page }) => {
    await open(page, looping);
    await expect.poll(() => page.evaluate(() => window.stalled())).toBe(true);
    const gap = await page.evaluate(async () => {
      let [last, longest] = [performance.now(), 0];
      for (let n = 0; n < 50; n++) {
        await new Promise((resolve) => setTimeout(resolve, 10));
        longest = Math.max(longest, performance.now() - last);
        last = performance.now();
      }
      document.querySelector("iframe")?.remove();
      return longest;
    });
    expect(gap).toBeLessThan(1_000);
  });

  test("is stopped from inside where its scripts have checks", { tag: "@long" }, async ({ page }) => {
    await open(page, looping, { query: "?guard" });
    await expect
      .poll(() => lines(page))
      .toContainEqual(expect.stringMatching(/^error: Uncaught Error: A loop ran for more than 4 seconds.*\(a\.js:1:\d+\)$/));
    await expect.poll(() => page.evaluate(() => window.stalled())).toBe(false);
  });
});

test("the scripted demo's game can be played in it, by mouse and by keyboard, before and after it has its style", { tag: "@long" }, async ({
  page,
}) => {
  const bare = { "index.html": game("index.html"), "game.js": game("game.js"), "page.js": game("page.js") };
  await open(page, bare);
  const square = (row: number, column: number) => inner(page).getByRole("button", { name: `Row ${row}, column ${column}` });
  const status = () => inner(page).getByRole("status");
  await expect(status()).toHaveText("X to move.");
  for (const [row, column] of [
    [1, 1],
    [1, 2],
    [2, 2],
    [1, 3],
  ] as const)
    await square(row, column).click();
  await expect(status()).toHaveText("X to move.");
  await square(3, 3).click();
  await expect(status()).toHaveText("X wins.");
  await square(3, 1).dispatchEvent("click");
  await expect(status()).toHaveText("X wins.");
  await inner(page).getByRole("button", { name: "New game" }).click();
  await expect(status()).toHaveText("X to move.");

  await embed(page, { ...bare, "style.css": gameStyle("teal") });
  await expect.poll(() => readies(page)).toBe(2);
  await square(1, 1).focus();
  for (const key of ["Enter", "ArrowDown", "Enter", "ArrowRight", "Space", "ArrowUp", "Enter"]) await page.keyboard.press(key);
  await expect(square(2, 1)).toHaveText("O");
  await expect(square(2, 2)).toHaveText("X");
  await expect(square(1, 2)).toHaveText("O");
  await expect(square(1, 2)).toBeFocused();
  await expect(square(2, 2)).toHaveAttribute("aria-disabled", "true");
});

test("in one file, as the build makes it, it needs nothing else", async ({ page }) => {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await open(page, { "index.html": html('<script src="a.js"></script>'), "a.js": 'document.body.append("there")' }, { query: "?one" });
  expect(await shown(page)).toBe("there");
  expect(asked.filter((path) => path.startsWith("/preview/"))).toEqual(["/preview/one.html"]);
});

test("alone it says what it is for", async ({ page }) => {
  await page.goto(`${app}/preview/index.html`);
  expect(await page.evaluate(() => document.body.innerText)).toContain("Open the preview inside Vibey.");
});

test("in the app: built, watched, narrowed, chosen, over everything, and stopped when it loops", async ({ app: vibey, page }) => {
  await vibey.open();
  await page.evaluate(
    async (files) => {
      for (const [path, body] of Object.entries(files)) await fetch(`deed/${path}`, { method: "PUT", body });
    },
    {
      "index.html": html('<h1></h1><script type="module" src="main.ts"></script>'),
      "main.ts": `const word: string = "built"; document.querySelector("h1")!.textContent = word; console.error("<img src=x onerror=alert(1)>"); console.log("fine");`,
      "about.html": html("<h1>about</h1>"),
    },
  );
  await page.getByRole("button", { name: "Preview", exact: true }).click();
  const pane = page.getByRole("region", { name: "Preview", exact: true });
  const heading = page.frameLocator("iframe").frameLocator("iframe:not(.coming)").locator("h1");
  await expect(heading).toHaveText("built");
  const output = pane.getByRole("region", { name: "Preview console" });
  await expect(output.getByRole("listitem")).toHaveText(["error <img src=x onerror=alert(1)>", "fine"]);
  await expect(pane.getByRole("button", { name: "Console 1 error" })).toBeVisible();
  await pane.getByLabel("Console levels").selectOption("Errors");
  await expect(output.getByRole("listitem")).toHaveCount(1);
  for (const scheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    expect((await new AxeBuilder({ page }).include(".preview").exclude("iframe").analyze()).violations).toEqual([]);
  }
  await pane.getByRole("button", { name: "Clear" }).click();
  await expect(output).toBeHidden();

  await pane.getByLabel("Page width").selectOption("Phone");
  expect((await page.locator("iframe").boundingBox())?.width).toBe(375);
  await pane.getByRole("button", { name: "Full screen" }).click();
  await expect(pane.getByRole("button", { name: "Exit full screen" })).toBeVisible();
  expect((await pane.boundingBox())?.width).toBe(page.viewportSize()?.width);
  await page.keyboard.press("Escape");
  await expect(pane.getByRole("button", { name: "Full screen", exact: true })).toBeVisible();

  await page.evaluate(() =>
    fetch("deed/main.ts", { method: "PUT", body: `document.querySelector("h1")!.textContent = "changed" as string` }),
  );
  await expect(heading).toHaveText("changed");
  await pane.getByLabel("Page", { exact: true }).selectOption("about.html");
  await expect(heading).toHaveText("about");
  await pane.getByRole("button", { name: "Live" }).click();
  await expect(pane.getByRole("button", { name: "Live" })).toHaveAttribute("aria-pressed", "false");

  await page.evaluate(() =>
    fetch("deed/about.html", { method: "PUT", body: "<h1>about</h1><script>setTimeout(() => { for (;;); }, 300)</script>" }),
  );
  await pane.getByRole("button", { name: "Reload" }).click();
  await expect(pane.getByRole("alert")).toContainText("stuck in a loop");
  // Everything else still works. Playwright's mouse waits for all frames, including the hanging one, so click inside the page.
  await page.getByRole("tab", { name: "Dialogs" }).dispatchEvent("click");
  await expect(page.getByRole("tab", { name: "Dialogs" })).toHaveAttribute("aria-selected", "true");
  expect((await vibey.ask("GET", "deed")).status).toBe(200);
  await pane.getByRole("button", { name: "Stop page" }).dispatchEvent("click");
  await expect(pane.getByText("The page is stopped.")).toBeVisible();
  await pane.getByLabel("Page", { exact: true }).selectOption("index.html");
  await expect(heading).toHaveText("changed");
});
