/**
 * Shows a project's files as a web page, in an opaque origin: the page reaches neither the app nor the network.
 *
 * The embedding page frames `preview/index.html` with `sandbox="allow-scripts allow-forms allow-modals"`, never with
 * `allow-same-origin`. A frame with that attribute is never served by a service worker; one without it is, and shows
 * something only when the policy header of `/preview/*` came along. They speak so:
 *
 *   host → embedder  `{type: "hello"}` to the parent window, once, when it is ready to listen
 *   embedder → host  `{type: "files", files: [{path, bytes}], entry}` to the window, with a MessagePort; the first one counts.
 *                    Check before that `event.source` is the frame's window and `event.origin` is `"null"`.
 *   then, over the port:
 *   embedder → host  `{type: "files", files, entry}`: these are the files now; the page starts anew
 *   host → embedder  `{type: "ready", path}`: the page has loaded
 *                    `{type: "console", level, text}`: level is debug, log, info, warn or error; text is untrusted
 *                    `{type: "error", text}`: there is nothing to show, and why
 *
 * `bytes` is a Uint8Array, `path` a path in the project, `entry` the path of the page to show (`index.html` when missing).
 * Without that file the first .html file that lies in no folder is shown.
 *
 * The page runs in a frame inside this one, and each start has a new frame: no script of the page before it is left, and
 * this document's policy, which allows no frame to load anything, keeps the page from going elsewhere.
 */
(() => {
  "use strict";

  const limits = {
    /** UTF-16 units of one console message. */
    text: 10_000,
    /** Console messages that are passed on in a second. */
    perSecond: 100,
    /** Milliseconds after which a page that is still loading is shown anyway. */
    showMs: 1_000,
    /** Milliseconds in which a page that went away may come back, as it does after a reload. */
    awayMs: 500,
    /** Milliseconds that a page must have stood before it is brought back after it went away; else it would do so for ever. */
    stoodMs: 2_000,
  };
  const levels = ["debug", "log", "info", "warn", "error"];

  if (window.parent === window) return say("The preview stands inside the app.");
  // With the app's own origin the page could read what the app has stored. Then nothing is shown.
  if (window.origin !== "null") return say("The preview is not shown, because it would not be shut off from the app.");

  /** @type {MessagePort | null} */
  let embedder = null;
  /** @type {{path: string, bytes: Uint8Array}[]} */
  let files = [];
  let home = "index.html";
  /** The page that runs or is coming. @type {{path: string, hash: string, frame: HTMLIFrameElement, since: number, hellos: number} | null} */
  let page = null;

  window.addEventListener("message", (event) => {
    if (event.source === window.parent && embedder === null && event.data?.type === "files" && event.ports[0]) {
      embedder = event.ports[0];
      embedder.onmessage = ({ data }) => {
        if (data?.type === "files") take(data);
      };
      take(event.data);
    } else if (page && event.source === page.frame.contentWindow && event.data?.type === "hello") {
      connect(page);
    }
  });
  window.parent.postMessage({ type: "hello" }, "*");

  function take(message) {
    const elsewhere = page !== null && page.path !== home;
    files = message.files;
    home = message.entry ?? "index.html";
    if (!has(home)) home = files.map(({ path }) => path).find((path) => /^[^/]+\.html?$/i.test(path)) ?? home;
    start(elsewhere && has(page.path) ? page.path : home, "");
  }

  function has(path) {
    return files.some((file) => file.path === path);
  }

  function start(path, hash) {
    if (!has(path)) {
      for (const frame of document.querySelectorAll("iframe")) frame.remove();
      page = null;
      say(`There is no ${path} yet.`);
      embedder.postMessage({ type: "error", text: `There is no ${path} among the files.` });
      return;
    }
    for (const frame of document.querySelectorAll("iframe.coming")) frame.remove();
    const frame = document.createElement("iframe");
    frame.className = "coming";
    frame.title = "Page";
    frame.setAttribute("sandbox", "allow-scripts allow-forms allow-modals");
    frame.srcdoc = `<!doctype html><script>(${window.previewPage})()<\/script>`;
    page = { path, hash, frame, since: performance.now(), hellos: 0 };
    document.body.append(frame);
    setTimeout(() => show(frame), limits.showMs);
  }

  /** Puts the new page in the place of the old one. */
  function show(frame) {
    if (page?.frame !== frame || !frame.classList.contains("coming")) return;
    for (const other of Array.from(document.body.children)) if (other !== frame) other.remove();
    frame.classList.remove("coming");
  }

  /** Gives a frame its files. It says hello again after a reload of its own. */
  function connect(shown) {
    shown.hellos++;
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => {
      if (page === shown) hear(shown, data);
    };
    shown.frame.contentWindow.postMessage({ type: "page", files, path: shown.path, hash: shown.hash }, "*", [port2]);
  }

  function hear(shown, message) {
    if (message?.type === "console") print(message.level, message.text);
    else if (message?.type === "open") open(String(message.path), String(message.hash ?? ""));
    else if (message?.type === "leaving") returnFrom(shown);
    else if (message?.type === "ready") {
      show(shown.frame);
      embedder.postMessage({ type: "ready", path: shown.path });
    }
  }

  function open(path, hash) {
    if (has(path)) start(path, hash);
    else print("warn", `${path} is not among the project's files.`);
  }

  function returnFrom(shown) {
    const { hellos } = shown;
    const stood = performance.now() - shown.since;
    setTimeout(() => {
      if (page !== shown || shown.hellos > hellos) return;
      print("warn", "The page tried to go elsewhere, which a preview does not do.");
      if (stood > limits.stoodMs) start(shown.path, shown.hash);
    }, limits.awayMs);
  }

  let second = 0;
  let count = 0;
  function print(level, text) {
    const now = Math.floor(performance.now() / 1000);
    if (now !== second) {
      if (count > limits.perSecond) send("warn", `${count - limits.perSecond} more messages were left out.`);
      second = now;
      count = 0;
    }
    if (++count <= limits.perSecond) send(levels.includes(level) ? level : "log", String(text));
  }

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
