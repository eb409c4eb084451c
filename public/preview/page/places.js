/**
 * Where the page is. Its real address is the same for all pages, and can't be changed; so `previewLocation`, which the page's
 * scripts get for `location`, says what a server's page would see. Links, forms and `history` follow it.
 */
window.previewParts.push(function places(kit) {
  "use strict";

  /** Servers show a folder's index.html under the folder's name, and routers look for that. */
  const named = () => kit.encodePath(kit.place.path).replace(/(^|\/)index\.html$/, "$1");
  const url = () => {
    const here = new URL(named(), kit.root);
    here.search = kit.place.search;
    here.hash = window.location.hash || kit.place.hash;
    return here;
  };
  /** Where "/" is, for the page. */
  const pathname = () => `/${named()}`;

  /** Goes to another page of the project, or to a place in this one. */
  function go(reference) {
    const text = String(reference);
    if (text.startsWith("#")) {
      window.location.hash = text;
      return;
    }
    const path = kit.resolve(text === "" || text.startsWith("?") ? `/${named()}${text}` : text);
    if (path === null) return kit.print("info", [`External links don't open in the preview: ${text}`]);
    const { search, hash } = new URL(text, url());
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

  /** The page that was written, whatever its scripts say of it since then. */
  let written = kit.place;
  const state = Object.getOwnPropertyDescriptor(History.prototype, "state");
  const kept = () => state.get.call(history);

  /** An address of its own is what the page may not have; what it says of it is kept here, and with each entry. */
  kit.replaceHistory = () => {
    written = kit.place;
    for (const name of ["pushState", "replaceState"]) {
      const real = history[name].bind(history);
      history[name] = (value, _title, address) => {
        if (address !== undefined && address !== null) {
          const next = new URL(address, url());
          if (next.origin !== kit.root.origin) throw new DOMException(`${address} is no address of the preview's.`, "SecurityError");
          const path = kit.resolve(next.href) ?? "";
          kit.place = { path: next.pathname.endsWith("/") ? path.replace(/index\.html$/, "") : path, search: next.search, hash: next.hash };
        }
        real({ value, place: kit.place }, "");
        moved();
      };
    }
    Object.defineProperty(History.prototype, "state", { get: () => kept()?.value ?? null, configurable: true });
    Object.defineProperty(PopStateEvent.prototype, "state", { get: () => kept()?.value ?? null, configurable: true });
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

  /** What a handler in an attribute says of `location`. */
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
    if (event.defaultPrevented) return;
    event.preventDefault();
    const { target: form, submitter } = event;
    const attribute = (name) => submitter?.getAttribute(`form${name}`) ?? form.getAttribute(name);
    const action = attribute("action") ?? "";
    const method = (attribute("method") ?? "get").toLowerCase();
    const path = kit.resolve(action === "" ? `/${named()}` : action);
    if (method !== "get" || path === null) return kit.print("warn", ["The form wasn't submitted: the preview has no server."]);
    const values = [...new FormData(form, submitter)].map(([name, value]) => [name, typeof value === "string" ? value : value.name]);
    kit.port.postMessage({ type: "open", path, search: `?${new URLSearchParams(values)}`, hash: "" });
  }
});
