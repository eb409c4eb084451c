import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { client, openBridge, openPage, psk } from "./town.ts";
import { openRaw } from "./raw.ts";

/* Callers that hang up, take nothing, or speak as some clients do. */

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
  // The connection goes on.
  socket.write(`GET /api/state HTTP/1.1\r\n${withKey}${offer}\r\n`);
  expect(await socket.until("GET ")).toContain("GET ");
  socket.write(`GET /api/health HTTP/1.1\r\n${withKey}Connection: close\r\n\r\n`);
  expect(await socket.closed).toContain('{"status":"ok"}');
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

test("a refused upgrade is closed, whatever its caller does", async () => {
  const bridge = await openBridge();
  const socket = openRaw(bridge.port, { allowHalfOpen: true });
  socket.write("GET /ws/events/x HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
  expect(await socket.until("Unauthorized")).toContain("401");
  // Whoever writes to a connection that is gone is told so.
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
        // It was closed since the folder was read.
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
