// Loaded by every Node process of a container (NODE_OPTIONS). Each container has its own ports: port 3000 is free in two containers at once. So a
// server that asks for a port listens on any free port of the machine. The folder WEBCONTAINER_PORTS has a file for each port, named by the
// container's port, that contains the machine's port; connections to this machine use these files. Open ports are reported on the socket in that
// folder, one JSON object per line. A connection ends with its process, and its ports with it.
const { readFileSync, writeFileSync } = require("node:fs");
const net = require("node:net");
const path = require("node:path");

/** @typedef {import("node:net").Server} Server */

const folder = process.env.WEBCONTAINER_PORTS ?? "";
/** @type {import("node:net").Socket | null} */
let line = null;

/** @param {{ type: "open" | "close"; port: number; at: number }} message */
function say(message) {
  line ??= net.connect(path.join(folder, "socket")).unref();
  line.write(`${JSON.stringify(message)}\n`);
}

/** @param {number} port @returns {number | null} the machine's port, if the container has one at this port */
function machinePort(port) {
  try {
    return Number(readFileSync(path.join(folder, String(port)), "utf8"));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

/** @type {WeakMap<Server, number>} the port that each server asked for last; 0 for any */
const wanted = new WeakMap();

/** @param {Server} server @param {number} port */
function hear(server, port) {
  const isKnown = wanted.has(server);
  wanted.set(server, port);
  if (isKnown) return;
  const address = server.address.bind(server);
  // Runs before any other listener reads the address.
  server.prependListener("listening", () => {
    const real = address();
    if (real === null || typeof real === "string") return;
    const own = { ...real, port: wanted.get(server) || real.port };
    server.address = () => (address() === null ? null : own);
    writeFileSync(path.join(folder, String(own.port)), String(real.port));
    // A program that only checks whether a port is free has closed it by then.
    setImmediate(() => {
      if (address() === null) return;
      say({ type: "open", port: own.port, at: real.port });
      server.once("close", () => say({ type: "close", port: own.port, at: real.port }));
    });
  });
}

// oxlint-disable-next-line typescript/unbound-method -- it is called on the original server
net.Server.prototype.listen = new Proxy(net.Server.prototype.listen, {
  /** @param {Server} server @param {unknown[]} args */
  apply(listen, server, args) {
    const [first, ...rest] = args;
    const options = typeof first === "object" && first !== null ? first : null;
    const asked = options && "port" in options ? options.port : first;
    const port = typeof asked === "number" || (typeof asked === "string" && /^\d+$/.test(asked)) ? Number(asked) : 0;
    hear(server, port);
    if (port === 0) return Reflect.apply(listen, server, args);
    // If the port is in use, the machine refuses it; if it was in use before, it is free.
    const at = machinePort(port) ?? 0;
    return Reflect.apply(listen, server, [options ? { ...options, port: at } : at, ...rest]);
  },
});

const here = [undefined, null, "", "localhost", "127.0.0.1", "::1", "0.0.0.0", "::"];

/** @param {unknown} options */
function redirected(options) {
  if (typeof options !== "object" || options === null || !("port" in options)) return options;
  if ("host" in options && !here.some((each) => each === options.host)) return options;
  return { ...options, port: machinePort(Number(options.port)) ?? options.port };
}

// oxlint-disable-next-line typescript/unbound-method -- it is called on the original socket
net.Socket.prototype.connect = new Proxy(net.Socket.prototype.connect, {
  /** @param {unknown[]} args */
  apply(connect, socket, args) {
    const [first, ...rest] = args;
    // Node's own modules pass a marked list made from the arguments.
    if (Array.isArray(first)) first[0] = redirected(first[0]);
    else if (typeof first === "number") return Reflect.apply(connect, socket, [machinePort(first) ?? first, ...rest]);
    return Reflect.apply(connect, socket, [Array.isArray(first) ? first : redirected(first), ...rest]);
  },
});
