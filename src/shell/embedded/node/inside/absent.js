// Modules that can be loaded, because much code loads them without needing them. When they are used, they say what is missing here.
import { notHere } from "./errors.js";

/** `values` exist; each of `names` throws when it is called. */
export function absent(why, names, values = {}) {
  const module = { ...values };
  for (const name of names.split(" ")) {
    if (name === "" || name in module) continue;
    // A function, so that programs can call it, construct it, and extend it with classes that are never used.
    module[name] = function () {
      throw notHere(`${why} (${name})`);
    };
    Object.defineProperty(module[name], "name", { value: name });
  }
  return module;
}

const noServers = "there are no encrypted and no datagram sockets here";
const noDebugger =
  "there is no debugger here and no coverage of V8's own; use istanbul's: jest --coverage, or vitest with @vitest/coverage-istanbul";
const noHttp = "HTTP/2 can't be used here; use fetch, or curl";

export const absentModules = {
  http2: () => absent(noHttp, "connect createServer createSecureServer getDefaultSettings", { constants: {} }),
  tls: () =>
    absent(noServers, "connect createServer createSecureContext TLSSocket Server checkServerIdentity getCiphers", { rootCertificates: [] }),
  dgram: () => absent(noServers, "createSocket Socket"),
  cluster: () =>
    absent("there are no other processes to share work with here", "fork setupPrimary setupMaster disconnect", {
      isPrimary: true,
      isMaster: true,
      isWorker: false,
      workers: {},
    }),
  inspector: () => absent(noDebugger, "open close Session waitForDebugger", { url: () => undefined, console: globalThis.console }),
  "inspector/promises": () => absent(noDebugger, "open close Session"),
  repl: () => absent("there is no terminal here", "start REPLServer"),
  trace_events: () => absent("there is no tracing here", "createTracing getEnabledCategories"),
  wasi: () => absent("WASI is not here; vite 8 needs it for rolldown, and vite 7, which bundles with rollup, does not", "WASI"),
  domain: () => absent("domains are deprecated and not here", "create createDomain Domain"),
};
