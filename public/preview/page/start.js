/** The start: says hello, gets a port and the page's place, and writes the page. */
window.previewParts.push(function start(kit) {
  "use strict";

  window.addEventListener("message", function begin(event) {
    if (event.source !== window.parent || event.data?.type !== "page" || !event.ports[0]) return;
    window.removeEventListener("message", begin);
    kit.port = event.ports[0];
    kit.port.onmessage = ({ data }) => void hear(data);
    kit.place = event.data.place;
    if (kit.place.port) kit.serve(kit.place.port);
    kit.replaceConsole();
    kit.replaceStorage();
    kit.replaceHistory();
    kit.replaceRequests();
    kit.refuseFrames();
    kit.replaceWorkers();
    kit.replaceSources();
    guard();
    void write(event.data.scroll).catch((error) => kit.print("error", ["Couldn't show the page:", error]));
  });
  window.parent.postMessage({ type: "hello" }, "*");

  async function hear(message) {
    if (message.type === "got") kit.got(message);
    else if (message.type === "styles" && !(await kit.restyle(message.paths))) kit.port.postMessage({ type: "anew" });
  }

  async function write(scroll) {
    const { path, search, hash } = kit.place;
    let made;
    if (kit.served) {
      const { problem, text, mime, at } = await kit.ask({ as: "document", path: path + search });
      if (problem !== undefined) kit.print("error", [problem]);
      else kit.settle({ ...kit.place, ...at, hash });
      const isPage = problem === undefined && /html/.test(mime) && text !== undefined;
      made = isPage ? await kit.page(kit.place.path, text) : await kit.wrapped(path + search, mime ?? "text/plain", problem ?? text);
    } else if (/\.html?$/i.test(path)) {
      const page = await kit.ask({ as: "text", path });
      if (page.text === undefined) throw new Error(page.problem ?? kit.notThere(path));
      made = await kit.page(path, page.text);
    } else made = await kit.wrapped(path);
    document.open();
    // Only now, because `document.open` removes all listeners.
    kit.listenForErrors();
    kit.listenForPlaces();
    window.addEventListener("pagehide", () => kit.port.postMessage({ type: "leaving" }));
    window.addEventListener(
      "load",
      () => {
        if (scroll && (scroll[0] > 0 || scroll[1] > 0)) window.scrollTo(scroll[0], scroll[1]);
        kit.port.postMessage({ type: "ready" });
        keepScroll();
      },
      { once: true },
    );
    kit.watchDocument();
    kit.restoreLinks();
    kit.writePage(made.text, made.mark);
    document.close();
    if (hash) window.location.hash = hash;
  }

  /** Reports the scroll position, so that the page keeps it after a change. */
  function keepScroll() {
    let told = false;
    window.addEventListener(
      "scroll",
      () => {
        if (told) return;
        told = true;
        setTimeout(() => {
          told = false;
          kit.port.postMessage({ type: "scroll", x: window.scrollX, y: window.scrollY });
        }, 100);
      },
      { passive: true },
    );
  }

  /** Defines what the checks in loops call (src/app/preview/build/loops.ts). Only some scripts have these checks. */
  function guard() {
    /** `rounds`: iterations between two looks at the clock. `ms`: how long a loop may run without a pause. */
    const limits = { rounds: 20_000, ms: 4_000 };
    let since = null;
    window.previewTicks = limits.rounds;
    window.previewTicked = () => {
      window.previewTicks = limits.rounds;
      if (since === null) {
        since = performance.now();
        // Runs as soon as the scripts pause.
        setTimeout(() => {
          since = null;
        }, 0);
        return false;
      }
      if (performance.now() - since <= limits.ms) return false;
      // If the script catches the error, it is stopped at the next iteration.
      window.previewTicks = 0;
      return true;
    };
    window.previewTicked.why = "A loop ran for more than 4 seconds without a pause, so it was stopped.";
  }
});
