import { describe, expect, onTestFinished, test } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { createCounts } from "../../bridge/counts.ts";
import { decodePage } from "../../bridge/decode.ts";
import { decodeBridge, encodeMessage, type FromPage, lineCodes, lineVersion } from "../../src/protocol/bridge/messages.ts";
import { importKey, proofOf } from "../../src/protocol/bridge/proof.ts";
import { isSmall } from "../../src/protocol/bridge/shape.ts";
import { openRaw } from "./raw.ts";
import { client, openBridge, openPage, psk, soon } from "./town.ts";

/* Attacks from outside on the bridge. After each attack, the bridge answers its user as before. */

/** A page that records the requested paths. */
async function openWatched() {
  const asked: string[] = [];
  const bridge = await openBridge();
  const page = await openPage(bridge, async (request) => {
    asked.push(`${request.method} ${new URL(request.url).pathname} ${(await request.text()).length}`);
    return Response.json({ said: "hello" });
  });
  await page.until("connected");
  const isWell = async () => {
    expect(await client(bridge.port).said("GET", "/api/state")).toBe('200 {"said":"hello"}');
  };
  return { bridge, asked, isWell };
}

const withKey = `Host: localhost\r\nX-PSK: ${psk}\r\n`;

describe("requests that two readers would read in two ways reach the page in one at most, and never as the request that was hidden in them", () => {
  const hidden = `GET /api/sessions/hidden HTTP/1.1\r\n${withKey}\r\n`;
  test.each([
    ["two lengths", `POST /api/sessions HTTP/1.1\r\n${withKey}Content-Length: 0\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`],
    [
      "a length and chunks",
      `POST /api/sessions HTTP/1.1\r\n${withKey}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`,
    ],
    ["chunks by another name", `POST /api/sessions HTTP/1.1\r\n${withKey}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${hidden}`],
    [
      "chunks, then something else",
      `POST /api/sessions HTTP/1.1\r\n${withKey}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${hidden}`,
    ],
    ["a folded header", `GET /api/state HTTP/1.1\r\n${withKey}X-A: 1\r\n GET /api/sessions/hidden\r\n\r\n`],
    ["a space before the colon", `POST /api/sessions HTTP/1.1\r\n${withKey}Content-Length : ${hidden.length}\r\n\r\n${hidden}`],
    ["a bare CR in a header", `GET /api/state HTTP/1.1\r\n${withKey}X-A: 1\rX-B: 2\r\n\r\n`],
    ["two hosts", `GET /api/state HTTP/1.1\r\n${withKey}Host: evil.example\r\nConnection: close\r\n\r\n`],
    ["no host", `GET /api/state HTTP/1.1\r\nX-PSK: ${psk}\r\n\r\n`],
    ["another site's address", `GET http://evil.example/api/state HTTP/1.1\r\n${withKey}Connection: close\r\n\r\n`],
    ["a method that no page can send", `TRACE /api/state HTTP/1.1\r\n${withKey}Connection: close\r\n\r\n`],
    [
      "another protocol, and a length that covers another request",
      `POST /nothing HTTP/1.1\r\n${withKey}Upgrade: h2c\r\nConnection: Upgrade, close\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`,
    ],
    ["a tunnel", `CONNECT evil.example:80 HTTP/1.1\r\n${withKey}\r\n`],
    ["a wrong chunk", `POST /api/sessions HTTP/1.1\r\n${withKey}Transfer-Encoding: chunked\r\n\r\nZZ\r\n${hidden}`],
    ["headers without an end", `GET /api/state HTTP/1.1\r\n${withKey}X-A: ${"a".repeat(40_000)}`],
  ])("%s", async (_, bytes) => {
    const { bridge, asked, isWell } = await openWatched();
    const socket = openRaw(bridge.port);
    socket.write(bytes);
    const answer = await socket.closed;
    expect(answer).not.toContain('{"said":"hello"}');
    expect(asked).toEqual([]);
    await isWell();
  });
});

test("what stands behind two thousand headers counts: no request is hidden behind an offer of another protocol", async () => {
  const { bridge, asked } = await openWatched();
  const socket = openRaw(bridge.port);
  const hidden = `GET /api/sessions/hidden HTTP/1.1\r\n${withKey}\r\n`;
  const offer = `Upgrade: h2c\r\nConnection: Upgrade\r\n${"a:\r\n".repeat(2_100)}`;
  socket.write(`POST /api/state HTTP/1.1\r\n${withKey}${offer}Content-Length: ${hidden.length}\r\n\r\n${hidden}`);
  socket.write(`GET /api/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
  expect(await socket.closed).toContain('{"status":"ok"}');
  expect(asked).toEqual([`POST /api/state ${hidden.length}`]);
});

describe("frames that are none", () => {
  const key = "dGhlIHNhbXBsZSBub25jZQ==";
  const upgrade = (path: string) =>
    `GET ${path} HTTP/1.1\r\n${withKey}Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`;
  test.each([
    ["without a mask", [0x81, 0x02, 0x7b, 0x7d]],
    ["of a kind that there is none of", [0x83, 0x80, 0, 0, 0, 0]],
    ["with bits that mean nothing", [0xf1, 0x80, 0, 0, 0, 0]],
    ["that continue nothing", [0x80, 0x80, 0, 0, 0, 0]],
    ["of 2^62 bytes", [0x82, 0xff, 0x40, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4]],
    ["of a control, too long", [0x89, 0xfe, 0x01, 0x00, 1, 2, 3, 4]],
    ["of text that is no UTF-8", [0x81, 0x82, 0, 0, 0, 0, 0xff, 0xff]],
    ["with a code that is none", [0x88, 0x82, 0, 0, 0, 0, 0x00, 0x01]],
  ])("%s end their own socket alone, on a stream and on a line", async (_, frame) => {
    const { bridge, isWell } = await openWatched();
    for (const path of ["/ws/events/x", "/line"]) {
      const socket = openRaw(bridge.port);
      socket.write(upgrade(path));
      await socket.until("\r\n\r\n");
      socket.write(Uint8Array.from(frame));
      expect(await socket.closed).toMatch(/^HTTP\/1.1 101 /);
    }
    await isWell();
  });

  test("huge ones, and ones in endless pieces, end their own socket", async () => {
    const { bridge, isWell } = await openWatched();
    const [whole, pieces] = ["one", "two"].map((id) => new WebSocket(`ws://127.0.0.1:${bridge.port}/line?${id}`));
    if (!whole || !pieces) throw new Error("two sockets were to be made");
    const codes = [whole, pieces].map((socket) => new Promise((resolve) => socket.once("close", resolve)));
    whole.on("error", () => undefined);
    pieces.on("error", () => undefined);
    whole.on("open", () => whole.send(new Uint8Array(1_000_000)));
    pieces.on("open", () => {
      for (let at = 0; at < 40; at += 1) pieces.send(new Uint8Array(10_000), { fin: false });
    });
    for (const code of await Promise.all(codes)) expect([1006, 1009]).toContain(code);
    await isWell();
  });
});

describe("what a frame announces", () => {
  const frame = (...bytes: readonly number[]) => Uint8Array.from(bytes);
  const listsInLists = frame(...Array.from({ length: 12_000 }, () => [0xdd, 0x01, 0xff, 0xff, 0xff]).flat());
  const hello = encodeMessage({
    kind: "hello",
    v: lineVersion,
    project: "é",
    epoch: 2 ** 40,
    nonce: "n".repeat(300),
    proof: "p",
    engine: "e",
  });

  test.each([
    ["lists in lists, each with room for millions", listsInLists],
    ["a list that is longer than its frame", frame(0xdd, 0xff, 0xff, 0xff, 0xff)],
    ["a map that is longer than its frame", frame(0xdf, 0x7f, 0xff, 0xff, 0xff)],
    ["a text that is longer than its frame", frame(0xdb, 0xff, 0xff, 0xff, 0xff)],
    ["a size that is cut", frame(0xdd, 0xff)],
    ["another value behind it", frame(0x80, 0x80)],
    ["a value that no message has", frame(0xc1)],
    ["nothing", frame()],
  ])("takes no room before it is there: %s", (_, bytes) => {
    expect(isSmall(bytes)).toBe(false);
    expect([decodePage(bytes), decodeBridge(bytes)]).toEqual([null, null]);
  });

  test("is no message when lists stand in lists, whatever else is in it", () => {
    const [first = 0, ...rest] = hello;
    const deep = frame(first + 1, ...rest, 0xa1, 0x78, 0x91, 0x91, 0x91, 0x90);
    expect([decodePage(hello)?.kind, decodePage(deep)]).toEqual(["hello", null]);
  });

  test("is all there in every message", () => {
    const headers = Array.from({ length: 2_000 }, (_, at): [string, string] => [`x-${at}`, at === 7 ? "é".repeat(300) : ""]);
    const bytes = new Uint8Array(60_000);
    for (const message of [
      { kind: "head", id: 1, status: 200, headers },
      { kind: "head", id: 2 ** 33, status: 200, headers: [] },
      { kind: "request", id: 70_000, method: "GET", path: `/${"x".repeat(20_000)}`, headers, body: null },
      { kind: "chunk", id: 200, bytes },
      { kind: "body", id: 1, bytes: bytes.subarray(0, 300) },
      { kind: "body", id: 1, bytes: bytes.subarray(0, 3) },
      { kind: "taken", epoch: -5 },
      { kind: "taken", epoch: -(2 ** 40) },
    ] as const)
      expect(isSmall(encodeMessage(message))).toBe(true);
    expect(isSmall(hello)).toBe(true);
  });
});

test("a body is read only for a caller with the key", async () => {
  const { bridge, asked } = await openWatched();
  const socket = openRaw(bridge.port);
  socket.write(`POST /api/sessions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n`);
  // The answer comes before any of the body has arrived.
  expect(await socket.until("Unauthorized")).toMatch(/^HTTP\/1.1 401 /);
  expect(asked).toEqual([]);
  socket.leave();
});

test("whether a body may come is said once the key was seen", async () => {
  const { bridge, asked } = await openWatched();
  const ask = (key: string) => {
    const socket = openRaw(bridge.port);
    socket.write(`POST /api/sessions HTTP/1.1\r\nHost: localhost\r\n${key}Expect: 100-continue\r\nContent-Length: 4\r\n\r\n`);
    return socket;
  };
  expect(await ask("").closed).toMatch(/^HTTP\/1.1 401 /);
  const socket = ask(`X-PSK: ${psk}\r\n`);
  await socket.until("HTTP/1.1 100 Continue");
  socket.write("body");
  await socket.until("hello");
  expect(asked).toEqual(["POST /api/sessions 4"]);
  socket.leave();
});

test("bodies for a page that takes nothing have a limit, also when their callers hang up", async () => {
  const bridge = await openBridge({ bodies: { bytes: 2_000_000 }, openAgents: true });
  const frozen = new WebSocket(`ws://127.0.0.1:${bridge.port}/line`);
  onTestFinished(() => frozen.terminate());
  const nonce = "n";
  frozen.on("message", (data: Buffer) => {
    const message = decodeBridge(data);
    if (message?.kind === "welcome") frozen.pause();
    if (message?.kind !== "challenge") return;
    const page = { project: "", epoch: 1 };
    void importKey(psk)
      .then((key) => proofOf(key, "page", { bridgeNonce: message.nonce, pageNonce: nonce, ...page }))
      .then((proof) => frozen.send(encodeMessage({ kind: "hello", v: lineVersion, nonce, proof, ...page })));
  });
  while (!frozen.isPaused) await soon();
  const event = `POST /v2/event HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900000\r\n\r\n${"x".repeat(900_000)}`;
  let answer = "";
  // The sockets themselves buffer a few megabytes. Until they are full, no caller gets an answer.
  while (answer === "") {
    const caller = openRaw(bridge.agentPort);
    caller.write(event);
    answer = await Promise.race([caller.until("before"), new Promise<string>((done) => setTimeout(done, 20, ""))]);
    caller.leave();
  }
  expect(answer).toMatch(/^HTTP\/1.1 503 [^]*has not yet taken/);
  // The user's port is refused in the same way, because the page's connection is shared.
  expect(await client(bridge.port).said("GET", "/api/state")).toMatch(/^503 .*has not yet taken/);
});

test("viewers without a key, however they leave, keep no viewer out", async () => {
  const bridge = await openBridge();
  let isKnown = false;
  const events = { headers: { "content-type": "text/event-stream" } };
  const page = await openPage(bridge, () =>
    isKnown
      ? new Response(new ReadableStream({ start: (to) => to.enqueue(new TextEncoder().encode('data: {"type":"connected"}\n\n')) }), events)
      : new Response("{}", { status: 401 }),
  );
  await page.until("connected");
  const offer = `GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`;
  // None of these viewers answers the close.
  const refused = Array.from({ length: 256 }, () => openRaw(bridge.agentPort));
  for (const viewer of refused) viewer.write(offer);
  await Promise.all(refused.map((viewer) => viewer.until("refused (401)")));
  isKnown = true;
  const viewer = client(bridge.agentPort, null).follow("/", "");
  expect((await viewer.until(() => true))?.type).toBe("connected");
  viewer.leave();
  for (const one of refused) one.leave();
});

test("bodies that come slowly, or not at all, are given up, the oldest first, and keep no one out", async () => {
  const bridge = await openBridge({ bodies: { atOnce: 4, ms: 200 }, openAgents: true });
  await (await openPage(bridge, () => Response.json({ said: "hello" }))).until("connected");
  const slow = Array.from({ length: 8 }, () => {
    const socket = openRaw(bridge.agentPort);
    socket.write("POST /v2/event HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{");
    return socket;
  });
  for (const answer of await Promise.all(slow.map(({ closed }) => closed))) expect(answer).toMatch(/^HTTP\/1.1 408 /);
  expect((await client(bridge.agentPort, null).ask("POST", "/v2/event", {})).status).toBe(200);
});

test("bodies together take no more room than there is, and give it back", async () => {
  const bridge = await openBridge({ bodies: { bytes: 1_500_000 } });
  const { ask } = client(bridge.port);
  const held: ((response: Response) => void)[] = [];
  const page = await openPage(bridge, ({ url }) =>
    url.includes("/wait") ? new Promise((resolve) => held.push(resolve)) : Response.json({}),
  );
  await page.until("connected");
  const first = ask("POST", "/api/sessions/wait/message", "x".repeat(900_000));
  while (held.length === 0) await soon();
  expect((await ask("POST", "/api/sessions", "x".repeat(900_000))).status).toBe(503);
  held[0]?.(Response.json({}));
  expect((await first).status).toBe(200);
  let status = 503;
  while (status === 503) ({ status } = await ask("POST", "/api/sessions", "x".repeat(900_000)));
  expect(status).toBe(200);
});

test("who reads nothing of an answer loses it, and the page is told to stop", async () => {
  const bridge = await openBridge({ readTimeoutMs: 100 });
  let stop = () => {};
  const stopped = new Promise<void>((resolve) => (stop = resolve));
  const page = await openPage(
    bridge,
    () => new Response(new ReadableStream({ pull: (to) => to.enqueue(new Uint8Array(100_000)), cancel: () => stop() })),
  );
  await page.until("connected");
  const reader = openRaw(bridge.port);
  reader.pause();
  reader.write(`GET /api/sessions HTTP/1.1\r\n${withKey}\r\n`);
  await stopped;
  reader.leave();
});

test("sockets that want to be a page and say nothing keep no page out; one that says something else is closed", async () => {
  const bridge = await openBridge();
  const silent = Array.from({ length: 40 }, () => new WebSocket(`ws://127.0.0.1:${bridge.port}/line`));
  await Promise.all(silent.map((socket) => new Promise((resolve) => socket.once("open", resolve))));
  const page = await openPage(bridge, () => Response.json({ said: "hello" }));
  await page.until("connected");
  const loud = new WebSocket(`ws://127.0.0.1:${bridge.port}/line`);
  loud.on("open", () => loud.send(Uint8Array.from([0xc1, 0xff])));
  expect(await new Promise((resolve) => loud.once("close", resolve))).toBe(lineCodes.refused);
  for (const socket of silent) socket.terminate();
});

test("a proof that was overheard opens nothing again: each socket has a question of its own", async () => {
  const bridge = await openBridge();
  const key = await importKey(psk);
  const open = (hello: (nonce: string) => Promise<FromPage>) =>
    new Promise<string>((resolve) => {
      const socket = new WebSocket(`ws://127.0.0.1:${bridge.port}/line`);
      socket.on("message", (data: Buffer) => {
        const message = decodeBridge(data);
        if (message?.kind === "challenge") void hello(message.nonce).then((said) => socket.send(encodeMessage(said)));
        if (message?.kind === "welcome") resolve("welcome");
      });
      socket.on("close", (code) => resolve(`${code}`));
    });
  const overheard: FromPage[] = [];
  const first = await open(async (bridgeNonce) => {
    const handshake = { bridgeNonce, pageNonce: "n", project: "", epoch: 1 };
    const said: FromPage = {
      kind: "hello",
      v: lineVersion,
      project: "",
      epoch: 1,
      nonce: "n",
      proof: await proofOf(key, "page", handshake),
    };
    overheard.push(said);
    return said;
  });
  const replay = () =>
    open(async () => {
      const [said] = overheard;
      if (!said) throw new Error("nothing was overheard");
      return said;
    });
  expect([first, await replay(), await replay()]).toEqual(["welcome", `${lineCodes.refused}`, `${lineCodes.refused}`]);
  // The bridge's own proof isn't valid as a page's proof.
  const reflected = await open(async (bridgeNonce) => ({
    kind: "hello",
    v: lineVersion,
    project: "",
    epoch: 1,
    nonce: "n",
    proof: await proofOf(key, "bridge", { bridgeNonce, pageNonce: "n", project: "", epoch: 1 }),
  }));
  expect(reflected).toBe(`${lineCodes.refused}`);
});

// Version 1 had the key in requests to the page.
test.each([1, lineVersion + 1])("a page of version %d and the bridge say that their versions differ, and nothing else", async (v) => {
  const bridge = await openBridge();
  const socket = new WebSocket(`ws://127.0.0.1:${bridge.port}/line`);
  socket.on("open", () => socket.send(encodeMessage({ kind: "hello", v, project: "", epoch: 1, nonce: "n", proof: "p" })));
  expect(await new Promise((resolve) => socket.once("close", resolve))).toBe(lineCodes.version);
});

test.each([
  ["an earlier version", 1, "The bridge is from an earlier version of Vibey than this page. Update it and start it again"],
  ["a later version", lineVersion + 1, "This page is from an earlier version of Vibey than the bridge. Update it and reload"],
  [
    "a version that hangs up",
    null,
    "The bridge and this page are from different versions of Vibey. Update the older one and start the bridge again",
  ],
])("a page that finds a bridge of %s says which of them to update, and sends it nothing", async (_, v, problem) => {
  const other = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  onTestFinished(() => other.close());
  await new Promise((resolve) => other.once("listening", resolve));
  const heard: unknown[] = [];
  other.on("connection", (socket) => {
    socket.on("message", (data) => heard.push(data));
    if (v === null) socket.close(lineCodes.version, "another version");
    else socket.send(encodeMessage({ kind: "challenge", v, nonce: "n" }));
  });
  const at = other.address();
  if (at === null || typeof at === "string") throw new Error("the server was to listen at a port");
  const page = await openPage(await openBridge(), () => Response.json({}), { address: `ws://127.0.0.1:${at.port}` });
  expect(await page.until("refused")).toEqual({ kind: "refused", problem });
  expect(heard).toEqual([]);
});

test("the key stays at the bridge: no frame to the page has it, and the page believes no one else who says it was shown", async () => {
  const bridge = await openBridge();
  const heard: string[] = [];
  const page = await openPage(bridge, async (request) => {
    heard.push(JSON.stringify([request.url, ...request.headers, await request.text()]));
    return Response.json({});
  });
  await page.until("connected");
  const { ask } = client(bridge.port);
  await ask("POST", `/api/sessions?a=1&psk=${psk}&b=2&p%73k=${psk}`, "{}", { "x-vibey-proved": "no" });
  await client(bridge.agentPort).ask("POST", "/k/secret/event?psk=x", "{}", { "x-vibey-proved": "1" });
  expect(heard.join("\n")).not.toContain(psk);
  expect(heard[0]).toContain('"http://engine/api/sessions?a=1&b=2"');
  expect(heard.map((one) => one.includes('["x-vibey-proved","1"]'))).toEqual([true, false]);
});

test("what an address does too often is counted for it alone", () => {
  let now = 0;
  const counts = createCounts(2, 1_000, () => now);
  const add = (address: string) => {
    const isFull = counts.isFull(address);
    if (!isFull) counts.add(address);
    return !isFull;
  };
  expect(["10.0.0.1", "::ffff:10.0.0.1", "10.0.0.1", "10.0.0.2"].map(add)).toEqual([true, true, false, true]);
  // One device can use all addresses of its network.
  expect(["fd00:1:2:3::1", "fd00:1:2:3::2", "fd00:1:2:3:9::1", "fd00:1:2:4::1"].map(add)).toEqual([true, true, false, true]);
  now = 1_000;
  expect(add("10.0.0.1")).toBe(true);
  // The number of kept addresses is limited.
  for (let at = 0; at < 5_000; at += 1) add(`10.${at >> 8}.${at & 255}.1`);
  expect(add("10.0.0.1")).toBe(true);
});
