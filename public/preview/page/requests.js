/** `fetch` and `XMLHttpRequest` for project files, and replacements for what a page may not do in the preview. */
window.previewParts.push(function requests(kit) {
  "use strict";

  /** Sends a request to the page's server. */
  async function ask(path, request) {
    request.signal.throwIfAborted();
    const blob = await request.blob();
    const answer = await askServer(path, request.method, [...request.headers], blob.size > 0 ? blob : null, request.redirect === "follow");
    request.signal.throwIfAborted();
    const { status, statusText, headers } = answer;
    const response = new Response(/^(?:204|205|304)$/.test(status) ? null : answer.blob, { status, statusText, headers });
    Object.defineProperty(response, "url", { value: answer.url });
    return response;
  }

  async function askServer(path, method, headers, body, follow) {
    const answer = await kit.ask({ as: "request", path, method, headers, body, follow });
    if (answer.status !== undefined) return answer;
    kit.print("error", [`${method} /${path}: ${answer.problem}`]);
    throw new TypeError("Failed to fetch");
  }

  kit.replaceRequests = () => {
    const realFetch = window.fetch;
    window.fetch = async (input, init) => {
      const path = kit.resolve(input instanceof Request ? input.url : input);
      if (path === null) return realFetch(input, init);
      if (kit.served) return ask(path, input instanceof Request ? new Request(input, init) : new Request(kit.virtual(path), init ?? {}));
      const request = new Request(kit.root, input instanceof Request ? { method: input.method } : { method: init?.method ?? "GET" });
      const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined);
      signal?.throwIfAborted();
      if (request.method !== "GET" && request.method !== "HEAD") return new Response(null, { status: 405 });
      const blob = await kit.blobOf(path);
      signal?.throwIfAborted();
      if (blob === null) {
        kit.print("warn", [kit.notThere(path)]);
        return new Response(`There is no ${path}.`, { status: 404 });
      }
      const headers = { "Content-Type": kit.typeOf(path), "Content-Length": String(blob.size) };
      const response = new Response(request.method === "HEAD" ? null : blob, { headers });
      Object.defineProperty(response, "url", { value: kit.virtual(path) });
      return response;
    };
    replaceXhr();
    if (kit.served) refuseSockets();
    // No policy in browsers blocks this access to the network.
    for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection"]) delete window[name];
    // The frame may show none of these dialogs, and nothing here can wait for an answer.
    window.alert = (text = "") => kit.print("info", [`alert: ${text}`]);
    window.confirm = (text = "") => Boolean(kit.print("warn", [`confirm (answered No): ${text}`]));
    window.prompt = (text = "") => kit.print("warn", [`prompt (canceled): ${text}`]) ?? null;
    window.print = () => kit.print("warn", ["The preview doesn't print."]);
  };

  function refuseSockets() {
    for (const name of ["WebSocket", "EventSource"]) {
      const Real = window[name];
      window[name] = class extends Real {
        constructor(address, ...rest) {
          if (name === "WebSocket" && rest[0] === "vite-hmr") return silentSocket(address, rest[0]);
          kit.print("warn", [`The preview has no ${name}: ${address} isn't connected.`]);
          super(address, ...rest);
        }
      };
    }
  }

  /** A development server's connection, which only reports changes. If it were refused, the page would retry forever and print errors. */
  function silentSocket(url, protocol) {
    kit.print("info", ["There is no hot reload in the preview. Reload it to see what changed."]);
    const socket = Object.assign(new EventTarget(), { url: String(url), protocol, readyState: 0, send() {}, close() {} });
    setTimeout(() => {
      socket.readyState = 1;
      socket.dispatchEvent(new Event("open"));
    });
    return socket;
  }

  /** A request is opened again and sent once its file is loaded. */
  function replaceXhr() {
    const { open, send, setRequestHeader, abort } = XMLHttpRequest.prototype;
    /** @type {WeakMap<XMLHttpRequest, {method: string, path: string, headers: string[][]}>} */
    const own = new WeakMap();
    XMLHttpRequest.prototype.open = function (method, url, wait = true, ...rest) {
      const path = kit.resolve(url);
      own.delete(this);
      if (path === null) return open.call(this, method, url, wait, ...rest);
      if (!wait) throw new DOMException("The preview has no requests that wait for their answer.", "InvalidAccessError");
      own.set(this, { method, path, headers: [] });
      return open.call(this, method, "data:,");
    };
    XMLHttpRequest.prototype.setRequestHeader = function (...header) {
      own.get(this)?.headers.push(header);
      return setRequestHeader.apply(this, header);
    };
    XMLHttpRequest.prototype.abort = function () {
      own.delete(this);
      return abort.call(this);
    };
    XMLHttpRequest.prototype.send = function (body) {
      const request = own.get(this);
      if (request === undefined) return send.call(this, body);
      if (kit.served) return void sendToServer(this, request, body);
      void kit.blobOf(request.path).then((blob) => {
        if (own.get(this) !== request) return;
        if (blob === null) kit.print("warn", [kit.notThere(request.path)]);
        open.call(this, request.method, blob === null ? kit.missing(request.path) : kit.keep(request.path, blob), true);
        for (const header of request.headers) setRequestHeader.apply(this, header);
        send.call(this, body);
      });
    };

    async function sendToServer(xhr, request, body) {
      const { method, path, headers } = request;
      const sent = body === undefined || body === null || /^(?:GET|HEAD)$/i.test(method) ? null : new Response(body);
      const type = sent?.headers.get("Content-Type") ?? null;
      const all = type === null || headers.some(([name]) => /^content-type$/i.test(name)) ? headers : [...headers, ["Content-Type", type]];
      let answer = null;
      try {
        answer = await askServer(
          path,
          method.toUpperCase(),
          all.map((header) => header.map(String)),
          sent && (await sent.blob()),
          true,
        );
      } catch {
        // `askServer` has printed the error. The request fails as if there were no network.
      }
      if (own.get(xhr) !== request) return;
      open.call(xhr, "GET", answer === null ? kit.missing(path) : kit.keep(path, answer.blob, answer.blob.type), true);
      if (answer !== null) showAnswer(xhr, answer);
      send.call(xhr);
    }

    /** Makes the request report the server's answer, because its body comes from a URL made in here. */
    function showAnswer(xhr, { status, statusText, headers, url }) {
      const at = (value, early) => ({ get: () => (xhr.readyState < XMLHttpRequest.HEADERS_RECEIVED ? early : value), configurable: true });
      const named = new Headers(headers);
      Object.defineProperties(xhr, {
        status: at(status, 0),
        statusText: at(statusText, ""),
        responseURL: at(url, ""),
        getResponseHeader: { value: (name) => named.get(name), configurable: true },
        getAllResponseHeaders: { value: () => [...named].map(([name, value]) => `${name}: ${value}\r\n`).join(""), configurable: true },
      });
    }
  }
});
