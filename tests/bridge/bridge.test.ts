import { createServer } from "node:http";
import { expect, test } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { decodePage } from "../../bridge/decode.ts";
import { decodeBridge, encodeMessage, type FromPage, lineVersion } from "../../src/protocol/bridge/messages.ts";
import { importKey, proofOf } from "../../src/protocol/bridge/proof.ts";
import { follow, raw } from "./client.ts";
import { client, openBridge, openPage, psk, soon } from "./town.ts";

const hello = () => Response.json({ said: "hello" });

test("without a page: health and the app's files answer, all else says so and when to try again", async () => {
  const bridge = await openBridge({ dist: "public" });
  const { said, ask, follow: followIt } = client(bridge.port);
  expect(await said("GET", "/api/health")).toBe('200 {"status":"ok"}');
  expect((await client(bridge.port, null).ask("GET", "/api/health")).status).toBe(200);
  expect((await client(bridge.port, null).ask("POST", "/api/health")).status).toBe(401);
  expect((await client(bridge.port, null).ask("GET", "/manifest.webmanifest")).status).toBe(200);
  expect((await client(bridge.port, null).ask("GET", "/static/manifest.webmanifest")).status).toBe(200);
  expect((await client(bridge.port, null).ask("GET", "/static//manifest.webmanifest")).status).toBe(200);
  for (const path of ["/../package.json", "/static//", "/static/\\["])
    expect((await client(bridge.port, null).ask("GET", path)).status).toBe(404);
  const answer = await ask("GET", "/api/sessions");
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "2"]);
  expect((await client(bridge.agentPort).ask("POST", "/v2/event", {})).status).toBe(503);
  expect(await followIt("/ws/events/x").closed).toBe(503);
});

test("the key is asked for in the words of the contract, for REST and before a WebSocket's upgrade; twenty wrong ones are enough", async () => {
  const bridge = await openBridge();
  await (await openPage(bridge, hello)).until("connected");
  const without = client(bridge.port, null);
  expect(await without.said("GET", "/api/state")).toBe('401 {"detail":"Unauthorized"}');
  expect(await without.said("GET", `/api/state?psk=${psk}`)).toBe('200 {"said":"hello"}');
  expect(await client(bridge.port, `${psk}x`).said("GET", "/files")).toBe('401 {"detail":"Unauthorized"}');
  expect(await without.follow("/ws/events/x", "").closed).toBe(401);
  expect(await without.follow("/ws/events/x", "?psk=wrong").closed).toBe(401);
  // Two keys were already wrong. Parallel requests don't get more tries.
  const all = Array.from({ length: 30 }, async (_, n) => (await client(bridge.port, `wrong ${n}`).ask("GET", "/api/state")).status);
  expect((await Promise.all(all)).toSorted((one, other) => one - other)).toEqual([
    ...Array.from({ length: 18 }, () => 401),
    ...Array.from({ length: 12 }, () => 429),
  ]);
  expect((await client(bridge.port).ask("GET", "/api/state")).status).toBe(429);
});

test.each([
  ["its own name", { host: "localhost:1" }, 200],
  ["this machine's address", { host: "127.0.0.1" }, 200],
  ["this machine's address in IPv6", { host: "[::1]:7870" }, 200],
  ["a name that was pointed at this machine", { host: "evil.example" }, 421],
  ["a name that begins like its own", { host: "localhost.evil.example" }, 421],
  ["no name that can be one", { host: "a b" }, 421],
  ["another name before its own", { host: "evil.example@localhost" }, 421],
  ["its own name with a path", { host: "localhost/evil.example" }, 421],
  ["the page of npm start", { host: "localhost", origin: "http://localhost:3001" }, 200],
  ["a page elsewhere", { host: "localhost", origin: "https://evil.example" }, 403],
  ["another server of this machine", { host: "localhost", origin: "http://localhost:8080" }, 403],
  ["a page in a sandbox, as previews are", { host: "localhost", origin: "null" }, 403],
  ["a picture in a page elsewhere", { host: "localhost", "sec-fetch-site": "cross-site" }, 403],
  ["a picture in a page of this machine", { host: "localhost", "sec-fetch-site": "same-site" }, 403],
  ["an address that was typed", { host: "localhost", "sec-fetch-site": "none" }, 200],
])("asked with the key by %s", async (_, headers, status) => {
  const bridge = await openBridge();
  await (await openPage(bridge, hello)).until("connected");
  expect(await raw(bridge.port, "/api/state", { "x-psk": psk, ...headers })).toBe(status);
  // The agents' port has the same checks, but another key.
  expect(await raw(bridge.agentPort, "/v2/agents", headers)).toBe(status);
  const socket = follow(`ws://127.0.0.1:${bridge.port}/ws/events/x?psk=${psk}`, headers);
  if (status === 200) await new Promise((resolve) => socket.socket.once("open", resolve));
  else expect(await socket.closed).toBe(status);
  const line = follow(`ws://127.0.0.1:${bridge.port}/line`, headers);
  if (status !== 200) expect(await line.closed).toBe(status);
});

test("what is passed on: method, path with its query, body and headers, each once; not what a program may not say", async () => {
  const asked: string[] = [];
  const bridge = await openBridge({ openAgents: true });
  const page = await openPage(bridge, async (request) => {
    const { pathname, search } = new URL(request.url);
    const headers = ["x-agent-key", "x-vibey-open-agents", "cookie", "idempotency-key"].map((name) => request.headers.get(name));
    asked.push(`${request.method} ${pathname}${search} ${(await request.text()).length} ${JSON.stringify(headers)}`);
    return new Response("x".repeat(300_000), { status: 201, headers: { "x-own": "1", "set-cookie": "a=1" } });
  });
  await page.until("connected");
  const long = "y".repeat(200_000);
  const answer = await client(bridge.port).ask("POST", "/api/sessions?a=%2F", long, { cookie: "c=1", "idempotency-key": "k" });
  expect([answer.status, answer.headers.get("x-own"), answer.headers.get("set-cookie"), (await answer.text()).length]).toEqual([
    201,
    "1",
    null,
    300_000,
  ]);
  await client(bridge.agentPort, null).ask("POST", "/k/secret/v2/event", "{}", { "x-agent-key": "a", "x-vibey-open-agents": "no" });
  expect(asked).toEqual(['POST /api/sessions?a=%2F 200000 [null,null,null,"k"]', 'POST /k/secret/v2/event 2 ["a","1",null,null]']);
  expect((await client(bridge.port).ask("POST", "/api/sessions", "z".repeat(1_100_000))).status).toBe(413);
  for (const path of ["/v2/agents", "/event", "/hooks/claude-code", "/bridge", "/line"])
    expect((await client(bridge.port).ask("POST", path, "{}")).status).not.toBe(201);
  expect((await client(bridge.agentPort).ask("GET", "/api/state")).status).toBe(404);
});

test("several projects: each has its path, and bare paths are the first one's", async () => {
  const bridge = await openBridge();
  const named = (name: string) => () => new Response(name);
  await (await openPage(bridge, named("other"), { project: "abcdefghijkl" })).until("connected");
  const { said } = client(bridge.port);
  expect(await said("GET", "/api/state")).toBe("200 other");
  await (await openPage(bridge, named("first"))).until("connected");
  expect([await said("GET", "/api/state"), await said("GET", "/p/abcdefghijkl/api/state")]).toEqual(["200 first", "200 other"]);
  expect(await said("GET", "/p/none/api/state")).toMatch(/^503/);
});

test("a later engine of the project takes the place of an earlier one, and an earlier one takes none", async () => {
  const bridge = await openBridge();
  const early = await openPage(bridge, () => new Response("early"), { epoch: 3 });
  await early.until("connected");
  const late = await openPage(bridge, () => new Response("late"), { epoch: 4 });
  await late.until("connected");
  expect(await early.until("refused")).toMatchObject({ problem: expect.stringContaining("Another page") });
  expect(await client(bridge.port).said("GET", "/api/state")).toBe("200 late");
  const earlier = await openPage(bridge, () => new Response("earlier"), { epoch: 2 });
  // The refused pages are told which epoch is connected, so that their users can let them take over.
  // A page in another browser can have the same epoch. Then the first one stays connected.
  const same = await openPage(bridge, () => new Response("same"), { epoch: 4 });
  for (const page of [early, earlier, same]) expect(await page.until("refused")).toMatchObject({ taken: 4 });
  expect(await client(bridge.port).said("GET", "/api/state")).toBe("200 late");
});

test("a page with another key is refused; one of another origin, or that says anything before hello, never gets in", async () => {
  const bridge = await openBridge();
  const page = await openPage(bridge, hello, { key: "another key, long enough" });
  expect(await page.until("refused")).toMatchObject({ problem: expect.stringContaining("another key") });
  const early = new WebSocket(`ws://127.0.0.1:${bridge.port}/line`);
  early.on("open", () => early.send(encodeMessage({ kind: "head", id: 1, status: 200, headers: [] })));
  expect(await new Promise((resolve) => early.on("close", resolve))).toBe(4401);
  expect((await client(bridge.port).ask("GET", "/api/state")).status).toBe(503);
});

test("a bridge that has not the key is asked nothing and told nothing: a page answers no call before the proof", async () => {
  let calls = 0;
  const heard: string[] = [];
  const server = createServer();
  const sockets = new WebSocketServer({ server });
  sockets.on("connection", (socket) => {
    const send = (message: Parameters<typeof encodeMessage>[0]) => socket.send(encodeMessage(message));
    const request = { kind: "request", id: 1, method: "GET", path: "/files", headers: [], body: null } as const;
    socket.on("message", (data: Buffer) => {
      const message = decodePage(data);
      heard.push(message?.kind ?? "nothing");
      if (message?.kind !== "hello") return;
      send(request);
      // The proof that the page sent isn't valid as the bridge's proof.
      send({ kind: "welcome", proof: message.proof });
      send(request);
    });
    send(request);
    send({ kind: "challenge", v: lineVersion, nonce: "0" });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  const page = await openPage({ port, agentPort: 0, close: async () => undefined }, () => {
    calls += 1;
    return hello();
  });
  await page.until("refused");
  expect([calls, heard]).toEqual([0, ["hello"]]);
  sockets.close();
  server.close();
});

test("a call whose page is lost is answered with 502 and never made again; the page comes back by itself", async () => {
  const bridge = await openBridge();
  const calls: string[] = [];
  const page = await openPage(bridge, ({ method }) => {
    calls.push(method);
    return calls.length === 1 ? new Promise<Response>(() => undefined) : new Response("again");
  });
  await page.until("connected");
  const answer = client(bridge.port).said("POST", "/api/sessions/x/message", { text: "Go" });
  while (calls.length === 0) await soon();
  const told = page.news.length;
  page.kill();
  expect(await answer).toMatch(/^502 .*no one knows whether it was done/);
  await page.until("connected", told);
  expect(calls).toEqual(["POST"]);
  expect(await client(bridge.port).said("GET", "/api/state")).toBe("200 again");
});

test("a stream that is cut, by either side, is canceled at the other", async () => {
  const bridge = await openBridge();
  const left: string[] = [];
  const page = await openPage(bridge, ({ signal, url }) => {
    signal.addEventListener("abort", () => left.push(new URL(url).pathname));
    return new Response(new ReadableStream({ start: (to) => to.enqueue(new TextEncoder().encode('data: {"type":"connected"}\n\n')) }), {
      headers: { "content-type": "text/event-stream" },
    });
  });
  await page.until("connected");
  const { follow: followIt } = client(bridge.port);
  const [one, two] = [followIt("/ws/events/one"), followIt("/ws/events/two")];
  await Promise.all([one, two].map((each) => each.until(({ type }) => type === "connected")));
  one.leave();
  while (left.length === 0) await soon();
  expect(left).toEqual(["/ws/events/one"]);
  page.kill();
  expect(await two.closed).toBe(1012);
});

test("an error of one call, whatever it says, ends no other and not the line", async () => {
  const bridge = await openBridge();
  const events = { headers: { "content-type": "text/event-stream" } };
  const page = await openPage(bridge, ({ url }) => {
    if (url.endsWith("/state")) return hello();
    if (url.endsWith("/sessions")) throw new Error("x".repeat(100_000));
    return new Response(new ReadableStream({ pull: (to) => to.error(new Error("é".repeat(100))) }), events);
  });
  await page.until("connected");
  const { said, follow: followIt } = client(bridge.port);
  expect(await followIt("/ws/events/x").closed).toBe(1011);
  expect(await said("GET", "/api/sessions")).toMatch(/^500 {"detail":"x+"}$/);
  expect([await said("GET", "/api/state"), page.news.at(-1)?.kind]).toEqual(['200 {"said":"hello"}', "connected"]);
});

test.each([
  ['{"type":"close","code":1005}', 1011],
  [`{"type":"close","code":4410,"reason":"${"é".repeat(200)}"}`, 4410],
])("a stream's last word that can't be passed on ends the stream alone: %s", async (word, code) => {
  const bridge = await openBridge();
  const page = await openPage(bridge, () => new Response(`data: ${word}\n\n`, { headers: { "content-type": "text/event-stream" } }));
  await page.until("connected");
  expect(await client(bridge.port).follow("/ws/events/x").closed).toBe(code);
  expect(page.news.at(-1)?.kind).toBe("connected");
});

test("a reader that takes nothing is cut off with 1013, holds up no one, and costs the bridge no more than a few chunks", async () => {
  const bridge = await openBridge({ readTimeoutMs: 100 });
  let made = 0;
  let cut = () => {};
  const isCut = new Promise<void>((resolve) => (cut = resolve));
  const text = new TextEncoder().encode(`data: {"type":"tool_stream","message":"${"x".repeat(50_000)}"}\n\n`);
  const page = await openPage(bridge, ({ url }) => {
    if (!url.includes("/ws/")) return hello();
    const stream = new ReadableStream({
      pull(to) {
        made += 1;
        to.enqueue(text);
      },
      cancel: () => cut(),
    });
    return new Response(stream, { headers: { "content-type": "text/event-stream" } });
  });
  await page.until("connected");
  const { follow: followIt, said } = client(bridge.port);
  const slow = followIt("/ws/events/x");
  await new Promise((resolve) => slow.socket.once("open", resolve));
  slow.socket.pause();
  expect(await said("GET", "/api/state")).toBe('200 {"said":"hello"}');
  await isCut;
  // Not more than the sockets themselves buffer.
  expect(made).toBeLessThan(400);
  slow.socket.resume();
  expect([1013, 1006]).toContain(await slow.closed);
});

test("an agent's client at `/` follows its stream; what it says is posted there, and answered unless the answer is null", async () => {
  const bridge = await openBridge();
  const asked: string[] = [];
  const page = await openPage(bridge, async (request) => {
    const { pathname } = new URL(request.url);
    const said = await request.text();
    asked.push(`${request.method} ${pathname} ${said}`);
    if (request.method === "POST") return Response.json(said === '{"type":"ping"}' ? { type: "pong" } : null);
    return new Response(new ReadableStream({ start: (to) => to.enqueue(new TextEncoder().encode('data: {"type":"connected"}\n\n')) }), {
      headers: { "content-type": "text/event-stream" },
    });
  });
  await page.until("connected");
  const agent = follow(`ws://127.0.0.1:${bridge.agentPort}/k/secret`);
  await agent.until(({ type }) => type === "connected");
  agent.socket.send('{"type":"silent"}');
  agent.socket.send('{"type":"ping"}');
  await agent.until(({ type }) => type === "pong");
  expect([agent.all.length, asked]).toEqual([
    2,
    ["GET /k/secret/v2/stream ", 'POST /k/secret/v2/stream {"type":"silent"}', 'POST /k/secret/v2/stream {"type":"ping"}'],
  ]);
  expect(await follow(`ws://127.0.0.1:${bridge.agentPort}/v2/stream`).closed).toBe(404);
  agent.leave();
});

test("agents who fill their port, and what they send, hold up no one at the other one", async () => {
  const bridge = await openBridge();
  const waiting: string[] = [];
  const page = await openPage(bridge, ({ url }) => {
    if (url.includes("/api/")) return hello();
    waiting.push(url);
    return new Promise<Response>(() => undefined);
  });
  await page.until("connected");
  const left = new AbortController();
  const { agentPort, port } = bridge;
  const asks = Array.from({ length: 256 }, () =>
    fetch(`http://127.0.0.1:${agentPort}/hooks/codex`, { method: "POST", body: "{}", signal: left.signal }).catch(() => null),
  );
  while (waiting.length < 256) await soon();
  expect((await client(agentPort, null).ask("GET", "/v2/agents")).status).toBe(503);
  expect(await client(port).said("GET", "/api/state")).toBe('200 {"said":"hello"}');
  left.abort();
  await Promise.all(asks);
});

test.each(["//x/event", "/p/abc//x/event", "/p/abc//[", "/\\x/event", "/p/abc/%2e%2e//x/event", "/p/abc/..%2fevent"])(
  "agents' port passes on no path that only ends like one of theirs: %s",
  async (path) => {
    const bridge = await openBridge();
    await (await openPage(bridge, hello, { project: "abc" })).until("connected");
    expect([400, 404]).toContain(await raw(bridge.agentPort, path, { host: "localhost" }));
    expect([400, 401, 404]).toContain(await raw(bridge.port, path, { host: "localhost" }));
  },
);

test("a client that says more than can be posted is cut off, and the page was asked one at a time", async () => {
  const bridge = await openBridge();
  let posted = 0;
  const page = await openPage(bridge, ({ method }) => {
    if (method === "GET") return new Response(new ReadableStream(), { headers: { "content-type": "text/event-stream" } });
    posted += 1;
    return new Promise<Response>(() => undefined);
  });
  await page.until("connected");
  const agent = follow(`ws://127.0.0.1:${bridge.agentPort}/`);
  await new Promise((resolve) => agent.socket.once("open", resolve));
  for (let at = 0; at < 40; at += 1) agent.socket.send('{"type":"get_history"}');
  expect(await agent.closed).toBe(1008);
  expect(posted).toBeLessThanOrEqual(1);
});

test.each([99_999, 101, 100])("a page that answers what can't be passed on loses its line, and the bridge lives: %i", async (status) => {
  const bridge = await openBridge();
  const key = await importKey(psk);
  const socket = new WebSocket(`ws://127.0.0.1:${bridge.port}/line`, { origin: "http://localhost:3001" });
  const closed = new Promise((resolve) => socket.once("close", resolve));
  const send = (message: FromPage) => socket.send(encodeMessage(message));
  socket.on("message", (data: Buffer) => {
    const message = decodeBridge(data);
    if (message?.kind === "challenge") {
      const handshake = { bridgeNonce: message.nonce, pageNonce: "n", project: "", epoch: 1 };
      void proofOf(key, "page", handshake).then((proof) =>
        send({ kind: "hello", v: lineVersion, project: "", epoch: 1, nonce: "n", proof }),
      );
    }
    if (message?.kind === "request") send({ kind: "head", id: message.id, status, headers: [] });
  });
  const { said } = client(bridge.port);
  let answer = "503";
  while (answer.startsWith("503")) answer = await said("GET", "/api/state");
  expect(answer).toMatch(/^502 /);
  await closed;
  expect((await client(bridge.port).ask("GET", "/api/health")).status).toBe(200);
});
