import { EventEmitter } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { BridgeRequest, Listener } from "../../bridge/connections.ts";
import { forward } from "../../bridge/forward.ts";
import { whenOver } from "../../bridge/respond.ts";
import { openStream, type ReaderSocket } from "../../bridge/stream.ts";
import { openRaw } from "./raw.ts";
import { client, openBridge, openPage, psk, soon } from "./town.ts";

/* Callers that hang up, read nothing, or behave like certain clients. */

const withKey = `Host: localhost\r\nX-PSK: ${psk}\r\n`;
const echo = async (request: Request) => new Response(`${request.method} ${await request.text()}`);

test("callers that hang up while their key is checked take no place of those who come after them", async () => {
  const bridge = await openBridge();
  await (await openPage(bridge, echo)).until("connected");
  for (let round = 0; round < 4; round += 1) {
    const sockets = Array.from({ length: 100 }, () => connect(bridge.port, "127.0.0.1"));
    const over = sockets.map((socket) => new Promise((resolve) => socket.once("close", resolve)));
    for (const socket of sockets) socket.write(`GET /api/state HTTP/1.1\r\n${withKey}\r\n`, () => socket.resetAndDestroy());
    await Promise.all(over);
  }
  expect(await client(bridge.port, psk).said("GET", "/api/state")).toBe("200 GET ");
});

test("callers that hang up with a second request behind the first take no place either", async () => {
  const bridge = await openBridge();
  const asked: string[] = [];
  const page = await openPage(bridge, (request) => {
    const { pathname } = new URL(request.url);
    asked.push(pathname);
    return pathname === "/api/state" ? echo(request) : new Promise<Response>(() => undefined);
  });
  await page.until("connected");
  const two = `GET /api/sessions HTTP/1.1\r\n${withKey}\r\n`.repeat(2);
  for (let round = 0; round < 3; round += 1) {
    const before = asked.length;
    const sockets = Array.from({ length: 100 }, () => connect(bridge.port, "127.0.0.1"));
    const over = sockets.map((socket) => new Promise((resolve) => socket.once("close", resolve)));
    for (const socket of sockets) socket.write(two);
    await expect.poll(() => asked.length).toBe(before + 200);
    for (const socket of sockets) socket.resetAndDestroy();
    await Promise.all(over);
    await expect.poll(() => client(bridge.port, psk).said("GET", "/api/state")).toBe("200 GET ");
    asked.pop();
  }
});

test("a client that offers HTTP/2 with its request, as Java's does, is answered in HTTP/1.1", async () => {
  const bridge = await openBridge();
  await (await openPage(bridge, echo)).until("connected");
  const offer = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAEAAEAAAAIAAAAB\r\n";
  const socket = openRaw(bridge.port);
  socket.write(`POST /api/sessions HTTP/1.1\r\n${withKey}${offer}Content-Length: 5\r\n\r\nhe`);
  socket.write("llo");
  expect(await socket.until("POST hello")).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  // The connection stays usable.
  socket.write(`GET /api/state HTTP/1.1\r\n${withKey}${offer}\r\n`);
  expect(await socket.until("GET ")).toContain("GET ");
  socket.write(`GET /api/health HTTP/1.1\r\n${withKey}Connection: close\r\n\r\n`);
  expect(await socket.closed).toContain('{"status":"ok"}');
});

test.each([
  ["HTTP/2, as Java's", "Upgrade: h2c\r\n", "second"],
  [
    "a WebSocket",
    "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n",
    "HTTP/1.1 101 Switching Protocols",
  ],
])("an offer of %s that is sent behind another request waits for its turn", async (_, offer, second) => {
  const bridge = await openBridge();
  let first = (_answer: Response) => {};
  const asked: string[] = [];
  const page = await openPage(bridge, (request) => {
    asked.push(new URL(request.url).pathname);
    return asked.length > 1 ? new Response("second") : new Promise<Response>((resolve) => (first = resolve));
  });
  await page.until("connected");
  const socket = openRaw(bridge.port);
  socket.write(`GET /api/sessions HTTP/1.1\r\n${withKey}\r\nGET /ws/events/x HTTP/1.1\r\n${withKey}Connection: Upgrade\r\n${offer}\r\n`);
  while (asked.length === 0) await soon();
  // A later request on another connection is answered meanwhile.
  expect((await client(bridge.port, psk).ask("GET", "/api/health")).status).toBe(200);
  expect(asked).toEqual(["/api/sessions"]);
  first(new Response("first"));
  const heard = await socket.until(second);
  expect(heard.indexOf("first")).toBeLessThan(heard.indexOf(second));
  socket.leave();
});

test("requests that are sent behind each other wait for the end of their connection with one listener", () => {
  const socket = new EventEmitter();
  const over: number[] = [];
  const responses = Array.from({ length: 20 }, () => Object.assign(new EventEmitter(), { req: { socket } }));
  for (const [at, response] of responses.entries()) whenOver(response as unknown as ServerResponse, () => over.push(at));
  expect(socket.listenerCount("close")).toBe(1);
  responses[3]?.emit("close");
  socket.emit("close");
  responses[4]?.emit("close");
  expect(over).toEqual([3, 0, 1, 2, ...Array.from({ length: 16 }, (_, at) => at + 4)]);
});

test("a reader is cut off when it takes nothing, and not while it takes a long answer slowly", () => {
  const clock: number[] = [];
  let [takes, destroyed] = [true, false];
  const response = Object.assign(new EventEmitter(), {
    req: { socket: new EventEmitter() },
    write: () => takes,
    setTimeout: (ms: number) => void clock.push(ms),
    destroy: () => (destroyed = true),
  });
  let heard: Listener | undefined;
  const page = {
    project: "",
    unsent: () => 0,
    call(_: BridgeRequest, listener: Listener) {
      heard = listener;
      return () => undefined;
    },
  };
  const asked = { method: "GET", path: "/", headers: [], body: null };
  forward(page, asked, response as unknown as ServerResponse, () => undefined, 30_000);
  let taken = 0;
  const chunk = () => heard?.chunk(new Uint8Array(1), () => (taken += 1));
  chunk();
  takes = false;
  for (let at = 0; at < 8; at += 1) chunk();
  // The connection's timer is set once. It restarts by itself whenever bytes are sent.
  expect([taken, clock]).toEqual([1, [30_000]]);
  response.emit("drain");
  response.emit("timeout");
  expect([taken, clock, destroyed]).toEqual([9, [30_000, 0], false]);
  chunk();
  response.emit("timeout");
  expect(destroyed).toBe(true);
});

test("a stream cuts off who takes nothing, and lets who is slow take everything up to its end", () => {
  const follow = () => {
    const did: string[] = [];
    const sent: (() => void)[] = [];
    const ticks = new Map<number, () => void>();
    const parts = { stall: () => {}, heard: null as Listener | null };
    const reader: ReaderSocket = {
      readyState: 1,
      send: (text, done) => {
        did.push(text);
        sent.push(() => done());
      },
      ping: () => undefined,
      close: (code) => void did.push(`close ${code}`),
      terminate: () => void did.push("terminate"),
      on: () => undefined,
    };
    const page = {
      project: "",
      unsent: () => 0,
      call(_: BridgeRequest, listener: Listener) {
        parts.heard = listener;
        return () => undefined;
      },
    };
    openStream(page, { method: "GET", path: "/ws/events/x", headers: [], body: null }, reader, {
      every(ms, then) {
        ticks.set(ms, then);
        return () => undefined;
      },
      stalls: (then) => (parts.stall = then),
      ended: () => did.push("ended"),
    });
    parts.heard?.head(200, []);
    parts.stall();
    parts.heard?.chunk(new TextEncoder().encode("data: last\n\n"), () => undefined);
    return { did, sent, parts, tick: () => ticks.get(2_000)?.() };
  };
  const stuck = follow();
  stuck.parts.stall();
  expect(stuck.did).toEqual(["last", "ended", "close 1013", "terminate"]);
  const slow = follow();
  slow.parts.heard?.end();
  slow.tick();
  expect(slow.did).toEqual(["last", "ended", "close 1000"]);
  slow.sent[0]?.();
  slow.tick();
  expect(slow.did).toEqual(["last", "ended", "close 1000", "terminate"]);
});

test("one that sends all of a body that is too long hears why it is refused", async () => {
  const bridge = await openBridge();
  await (await openPage(bridge, echo)).until("connected");
  const socket = openRaw(bridge.port);
  socket.write(`POST /api/sessions HTTP/1.1\r\n${withKey}Content-Length: 20000000\r\n\r\n`);
  socket.pause();
  for (let sent = 0; sent < 20; sent += 1) socket.write(Buffer.alloc(1_000_000, "x"));
  socket.resume();
  expect(await socket.closed).toMatch(/^HTTP\/1\.1 413 [^]*The body is too long/);
});

test("paths without a project mean one project, also while its page is away: no other one is told", async () => {
  const bridge = await openBridge();
  const { ask, said } = client(bridge.port, psk);
  const one = await openPage(bridge, () => new Response("one"), { project: "one" });
  await one.until("connected");
  await (await openPage(bridge, () => new Response("two"), { project: "two" })).until("connected");
  expect(await said("GET", "/api/state")).toBe("200 one");
  one.line.close();
  await expect.poll(async () => (await ask("GET", "/p/one/api/state")).status).toBe(503);
  expect([(await ask("POST", "/api/sessions", "x")).status, await said("GET", "/p/two/api/state")]).toEqual([503, "200 two"]);
  await (await openPage(bridge, () => new Response("one again"), { project: "one", epoch: 2 })).until("connected");
  expect(await said("GET", "/api/state")).toBe("200 one again");
});

test("a viewer's stream of the agents' port reaches a project by its name", async () => {
  const bridge = await openBridge({ openAgents: true });
  const asked: string[] = [];
  const page = await openPage(
    bridge,
    (request) => {
      asked.push(new URL(request.url).pathname);
      return new Response("data: {}\n\n", { headers: { "content-type": "text/event-stream" } });
    },
    { project: "abc" },
  );
  await page.until("connected");
  const stream = client(bridge.agentPort, null).follow("/p/abc/", "");
  await stream.until(() => true);
  stream.leave();
  expect(asked).toEqual(["/v2/stream"]);
});

test("one other machine takes a part of the places, whatever it does with them, and this one has places left", async () => {
  let local = false;
  const bridge = await openBridge({ isLocal: () => local });
  await (await openPage(bridge, echo)).until("connected");
  const health = "GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n";
  // The page's connection also counts.
  const sockets = Array.from({ length: 249 }, () => openRaw(bridge.port));
  for (const socket of sockets) socket.write(health);
  await Promise.all(sockets.map((socket) => socket.until("ok")));
  const late = openRaw(bridge.port);
  late.write(health);
  expect(await late.closed).toBe("");
  local = true;
  expect(await client(bridge.port, psk).said("GET", "/api/state")).toBe("200 GET ");
  local = false;
  sockets[0]?.leave();
  const isAnswered = async () => {
    const socket = openRaw(bridge.port);
    socket.write(health);
    const heard = await socket.until("ok");
    socket.leave();
    return heard.includes("200 OK");
  };
  await expect.poll(isAnswered).toBe(true);
  for (const socket of sockets) socket.leave();
});

test("a refused upgrade says why in the shape of its port", async () => {
  const bridge = await openBridge();
  const offer = "Host: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n";
  const [phone, agents] = [bridge.port, bridge.agentPort].map((port) => openRaw(port));
  phone?.write(`GET /ws/events/x HTTP/1.1\r\n${offer}`);
  agents?.write(`GET /v2/stream HTTP/1.1\r\n${offer}`);
  expect(await phone?.closed).toMatch(/^HTTP\/1\.1 401 [^]*{"detail":"Unauthorized"}$/);
  expect(await agents?.closed).toMatch(/^HTTP\/1\.1 404 [^]*{"ok":false,"error":"Not Found"}$/);
});

test("a refused upgrade is closed, whatever its caller does", async () => {
  const bridge = await openBridge();
  const socket = openRaw(bridge.port, { allowHalfOpen: true });
  socket.write("GET /ws/events/x HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
  expect(await socket.until("Unauthorized")).toContain("401");
  // Writing to a closed connection fails.
  await expect
    .poll(() => {
      socket.write("x");
      return socket.isBroken();
    })
    .toBe(true);
});

test.skipIf(!existsSync("/proc/self/fd"))("a file that no one reads to its end is closed, and so is its reader", async () => {
  const folder = mkdtempSync(join(tmpdir(), "vibey-files-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "large.wasm");
  writeFileSync(join(folder, "_headers"), "");
  writeFileSync(file, Buffer.alloc(20_000_000));
  const open = () =>
    readdirSync("/proc/self/fd").filter((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`) === file;
      } catch {
        // The file was closed after the folder was read.
        return false;
      }
    }).length;
  const bridge = await openBridge({ dist: folder, readTimeoutMs: 100 });
  const left = openRaw(bridge.port);
  left.write("GET /large.wasm HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await left.until("HTTP/1.1 200");
  expect(open()).toBe(1);
  left.leave();
  await expect.poll(open).toBe(0);
  const stalls = openRaw(bridge.port);
  stalls.pause();
  stalls.write("GET /large.wasm HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await expect.poll(open).toBe(1);
  await expect.poll(open).toBe(0);
  stalls.leave();
});
