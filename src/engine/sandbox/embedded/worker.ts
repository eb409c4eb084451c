// oxlint-disable-next-line import/no-unassigned-import -- its effect is its purpose, and it comes before all other modules.
import "./harden.ts";
import type { PartsDone, PartsOrder } from "./parts/part.ts";
import type { ToShell } from "./protocol.ts";
import { realClock } from "./real-clock.ts";
import { serveShell } from "./serve.ts";
import { readParts } from "./parts/read.ts";

const early: ToShell[] = [];
let listener = (message: ToShell): void => void early.push(message);
addEventListener("message", ({ data }: MessageEvent<ToShell | PartsOrder>) => {
  if (data.type === "parts") void answerParts(data);
  else listener(data);
});

/** The page starts a separate worker for this, which has no files and runs nothing. */
async function answerParts({ id, command }: PartsOrder): Promise<void> {
  const done: PartsDone = { type: "parts", id, parts: await readParts(command) };
  postMessage(done);
}

const served = serveShell(
  {
    post(message) {
      const transfer =
        message.type === "write" || message.type === "append" || message.type === "prepared" ? [message.bytes?.buffer ?? []].flat() : [];
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
