import { createSignal, onCleanup } from "solid-js";
import * as t from "../texts/preview.ts";
import { createScripts } from "./build/scripts.ts";
import type { Build } from "./build/builder.ts";
import { createDeedFiles, type DeedSource } from "./deed-files.ts";
import { consoleLimits, createConsole } from "./lines.ts";
import { createServed, type Form } from "./served/service.ts";
import type { AskSite, Site } from "./served/server-calls.ts";
import { answer, answerBy, firstPage, pages, type PageAddress, said } from "./service.ts";
import { createStrangers, isWithin } from "./strangers.ts";

export interface PreviewFeedOptions {
  readonly frame: () => HTMLIFrameElement | undefined;
  readonly source: DeedSource;
  readonly build: Build;
  /** Sends a request to a dialog's server. */
  readonly askSite: AskSite;
  /** The page in the frame sends too many messages outside the port: the frame has to be removed. */
  readonly flooded: () => void;
}

/** Milliseconds between pings to the frame, and without an answer until it counts as stalled. */
const heartbeat = { every: 1_000, patience: 3_000 } as const;

/** The maximum number of remembered paths that a page has requested. If it requests more, every change counts. */
const mostWanted = 10_000;

/**
 * Serves a frame that is shut off (`shut-off.ts`). Only a frame with an opaque origin is accepted: it says hello, gets a port, and uses it to request
 * what it needs. Everything that comes over that port is untrusted. Each load of the frame gets a new port; the old one is closed.
 */
export function createPreviewFeed({ frame, source, build, askSite, flooded }: PreviewFeedOptions) {
  const output = createConsole();
  const [state, setState] = createSignal<"loading" | "ready">("loading");
  const [problem, setProblem] = createSignal<string | null>(null);
  const [paths, setPaths] = createSignal<readonly string[]>([]);
  const [place, setPlace] = createSignal<PageAddress | null>(null);
  const [stalled, setStalled] = createSignal(false);
  const [connected, setConnected] = createSignal(false);
  const files = createDeedFiles(source);
  /** Paths that the page has requested or looked for. Changes of other files don't affect it. */
  let wanted = new Set<string>();
  function want(path: string) {
    if (wanted.size < mostWanted) wanted.add(path);
  }
  const scripts = createScripts(
    {
      has: (path) => (want(path), files.has(path)),
      version: (path) => (want(path), files.version(path)),
      text: (path) => (want(path), files.text(path)),
    },
    build,
  );
  const asked = {
    ...files,
    blob: (path: string) => (want(path), files.blob(path)),
    text: (path: string) => (want(path), files.text(path)),
  };
  const served = createServed(askSite, build);
  /** The server whose page is shown; null: the project's own pages are. */
  let site: Site | null = null;
  let port: MessagePort | undefined;
  let turn = 0;
  /** Whether the user or the page chose this page. Otherwise a better one may replace it once it exists. */
  let chosen = false;

  async function hear(event: MessageEvent<unknown>) {
    const from = port;
    const message = said(event.data, consoleLimits.text);
    if (message === null || event.target !== from) return;
    alive();
    if (message.type === "get") {
      const server = site;
      const reply = await (server === null
        ? answer(message.question, asked, scripts)
        : answerBy(message.question, (question) => served.found(question, server)));
      if (reply !== null) from?.postMessage(reply);
    } else if (message.type === "ready" || message.type === "moved") {
      if (message.type === "ready") setState("ready");
      setPlace(message.place);
    } else if (message.type === "console") output.add(message.level, message.text);
    else if (message.type === "anew") void refresh();
    else if (message.type === "open") open(message.place, message.form);
  }

  /** Starts a page again: a link's target, or the chosen page. */
  function open(next: PageAddress, form: Form | null = null) {
    if (site !== null) return show(next, form);
    want(next.path);
    if (files.has(next.path)) {
      chosen = true;
      show(next);
    } else output.add("warn", t.pageMissing(next.path));
  }

  function show(next: PageAddress, form: Form | null = null) {
    served.begin(form);
    wanted = new Set([next.path]);
    output.clear();
    setProblem(null);
    setState("loading");
    setPlace(next);
    port?.postMessage({ type: "show", ...next, ...(site === null ? {} : { port: site.port }) });
  }

  /** Checks the files again and restarts the shown page, or another one if it no longer exists. */
  async function refresh() {
    const mine = ++turn;
    if (site !== null) return show(place() ?? { path: "", search: "", hash: "" });
    const seen = await files.look();
    // A later check is running, and will show the same.
    if (mine !== turn) return;
    setPaths(files.paths());
    if ("problem" in seen) return void setProblem(seen.problem);
    setProblem(null);
    const now = place();
    const path = firstPage(files.paths());
    if (now !== null && files.has(now.path) && (chosen || now.path === path)) return show(now);
    chosen = false;
    if (path !== null) return show({ path, search: "", hash: "" });
    setPlace(null);
    setState("ready");
    wanted = new Set();
    port?.postMessage({ type: "nothing", text: t.noPage });
  }

  /** Applies changes of the deed: new style sheets, a restart, or nothing if the page did not request these files. */
  async function changed(changes: ReadonlySet<string>) {
    for (const path of changes) files.forget(path);
    // A server itself reports its changes.
    if (site !== null) return;
    const mine = turn;
    const seen = await files.look();
    // The page has been restarted in the meantime.
    if (mine !== turn) return;
    setPaths(files.paths());
    const here = place();
    if (!("problem" in seen)) setProblem(null);
    if ("problem" in seen || here === null || (!chosen && here.path !== firstPage(files.paths()))) return refresh();
    const relevant = [...new Set([...changes, ...seen.changed])].filter((path) => wanted.has(path) || wanted.size >= mostWanted);
    if (relevant.length === 0) return;
    const styles = relevant.every((path) => path.endsWith(".css") && files.has(path));
    if (styles && state() === "ready") port?.postMessage({ type: "styles", paths: relevant });
    else await refresh();
  }

  // ---- the frame

  let answered = 0;
  let checked = 0;
  function alive() {
    answered = performance.now();
    if (stalled()) setStalled(false);
  }
  const pulse = setInterval(() => {
    const now = performance.now();
    // In the background, or after this page itself was blocked, nothing is known about the frame.
    if (document.visibilityState !== "visible" || now - checked > 2 * heartbeat.every) answered = now;
    checked = now;
    if (port === undefined) return;
    if (now - answered > heartbeat.patience) setStalled(true);
    port.postMessage({ type: "ping" });
  }, heartbeat.every);

  function connect(window: Window) {
    port?.close();
    const channel = new MessageChannel();
    port = channel.port1;
    port.addEventListener("message", (event) => void hear(event));
    port.start();
    alive();
    setConnected(true);
    // An opaque origin can't be named as the target. The window itself was checked.
    window.postMessage({ type: "port" }, "*", [channel.port2]);
    void refresh();
  }

  const strange = createStrangers(flooded);

  function onMessage(event: MessageEvent<unknown>) {
    const window = frame()?.contentWindow;
    if (!window || event.origin !== "null") return;
    if (event.source !== window) {
      if (isWithin(event.source, window)) strange();
      return;
    }
    const data = event.data;
    if (typeof data !== "object" || data === null || !("type" in data) || data.type !== "hello") return;
    connect(window);
  }
  // oxlint-disable-next-line solid/reactivity -- a message comes as an event
  addEventListener("message", onMessage);
  onCleanup(() => {
    removeEventListener("message", onMessage);
    clearInterval(pulse);
    port?.close();
  });

  function disconnect() {
    port?.close();
    port = undefined;
    setStalled(false);
    setConnected(false);
  }

  return {
    console: output,
    state,
    problem,
    /** The shown page; null if there is none. */
    place,
    /** The paths of all pages that can be chosen. */
    pages: () => pages(paths()),
    /** True while the frame does not answer, because a script in it does not pause. */
    stalled,
    open: (path: string) => open({ path, search: "", hash: "" }),
    refresh,
    changed: (changes: ReadonlySet<string>) => void changed(changes),
    /** Whether the frame has said hello. */
    connected,
    /** Forgets a removed frame. */
    disconnect,
    /**
     * Shows the pages of a server, or the project's own. The caller has to reload the frame: otherwise requests of the old page would go to the new
     * server.
     */
    serve(next: Site | null) {
      disconnect();
      site = next;
      turn++;
      chosen = false;
      setPlace(null);
      setState("loading");
    },
  };
}
