/**
 * Shows pages of a project in an opaque origin, where they reach neither the app nor the network.
 *
 * The embedding page loads `preview/index.html` in a frame with `sandbox="allow-scripts allow-forms allow-modals"`, never with
 * `allow-same-origin`. A service worker never serves a frame with this `sandbox` attribute. It serves a frame without the attribute, which
 * shows something only if it has the policy header of `/preview/*`. The messages:
 *
 *   host → embedder  `{type: "hello"}` to the parent window, once, when it is ready to listen
 *   embedder → host  `{type: "port"}` to the window, with a MessagePort. Only the first one counts.
 *                    Check first that `event.source` is the frame's window and `event.origin` is `"null"`.
 *   then, over the port:
 *   embedder → host  `{type: "show", path, search, hash, port?}`: the page starts again with the current files. With a port, it is
 *                    a page of a server, and it asks for addresses of that server
 *                    `{type: "nothing", text}`: there is no page to show. `text` says why
 *                    `{type: "styles", paths}`: only these stylesheets have changed
 *                    `{type: "got", id, …}`: the answer to a `get`
 *                    `{type: "ping"}`: answered with `{type: "pong"}`, unless a script in here loops forever
 *   host → embedder  `{type: "get", id, as, path, …}`: a file or a script, when the page needs it
 *                    `{type: "ready", path, search, hash}`: the page has loaded
 *                    `{type: "moved", path, search, hash}`: the page says that its address has changed
 *                    `{type: "open", path, search, hash, form?}`: a link to another page was followed, or a form sent. Then `show` or `nothing`
 *                    `{type: "anew"}`: new stylesheets are not enough, so the page must start again
 *                    `{type: "console", level, text}`: `level` is debug, log, info, warn or error. `text` is untrusted
 *
 * The page runs in a frame inside this one. Each start creates a new frame, so that no script of the previous page is left. This document's
 * policy allows no frame to load anything, so the page can't navigate away.
 */
(() => {
  "use strict";

  const limits = {
    /** The most UTF-16 units of one console message. */
    text: 10_000,
    /** The most console messages per second that are passed on. */
    perSecond: 100,
    /** Milliseconds after which a page that is still loading is shown anyway. */
    showMs: 1_000,
    /** Milliseconds in which a page that navigated away may come back, as after a reload. */
    awayMs: 500,
    /** Milliseconds that a page must have been shown to be started again after it navigated away. Otherwise, it could loop forever. */
    stoodMs: 2_000,
    /** The most requests for files at the same time. More requests wait for an answer. */
    asked: 64,
    /** The most requests for files per second. */
    askedPerSecond: 4_000,
    /** Minimum milliseconds between two times at which a page's messages about itself are passed on. */
    tellMs: 50,
  };
  const levels = ["debug", "log", "info", "warn", "error"];

  if (window.parent === window) return say("Open the preview inside Vibey.");
  // With the app's own origin, the page could read the app's storage. So nothing is shown.
  if (window.origin !== "null") return say("The preview can't be shown because it isn't isolated from Vibey.");

  /** @type {MessagePort | null} */
  let embedder = null;
  /**
   * The page that runs or is loading.
   * @type {{place: {path: string, search: string, hash: string, port: number}, frame: HTMLIFrameElement, port: MessagePort | null, since: number, hellos: number, scroll: number[] | null} | null}
   */
  let page = null;

  window.addEventListener("message", (event) => {
    if (event.source === window.parent && embedder === null && event.data?.type === "port" && event.ports[0]) {
      embedder = event.ports[0];
      embedder.onmessage = ({ data }) => obey(data);
    } else if (page && event.source === page.frame.contentWindow && event.data?.type === "hello") {
      connect(page);
    }
  });
  window.parent.postMessage({ type: "hello" }, "*");

  function obey(message) {
    if (message.type === "show")
      start({ path: message.path, search: message.search ?? "", hash: message.hash ?? "", port: Number(message.port ?? 0) });
    else if (message.type === "nothing") nothing(message.text);
    else if (message.type === "styles") page?.port?.postMessage(message);
    else if (message.type === "got") got(message);
    else if (message.type === "ping") embedder.postMessage({ type: "pong" });
  }

  function nothing(text) {
    news.clear();
    for (const frame of document.querySelectorAll("iframe")) frame.remove();
    page = null;
    say(text);
  }

  function start(place) {
    for (const frame of document.querySelectorAll("iframe.coming")) frame.remove();
    news.clear();
    const frame = document.createElement("iframe");
    frame.className = "coming";
    frame.title = "Page";
    // No dialogs: one to print, or to ask before the page is left, would hold up the app.
    frame.setAttribute("sandbox", "allow-scripts allow-forms");
    // This document's scripts come from the app's host. The page's scripts must not, or it could send data to that host in a script's address.
    const policy = `<meta http-equiv="Content-Security-Policy" content="script-src 'unsafe-inline' 'unsafe-eval' blob: data:">`;
    frame.srcdoc = `<!doctype html>${policy}<meta http-equiv="x-dns-prefetch-control" content="off"><script>{const kit = {}; for (const part of [${window.previewParts.join(",\n")}]) part(kit);}<\/script>`;
    // If the same page is shown again, it keeps its scroll position.
    const scroll = page?.place.path === place.path && place.hash === page.place.hash ? page.scroll : null;
    page = { place, frame, port: null, since: performance.now(), hellos: 0, scroll };
    document.body.append(frame);
    setTimeout(() => show(frame), limits.showMs);
  }

  /** Replaces the old page with the new one. */
  function show(frame) {
    if (page?.frame !== frame || !frame.classList.contains("coming")) return;
    const held = document.activeElement?.localName === "iframe" && document.activeElement !== frame;
    for (const other of Array.from(document.body.children)) if (other !== frame) other.remove();
    frame.classList.remove("coming");
    if (held) frame.focus();
  }

  /** Sends a frame its page. The frame says hello again after it reloads itself. */
  function connect(shown) {
    shown.hellos++;
    const { port1, port2 } = new MessageChannel();
    shown.port?.close();
    shown.port = port1;
    port1.onmessage = ({ data }) => {
      if (page === shown && shown.port === port1) hear(shown, data);
    };
    shown.frame.contentWindow.postMessage({ type: "page", place: shown.place, scroll: shown.scroll }, "*", [port2]);
  }

  function hear(shown, message) {
    if (message?.type === "console") print(message.level, message.text);
    else if (message?.type === "get") ask(shown.port, message);
    else if (message?.type === "open") tell({ type: "open", ...placeOf(message), form: formOf(message) });
    else if (message?.type === "anew") tell({ type: "anew" });
    else if (message?.type === "scroll") shown.scroll = [Number(message.x), Number(message.y)];
    else if (message?.type === "leaving") returnFrom(shown);
    else if (message?.type === "moved") {
      shown.place = { ...placeOf(message), port: shown.place.port };
      tell({ type: "moved", ...shown.place });
    } else if (message?.type === "ready") {
      show(shown.frame);
      tell({ type: "ready", ...shown.place });
    }
  }

  /** @type {Map<string, {type: string}>} */
  const news = new Map();
  let told = -Infinity;
  let telling = 0;

  /** Passes on a page's messages about itself: only the last one of each type, so that a page can't flood the embedder. */
  function tell(message) {
    news.delete(message.type);
    news.set(message.type, message);
    clearTimeout(telling);
    const wait = told + limits.tellMs - performance.now();
    if (wait <= 0) tellNow();
    else telling = setTimeout(tellNow, wait);
  }

  function tellNow() {
    told = performance.now();
    for (const message of news.values()) embedder.postMessage(message);
    news.clear();
  }

  const placeOf = ({ path, search, hash }) => ({ path: String(path), search: String(search ?? ""), hash: String(hash ?? "") });

  const formOf = ({ form }) => (form?.blob instanceof Blob ? { type: String(form.type), blob: form.blob } : null);

  function returnFrom(shown) {
    const { hellos } = shown;
    const stood = performance.now() - shown.since;
    setTimeout(() => {
      if (page !== shown || shown.hellos > hellos) return;
      print("warn", "The page tried to navigate away. Previews don't allow that.");
      if (stood > limits.stoodMs) start(shown.place);
    }, limits.awayMs);
  }

  // ---- files, from the embedder to the page

  let last = 0;
  /** The recipient of each answer. @type {Map<number, {port: MessagePort, id: unknown}>} */
  const asked = new Map();
  /** @type {{port: MessagePort, message: object}[]} */
  const waiting = [];

  function ask(port, message) {
    waiting.push({ port, message });
    askMore();
  }

  let asking = { since: 0, count: 0, later: 0 };
  function askMore() {
    const now = performance.now();
    if (now - asking.since > 1_000) asking = { ...asking, since: now, count: 0 };
    while (asked.size < limits.asked && waiting.length > 0) {
      if (asking.count >= limits.askedPerSecond) {
        clearTimeout(asking.later);
        asking.later = setTimeout(askMore, asking.since + 1_001 - now);
        return;
      }
      const { port, message } = waiting.shift();
      // The page that asked is gone.
      if (page?.port !== port) continue;
      asked.set(++last, { port, id: message.id });
      asking.count++;
      const { as, path, text, mapped, specifier, attribute, method, headers, body, follow } = message;
      embedder.postMessage({ type: "get", id: last, as, path, text, mapped, specifier, attribute, method, headers, body, follow });
    }
  }

  function got(message) {
    const who = asked.get(message.id);
    asked.delete(message.id);
    who?.port.postMessage({ ...message, id: who.id });
    askMore();
  }

  // ---- the console

  let second = 0;
  let count = 0;
  function print(level, text) {
    const now = Math.floor(performance.now() / 1000);
    if (now !== second) {
      if (count > limits.perSecond) send("warn", `${count - limits.perSecond} more messages not shown.`);
      second = now;
      count = 0;
    }
    if (++count <= limits.perSecond) send(levels.includes(level) ? level : "log", String(text));
  }
  // Reports omitted messages, even if no further message comes.
  setInterval(() => {
    if (count <= limits.perSecond || Math.floor(performance.now() / 1000) === second) return;
    send("warn", `${count - limits.perSecond} more messages not shown.`);
    count = 0;
  }, 500);

  function send(level, text) {
    const cut = text.length > limits.text ? `${text.slice(0, limits.text)}… (${text.length - limits.text} more characters)` : text;
    embedder.postMessage({ type: "console", level, text: cut });
  }

  function say(text) {
    const line = document.createElement("p");
    line.textContent = text;
    document.body.replaceChildren(line);
  }
})();
