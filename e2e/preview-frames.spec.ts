import { createSocket, type Socket } from "node:dgram";
import { expect, test } from "@playwright/test";
import { embed, html, inner, lines, openIn, type PreviewSite, startPreviewSite } from "./preview-site.ts";

/**
 * WebRTC bypasses every policy, so requests.js removes it from the page. A frame or another document of the page would have it again. These tests try
 * each way to get one, with a server that sees every packet.
 */

let site: PreviewSite;
let stun: Socket;
let heard = 0;

test.beforeAll(async () => {
  site = await startPreviewSite();
  stun = createSocket("udp4");
  stun.on("message", () => (heard += 1));
  await new Promise<void>((resolve) => stun.bind(0, "127.0.0.1", resolve));
});
test.afterAll(() => {
  stun.close();
  site.close();
});
test.beforeEach(() => {
  heard = 0;
});

/** What the page would do in such a frame: send a packet, and report that it runs. */
const sending = () =>
  `try { parent.postMessage("a frame runs", "*"); window.p = new RTCPeerConnection({ iceServers: [{ urls: "stun:127.0.0.1:${stun.address().port}" }] }); p.createDataChannel("x"); p.createOffer().then((o) => p.setLocalDescription(o)); } catch (error) { parent.postMessage("a frame runs without", "*"); }`;
const asAttribute = (text: string) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
const frameIn = () => `<iframe srcdoc="${asAttribute(`<script>${sending()}</script>`)}"></iframe>`;

/** The page's scripts, by what they try. `FRAME` is a frame's markup, `CODE` what it would do. */
const ways: Readonly<Record<string, string>> = {
  "markup by a script": "document.body.innerHTML = FRAME",
  "markup in a text that is written": "document.write(FRAME)",
  "written in pieces": "for (const part of FRAME.match(/.{1,3}/g)) document.write(part)",
  "an element": "const f = document.createElement('iframe'); f.srcdoc = '<script>' + CODE + '<' + '/script>'; document.body.append(f)",
  "an element that is in the page already":
    "const f = document.createElement('iframe'); document.body.append(f); f.setAttribute('srcdoc', '<script>' + CODE + '<' + '/script>')",
  "a name with a prefix":
    "const f = document.createElementNS('http://www.w3.org/1999/xhtml', 'x:iframe'); f.setAttribute('srcdoc', '<script>' + CODE + '<' + '/script>'); document.body.append(f)",
  "a javascript: address": "const f = document.createElement('iframe'); f.src = 'javascript:' + CODE; document.body.append(f)",
  "a javascript: address, later": "const f = document.createElement('iframe'); document.body.append(f); f.src = 'javascript:' + CODE",
  "a javascript: address in a frame that is named":
    "const f = document.createElement('iframe'); f.name = 'n'; document.body.append(f); const a = document.createElement('a'); a.href = 'javascript:' + CODE; a.target = 'n'; document.body.append(a); a.click()",
  "the frame's location": "const f = document.createElement('iframe'); document.body.append(f); frames[0].location = 'javascript:' + CODE",
  "a frame of a set":
    "const s = document.createElement('frameset'); const f = document.createElement('frame'); f.src = 'javascript:' + CODE; s.append(f); document.documentElement.append(s)",
  "an object and an embed":
    "for (const [n, a] of [['object', 'data'], ['embed', 'src']]) for (const to of ['javascript:' + CODE, 'data:text/html,<script>' + CODE + '<' + '/script>', 'about:blank']) { const e = document.createElement(n); e.type = 'text/html'; e.setAttribute(a, to); document.body.append(e); }",
  "data: and blob: documents":
    "for (const to of ['data:text/html,<script>' + CODE + '<' + '/script>', URL.createObjectURL(new Blob(['<script>' + CODE + '<' + '/script>'], { type: 'text/html' }))]) { const f = document.createElement('iframe'); f.src = to; document.body.append(f); }",
  "a frame while the page is held up":
    "document.body.insertAdjacentHTML('beforeend', FRAME); const end = performance.now() + 1500; while (performance.now() < end);",
  "a closed shadow tree":
    "const d = document.createElement('div'); document.body.append(d); d.attachShadow({ mode: 'closed' }).innerHTML = FRAME",
  "a shadow tree in a shadow tree":
    "const d = document.createElement('div'); const e = document.createElement('div'); d.attachShadow({ mode: 'closed' }).append(e); e.attachShadow({ mode: 'closed' }).innerHTML = FRAME; document.body.append(d)",
  "a shadow tree that is copied":
    "const d = document.createElement('div'); d.attachShadow({ mode: 'open', clonable: true }).innerHTML = FRAME; document.body.append(d.cloneNode(true))",
  "a shadow tree in a text": "document.body.setHTMLUnsafe('<div><template shadowrootmode=closed>' + FRAME + '</template></div>')",
  "a shadow tree that is written": "document.write('<div><template shadowrootmode=closed>' + FRAME + '</template></div>')",
  "a shadow tree that is written in pieces":
    "for (const part of ('<div><template ShadowRootMode=\\'closed\\'>' + FRAME + '</template></div>').match(/.{1,4}/g)) document.write(part)",
  "after what looks for frames was put out of order":
    "for (const o of [NodeList.prototype, MutationRecord.prototype]) for (const n of Object.getOwnPropertyNames(o)) try { Object.defineProperty(o, n, { get() { return 0; }, value: undefined }); } catch { try { Object.defineProperty(o, n, { get: () => 0 }); } catch {} }" +
    "Object.defineProperty(window, 'length', { value: 0 }); Document.prototype.querySelectorAll = () => []; Element.prototype.remove = () => {}; MutationObserver.prototype.observe = () => {}; Array.prototype[Symbol.iterator] = null; Reflect.apply = () => 0; Function.prototype.call = Function.prototype.apply = () => 0; document.body.innerHTML = FRAME",
  "a shadow tree that is written around a script":
    "document.write('<script>document.write(\"<div><template shadow\")<' + '/script>rootmode=closed>' + FRAME)",
  "a shadow tree that is written around scripts in scripts":
    "window.w = ['<div><template shadow', '<script>document.write(w[0])<' + '/script>root']; document.write('<script>document.write(w[1])<' + '/script>mode=closed>' + FRAME)",
  "a shadow tree that is written, with a word to no document between the pieces":
    "document.write('<div><template shadow'); try { document.write.call({}, 'x'); } catch {} document.write('rootmode=closed>' + FRAME)",
  "a shadow tree that is written, with a word to another document between the pieces":
    "const other = document.implementation.createHTMLDocument(''); document.write('<div><template shadow'); other.write('x'); other.writeln('x'); document.write('rootmode=closed>' + FRAME)",
  "a shadow tree that is written behind one that a script writes in it":
    "document.write('<script>document.write(\"zzz\")<' + '/script><div><template shadow'); document.write('rootmode=closed>' + FRAME)",
  "a shadow tree that is written while a script is waited for":
    "const code = URL.createObjectURL(new Blob(['document.write(`zzz`)'])); document.open(); document.write('<script src=' + code + '><' + '/script><div><template shadow'); setTimeout(() => document.write('rootmode=closed>' + FRAME), 300)",
  "a shadow tree that a script begins behind which it ends already":
    "const code = URL.createObjectURL(new Blob(['document.write(`<div><template shadow`)'])); document.open(); document.write('<script src=' + code + '><' + '/script>'); try { document.write.call({}, 'x'); } catch {} document.write('rootmode=closed>' + FRAME)",
  "a shadow tree in whose name a tag begins":
    "document.write('<div><template shadow<'); document.implementation.createHTMLDocument('').write('x'); document.write('rootmode=closed>' + FRAME)",
  "a shadow tree after the observers were replaced":
    "const Real = MutationObserver; window.MutationObserver = function () { return new Real(() => {}); }; const d = document.createElement('div'); document.body.append(d); d.attachShadow({ mode: 'open' }).innerHTML = FRAME",
  "a shadow tree after what watches it was put out of order":
    "Object.prototype.characterData = false; Object.prototype.characterDataOldValue = true; Array.prototype[Symbol.iterator] = null; const d = document.createElement('div'); document.body.append(d); try { d.attachShadow({ mode: 'open' }); } catch {} d.shadowRoot.innerHTML = FRAME",
  "after the document was opened anew":
    "document.open(); document.write('<body>'); document.close(); setTimeout(() => { document.body.innerHTML = FRAME; }, 50)",
  "a document that a link's script gives":
    "const a = document.createElement('a'); a.href = 'javascript:' + JSON.stringify('<script>' + CODE + '<' + '/script>'); document.body.append(a); a.click()",
  "a document that an address gives":
    "globalThis['loca' + 'tion'].href = 'javascript:' + JSON.stringify('<script>' + CODE + '<' + '/script>')",
  "a style sheet for XML":
    "const x = new DOMParser().parseFromString('<xsl:stylesheet version=\"1.0\" xmlns:xsl=\"http://www.w3.org/1999/XSL/Transform\"><xsl:template match=\"/\"><iframe srcdoc=\"&lt;script&gt;' + CODE.replaceAll('&', '&amp;').replaceAll('\"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;') + '&lt;/script&gt;\"/></xsl:template></xsl:stylesheet>', 'text/xml'); if (window.XSLTProcessor) { const p = new XSLTProcessor(); p.importStylesheet(x); document.body.append(p.transformToFragment(x, document)); }",
};

/** A page that tries one of them and reports when it has. */
function trying(script: string, n: number): string {
  const code = `const CODE = ${JSON.stringify(sending())}; const FRAME = ${JSON.stringify(frameIn())};
    addEventListener("message", ({ data }) => { if (data === "a frame runs") console.log(data); });
    setTimeout(() => { try { ${script} } catch (error) { console.log("refused: " + error.name); } setTimeout(() => console.log("tried ${n}"), 300); }, 0);`;
  return html("<p>page</p>", `<script>${code.replaceAll("</", "<\\/")}</script>`);
}

const all = Object.entries(ways);
for (const half of [0, 1])
  test(`no frame of the page's own runs, however it comes about (${half + 1} of 2)`, async ({ page }) => {
    const ran: string[] = [];
    for (const [n, [way, script]] of all.entries()) {
      if (n % 2 !== half) continue;
      const project = { "index.html": trying(script, n) };
      if (n === half) await openIn(site, page, project);
      else await embed(page, project);
      // One of the scripts also breaks its own console.
      const done = async () => (await lines(page)).includes(`log: tried ${n}`) || heard > 0;
      await expect
        .poll(done, { timeout: way.endsWith("out of order") ? 1_500 : 8_000 })
        .toBe(true)
        .catch((error: unknown) => {
          if (!way.endsWith("out of order")) throw new Error(`${way}: ${String(error)}`);
        });
      if (heard > 0 || (await lines(page)).includes("log: a frame runs")) ran.push(way);
      heard = 0;
      await page.evaluate(() => void (window.heard.length = 0));
    }
    expect(ran).toEqual([]);
  });

test("frames that run nothing are said to be missing, and the page goes on", async ({ page }) => {
  await openIn(site, page, { "index.html": html('<p>page</p><iframe src="other.html"></iframe><p>end</p>'), "other.html": html("other") });
  await expect.poll(() => lines(page)).toContain("warn: The preview doesn't show nested pages: other.html");
  expect(await inner(page).evaluate(() => document.body.innerText)).toContain("end");
});

test("a page's own scripts may speak of shadow trees", async ({ page }) => {
  const script =
    "customElements.define('x-a', class extends HTMLElement { connectedCallback() { this.attachShadow({ mode: 'open' }); this.shadowRoot.innerHTML = 'in the tree'; } }); console.log(document.querySelector('x-a').shadowRoot.textContent);";
  await openIn(site, page, { "index.html": html(`<x-a></x-a><script>${script}</script>`) });
  await expect.poll(() => lines(page)).toContain("log: in the tree");
});
