// oxlint-disable-next-line import/no-unassigned-import -- its effect is its purpose, and it comes before all other modules.
import "./harden.ts";
import type { ToShell } from "./protocol.ts";
import { realClock } from "./real-clock.ts";
import { serveShell } from "./serve.ts";

const early: ToShell[] = [];
let listener = (message: ToShell): void => void early.push(message);
addEventListener("message", (event: MessageEvent<ToShell>) => listener(event.data));

const served = serveShell(
  {
    post(message) {
      const transfer = message.type === "write" || message.type === "append" ? [message.bytes.buffer] : [];
      postMessage(message, transfer);
    },
    listen(next) {
      listener = next;
      for (const message of early.splice(0)) next(message);
    },
  },
  realClock,
);
// Thrown in a task of its own, it reaches the engine as the worker's error event.
served.catch((error: unknown) =>
  setTimeout(() => {
    throw error;
  }),
);
