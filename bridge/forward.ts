import type { IncomingMessage, ServerResponse } from "node:http";
import type { BridgeRequest, PageConnection } from "./connections.ts";
import { whenOver } from "./respond.ts";

/** Headers that are not forwarded: they concern only the connection to the bridge, only a browser may set them, or only the bridge may set them. */
const dropped =
  /^(?:host|x-psk|connection|content-length|transfer-encoding|upgrade|keep-alive|te|trailer|expect|cookie|origin|referer|accept-encoding|sec-.*|proxy-.*|x-vibey-.*)$/;

/** Headers of an answer that only the bridge may set. */
const ofAnswer = /^(?:connection|content-length|transfer-encoding|keep-alive|set-cookie)$/;

export function headersOf(request: IncomingMessage, more: readonly (readonly [string, string])[] = []): [string, string][] {
  const own = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
    dropped.test(name) || value === undefined ? [] : [[name, typeof value === "string" ? value : value.join(", ")]],
  );
  return [...own, ...more.map(([name, value]): [string, string] => [name, value])];
}

/**
 * Forwards a request once, and the answer back as fast as it is read. If the connection to the page breaks, the answer is 502, because the
 * request may have been done. `readTimeoutMs`: how long the reader may read nothing.
 */
export function forward(
  page: PageConnection,
  asked: BridgeRequest,
  response: ServerResponse,
  fail: (status: number, why: string) => void,
  readTimeoutMs: number,
): void {
  let isOver = false;
  let drain: (() => void) | null = null;
  const end = () => {
    isOver = true;
  };
  response.on("drain", () => {
    response.setTimeout(0);
    drain?.();
    drain = null;
  });
  // The socket's timer restarts whenever the reader takes anything, even a part of a long piece.
  response.on("timeout", () => drain !== null && response.destroy());
  const stop = page.call(asked, {
    head(status, headers) {
      // The page only sends final answers, so an informational status is an error.
      if (status < 200) throw new RangeError(`Expected a status from 200 on, not ${status}`);
      response.writeHead(
        status,
        headers.filter(([name]) => !ofAnswer.test(name.toLowerCase())).flatMap(([name, value]) => [name, value]),
      );
      // A reader of a stream learns at once that it has begun.
      response.flushHeaders();
    },
    chunk(bytes, taken) {
      if (response.write(bytes)) taken();
      else {
        // A reader that doesn't read the answer is disconnected after a while.
        if (drain === null) response.setTimeout(readTimeoutMs);
        const earlier = drain;
        drain = () => {
          earlier?.();
          taken();
        };
      }
    },
    end() {
      end();
      response.end();
    },
    error(message) {
      end();
      if (response.headersSent) response.destroy();
      else fail(500, message);
    },
    lost() {
      end();
      if (response.headersSent) response.destroy();
      else fail(502, "The page was lost while it worked on this: no one knows whether it was done. Look before you send it again.");
    },
  });
  whenOver(response, () => {
    if (!isOver) stop();
  });
}
