/**
 * The page's address. The real address is the same for all pages and can't be changed. So the page's scripts get `previewLocation`
 * in place of `location`, with the address that the page would have on a server. Links, forms and `history` use it too.
 */
window.previewParts.push(function places(kit) {
  "use strict";

  /** The page's path as servers show it: a folder's index.html has the folder's name, which routers expect. */
  const named = () => (kit.served ? kit.place.path : kit.encodePath(kit.place.path).replace(/(^|\/)index\.html$/, "$1"));
  const url = () => {
    const here = new URL(kit.root.href + named());
    here.search = kit.place.search;
    here.hash = window.location.hash || kit.place.hash;
    return here;
  };
  /** The page's path from "/" on. */
  const pathname = () => `/${named()}`;

  /** The target of a reference. Null if it isn't a page of the project or server. */
  function locate(text) {
    try {
      const there = new URL(text, url());
      const path = kit.served ? kit.pathOf(there) : kit.resolve(text === "" || text.startsWith("?") ? `/${named()}${text}` : text);
      return path === null ? null : { path, search: there.search, hash: there.hash };
    } catch {
      // Not a valid address.
      return null;
    }
  }

  /** Goes to another page of the project, or to a fragment of this page. */
  function go(reference) {
    const text = String(reference);
    if (text.startsWith("#")) {
      window.location.hash = text;
      return;
    }
    const there = locate(text);
    if (there === null) return kit.print("info", [`External links don't open in the preview: ${text}`]);
    const { path, search, hash } = there;
    if (path === kit.place.path && search === kit.place.search && hash !== "") window.location.hash = hash;
    else kit.port.postMessage({ type: "open", path, search, hash });
  }
  const again = () => kit.port.postMessage({ type: "open", path: kit.place.path, search: kit.place.search, hash: window.location.hash });

  const place = {
    assign: go,
    replace: go,
    reload: again,
    toString: () => url().href,
  };
  for (const name of ["origin", "protocol", "host", "hostname", "port"])
    Object.defineProperty(place, name, { get: () => url()[name], enumerable: true });
  const changing = (name, get, set) => Object.defineProperty(place, name, { get, set, enumerable: true });
  changing("href", () => url().href, go);
  changing("value", () => place, go);
  changing("pathname", pathname, (path) => go(String(path)));
  changing(
    "search",
    () => url().search,
    (search) => go(`?${String(search).replace(/^\?/, "")}`),
  );
  changing(
    "hash",
    () => url().hash,
    (hash) => {
      window.location.hash = hash;
    },
  );
  Object.defineProperty(window, "previewLocation", { value: place });

  /** The place of the page that was loaded, whatever `history` calls have changed since. */
  let written = kit.place;
  const state = Object.getOwnPropertyDescriptor(History.prototype, "state");
  const kept = () => state.get.call(history);

  /** The page can't have an address of its own. So the address that it sets is stored in `kit.place`, and in the state of each history entry. */
  kit.replaceHistory = () => {
    written = kit.place;
    for (const name of ["pushState", "replaceState"]) {
      const real = history[name].bind(history);
      history[name] = (value, _title, address) => {
        if (address !== undefined && address !== null) {
          const next = new URL(address, url());
          if (next.origin !== kit.root.origin) throw new DOMException(`${address} is no address of the preview's.`, "SecurityError");
          const path = (kit.served ? kit.pathOf(next) : kit.resolve(next.href)) ?? "";
          kit.place = {
            path: next.pathname.endsWith("/") && !kit.served ? path.replace(/index\.html$/, "") : path,
            search: next.search,
            hash: next.hash,
          };
        }
        real({ value, place: kit.place }, "");
        moved();
      };
    }
    Object.defineProperty(History.prototype, "state", { get: () => kept()?.value ?? null, configurable: true });
    Object.defineProperty(PopStateEvent.prototype, "state", { get: () => kept()?.value ?? null, configurable: true });
  };
  /** Sets the page's address, if the server redirected to another page. */
  kit.settle = (place) => {
    kit.place = place;
    written = place;
    moved();
  };
  const moved = () =>
    kit.port.postMessage({ type: "moved", path: written.path, search: kit.place.search, hash: window.location.hash || kit.place.hash });

  kit.listenForPlaces = () => {
    window.addEventListener(
      "popstate",
      () => {
        kit.place = kept()?.place ?? { ...written, hash: "" };
      },
      true,
    );
    window.addEventListener("hashchange", moved);
    window.addEventListener("click", onClick);
    window.addEventListener("submit", onSubmit);
  };

  /** Replaces `location` in the text of an event handler attribute. */
  kit.rewriteHandler = (text) =>
    text
      .replace(/(?<![\w$.])(?:(?:window|document|self)\.)?location(?=\s*\.)/g, "previewLocation")
      .replace(/(?<![\w$.])(?:(?:window|document|self)\.)?location(?=\s*=[^=>])/g, "previewLocation.value");

  function onClick(event) {
    const anchor = event.composedPath().find((each) => each instanceof Element && each.matches("a[href], area[href]"));
    if (event.defaultPrevented || !anchor) return;
    const href = anchor.getAttribute("href");
    if (/^\s*(?:javascript|blob|data):/i.test(href)) return;
    event.preventDefault();
    go(href.trim());
  }

  function onSubmit(event) {
    const { target: form, submitter } = event;
    const attribute = (name) => submitter?.getAttribute(`form${name}`) ?? form.getAttribute(name);
    if (event.defaultPrevented || attribute("method")?.toLowerCase() === "dialog") return;
    event.preventDefault();
    const action = attribute("action") ?? "";
    const method = (attribute("method") ?? "get").toLowerCase();
    const there = locate(action);
    if (there === null) return kit.print("warn", [`The form wasn't submitted: ${action} isn't a page of the preview.`]);
    if (method !== "get" && !kit.served) return kit.print("warn", ["The form wasn't submitted: the preview has no server."]);
    const data = new FormData(form, submitter);
    const values = new URLSearchParams([...data].map(([name, value]) => [name, typeof value === "string" ? value : value.name]));
    const { path } = there;
    if (method === "get") return kit.port.postMessage({ type: "open", path, search: `?${values}`, hash: "" });
    const body = (attribute("enctype") ?? "").toLowerCase() === "multipart/form-data" ? data : values;
    // Encodes the body as the browser would send it.
    const sent = new Response(body);
    void sent
      .blob()
      .then((blob) => kit.port.postMessage({ type: "open", ...there, form: { type: sent.headers.get("Content-Type"), blob } }));
  }
});
