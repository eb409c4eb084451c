import { WebSocket } from "ws";
import type { SessionFrame, SessionMessage } from "../../src/protocol/index.ts";

/** A program that follows a session, and reconnects from the last event that it received. */
export interface Follower {
  frames(): readonly SessionFrame[];
  /** Resolves when the event with this id has arrived. */
  until(id: string): Promise<void>;
  leave(): void;
}

export function follow(address: string): Follower {
  const frames: SessionFrame[] = [];
  let hasLeft = false;
  let socket: WebSocket | null = null;
  let wake = () => {};
  function connect(): void {
    if (hasLeft) return;
    const since = frames.at(-1)?.id;
    const opened = new WebSocket(since === undefined ? address : `${address}&since=${since}`);
    socket = opened;
    opened.on("message", (data: Buffer) => {
      const message = JSON.parse(data.toString()) as SessionMessage;
      if (!("id" in message)) return;
      frames.push(message);
      wake();
    });
    opened.on("error", () => undefined);
    opened.on("close", () => void setTimeout(connect, 10));
  }
  connect();
  return {
    frames: () => frames,
    async until(id) {
      while (!frames.some((frame) => frame.id === id)) await new Promise<void>((resolve) => (wake = resolve));
    },
    leave() {
      hasLeft = true;
      socket?.terminate();
    },
  };
}
