import { connect } from "node:net";

export interface RawSocket {
  write(text: string | Uint8Array): void;
  /** All that came, once the other side has closed. */
  readonly closed: Promise<string>;
  /** What came, as soon as it has this in it. */
  until(wanted: string): Promise<string>;
  /** Takes nothing from here on. */
  pause(): void;
  resume(): void;
  /** Whether the other side has refused what was written. */
  isBroken(): boolean;
  leave(): void;
}

/** A connection whose every byte the test chooses. */
export function openRaw(port: number, options: { readonly allowHalfOpen?: boolean } = {}): RawSocket {
  const socket = connect({ port, host: "127.0.0.1", ...options });
  let heard = "";
  let wake = () => {};
  const end = { isClosed: false, isBroken: false };
  socket.on("data", (bytes: Buffer) => {
    heard += bytes.toString("latin1");
    wake();
  });
  socket.on("error", () => (end.isBroken = true));
  const closed = new Promise<string>((resolve) =>
    socket.on("close", () => {
      end.isClosed = true;
      wake();
      resolve(heard);
    }),
  );
  return {
    write: (text) => void socket.write(text),
    closed,
    async until(wanted) {
      while (!heard.includes(wanted) && !end.isClosed) await new Promise<void>((resolve) => (wake = resolve));
      return heard;
    },
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    isBroken: () => end.isBroken,
    leave: () => socket.destroy(),
  };
}
