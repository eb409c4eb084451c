/**
 * The code that runs in the page's frame before the page. Each file of this folder adds one part, and `host.js` sends the parts as
 * text, in the order in which index.html names them. So a part uses nothing outside itself, except for the shared `kit`.
 *
 * - Every reference to a project file (in attributes, CSS, imports, `fetch`, `XMLHttpRequest`, `new Worker`) becomes a blob: URL. It is made
 *   in here, because a blob: URL from another origin would not load. "/" is the project's root.
 * - Files are requested over the port when the page needs them. Files that the page's own text refers to are loaded before it starts.
 * - A page of a server that a command started is shown in the same way. The server's address is the root, and the app asks the server.
 * - Not supported: service workers, cookies, databases, synchronous requests.
 *
 * This part converts references to paths, and files to URLs.
 */
(window.previewParts ??= []).push(function files(kit) {
  "use strict";

  const types = {
    html: "text/html",
    htm: "text/html",
    js: "text/javascript",
    mjs: "text/javascript",
    cjs: "text/javascript",
    jsx: "text/javascript",
    ts: "text/javascript",
    mts: "text/javascript",
    cts: "text/javascript",
    tsx: "text/javascript",
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
    vtt: "text/vtt",
    txt: "text/plain",
    md: "text/plain",
    csv: "text/csv",
    xml: "application/xml",
    pdf: "application/pdf",
  };

  /** The project's root in URLs that the page sees. */
  kit.root = new URL("./", document.baseURI);
  /** The shown page: its path, and what followed it in the address. @type {{path: string, search: string, hash: string}} */
  kit.place = { path: "", search: "", hash: "" };

  /**
   * Whether the page comes from a server. Then references are addresses of that server, whose paths stay encoded and keep their queries, and
   * the kind of an answer depends on its type, not on its name.
   */
  kit.served = false;
  /** The base URL that the browser uses if a script resolves a reference itself, for example with `new Request`. */
  const base = kit.root;
  const below = (root, { pathname }) => (pathname.startsWith(root.pathname) ? pathname.slice(root.pathname.length) : pathname.slice(1));
  kit.serve = (port) => {
    kit.served = true;
    kit.root = new URL(`http://localhost:${port}/`);
  };

  kit.encodePath = (path) => path.split("/").map(encodeURIComponent).join("/");
  kit.virtual = (path) => (kit.served ? kit.root.href + path : new URL(kit.encodePath(path), kit.root).href);

  /** The path of the project file that a reference means. Null if it means none. `from`: the path of the file with the reference. */
  kit.resolve = (reference, from = kit.place.path) => {
    const text = String(reference).trim();
    if (text === "" || text.startsWith("#")) return null;
    const rooted = /^[\\/](?![\\/])/.test(text);
    let url;
    try {
      url = kit.served ? new URL(text, kit.virtual(from)) : new URL(rooted ? text.slice(1) : text, rooted ? kit.root : kit.virtual(from));
    } catch {
      // Not a valid URL, so not a project file.
      return null;
    }
    const path = kit.pathOf(url);
    return kit.served && path !== null ? path + url.search : path;
  };

  /** The same for a URL, without its query. */
  kit.pathOf = (url) => {
    const { root } = kit;
    if (kit.served) {
      if (url.protocol === base.protocol && url.host === base.host) return below(base, url);
      const own = /^(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\])$/.test(url.hostname);
      return own && url.protocol === root.protocol && url.port === root.port ? url.pathname.slice(1) : null;
    }
    if (url.protocol !== root.protocol || url.host !== root.host) return null;
    const path = below(root, url);
    let decoded = path;
    try {
      decoded = decodeURIComponent(path);
    } catch {
      // A "%" that encodes nothing is a literal "%".
    }
    return decoded === "" || decoded.endsWith("/") ? `${decoded}index.html` : decoded;
  };

  const ending = (path) => /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
  kit.typeOf = (path) => {
    const type = types[ending(path)] ?? "application/octet-stream";
    return /^text\/|json$|javascript$/.test(type) ? `${type};charset=utf-8` : type;
  };
  const kindOf = (type) =>
    /javascript|ecmascript/.test(type) ? "script" : type.startsWith("text/css") ? "style" : /[/+]json/.test(type) ? "json" : "other";
  /** The kind of a file: "script", "style", "json" or "other". "missing" if the server doesn't have it. */
  kit.kind = async (path) => {
    if (!kit.served) return kindOf(kit.typeOf(path));
    const blob = await kit.blobOf(path);
    return blob === null ? "missing" : kindOf(blob.type);
  };
  kit.notThere = (path) => (kit.served ? `The server didn't answer with /${path}.` : `${path} isn't in the project.`);

  // ---- asking for files

  let last = 0;
  const waiting = new Map();
  /** Asks the app. src/app/preview/service.ts describes the answers. @returns {Promise<any>} */
  kit.ask = (question) =>
    new Promise((resolve) => {
      waiting.set(++last, resolve);
      kit.port.postMessage({ type: "get", id: last, ...question });
    });
  kit.got = (answer) => {
    const resolve = waiting.get(answer.id);
    waiting.delete(answer.id);
    resolve?.(answer);
  };

  /** The file's bytes with the type of its name, or of a server's answer. Null if there is no such file. @returns {Promise<Blob | null>} */
  kit.blobOf = async (path) => {
    const { blob, problem } = await kit.ask({ as: "file", path });
    if (problem !== undefined) kit.print("error", [`Couldn't read ${path}: ${problem}`]);
    if (!blob) return null;
    return blob.slice(0, blob.size, kit.served && blob.type !== "" ? blob.type : kit.typeOf(path.replace(/\?[^]*$/, "")));
  };

  /** The URLs that are ready, by path. @type {Map<string, string>} */
  kit.urls = new Map();
  /** The path of each URL. @type {Map<string, string>} */
  kit.paths = new Map();
  const coming = new Map();

  kit.keep = (path, content, type = kit.typeOf(path)) => {
    const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
    kit.paths.set(url, path);
    return url;
  };

  /** The blob: URL of a file for an element. If there is no such file, a URL that fails to load and contains the file's name. */
  kit.urlOf = (path) => {
    let url = coming.get(path);
    if (url === undefined) {
      url = make(path).then((made) => {
        kit.urls.set(path, made);
        return made;
      });
      coming.set(path, url);
    }
    return url;
  };
  kit.forget = (path) => {
    coming.delete(path);
    kit.urls.delete(path);
  };
  const missing = (path) => `blob:missing/${kit.encodePath(path)}`;
  kit.missing = missing;

  async function make(path) {
    const kind = await kit.kind(path);
    if (kind === "style") return (await kit.styleUrl(path, [])) ?? missing(path);
    if (kind === "script") return (await kit.scriptUrl(path)) ?? missing(path);
    const blob = await kit.blobOf(path);
    return blob === null ? missing(path) : kit.keep(path, blob);
  }

  /** The URL for a reference, once its file is loaded. Null if it means no project file. */
  kit.mapped = async (reference, from) => {
    const path = kit.resolve(reference, from);
    if (path === null) return null;
    return (await kit.urlOf(path)) + (/#.*$/.exec(String(reference))?.[0] ?? "");
  };

  /** Replaces URLs in a text with the paths of their files. */
  kit.withPaths = (text) =>
    text
      .replace(/blob:(?:null|missing)\/[^\s:)"'#]+/g, (url) =>
        url.startsWith("blob:missing/") ? decodeURIComponent(url.slice(13)) : (kit.paths.get(url) ?? url),
      )
      .replaceAll(kit.served ? "about:srcdoc" : kit.root.href, kit.served ? `/${kit.place.path}` : "")
      // An inline script.
      .replaceAll("about:srcdoc", kit.place.path);
});
