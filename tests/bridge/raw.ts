import { connect } from "node:net";

export interface RawSocket {
  write(text: string | Uint8Array): void;
  /** Resolves with everything received when the other side has closed. */
  readonly closed: Promise<string>;
  /** Resolves with everything received as soon as it contains `wanted`. */
  until(wanted: string): Promise<string>;
  /** Stops reading. */
  pause(): void;
  resume(): void;
  /** Whether the connection has failed with an error. */
  isBroken(): boolean;
  leave(): void;
}

/** A connection on which the test chooses every byte. */
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
