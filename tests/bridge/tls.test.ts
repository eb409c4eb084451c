import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { get, request as secureRequest } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkServerIdentity, connect, type PeerCertificate } from "node:tls";
import { beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { readCertificate, type Tls } from "../../bridge/certificate.ts";
import type { BridgeOptions } from "../../bridge/server.ts";
import { openRaw } from "./raw.ts";
import { smoke } from "./smoke.ts";
import { client, openBridge, openPage, psk, soon } from "./town.ts";

const files = { cert: "tests/bridge/certificate/cert.pem", key: "tests/bridge/certificate/key.pem" };
const now = Date.parse("2030-01-01");
const tls: Tls = { cert: readFileSync(files.cert, "utf8"), key: readFileSync(files.key, "utf8") };
const openEncrypted = (options: Partial<BridgeOptions> = {}) => openBridge({ tls, ...options });
const hello = () => Response.json({ said: "hello" });

/** The certificate must be for this machine, whatever the Host header says. */
const trusting = { ca: tls.cert, checkServerIdentity: (_: string, peer: PeerCertificate) => checkServerIdentity("127.0.0.1", peer) };

/** A request from a client that trusts the certificate and checks its name. */
function ask(port: number, path: string, headers: Record<string, string> = {}, body = ""): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { ...trusting, host: "127.0.0.1", port, path, headers, agent: false, method: body === "" ? "GET" : "POST" };
    const request = secureRequest(options, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (piece: string) => (text += piece));
      response.on("end", () => resolve(`${response.statusCode} ${text}`));
    });
    request.on("error", reject);
    request.end(body);
  });
}

/** The status of the answer to a WebSocket. 101: it is open. */
function upgrade(url: string, headers: Record<string, string> = {}): Promise<number> {
  const socket = new WebSocket(url, { headers, ...trusting });
  return new Promise((resolve, reject) => {
    socket.on("open", () => {
      socket.terminate();
      resolve(101);
    });
    socket.on("unexpected-response", (_, response) => {
      resolve(response.statusCode ?? 0);
      response.destroy();
    });
    socket.on("error", reject);
  });
}

test("a page over wss, programs over https and wss, agents over https: all that is said arrives whole", async () => {
  const bridge = await openEncrypted({ openAgents: true });
  const long = "x".repeat(700_000);
  const page = await openPage(bridge, async (request) => Response.json({ length: (await request.text()).length, long }), {
    address: `wss://localhost:${bridge.port}`,
    ca: tls.cert,
  });
  await page.until("connected");
  expect(await ask(bridge.port, "/api/health")).toBe('200 {"status":"ok"}');
  expect(await ask(bridge.port, "/api/sessions", { "x-psk": psk }, long)).toBe(`200 ${JSON.stringify({ length: 700_000, long })}`);
  expect(await ask(bridge.agentPort, "/v2/event", {}, "{}")).toBe(`200 ${JSON.stringify({ length: 2, long })}`);
  expect(await upgrade(`wss://127.0.0.1:${bridge.port}/ws/events/x?psk=${psk}`)).toBe(101);
});

describe("the guards are those of the port without TLS", () => {
  test.each([
    ["no key", {}, 401],
    ["another key", { "x-psk": "another key" }, 401],
    ["the key", { "x-psk": psk }, 200],
    ["a name that was pointed at this machine", { "x-psk": psk, host: "evil.example" }, 421],
    ["a page elsewhere", { "x-psk": psk, origin: "https://evil.example" }, 403],
    ["another server of this machine", { "x-psk": psk, origin: "https://localhost:8080" }, 403],
    ["a picture in a page elsewhere", { "x-psk": psk, "sec-fetch-site": "cross-site" }, 403],
    ["the page of npm start", { "x-psk": psk, origin: "http://localhost:3001" }, 200],
  ])("%s", async (_, headers, status) => {
    const bridge = await openEncrypted();
    await (await openPage(bridge, hello)).until("connected");
    expect(await ask(bridge.port, "/api/state", headers)).toMatch(new RegExp(`^${status} `));
    const socket = await upgrade(`wss://127.0.0.1:${bridge.port}/ws/events/x`, headers);
    expect(socket).toBe(status === 200 ? 101 : status);
  });

  test("wrong keys of both kinds are counted together", async () => {
    const bridge = await openEncrypted();
    await (await openPage(bridge, hello)).until("connected");
    for (let n = 0; n < 10; n += 1) {
      expect(await ask(bridge.port, "/api/state", { "x-psk": `wrong ${n}` })).toMatch(/^401 /);
      expect(await client(bridge.port, `wrong too ${n}`).said("GET", "/api/state")).toMatch(/^401 /);
    }
    expect(await ask(bridge.port, "/api/state", { "x-psk": psk })).toMatch(/^429 /);
  });

  test("the app's own pages may call: over https by each name, in the clear on this machine alone", async () => {
    const bridge = await openEncrypted({ hosts: ["localhost", "127.0.0.1", "192.168.1.20"] });
    await (await openPage(bridge, hello)).until("connected");
    const from = async (origin: string) => (await ask(bridge.port, "/api/state", { "x-psk": psk, origin })).slice(0, 3);
    expect(await from(`https://192.168.1.20:${bridge.port}`)).toBe("200");
    expect(await from(`https://localhost:${bridge.port}`)).toBe("200");
    expect(await from(`http://localhost:${bridge.port}`)).toBe("200");
    expect(await from(`http://192.168.1.20:${bridge.port}`)).toBe("403");
  });
});

test("in the clear, this machine is answered and others are refused before anything of theirs is read", async () => {
  const here = await openEncrypted();
  await (await openPage(here, hello)).until("connected");
  expect(await client(here.port).said("GET", "/api/state")).toBe('200 {"said":"hello"}');
  const elsewhere = await openEncrypted({ isLocal: () => false });
  for (const port of [elsewhere.port, elsewhere.agentPort]) {
    const socket = openRaw(port);
    socket.write(`GET /api/health HTTP/1.1\r\nHost: localhost\r\nX-PSK: ${psk}\r\n\r\n`);
    expect(await socket.closed).toMatch(/^HTTP\/1\.1 400 [^]*use https:\/\/ or wss:\/\/\.\n$/);
  }
  expect(await ask(elsewhere.port, "/api/health")).toBe('200 {"status":"ok"}');
});

test("connections that say nothing, or no TLS, hold up neither others nor the end", async () => {
  const bridge = await openEncrypted();
  const silent = openRaw(bridge.port);
  const half = openRaw(bridge.port);
  half.write(Uint8Array.of(22, 3, 1));
  const wrong = openRaw(bridge.port);
  wrong.write(Uint8Array.of(22, ...Array.from({ length: 200 }, () => 255)));
  // The connection is closed, with or without an alert.
  await wrong.closed;
  const idle = connect({ port: bridge.port, host: "127.0.0.1", ca: tls.cert });
  await new Promise((resolve) => idle.once("secureConnect", resolve));
  const gone = new Promise((resolve) => idle.on("error", () => undefined).once("close", resolve));
  expect(await ask(bridge.port, "/api/health")).toBe('200 {"status":"ok"}');
  await bridge.close();
  expect(await Promise.all([silent.closed, half.closed])).toEqual(["", ""]);
  await gone;
});

test("a client that doesn't trust the certificate says nothing to the bridge", async () => {
  const bridge = await openEncrypted();
  const tried = new Promise((_resolve, reject) => get({ host: "127.0.0.1", port: bridge.port, path: "/api/health" }).on("error", reject));
  await expect(tried).rejects.toThrow(/self-signed certificate/);
});

test("the smoke test takes the address, once the certificate is trusted", async () => {
  const bridge = await openEncrypted();
  await (await openPage(bridge, hello)).until("connected");
  const address = `https://localhost:${bridge.port}`;
  const trusted = await smoke(address, "", { NODE_EXTRA_CA_CERTS: files.cert });
  expect([trusted.code, trusted.lines.length, trusted.failed]).toEqual([0, 4, ""]);
  const distrusted = await smoke(address, "");
  expect([distrusted.code, distrusted.failed]).toEqual([1, `No bridge answers at ${address}: self-signed certificate`]);
});

describe("files", () => {
  let folder = "";
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "vibey-tls-"));
    return () => rmSync(folder, { recursive: true });
  });

  const otherKey = () => generateKeyPairSync("ec", { namedCurve: "prime256v1" }).privateKey;
  const locked = { type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: "x" } as const;

  test("a certificate with its key: its names, and whether it has expired", () => {
    const names = ["localhost", "vibey.test", "127.0.0.1"];
    expect(readCertificate(files, now)).toEqual({ ok: true, tls, names, expired: null });
    expect(readCertificate(files, Date.parse("2130-01-01"))).toMatchObject({ ok: true, expired: expect.stringContaining("2126") });
  });

  test.each([
    [
      "a certificate that isn't there",
      () => ({ cert: "no.pem" }),
      "unreadable",
      /^--cert: no\.pem .*ENOENT.* Expected a certificate in PEM\.$/,
    ],
    ["a folder", () => ({ cert: folder }), "unreadable", /^--cert: .*EISDIR/],
    ["a key that isn't there", () => ({ key: "no.pem" }), "unreadable", /^--key: no\.pem .*ENOENT.* Expected the private key/],
    ["the key as the certificate", () => ({ cert: files.key }), "no certificate", /^--cert: .*key\.pem is not a certificate in PEM/],
    ["an empty certificate", () => ({ cert: file("empty.pem", "") }), "no certificate", /empty\.pem is not a certificate/],
    ["the certificate as the key", () => ({ key: files.cert }), "no key", /^--key: .*cert\.pem is not a private key in PEM/],
    [
      "a key with a passphrase",
      () => ({ key: file("locked.pem", otherKey().export(locked).toString()) }),
      "no key",
      /^--key: .*locked\.pem has a passphrase/,
    ],
    [
      "another certificate's key",
      () => ({ key: file("other.pem", otherKey().export({ type: "pkcs8", format: "pem" }).toString()) }),
      "mismatch",
      /^--key: .*other\.pem doesn't belong to the certificate in .*cert\.pem/,
    ],
  ])("refused, with the file and what was expected: %s", (_, other, kind, why) => {
    expect(readCertificate({ ...files, ...other() }, now)).toEqual({ ok: false, kind, why: expect.stringMatching(why) });
  });
});

test("a page is told that the bridge has ended, and of a certificate that it may not trust", async () => {
  const bridge = await openEncrypted();
  const address = `wss://127.0.0.1:${bridge.port}`;
  const distrusting = await openPage(bridge, hello, { address });
  const problem = "No bridge answers there, or this browser doesn't trust its certificate";
  while (!distrusting.news.some((one) => "problem" in one && one.problem === problem)) await soon();
  const page = await openPage(bridge, hello, { address, ca: tls.cert });
  await page.until("connected");
  const from = page.news.length;
  await bridge.close();
  expect(await page.until("connecting", from)).toMatchObject({ kind: "connecting" });
});
