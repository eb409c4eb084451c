/**
 * What runs in the page's own frame before the page does, in parts: each file of this folder adds one, and `host.js` sends them as
 * text, in the order in which index.html names them. So a part refers to nothing outside itself but the `kit` that they share.
 *
 * - A reference to a project file, wherever it stands (attributes, CSS, imports, `fetch`, `XMLHttpRequest`, `new Worker`), becomes
 *   a blob: URL, made in here: one from another origin would not load. "/" is the project's root.
 * - Files are asked for when the page needs them, over the port. What stands in the page's own text is there before it starts.
 * - A page of a server that a command started is shown in the same way: its address stands for the project's root, and the app asks the server.
 * - Not there: service workers, cookies, databases, requests that wait for their answer.
 *
 * This part: names of files, and files as URLs.
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

  /** Where the project's root seems to be, for anyone who asks for a URL. */
  kit.root = new URL("./", document.baseURI);
  /** The page that is shown: where it lies, and what stood behind its name. @type {{path: string, search: string, hash: string}} */
  kit.place = { path: "", search: "", hash: "" };

  /**
   * Whether the page is one of a server: its references are addresses of that server, whose paths stay encoded and keep their queries, and
   * what an answer is its type says, not its name.
   */
  kit.served = false;
  /** What the browser takes references for that a script makes addresses of by itself, as with `new Request`. */
  const base = kit.root;
  const below = (root, { pathname }) => (pathname.startsWith(root.pathname) ? pathname.slice(root.pathname.length) : pathname.slice(1));
  kit.serve = (port) => {
    kit.served = true;
    kit.root = new URL(`http://localhost:${port}/`);
  };

  kit.encodePath = (path) => path.split("/").map(encodeURIComponent).join("/");
  kit.virtual = (path) => (kit.served ? kit.root.href + path : new URL(kit.encodePath(path), kit.root).href);

  /** The path of the project file that a reference means; null when it means none. `from` is the path of the file it stands in. */
  kit.resolve = (reference, from = kit.place.path) => {
    const text = String(reference).trim();
    if (text === "" || text.startsWith("#")) return null;
    const rooted = /^[\\/](?![\\/])/.test(text);
    let url;
    try {
      url = kit.served ? new URL(text, kit.virtual(from)) : new URL(rooted ? text.slice(1) : text, rooted ? kit.root : kit.virtual(from));
    } catch {
      // No URL at all: not a file of ours.
      return null;
    }
    const path = kit.pathOf(url);
    return kit.served && path !== null ? path + url.search : path;
  };

  /** The same of an address, without its query. */
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
      // A "%" that encodes nothing stands for itself.
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
  /** What a file is: "script", "style", "json" or "other"; "missing" when a server has none. */
  kit.kind = async (path) => {
    if (!kit.served) return kindOf(kit.typeOf(path));
    const blob = await kit.blobOf(path);
    return blob === null ? "missing" : kindOf(blob.type);
  };
  kit.notThere = (path) => (kit.served ? `The server didn't answer with /${path}.` : `${path} isn't in the project.`);

  // ---- asking for files

  let last = 0;
  const waiting = new Map();
  /** Asks the app; what comes back is described in src/app/preview/service.ts. @returns {Promise<any>} */
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

  /** The file's bytes with the type of its name; null when there is no such file. @returns {Promise<Blob | null>} */
  kit.blobOf = async (path) => {
    const { blob, problem } = await kit.ask({ as: "file", path });
    if (problem !== undefined) kit.print("error", [`Couldn't read ${path}: ${problem}`]);
    if (!blob) return null;
    return blob.slice(0, blob.size, kit.served && blob.type !== "" ? blob.type : kit.typeOf(path.replace(/\?[^]*$/, "")));
  };

  /** By path, the URLs that are there. @type {Map<string, string>} */
  kit.urls = new Map();
  /** The path of each URL. @type {Map<string, string>} */
  kit.paths = new Map();
  const coming = new Map();

  kit.keep = (path, content, type = kit.typeOf(path)) => {
    const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
    kit.paths.set(url, path);
    return url;
  };

  /** The blob: URL of a file as an element asks for it; one that fails and tells the file's name when there is no such file. */
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

  /** Where a reference leads in here, once its file has come; null when it means none of ours. */
  kit.mapped = async (reference, from) => {
    const path = kit.resolve(reference, from);
    if (path === null) return null;
    return (await kit.urlOf(path)) + (/#.*$/.exec(String(reference))?.[0] ?? "");
  };

  /** Names files by their paths, not by the URLs that they have in here. */
  kit.withPaths = (text) =>
    text
      .replace(/blob:(?:null|missing)\/[^\s:)"'#]+/g, (url) =>
        url.startsWith("blob:missing/") ? decodeURIComponent(url.slice(13)) : (kit.paths.get(url) ?? url),
      )
      .replaceAll(kit.served ? "about:srcdoc" : kit.root.href, kit.served ? `/${kit.place.path}` : "")
      // An inline script.
      .replaceAll("about:srcdoc", kit.place.path);
});
