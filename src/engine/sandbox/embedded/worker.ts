import "./harden.ts";
import type { ToShell } from "./protocol.ts";
import { serveShell } from "./serve.ts";
import { realClock } from "./real-clock.ts";

const scope = globalThis as unknown as DedicatedWorkerGlobalScope;

const early: MessageEvent<ToShell>[] = [];
scope.onmessage = (event: MessageEvent<ToShell>) => void early.push(event);

await serveShell(
  {
    post(message) {
      const transfer = message.type === "write" || message.type === "append" ? [message.bytes.buffer] : [];
      scope.postMessage(message, transfer);
    },
    listen(listener) {
      scope.onmessage = (event: MessageEvent<ToShell>) => listener(event.data);
      for (const event of early.splice(0)) listener(event.data);
    },
  },
  realClock,
);
