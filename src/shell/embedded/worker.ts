// oxlint-disable-next-line import/no-unassigned-import -- its effect is its purpose, and it comes before all other modules.
import "./harden.ts";
import type { Asked } from "./parts/part.ts";
import type { ToShell } from "./protocol.ts";
import { realClock } from "./clock.ts";
import { serveShell } from "./serve.ts";
import { readParts } from "./parts/read.ts";
import { readSimple } from "./parts/simple.ts";

const early: ToShell[] = [];
let listener = (message: ToShell): void => void early.push(message);
addEventListener("message", ({ data }: MessageEvent<ToShell | Asked>) => {
  if (data.type === "parts" || data.type === "simple") void answer(data);
  else listener(data);
});

/** The page and the engine each start a separate worker for this, which has no files and runs nothing. */
async function answer({ type, id, command }: Asked): Promise<void> {
  postMessage({ id, answer: await (type === "parts" ? readParts(command) : readSimple(command)) });
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
// Thrown in a separate task, so that it reaches the engine as the worker's error event.
served.catch((error: unknown) =>
  setTimeout(() => {
    throw error;
  }),
);
