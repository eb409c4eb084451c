import type { LiveOutput } from "../sandbox.ts";
import type { Clock } from "./clock.ts";

/**
 * Sends a command's output in messages of reasonable size and number, in order, the first ones at once. If there is too much, the oldest waiting
 * output is dropped, and a line says how much.
 */
export interface LiveSender {
  send(output: LiveOutput): void;
  /** Sends the waiting output now. */
  flush(): void;
}

/** Messages per second, which may also come all at once. */
const rate = 20;
/** The maximum of waiting output in UTF-16 units and in pieces, and the lower limit that applies after a lot was sent. */
const most = 65_536;
const mostPieces = 100;
const mostLater = 8_192;
/** The cost of each message after that, relative to `rate`. */
const costLater = 5;

/** `total`: after this many UTF-16 units, output is sent less and less often. */
export function createLiveSender(post: (output: LiveOutput) => void, clock: Clock, total: number): LiveSender {
  let waiting: LiveOutput[] = [];
  let progress: LiveOutput | null = null;
  /** In UTF-16 units: the waiting output, the dropped output, the sent output. */
  let size = 0;
  let left = 0;
  let sent = 0;
  let allowance = rate;
  let countedAt = clock.now();
  let isPlanned = false;

  function takeTurn(): boolean {
    const now = clock.now();
    allowance = Math.min(rate, allowance + ((now - countedAt) * rate) / 1000);
    countedAt = now;
    return allowance >= 1;
  }

  function flush(): void {
    const cost = sent > total ? costLater : 1;
    const outputs = waiting;
    if (left > 0 && outputs[0])
      outputs[0] = { stream: outputs[0].stream, text: `\n[… ${left} characters are not shown here …]\n${outputs[0].text}` };
    waiting = [];
    sent += size;
    size = 0;
    left = 0;
    for (const output of outputs) {
      allowance -= cost;
      post(output);
    }
    if (progress !== null) {
      allowance -= 1;
      post(progress);
      progress = null;
    }
  }

  async function plan(): Promise<void> {
    if (isPlanned) return;
    isPlanned = true;
    await clock.sleep(Math.max(1000 / rate, ((1 - allowance) * 1000) / rate), new AbortController().signal);
    isPlanned = false;
    if (waiting.length === 0 && progress === null) return;
    if (takeTurn()) flush();
    else void plan();
  }

  /** Drops the oldest output. */
  function shrink(limit: number): void {
    while (size > limit || waiting.length > mostPieces) {
      const [first] = waiting;
      if (first === undefined) return;
      const cut = size > limit ? Math.min(first.text.length, size - limit) : first.text.length;
      left += cut;
      size -= cut;
      if (cut === first.text.length) waiting.shift();
      else waiting[0] = { stream: first.stream, text: first.text.slice(cut) };
    }
  }

  return {
    send(output) {
      if (output.stream === "progress") progress = output;
      else if (output.text !== "") {
        const last = waiting.at(-1);
        if (last?.stream === output.stream) waiting[waiting.length - 1] = { stream: last.stream, text: last.text + output.text };
        else waiting.push(output);
        size += output.text.length;
        shrink(sent > total ? mostLater : most);
      } else return;
      if (takeTurn()) flush();
      else void plan();
    },
    flush,
  };
}
