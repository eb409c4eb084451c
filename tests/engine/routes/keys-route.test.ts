import { expect, test } from "vitest";
import { liveEventsIn } from "../../live-event.ts";
import type { KeysAnswer, LiveEvent, ProviderAnswer } from "../../../src/protocol/index.ts";
import { bench, type Bench } from "../harness.ts";

const key = "sk-route-CANARY-42";
const passphrase = "river lamp copper eleven";
const secret = Buffer.alloc(32, 7).toString("base64url");
const passkey = { secret, id: "AQID", input: Buffer.alloc(32, 9).toString("base64url") };

async function withKey(): Promise<Bench> {
  const made = await bench();
  expect((await made.ask("PUT", "/provider/claude", { apiKey: key })).status).toBe(200);
  return made;
}
const answer = async <T>(response: Response | Promise<Response>): Promise<T> => (await (await response).json()) as T;

test("remember, lock, unlock, change, forget: each answers with what holds now, and the provider says the same", async () => {
  const made = await withKey();
  const states: unknown[] = [];
  for (const [method, path, body] of [
    ["GET", "/keys"],
    ["POST", "/keys/remember", { provider: "claude", passphrase }],
    ["POST", "/keys/lock", {}],
    ["POST", "/keys/unlock", { passphrase }],
    ["POST", "/keys/change", { passphrase, to: { passkey } }],
    ["POST", "/keys/lock"],
    ["POST", "/keys/unlock", { passkey: { secret } }],
    ["DELETE", "/keys/claude"],
  ] as const) {
    const response = await made.ask(method, path, body);
    expect(response.status, path).toBe(200);
    const { state } = await answer<KeysAnswer>(response);
    states.push([state, (await answer<ProviderAnswer>(made.ask("GET", "/provider/claude"))).key]);
  }
  expect(states).toEqual([
    ["none", "session"],
    ["unlocked", "unlocked"],
    ["locked", "locked"],
    ["unlocked", "unlocked"],
    ["unlocked", "unlocked"],
    ["locked", "locked"],
    ["unlocked", "unlocked"],
    ["none", "none"],
  ]);
  expect(made.reported).toEqual([]);
});

test("saved by the device without a secret, and protected by a passphrase later", async () => {
  const made = await withKey();
  const saved = await answer<KeysAnswer>(made.ask("POST", "/keys/remember", { provider: "claude", device: true }));
  expect(saved).toMatchObject({ state: "unlocked", device: true });
  expect(await answer<KeysAnswer>(made.ask("POST", "/keys/lock", {}))).toMatchObject({ state: "unlocked" });
  const changed = await answer<KeysAnswer>(made.ask("POST", "/keys/change", { device: true, to: { passphrase } }));
  expect(changed).toMatchObject({ state: "unlocked", device: false, passphrase: true });
  expect(await answer<KeysAnswer>(made.ask("POST", "/keys/lock", {}))).toMatchObject({ state: "locked" });
  expect((await made.ask("POST", "/keys/unlock", { device: true })).status).toBe(403);
});

test("a new key replaces the remembered one, an empty one forgets it, another address has none", async () => {
  const made = await withKey();
  await made.ask("POST", "/keys/remember", { provider: "claude", passphrase });
  const put = (body: unknown) => answer<ProviderAnswer>(made.ask("PUT", "/provider/claude", body));
  expect(await put({ apiKey: "sk-another" })).toMatchObject({ configured: true, key: "unlocked" });
  expect(await put({ baseURL: "https://elsewhere.example" })).toMatchObject({
    configured: false,
    key: "none",
    remembered: ["https://api.example"],
  });
  expect(await put({ baseURL: "https://api.example" })).toMatchObject({ configured: true, key: "unlocked" });
  expect(await put({ apiKey: "" })).toMatchObject({ configured: false, key: "none", remembered: [] });
});

test.each<[string, string, unknown, number, string]>([
  ["POST", "/keys/remember", { provider: "claude" }, 409, "Choose a passphrase or a passkey"],
  ["POST", "/keys/remember", { provider: "claude", passphrase: "short" }, 400, "passphrase: use at least 12 characters"],
  ["POST", "/keys/remember", { provider: "claude", passphrase: 7 }, 400, "passphrase: expected text"],
  ["POST", "/keys/remember", { passphrase }, 400, "provider: expected"],
  ["POST", "/keys/remember", { provider: "nobody", passphrase }, 404, "Provider not found"],
  ["POST", "/keys/remember", { provider: "claude", passkey: { secret } }, 400, "passkey: expected its id and its input too"],
  [
    "POST",
    "/keys/remember",
    { provider: "claude", passkey: { ...passkey, secret: "!" } },
    400,
    "passkey.secret: expected 32 bytes in base64url",
  ],
  [
    "POST",
    "/keys/remember",
    { provider: "claude", passkey: { ...passkey, id: "" } },
    400,
    "passkey.id: expected 1 to 1023 bytes in base64url",
  ],
  [
    "POST",
    "/keys/remember",
    { provider: "claude", passphrase, passkey },
    400,
    "passphrase: expected a passphrase, a passkey or device: true, one of the three",
  ],
  ["POST", "/keys/unlock", {}, 400, "passphrase: expected a passphrase, a passkey or device: true, one of the three"],
  ["POST", "/keys/unlock", { device: true, passphrase }, 400, "one of the three"],
  ["POST", "/keys/unlock", { device: "yes" }, 400, "device: expected true"],
  ["POST", "/keys/unlock", { passphrase: "x".repeat(1_001) }, 400, "passphrase: expected at most 1000 characters"],
  ["POST", "/keys/unlock", { passphrase }, 409, "No keys are saved on this device."],
  ["POST", "/keys/unlock", "no JSON", 400, "body: expected JSON"],
  ["POST", "/keys/change", { passphrase, to: { passphrase: "short" } }, 400, "to.passphrase: use at least 12 characters"],
  ["POST", "/keys/change", { passphrase }, 400, "to: expected"],
  ["DELETE", "/keys/nobody", undefined, 404, "Provider not found"],
  ["PUT", "/keys/lock", {}, 405, "Method PUT not allowed"],
  ["GET", "/keys/nothing/here", undefined, 404, "Not found"],
])("%s %s %j answers %i and says why", async (method, path, body, status, error) => {
  const made = await withKey();
  const response = await made.ask(method, path, body);
  const said = await answer<{ error: string }>(response);
  expect([response.status, said.error]).toEqual([status, expect.stringContaining(error)]);
  expect(made.reported).toEqual([]);
});

test("no answer and no event ever holds a key or a secret, whatever was asked", async () => {
  const made = await withKey();
  const events = await made.engine.fetch(new Request("http://engine/events"));
  const texts: string[] = [];
  for (const [method, path, body] of [
    ["POST", "/keys/remember", { provider: "claude", passphrase }],
    ["POST", "/keys/unlock", { passphrase: `${passphrase}!` }],
    ["POST", "/keys/change", { passphrase: `${passphrase}!`, to: { passphrase: `${passphrase} too` } }],
    ["POST", "/keys/change", { passphrase, to: { passkey } }],
    ["POST", "/keys/unlock", { passkey: { secret, id: key } }],
    ["POST", "/keys/unlock", `{"passphrase": "${passphrase}`],
    ["POST", "/keys/remember", { provider: key, passphrase }],
    ["POST", "/keys/lock", {}],
    ["GET", "/keys"],
    ["GET", "/provider/claude"],
    ["DELETE", "/keys"],
  ] as const)
    texts.push(await (await made.ask(method, path, body)).text());
  const reader = events.body?.getReader();
  const heard: LiveEvent[] = [];
  while (heard.filter(({ type }) => type === "keys").length < 3) {
    const text = new TextDecoder().decode((await reader?.read())?.value);
    texts.push(text);
    heard.push(...liveEventsIn(text));
  }
  await reader?.cancel();
  const all = texts.join("\n");
  for (const [what, canary] of Object.entries({ key, passphrase, secret })) expect(all.includes(canary), what).toBe(false);
});
