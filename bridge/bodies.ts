import type { IncomingMessage, ServerResponse } from "node:http";
import { whenOver } from "./respond.ts";

/** The most bytes of a request's body, and of a recording. */
export const bodyLimits = { usual: 1_000_000, recording: 25_000_000 } as const;

export interface BodyBounds {
  /** The most bytes of all bodies together, until their calls end. */
  readonly bytes: number;
  /** The most bodies that are read at the same time. */
  readonly atOnce: number;
  /** Milliseconds in which a body must arrive. */
  readonly ms: number;
}

/** `long`: the body has too many bytes. `full`: all bodies together have too many. `slow`: it took too long, or newer bodies displaced it. */
export type BodyRead = Uint8Array | "long" | "full" | "slow";

/** Reads the bodies of requests on one port, with a limit for all of them together. */
export interface Bodies {
  /** The most bytes of all bodies together. */
  readonly room: number;
  /** `most`: the most bytes of this body. Rejects if the caller hangs up or has already done so. */
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
        // A client that sent `Expect: 100-continue` only sends the body now.
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
          // The pieces are joined or dropped. If they were kept until the call ends, they would use memory a second time.
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
        // The bytes count until the call ends, because the connection to the page may hold them until then.
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
