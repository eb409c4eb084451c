// npm run smoke [-- address]: sends a running bridge requests that any program may send. VIBECHECK_PSK is the key; without it, only requests
// that need no key are sent. Starts, approves and changes nothing. Exits with 1 if an answer doesn't match the contract.
import { get } from "node:http";
import { get as getSecure } from "node:https";

const [address = "http://localhost:7870"] = process.argv.slice(2);
const psk = process.env.VIBECHECK_PSK ?? "";
let failed = 0;

/** @param {string} what @param {boolean} good @param {string} found */
function report(what, good, found) {
  if (!good) failed += 1;
  console.log(`${good ? "ok  " : "FAIL"}  ${what}${good ? "" : `: ${found}`}`);
}

/** @param {string} path @param {Record<string, string>} [headers] @param {string} [method] */
async function ask(path, headers = {}, method = "GET") {
  const response = await fetch(new URL(path, address), { method, headers });
  return { status: response.status, text: await response.text() };
}

/** The status of the answer to a WebSocket request; 101 if the socket opened. @param {string} path @returns {Promise<number>} */
function connect(path) {
  const url = new URL(path, address);
  const headers = {
    connection: "Upgrade",
    upgrade: "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
  };
  return new Promise((resolve, reject) => {
    const request = (url.protocol === "https:" ? getSecure : get)(url, { headers });
    request.on("response", (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    request.on("upgrade", (_response, socket) => {
      socket.destroy();
      resolve(101);
    });
    request.on("error", reject);
  });
}

/** A field of a JSON object, or undefined. @param {unknown} value @param {string} name @returns {unknown} */
const field = (value, name) => (typeof value === "object" && value !== null && name in value ? Reflect.get(value, name) : undefined);

/** @param {string} text @returns {unknown} */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

try {
  const health = await ask("/api/health");
  report("GET /api/health", health.status === 200 && health.text === '{"status":"ok"}', `${health.status} ${health.text}`);
} catch (error) {
  const { message, cause } = error instanceof Error ? error : { message: String(error), cause: null };
  console.error(`No bridge answers at ${address}: ${cause instanceof Error && cause.message !== "" ? cause.message : message}`);
  process.exit(1);
}
const without = await ask("/api/state");
report(
  "GET /api/state without the key",
  without.status === 401 && without.text === '{"detail":"Unauthorized"}',
  `${without.status} ${without.text}`,
);

const closed = await connect("/ws/events/none");
report("WS /ws/events/<none> without the key, before the upgrade", closed === 401, `${closed}`);

if (psk === "") console.log("VIBECHECK_PSK is not set: nothing else is asked.");
else {
  const headers = { "X-PSK": psk };
  const state = await ask("/api/state", headers);
  if (state.status === 503) {
    report("a page is connected", false, state.text);
  } else {
    const counts = parse(state.text);
    const isWhole = ["total", "running", "waiting", "idle"].every((name) => Number.isSafeInteger(field(counts, name)));
    report("GET /api/state", state.status === 200 && isWhole, `${state.status} ${state.text}`);
    const byQuery = await ask(`/api/state?psk=${encodeURIComponent(psk)}`);
    report("GET /api/state?psk=", byQuery.status === 200, `${byQuery.status}`);
    const sessions = await ask("/api/sessions", headers);
    const list = parse(sessions.text);
    report("GET /api/sessions", sessions.status === 200 && Array.isArray(list), `${sessions.status} ${sessions.text.slice(0, 200)}`);
    const missing = await ask("/api/sessions/none", headers);
    report(
      "GET /api/sessions/<none>",
      missing.status === 404 && missing.text.startsWith('{"detail":'),
      `${missing.status} ${missing.text}`,
    );
    const push = await ask("/api/push/subscribe", headers, "POST");
    report("POST /api/push/subscribe: there is no push", push.status === 501, `${push.status} ${push.text}`);
    const first = Array.isArray(list) ? field(list[0], "session_id") : undefined;
    if (typeof first === "string") {
      const detail = await ask(`/api/sessions/${first}`, headers);
      const backlog = field(parse(detail.text), "backlog");
      const isGood = detail.status === 200 && Array.isArray(backlog) && backlog.length <= 500;
      report("GET /api/sessions/<first>, with at most 500 events", isGood, `${detail.status} ${detail.text.slice(0, 200)}`);
      const open = await connect(`/ws/events/${first}?psk=${encodeURIComponent(psk)}`);
      report("WS /ws/events/<first>", open === 101, `${open}`);
    }
  }
}
process.exit(failed === 0 ? 0 : 1);
