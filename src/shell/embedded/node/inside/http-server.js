// HTTP/1.1 servers on the ports of a dialog.
import { httpParser } from "../../loopback/http-parser.ts";
import { Buffer } from "./buffer.js";
import { closeMessage, connectionReset, IncomingMessage, keepsAlive } from "./http-messages.js";
import { nextTick } from "./loop.js";
import { Server as NetServer } from "./net.js";

/** Fills a message with received headers. */
export function takeHeaders(message, headers) {
  const joined = {};
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    message.rawHeaders.push(name, value);
    if (key === "set-cookie") joined[key] = [...(joined[key] ?? []), value];
    else if (joined[key] === undefined) joined[key] = value;
    else if (key === "cookie") joined[key] += `; ${value}`;
    else if (!/^(host|content-length|content-type|user-agent|authorization|referer|location|from|server|age|etag|expires)$/.test(key))
      joined[key] += `, ${value}`;
  }
  message.headers = joined;
}

/** `ServerResponse`: that of the http module. */
export function httpServer(ServerResponse) {
  const idle = new WeakSet();

  class Server extends NetServer {
    constructor(options, listener) {
      super(typeof options === "object" ? { ...options, allowHalfOpen: true } : { allowHalfOpen: true });
      const given = typeof options === "function" ? options : listener;
      const { keepAliveTimeout = 5000, requestTimeout = 300_000, headersTimeout = Math.min(60_000, requestTimeout) } = Object(options);
      Object.assign(this, { timeout: 0, keepAliveTimeout, headersTimeout, requestTimeout, maxHeadersCount: null });
      if (given) this.on("request", given);
      this.on("connection", (socket) => serve(this, socket));
    }
    close(callback) {
      super.close(callback);
      this.closeIdleConnections();
      return this;
    }
    closeAllConnections() {
      for (const socket of this.openSockets()) socket.destroy();
    }
    closeIdleConnections() {
      for (const socket of this.openSockets()) if (idle.has(socket)) socket.destroy();
    }
    setTimeout(ms, callback) {
      this.timeout = typeof ms === "number" ? ms : 0;
      if (callback) this.on("timeout", callback);
      return this;
    }
  }

  function serve(server, socket) {
    /** Requests that arrived while another one is being answered. */
    const waiting = [];
    let busy = false;
    let request = null;
    let upgraded = null;
    let rest = [];

    function begin(next) {
      busy = true;
      idle.delete(socket);
      const response = new ServerResponse(next);
      const keep =
        next.httpVersionMinor === 1 ? !/close/i.test(next.headers.connection ?? "") : /keep-alive/i.test(next.headers.connection ?? "");
      response[keepsAlive] = keep;
      response.shouldKeepAlive = keep;
      response.assignSocket(socket);
      const lost = () => {
        if (response.finished) return;
        response.destroyed = true;
        if (!next.destroyed) next.destroy(connectionReset());
        closeMessage(response);
      };
      socket.once("close", lost);
      response.once("finish", () => {
        socket.off("close", lost);
        // The end of the request is reported even if no one reads it.
        if (next.readableFlowing === null) next.resume();
        response.detachSocket(socket);
        busy = false;
        idle.add(socket);
        nextTick(() => closeMessage(response));
        if (!response[keepsAlive] || /close/i.test(String(response.getHeader("connection") ?? ""))) {
          socket.end();
          return;
        }
        const after = waiting.shift();
        if (after) begin(after);
        else if (!server.listening) socket.end();
      });
      const expect = next.headers.expect;
      if (/^100-continue$/i.test(expect ?? "")) {
        if (server.listenerCount("checkContinue") > 0) {
          server.emit("checkContinue", next, response);
          return;
        }
        socket.write("HTTP/1.1 100 Continue\r\n\r\n");
      }
      server.emit("request", next, response);
    }

    const parser = httpParser("request", {
      head({ method, url, version, headers }) {
        request = new IncomingMessage(socket);
        Object.assign(request, { method, url, httpVersion: version, httpVersionMajor: 1, httpVersionMinor: Number(version.slice(2)) });
        takeHeaders(request, headers);
        const wantsUpgrade = request.headers.upgrade !== undefined && /upgrade/i.test(request.headers.connection ?? "");
        if (wantsUpgrade && server.listenerCount("upgrade") > 0) {
          upgraded = request;
          return "upgrade";
        }
        if (busy) waiting.push(request);
        else begin(request);
        return "body";
      },
      data: (bytes) => void request.push(Buffer.from(bytes)),
      done() {
        request.complete = true;
        request.push(null);
      },
      raw: (bytes) => void rest.push(Buffer.from(bytes)),
      fail(why) {
        const error = Object.assign(new Error(`Parse Error: ${why}`), { code: "HPE_INVALID_CONSTANT" });
        if (server.listenerCount("clientError") > 0) server.emit("clientError", error, socket);
        else socket.end("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n");
      },
    });

    const hear = (bytes) => {
      parser.push(bytes);
      if (upgraded === null) return;
      socket.off("data", hear);
      socket.off("end", ended);
      const message = upgraded;
      upgraded = null;
      server.emit("upgrade", message, socket, Buffer.concat(rest));
      rest = [];
    };
    const ended = () => {
      parser.end();
      if (!busy) socket.end();
    };
    socket.on("data", hear);
    socket.on("end", ended);
    socket.on("error", (error) => {
      if (server.listenerCount("clientError") > 0) server.emit("clientError", error, socket);
    });
    if (server.timeout > 0) socket.setTimeout(server.timeout, () => server.emit("timeout", socket) || socket.destroy());
  }

  return Server;
}
