import "./harden.ts";
import type { ToShell } from "./protocol.ts";
import { serveShell } from "./serve.ts";

const scope = globalThis as unknown as DedicatedWorkerGlobalScope;

serveShell(
  {
    post: (message) => {
      const bytes = message.type === "write" || message.type === "append" ? [message.bytes.buffer] : [];
      scope.postMessage(message, bytes);
    },
    listen: (listener) => {
      scope.onmessage = (event: MessageEvent<ToShell>) => listener(event.data);
    },
  },
  () => performance.now(),
);
