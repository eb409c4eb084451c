import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import type { Page } from "playwright";

/**
 * A mid-range phone on a poor network: "slow 4G" as in Chromium's developer tools, and a quarter of the processor. The network link is slow,
 * not the browser: Chromium's own throttling leaves out the requests of workers.
 */
const roundTripMs = 150;
/** Bytes per millisecond, for all connections together. */
const [down, up] = [1_600 / 8, 750 / 8];
const processor = 4;

/** Slows down the page's main thread from now on. Chromium doesn't slow down workers. */
export async function slowProcessor(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: processor });
}

export interface SlowLink {
  readonly port: number;
  close(): void;
}

/** A slow link to a port on this machine. Opening a connection costs no time, as if it were already open. */
export async function slowLink(to: number): Promise<SlowLink> {
  const [downwards, upwards] = [new Lane(down), new Lane(up)];
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(to, "localhost");
    upwards.carry(near, far);
    downwards.carry(far, near);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.setNoDelay(true);
      open.add(one);
      // A side that disconnects in the middle of an answer closes both sides.
      one.on("error", () => other.destroy());
      one.on("close", () => {
        open.delete(one);
        if (!one.readableEnded) other.destroy();
      });
    }
  });
  await new Promise<void>((done) => server.listen(0, "localhost", done));
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}

const packet = 1_460;

/** One direction. Connections take turns, one packet each. */
class Lane {
  readonly #bytesPerMs: number;
  #waiting: { readonly parts: (Buffer | null)[]; readonly target: Socket }[] = [];
  readonly #flying: (() => void)[] = [];
  #freeAt = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(bytesPerMs: number) {
    this.#bytesPerMs = bytesPerMs;
  }

  carry(from: Socket, target: Socket): void {
    const own = { parts: [] as (Buffer | null)[], target };
    const add = (...parts: (Buffer | null)[]) => {
      if (own.parts.length === 0) this.#waiting.push(own);
      own.parts.push(...parts);
      this.#go();
    };
    from.on("data", (data: Buffer) => {
      for (let at = 0; at < data.length; at += packet) add(data.subarray(at, at + packet));
    });
    from.on("end", () => add(null));
  }

  #go(): void {
    if (this.#timer !== undefined) return;
    const now = performance.now();
    this.#freeAt = Math.max(this.#freeAt, now);
    for (let next = this.#waiting[0]; next !== undefined && this.#freeAt - now < 1; next = this.#waiting[0]) {
      const { target, parts } = next;
      const part = parts.shift() ?? null;
      this.#waiting.shift();
      if (parts.length > 0) this.#waiting.push(next);
      this.#freeAt += (part?.length ?? 0) / this.#bytesPerMs;
      this.#flying.push(() => void (part === null ? target.end() : target.write(part)));
      // Timers for nearly the same time may fire in a different order, so take the packets from a queue.
      setTimeout(() => this.#flying.shift()?.(), this.#freeAt - now + roundTripMs / 2);
    }
    if (this.#waiting.length === 0) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#go();
    }, this.#freeAt - now);
  }
}
