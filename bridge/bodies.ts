import type { IncomingMessage, ServerResponse } from "node:http";
import { whenOver } from "./respond.ts";

/** Bytes of a request's body: usually, and of a recording. */
export const bodyLimits = { usual: 1_000_000, recording: 25_000_000 } as const;

export interface BodyBounds {
  /** Bytes of all bodies that were read and whose calls are under way. */
  readonly bytes: number;
  /** Bodies that are read at one time. */
  readonly atOnce: number;
  /** Milliseconds in which a body has to come. */
  readonly ms: number;
}

/** `long`: more bytes than it may have. `full`: there is no room now. `slow`: it took too long, or others came while it did not. */
export type BodyRead = Uint8Array | "long" | "full" | "slow";

/** The bodies of requests at one port, which take only so much room together. */
export interface Bodies {
  /** Bytes. */
  readonly room: number;
  /** Rejects when the caller hangs up, or has. */
  read(request: IncomingMessage, response: ServerResponse, most: number): Promise<BodyRead>;
}

export function createBodies({ bytes: room, atOnce, ms }: BodyBounds): Bodies {
  let taken = 0;
  /** Oldest first. */
  const reading = new Set<(result: BodyRead) => void>();
  return {
    room,
    read: (request, response, most) =>
      new Promise((resolve, reject) => {
        if (response.closed) return reject(new Error("the caller hung up"));
        // Who asked first sends it only now.
        if (request.headers.expect !== undefined && request.httpVersionMinor > 0) response.writeContinue();
        const pieces: Buffer[] = [];
        let length = 0;
        const timer = setTimeout(() => done("slow"), ms).unref();
        const stop = () => {
          clearTimeout(timer);
          reading.delete(done);
          request.off("data", take).off("end", end).off("error", hangUp);
        };
        const done = (result: BodyRead) => {
          stop();
          // They are joined or dropped: kept until the call ends, they would take their room a second time.
          pieces.length = 0;
          resolve(result);
        };
        const take = (piece: Buffer) => {
          length += piece.length;
          taken += piece.length;
          if (length > most) done("long");
          else if (taken > room) done("full");
          else pieces.push(piece);
        };
        const end = () => done(Buffer.concat(pieces));
        const hangUp = () => {
          stop();
          reject(new Error("the caller hung up"));
        };
        // A line to the page may hold it as long as the call is under way.
        whenOver(response, () => {
          taken -= length;
          hangUp();
        });
        reading.add(done);
        const [oldest] = reading;
        if (reading.size > atOnce) oldest?.("slow");
        request.on("data", take).on("end", end).on("error", hangUp);
      }),
  };
}
