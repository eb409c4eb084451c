/** The bridge between a program and a page: the time of a call, calls a second, and stream events a second. */
import { WebSocket } from "ws";
import { readConfig } from "../bridge/config.ts";
import { startBridge } from "../bridge/server.ts";
import { openBridgeConnection, type Socket } from "../src/engine/gateways/bridge-connection.ts";
import { importKey } from "../src/protocol/bridge/proof.ts";
import { goal, note } from "./report.ts";

const psk = "a-key-for-the-benchmark";
const calls = 2_000;
const events = 20_000;

const read = readConfig({ VIBECHECK_PSK: psk }, ["--port", "0", "--agent-port", "0"]);
if (!read.ok) throw new Error(read.why);
const bridge = await startBridge({ ...read.config, adapters: [], dist: null });
const address = `127.0.0.1:${bridge.port}`;

/** Answers each call at once, and streams as many events as the request asks for. */
function answer(request: Request): Response {
  if (!new URL(request.url).pathname.startsWith("/ws/")) return Response.json({ status: "queued" });
  let sent = 0;
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(to) {
        if (sent === events) return to.close();
        sent += 1;
        to.enqueue(
          new TextEncoder().encode(
            `data: {"type":"tool_stream","tool_call_id":"a","tool_name":"run_command","message":"line ${sent}"}\n\n`,
          ),
        );
      },
    },
    { highWaterMark: 4 },
  );
  return new Response(stream, { headers: { "content-type": "text/event-stream" } });
}

function connect(url: string): Socket {
  const socket = new WebSocket(url, { origin: "http://localhost:3001" });
  socket.binaryType = "arraybuffer";
  return {
    binaryType: "arraybuffer",
    send: (bytes) => socket.send(bytes),
    close: (code, reason) => socket.close(code, reason),
    addEventListener: (type: "message" | "close" | "error", listener: (event: never) => void) =>
      socket.addEventListener(type as "message", listener as never),
  };
}

const key = await importKey(psk);
const line = await new Promise<ReturnType<typeof openBridgeConnection>>((resolve) => {
  const opened = openBridgeConnection({
    address: `ws://${address}`,
    key,
    project: "",
    epoch: 1,
    handler: answer,
    connect,
    after: (then, ms) => {
      const timer = setTimeout(then, ms);
      return () => clearTimeout(timer);
    },
    now: () => Date.now(),
    told: ({ kind }) => kind === "connected" && resolve(opened),
  });
});

async function post(): Promise<number> {
  const start = performance.now();
  const response = await fetch(`http://${address}/api/sessions/x/message`, {
    method: "POST",
    headers: { "x-psk": psk },
    body: '{"text":"Go on"}',
  });
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`${response.status}`);
  return performance.now() - start;
}

for (let n = 0; n < 200; n += 1) await post();
const times: number[] = [];
for (let n = 0; n < calls; n += 1) times.push(await post());
times.sort((one, other) => one - other);
const at = (share: number) => times[Math.floor(times.length * share)] ?? 0;
goal("a POST through the bridge to the page and back, milliseconds, median", at(0.5), { atMost: 3 });
goal("the same, 99th of 100", at(0.99), { atMost: 20 });

const started = performance.now();
await Promise.all(
  Array.from({ length: 20 }, async () => {
    for (let n = 0; n < calls / 20; n += 1) await post();
  }),
);
note(`${Math.round((calls / (performance.now() - started)) * 1000)} POSTs in a second, 20 at a time`);

const opened = performance.now();
const followed = await new Promise<number>((resolve, reject) => {
  const reader = new WebSocket(`ws://${address}/ws/events/x?psk=${psk}`);
  let count = 0;
  reader.on("message", () => (count += 1));
  reader.on("close", () => resolve(count));
  reader.on("error", reject);
});
goal("events of a stream in a second", (followed / (performance.now() - opened)) * 1000, { atLeast: 1_000 });
goal("events that came, of each that was sent", followed / events, { atLeast: 1 });
line.close();
await bridge.close();
process.exit();
