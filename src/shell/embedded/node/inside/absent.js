// Modules that can be loaded, because much loads them without need, and that say what is not here when they are used.
import { notHere } from "./errors.js";
import { IncomingMessage, OutgoingMessage, Server, serverResponse, validateHeaderName, validateHeaderValue } from "./http-messages.js";
import { messages, receiveMessageOnPort } from "./message-channel.js";

/** `values` are there; each of `names` throws when it is called. */
export function absent(why, names, values = {}) {
  const module = { ...values };
  for (const name of names.split(" ")) {
    if (name === "" || name in module) continue;
    // A function, so that it can be called, built, and extended by classes that no one uses.
    module[name] = function () {
      throw notHere(`${why} (${name})`);
    };
    Object.defineProperty(module[name], "name", { value: name });
  }
  return module;
}

const noServers = "there are no servers and no sockets here";
const noHttp = "http and https can't be used here; use fetch, or curl";
const methods =
  "ACL BIND CHECKOUT CONNECT COPY DELETE GET HEAD LINK LOCK M-SEARCH MERGE MKACTIVITY MKCALENDAR MKCOL MOVE NOTIFY OPTIONS PATCH POST PROPFIND PROPPATCH PURGE PUT REBIND REPORT SEARCH SOURCE SUBSCRIBE TRACE UNBIND UNLINK UNLOCK UNSUBSCRIBE".split(
    " ",
  );
const statusCodes = {
  100: "Continue",
  101: "Switching Protocols",
  200: "OK",
  201: "Created",
  202: "Accepted",
  204: "No Content",
  206: "Partial Content",
  301: "Moved Permanently",
  302: "Found",
  303: "See Other",
  304: "Not Modified",
  307: "Temporary Redirect",
  308: "Permanent Redirect",
  400: "Bad Request",
  401: "Unauthorized",
  402: "Payment Required",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  406: "Not Acceptable",
  408: "Request Timeout",
  409: "Conflict",
  410: "Gone",
  411: "Length Required",
  412: "Precondition Failed",
  413: "Payload Too Large",
  414: "URI Too Long",
  415: "Unsupported Media Type",
  418: "I'm a Teapot",
  422: "Unprocessable Entity",
  429: "Too Many Requests",
  500: "Internal Server Error",
  501: "Not Implemented",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
};

const httpNames = "request get Agent ClientRequest setMaxIdleHTTPParsers";
const ipv4 = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/;
const isIPv6 = (text) => globalThis.URL.canParse(`http://[${text}]/`);
const isIP = (text) => (ipv4.test(text) ? 4 : isIPv6(text) ? 6 : 0);

export const absentModules = {
  http: () =>
    absent(noHttp, httpNames, {
      METHODS: methods,
      STATUS_CODES: statusCodes,
      globalAgent: {},
      maxHeaderSize: 16_384,
      IncomingMessage,
      OutgoingMessage,
      Server,
      createServer: (options, listener) => new Server(options, listener),
      ServerResponse: serverResponse(statusCodes),
      validateHeaderName,
      validateHeaderValue,
    }),
  https: () => absent(noHttp, httpNames, { globalAgent: {}, Server, createServer: (options, listener) => new Server(options, listener) }),
  http2: () => absent(noHttp, "connect createServer createSecureServer getDefaultSettings", { constants: {} }),
  net: () =>
    absent(noServers, "createServer connect createConnection Socket Server BlockList SocketAddress", {
      isIP,
      isIPv4: (text) => ipv4.test(text),
      isIPv6: (text) => !ipv4.test(text) && isIPv6(text),
    }),
  tls: () =>
    absent(noServers, "connect createServer createSecureContext TLSSocket Server checkServerIdentity getCiphers", { rootCertificates: [] }),
  dgram: () => absent(noServers, "createSocket Socket"),
  dns: () =>
    absent(
      "names can't be looked up here",
      "lookup resolve resolve4 resolve6 reverse lookupService resolveMx resolveTxt setServers getServers Resolver",
      { promises: {} },
    ),
  "dns/promises": () => absent("names can't be looked up here", "lookup resolve resolve4 resolve6 reverse Resolver"),
  cluster: () =>
    absent("there are no other processes to share work with here", "fork setupPrimary setupMaster disconnect", {
      isPrimary: true,
      isMaster: true,
      isWorker: false,
      workers: {},
    }),
  worker_threads: () =>
    absent("there are no worker threads here", "Worker BroadcastChannel moveMessagePortToContext markAsUntransferable setEnvironmentData", {
      MessageChannel: messages.MessageChannel,
      MessagePort: messages.MessagePort,
      receiveMessageOnPort,
      isMainThread: true,
      parentPort: null,
      threadId: 0,
      workerData: null,
      resourceLimits: {},
      getEnvironmentData: () => undefined,
      SHARE_ENV: Symbol.for("nodejs.worker_threads.SHARE_ENV"),
    }),
  inspector: () =>
    absent("there is no debugger here", "open close Session waitForDebugger", { url: () => undefined, console: globalThis.console }),
  "inspector/promises": () => absent("there is no debugger here", "open close Session"),
  repl: () => absent("there is no terminal here", "start REPLServer"),
  trace_events: () => absent("there is no tracing here", "createTracing getEnabledCategories"),
  wasi: () => absent("there is no WebAssembly here", "WASI"),
  domain: () => absent("domains are deprecated and not here", "create createDomain Domain"),
};
