/**
 * What runs in the page's own frame before the page does: it makes a document of the files, and stands in for what an
 * opaque origin and a shut network take away. `host.js` sends it as text, so it refers to nothing outside itself.
 *
 * - A reference to a project file, wherever it stands (attributes, CSS, imports, `fetch`, `XMLHttpRequest`, `new Worker`),
 *   becomes a blob: URL, made in here: one from another origin would not load. "/" is the project's root.
 * - Import maps, `localStorage` and `sessionStorage` work, the storage until the page is left.
 * - Not there: servers, service workers, cookies, databases, imports inside workers, an `import()` of a computed relative path.
 */
window.previewPage = function previewPage() {
  "use strict";

  /** Where the project's root seems to be, for whoever asks for a URL. */
  const root = new URL("./", document.baseURI);
  const types = {
    html: "text/html",
    htm: "text/html",
    js: "text/javascript",
    mjs: "text/javascript",
    css: "text/css",
    json: "application/json",
    svg: "image/svg+xml",
    png: "image/png",
    jpg: "image/jpeg",
    jpeg: "image/jpeg",
    gif: "image/gif",
    webp: "image/webp",
    avif: "image/avif",
    ico: "image/x-icon",
    mp3: "audio/mpeg",
    wav: "audio/wav",
    ogg: "audio/ogg",
    m4a: "audio/mp4",
    mp4: "video/mp4",
    webm: "video/webm",
    woff: "font/woff",
    woff2: "font/woff2",
    ttf: "font/ttf",
    otf: "font/otf",
    wasm: "application/wasm",
    txt: "text/plain",
    md: "text/plain",
    csv: "text/csv",
    xml: "application/xml",
  };
  /** @type {Map<string, Uint8Array>} */
  let files = new Map();
  let entry = "";
  /** @type {MessagePort} */
  let port;

  window.addEventListener("message", function begin(event) {
    if (event.source !== window.parent || event.data?.type !== "page" || !event.ports[0]) return;
    window.removeEventListener("message", begin);
    port = event.ports[0];
    files = new Map(event.data.files.map(({ path, bytes }) => [path, bytes]));
    entry = event.data.path;
    replaceConsole();
    replaceStorage();
    replaceRequests();
    replaceSources();
    write(event.data.hash);
  });
  window.parent.postMessage({ type: "hello" }, "*");

  // ---- the files as URLs

  /** The path of the project file that a reference means; null when it means none. `from` is the path of the file it stands in. */
  function resolve(reference, from) {
    const text = String(reference).trim();
    if (text === "" || text.startsWith("#")) return null;
    let url;
    try {
      url = new URL(
        /^[\\/](?![\\/])/.test(text) ? text.slice(1) : text,
        /^[\\/](?![\\/])/.test(text) ? root : new URL(encodePath(from), root),
      );
    } catch {
      // No URL at all, such as a bare module name: not a file of ours.
      return null;
    }
    if (url.protocol !== root.protocol || url.host !== root.host) return null;
    const path = url.pathname.startsWith(root.pathname) ? url.pathname.slice(root.pathname.length) : url.pathname.slice(1);
    let decoded = path;
    try {
      decoded = decodeURIComponent(path);
    } catch {
      // A "%" that encodes nothing stands for itself.
    }
    return decoded === "" || decoded.endsWith("/") ? `${decoded}index.html` : decoded;
  }

  function encodePath(path) {
    return path.split("/").map(encodeURIComponent).join("/");
  }

  /** @type {Map<string, string>} */
  const urls = new Map();
  /** @type {Map<string, string>} */
  const paths = new Map();
  const making = new Set();

  /** The blob: URL of a project file, made at the first use. */
  function urlOf(path) {
    const known = urls.get(path);
    if (known !== undefined) return known;
    // Style sheets that import each other in a circle: the second time round there is nothing to add.
    if (making.has(path)) return "data:text/css,";
    making.add(path);
    const url = URL.createObjectURL(new Blob([contentOf(path)], { type: typeOf(path) }));
    making.delete(path);
    urls.set(path, url);
    paths.set(url, path);
    return url;
  }

  function contentOf(path) {
    const bytes = files.get(path);
    const type = typeOf(path);
    if (type.startsWith("text/javascript")) return rewriteScript(textOf(path), path);
    if (type.startsWith("text/css")) return rewriteStyle(textOf(path), path);
    return bytes;
  }

  function typeOf(path) {
    const type = types[/\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? ""] ?? "application/octet-stream";
    return /^text\/|json$|javascript$/.test(type) ? `${type};charset=utf-8` : type;
  }

  function textOf(path) {
    return new TextDecoder().decode(files.get(path));
  }

  /** What to put in a reference's place; null when it is to stay as it is. A file that is missing gets a URL that fails and tells its name. */
  function mapped(reference, from = entry) {
    const path = resolve(reference, from);
    if (path === null) return null;
    const hash = /#.*$/.exec(String(reference))?.[0] ?? "";
    return files.has(path) ? urlOf(path) + hash : `blob:missing/${encodePath(path)}`;
  }

  // ---- rewriting texts

  /** Module names become URLs that the import map knows. Only names of project files are touched, so code in strings stays. */
  function rewriteScript(text, from) {
    const here = JSON.stringify(new URL(encodePath(from), root).href);
    return text
      .replace(/\b(from\s*|import\s*\(\s*|import\s*)(["'])([./][^"'\n]*)\2/g, (match, before, quote, reference) => {
        const path = resolve(reference, from);
        return path !== null && files.has(path) ? `${before}${quote}${new URL(encodePath(path), root).href}${quote}` : match;
      })
      .replace(/\bimport\.meta\.url\b/g, here);
  }

  function rewriteStyle(text, from) {
    const quoted = (reference) => JSON.stringify(mapped(reference, from) ?? reference);
    return text
      .replace(/@import\s+(["'])([^"'\n]+)\1/g, (_match, _quote, reference) => `@import ${quoted(reference)}`)
      .replace(/\burl\(\s*(?:"([^"\n]*)"|'([^'\n]*)'|([^"')\s]+))\s*\)/g, (match, double, single, bare) => {
        const reference = double ?? single ?? bare;
        return mapped(reference, from) === null ? match : `url(${quoted(reference)})`;
      });
  }

  function rewriteSet(text) {
    return text.replace(/(^|,\s+)([^\s,]+)/g, (match, before, reference) => {
      const url = mapped(reference);
      return url === null ? match : before + url;
    });
  }

  /** Attributes that hold a reference, by the elements that have them. */
  const references = [
    ["img, script, source, audio, video, track, embed, input, iframe", "src"],
    ["link, image, use", "href"],
    ["video", "poster"],
    ["object", "data"],
  ];

  /** @param {Element} element */
  function rewriteElement(element) {
    for (const [elements, attribute] of references) {
      if (!element.matches(elements) || !element.hasAttribute(attribute)) continue;
      const url = mapped(element.getAttribute(attribute));
      if (url !== null && url !== element.getAttribute(attribute)) element.setAttribute(attribute, url);
    }
    if (element.matches("img[srcset], source[srcset]")) {
      const set = element.getAttribute("srcset");
      if (rewriteSet(set) !== set) element.setAttribute("srcset", rewriteSet(set));
    }
    const style = element.getAttribute("style");
    if (style?.includes("url(") && rewriteStyle(style, entry) !== style) element.setAttribute("style", rewriteStyle(style, entry));
  }

  /** The page's text, ready to be written. */
  function page(path) {
    const parsed = new DOMParser().parseFromString(textOf(path), "text/html");
    const maps = [];
    // A base or a policy of the page's own would be about URLs that are not these; a refresh would lead away.
    const foreign = 'base, meta[http-equiv="content-security-policy" i], meta[http-equiv="refresh" i]';
    for (const element of parsed.querySelectorAll(`${foreign}, link[rel~="preload" i], link[rel~="modulepreload" i]`)) element.remove();
    for (const element of parsed.querySelectorAll("*")) {
      if (element.matches('script[type="importmap"]')) {
        maps.push(element.textContent);
        element.remove();
        continue;
      }
      element.removeAttribute("integrity");
      rewriteElement(element);
      if (element.matches("style")) element.textContent = rewriteStyle(element.textContent, path);
      if (element.matches("script:not([src])")) element.textContent = rewriteScript(element.textContent, path);
    }
    const map = parsed.createElement("script");
    map.type = "importmap";
    map.textContent = JSON.stringify({ imports: importsOf(maps) }).replaceAll("<", "\\u003c");
    parsed.head.prepend(map);
    const doctype = parsed.doctype ? new XMLSerializer().serializeToString(parsed.doctype) : "";
    return doctype + parsed.documentElement.outerHTML;
  }

  function importsOf(maps) {
    const imports = {};
    for (const path of files.keys()) {
      if (/\.(?:m?js|json|css)$/i.test(path)) imports[new URL(encodePath(path), root).href] = urlOf(path);
    }
    for (const text of maps) {
      try {
        for (const [name, target] of Object.entries(JSON.parse(text).imports ?? {})) {
          const url = mapped(target);
          imports[name] = name.endsWith("/") ? target : (url ?? target);
          // A name that ends in "/" stands for a folder: each file below it gets a name of its own.
          if (!name.endsWith("/")) continue;
          delete imports[name];
          const folder = resolve(`${target}x`, entry)?.slice(0, -1);
          if (folder === undefined) continue;
          for (const path of files.keys()) if (path.startsWith(folder)) imports[name + path.slice(folder.length)] = urlOf(path);
        }
      } catch (error) {
        console.warn("The import map could not be read:", error);
      }
    }
    return imports;
  }

  // ---- what a page finds missing in here

  function replaceStorage() {
    for (const name of ["localStorage", "sessionStorage"]) {
      const held = new Map();
      const storage = {
        getItem: (key) => held.get(String(key)) ?? null,
        setItem: (key, value) => void held.set(String(key), String(value)),
        removeItem: (key) => void held.delete(String(key)),
        clear: () => held.clear(),
        key: (at) => [...held.keys()][at] ?? null,
      };
      const value = new Proxy(storage, {
        get: (target, key) => (key === "length" ? held.size : key in target ? target[key] : held.get(key)),
        set: (_target, key, text) => Boolean(held.set(String(key), String(text))),
        deleteProperty: (_target, key) => {
          held.delete(key);
          return true;
        },
        has: (target, key) => key in target || held.has(key),
        ownKeys: () => [...held.keys()],
        getOwnPropertyDescriptor: (_target, key) =>
          held.has(key) ? { value: held.get(key), enumerable: true, configurable: true, writable: true } : undefined,
      });
      Object.defineProperty(window, name, { value, configurable: true });
    }
  }

  function replaceRequests() {
    const realFetch = window.fetch;
    window.fetch = async (input, init) => {
      const path = resolve(input instanceof Request ? input.url : input, entry);
      if (path === null) return realFetch(input, init);
      const request = new Request(root, input instanceof Request ? { method: input.method } : { method: init?.method ?? "GET" });
      if (request.method !== "GET" && request.method !== "HEAD") return new Response(null, { status: 405 });
      if (!files.has(path)) return new Response(`There is no ${path}.`, { status: 404 });
      return new Response(request.method === "HEAD" ? null : files.get(path), { headers: { "Content-Type": typeOf(path) } });
    };
    const open = XMLHttpRequest.prototype.open;
    XMLHttpRequest.prototype.open = function (method, url, ...rest) {
      return open.call(this, method, mapped(url) ?? url, ...rest);
    };
    const RealWorker = window.Worker;
    window.Worker = class Worker extends RealWorker {
      constructor(url, options) {
        super(mapped(url) ?? url, options);
      }
    };
    // No policy that browsers know shuts this way to the network.
    for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection"]) delete window[name];
    // A frame of another origin shows no such boxes, and nothing here can wait for an answer.
    window.alert = (text = "") => print("info", [`alert: ${text}`]);
    window.confirm = (text = "") => Boolean(print("warn", [`confirm, answered with no: ${text}`]));
    window.prompt = (text = "") => print("warn", [`prompt, left without an answer: ${text}`]) ?? null;
  }

  /** References that scripts set: before the element asks for them where that counts, else as soon as they are seen. */
  function replaceSources() {
    const setters = [
      [HTMLImageElement, "src"],
      [HTMLMediaElement, "src"],
      [HTMLScriptElement, "src"],
      [HTMLSourceElement, "src"],
      [HTMLTrackElement, "src"],
      [HTMLLinkElement, "href"],
      [HTMLVideoElement, "poster"],
    ];
    for (const [type, attribute] of setters) {
      const own = Object.getOwnPropertyDescriptor(type.prototype, attribute);
      Object.defineProperty(type.prototype, attribute, {
        ...own,
        set(value) {
          own.set.call(this, mapped(value) ?? value);
        },
      });
    }
    const setAttribute = Element.prototype.setAttribute;
    Element.prototype.setAttribute = function (name, value) {
      const holds = setters.some(([type, attribute]) => this instanceof type && attribute === String(name).toLowerCase());
      return setAttribute.call(this, name, (holds ? mapped(value) : null) ?? value);
    };
    const RealAudio = window.Audio;
    window.Audio = function Audio(source) {
      return source === undefined ? new RealAudio() : new RealAudio(mapped(source) ?? source);
    };
    window.Audio.prototype = RealAudio.prototype;
    if (window.FontFace) {
      const RealFontFace = window.FontFace;
      window.FontFace = class FontFace extends RealFontFace {
        constructor(family, source, descriptors) {
          super(family, typeof source === "string" ? rewriteStyle(source, entry) : source, descriptors);
        }
      };
    }
  }

  function watchDocument() {
    const observer = new MutationObserver((records) => {
      for (const { type, target, addedNodes } of records) {
        if (type === "attributes") rewriteElement(target);
        for (const node of addedNodes) {
          if (node.nodeType !== Node.ELEMENT_NODE) continue;
          for (const element of [node, ...node.querySelectorAll("*")]) rewriteElement(element);
        }
      }
    });
    observer.observe(document, {
      subtree: true,
      childList: true,
      attributes: true,
      attributeFilter: ["src", "href", "srcset", "poster", "style"],
    });
  }

  // ---- the console

  function replaceConsole() {
    for (const level of ["debug", "log", "info", "warn", "error"]) {
      const real = console[level];
      console[level] = (...values) => {
        real.apply(console, values);
        print(level, values);
      };
    }
    console.trace = (...values) => print("log", [...values, withPaths(String(new Error("trace").stack))]);
    console.dir = (value) => print("log", [value]);
    console.table = (value) => print("log", [value]);
    console.assert = (condition, ...values) => {
      if (!condition) print("error", ["Assertion failed:", ...values]);
    };
  }

  function print(level, values) {
    port.postMessage({ type: "console", level, text: withPaths(format(values)).slice(0, 20_000) });
  }

  function format(values) {
    const [first, ...rest] = values;
    if (typeof first !== "string") return values.map((value) => inspect(value, 3)).join(" ");
    const filled = first.replace(/%([sdifoOc%])/g, (match, letter) => {
      if (letter === "%") return "%";
      if (rest.length === 0) return match;
      const value = rest.shift();
      if (letter === "c") return "";
      if (letter === "d" || letter === "i") return String(Math.trunc(Number(value)));
      return inspect(value, 3);
    });
    return [filled, ...rest.map((value) => inspect(value, 3))].join(" ");
  }

  /** A value as a reader of a console expects it. Strings inside of others are quoted. */
  function inspect(value, depth, inside = false) {
    if (typeof value === "string") return inside ? JSON.stringify(value) : value;
    if (typeof value === "function") return `[function ${value.name || "without a name"}]`;
    if (typeof value === "bigint") return `${value}n`;
    if (value === null || typeof value !== "object") return String(value);
    try {
      if (value instanceof Error)
        return value.stack?.includes(value.message) ? value.stack : `${value.name}: ${value.message}\n${value.stack ?? ""}`;
      if (value instanceof Element) return value.cloneNode(false).outerHTML;
      if (value instanceof Date || value instanceof RegExp) return String(value);
      if (depth === 0) return Array.isArray(value) ? "[…]" : "{…}";
      const list = (items, show) => {
        const shown = [];
        for (const item of items) {
          if (shown.length === 100) return [...shown, "…"].join(", ");
          shown.push(show(item));
        }
        return shown.join(", ");
      };
      const each = (item) => inspect(item, depth - 1, true);
      const name = value.constructor?.name ?? "";
      if (Array.isArray(value)) return `[${list(value, each)}]`;
      if (ArrayBuffer.isView(value) && "length" in value) return `${name} [${list(value, each)}]`;
      if (value instanceof Set) return `Set {${list(value, each)}}`;
      if (value instanceof Map) return `Map {${list(value, ([key, held]) => `${each(key)} => ${each(held)}`)}}`;
      const body = list(Object.keys(value), (key) => `${/^[\w$]+$/.test(key) ? key : JSON.stringify(key)}: ${each(value[key])}`);
      return `${name === "" || name === "Object" ? "" : `${name} `}{${body}}`;
    } catch (error) {
      // A getter or a proxy of the page threw: that is all that can be said of the value.
      return `[unreadable: ${error}]`;
    }
  }

  /** Names files by their paths, not by the URLs that they have in here. */
  function withPaths(text) {
    return text.replace(/blob:(?:null|missing)\/[^\s:)"']+/g, (url) =>
      url.startsWith("blob:missing/") ? decodeURIComponent(url.slice(13)) : (paths.get(url) ?? url),
    );
  }

  function listen() {
    window.addEventListener(
      "error",
      (event) => {
        if (event instanceof ErrorEvent) {
          const place = event.filename ? ` (${event.filename}:${event.lineno}:${event.colno})` : "";
          print("error", [`${event.message}${place}`]);
        } else if (event.target instanceof Element) {
          const source = event.target.getAttribute("src") ?? event.target.getAttribute("href") ?? "";
          // A page without its style still works, and its author may be about to write it.
          print(event.target.localName === "link" ? "warn" : "error", [
            source.startsWith("blob:missing/") ? `${source} is not among the project's files.` : `${source} could not be loaded.`,
          ]);
        }
      },
      true,
    );
    window.addEventListener("unhandledrejection", (event) => print("error", ["Uncaught (in promise)", event.reason]));
    document.addEventListener("securitypolicyviolation", (event) => {
      if (event.blockedURI !== "") print("warn", [`The preview has no network: ${event.blockedURI} was not loaded.`]);
    });
    window.addEventListener("click", onClick);
    window.addEventListener("submit", (event) => {
      if (event.defaultPrevented) return;
      event.preventDefault();
      print("warn", ["A form was sent; the preview has nowhere to send it to."]);
    });
    window.addEventListener("pagehide", () => port.postMessage({ type: "leaving" }));
    window.addEventListener("load", () => port.postMessage({ type: "ready" }), { once: true });
  }

  function onClick(event) {
    const anchor = event.composedPath().find((each) => each instanceof Element && each.matches("a[href], area[href]"));
    if (event.defaultPrevented || !anchor) return;
    const href = anchor.getAttribute("href");
    if (/^\s*(?:javascript|blob|data):/i.test(href)) return;
    event.preventDefault();
    const hash = /#.*$/.exec(href)?.[0] ?? "";
    if (href.startsWith("#")) {
      window.location.hash = hash;
      return;
    }
    const path = resolve(href, entry);
    if (path === null) print("info", [`Links to other places do not open in the preview: ${href}`]);
    else if (path === entry && hash !== "") window.location.hash = hash;
    else port.postMessage({ type: "open", path, hash });
  }

  // ---- the start

  function write(hash) {
    const text = /\.html?$/i.test(entry) ? page(entry) : wrapped(entry);
    document.open();
    // Only now: opening a document takes every listener away.
    listen();
    watchDocument();
    document.write(text);
    document.close();
    if (hash) window.location.hash = hash;
  }

  /** A page around a file that is none. */
  function wrapped(path) {
    const shell = document.implementation.createHTMLDocument(path);
    const kind = typeOf(path).split("/")[0];
    const element = shell.createElement({ image: "img", audio: "audio", video: "video" }[kind] ?? "pre");
    if (kind === "image" || kind === "audio" || kind === "video") element.src = urlOf(path);
    else element.textContent = textOf(path);
    if (kind === "audio" || kind === "video") element.controls = true;
    shell.body.append(element);
    return `<!doctype html>${shell.documentElement.outerHTML}`;
  }
};
