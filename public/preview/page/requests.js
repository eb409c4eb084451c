/** `fetch` and `XMLHttpRequest` of project files, and what a page may not do in here. */
window.previewParts.push(function requests(kit) {
  "use strict";

  kit.replaceRequests = () => {
    const realFetch = window.fetch;
    window.fetch = async (input, init) => {
      const path = kit.resolve(input instanceof Request ? input.url : input);
      if (path === null) return realFetch(input, init);
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
    // No policy that browsers know shuts this way to the network.
    for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection"]) delete window[name];
    // A frame of another origin shows no such boxes, and nothing here can wait for an answer.
    window.alert = (text = "") => kit.print("info", [`alert: ${text}`]);
    window.confirm = (text = "") => Boolean(kit.print("warn", [`confirm (answered No): ${text}`]));
    window.prompt = (text = "") => kit.print("warn", [`prompt (canceled): ${text}`]) ?? null;
  };

  /** A request is opened again when its file has come, and sent then. */
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
      void kit.blobOf(request.path).then((blob) => {
        if (own.get(this) !== request) return;
        if (blob === null) kit.print("warn", [kit.notThere(request.path)]);
        open.call(this, request.method, blob === null ? kit.missing(request.path) : kit.keep(request.path, blob), true);
        for (const header of request.headers) setRequestHeader.apply(this, header);
        send.call(this, body);
      });
    };
  }
});
