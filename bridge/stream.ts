import type { BridgeRequest, PageConnection } from "./connections.ts";

/** The part of a WebSocket that a stream uses. */
export interface ReaderSocket {
  readonly readyState: number;
  send(text: string, sent: (error?: Error) => void): void;
  ping(): void;
  close(code: number, reason: string): void;
  terminate(): void;
  on(event: "message", listener: (data: unknown, isBinary: boolean) => void): unknown;
  on(event: "close" | "error" | "pong", listener: () => void): unknown;
}

export interface StreamParts {
  /** Calls back every `ms`. Returns a function that stops it. */
  readonly every: (ms: number, then: () => unknown) => () => void;
  /** Calls back when nothing has gone over the connection for the longest time that a reader may read nothing. */
  readonly stalls: (then: () => unknown) => void;
  /** Called once, when the stream has ended or its reader is gone. */
  readonly ended: () => void;
}

/** Milliseconds between pings, and how many may stay unanswered while the reader reads nothing. A slow reader gets to a ping late. */
const pings = { ms: 30_000, missed: 3 } as const;

/** Milliseconds in which a reader that has read everything must confirm the end. */
const closeMs = 2_000;

/** The most messages of a reader that may wait to be posted. */
const maxQueued = 16;

/** Close codes for streams that couldn't begin, by HTTP status. */
const codes: Readonly<Record<number, number>> = { 401: 4401, 404: 4404, 410: 4410 };

/**
 * Sends an SSE stream as messages of a WebSocket, as fast as the socket accepts them. A reader that reads nothing is cut off with 1013. If
 * the page is lost, the stream ends with 1012, and the reader should reconnect. Messages of the reader are posted to the stream's path, one
 * after another, once the stream has begun. Answers are sent back, unless they are null. A reader that sends too much at once is cut off with
 * 1008. Messages to paths that begin with `/ws/` are ignored.
 */
export function openStream(page: PageConnection, asked: BridgeRequest, socket: ReaderSocket, { every, stalls, ended }: StreamParts): void {
  let rest = "";
  let isOver = false;
  let refusedWith: number | null = null;
  let unsent = 0;
  const decoder = new TextDecoder();
  stalls(() => unsent > 0 && end(1013, "the reader was too slow"));
  let missed = 0;
  const stopPings = every(pings.ms, () => {
    if (missed >= pings.missed) return socket.terminate();
    missed += 1;
    socket.ping();
  });
  socket.on("pong", () => (missed = 0));

  let stopClose: () => void = () => undefined;
  function finish(): void {
    isOver = true;
    stopPings();
    stop();
    stopPost();
    ended();
  }

  function end(code: number, reason: string): void {
    if (isOver) return;
    finish();
    socket.close(isCode(code) ? code : 1011, short(reason));
    // A reader that reads nothing doesn't read the close either.
    if (code === 1013) socket.terminate();
    else stopClose = every(closeMs, () => unsent === 0 && socket.terminate());
  }

  function send(text: string, sent: () => void): void {
    unsent += 1;
    socket.send(text, (error) => {
      unsent -= 1;
      missed = 0;
      if (!error) sent();
    });
  }

  function take(bytes: Uint8Array, taken: () => void): void {
    rest += decoder.decode(bytes, { stream: true });
    const blocks = rest.split("\n\n");
    rest = blocks.pop() ?? "";
    let left = 1;
    const passed = () => {
      left -= 1;
      if (left === 0) taken();
    };
    for (const block of blocks) {
      const data = block
        .split("\n")
        .filter((each) => each.startsWith("data: "))
        .map((each) => each.slice("data: ".length))
        .join("\n");
      if (data === "" || isOver) continue;
      const close = closing(data);
      if (close) {
        end(close.code, close.reason);
        break;
      }
      left += 1;
      send(data, passed);
    }
    passed();
  }

  const said: string[] = [];
  let mayPost = false;
  let stopPost: () => void = () => undefined;
  function post(): void {
    const text = mayPost && !isOver ? said.shift() : undefined;
    if (text === undefined) return;
    mayPost = false;
    const next = () => {
      mayPost = true;
      post();
    };
    let reply = "";
    const decoded = new TextDecoder();
    stopPost = page.call(
      { method: "POST", path: asked.path, headers: asked.headers, body: new TextEncoder().encode(text) },
      {
        head: () => undefined,
        chunk(bytes, taken) {
          reply += decoded.decode(bytes, { stream: true });
          taken();
        },
        end: () => (isOver || reply === "" || reply === "null" ? next() : send(reply, next)),
        error: next,
        lost: () => undefined,
      },
    );
  }

  const stop = page.call(asked, {
    head(status) {
      if (status !== 200) return void (refusedWith = status);
      mayPost = true;
      post();
    },
    chunk(bytes, taken) {
      if (refusedWith === null) take(bytes, taken);
      else taken();
    },
    end() {
      if (refusedWith === null) end(1000, "the stream has ended");
      else end(codes[refusedWith] ?? 1011, refusedWith === 404 ? "there is no such session" : `refused (${refusedWith})`);
    },
    error: (message) => end(1011, message),
    lost: () => end(1012, "the page was lost; connect again"),
  });
  socket.on("message", (data, isBinary) => {
    if (isBinary || isOver || asked.path.startsWith("/ws/")) return;
    if (said.length >= maxQueued) return end(1008, "too much was said at once");
    said.push(String(data));
    post();
  });
  socket.on("error", () => socket.terminate());
  socket.on("close", () => {
    stopClose();
    if (!isOver) finish();
  });
}

/** Whether a WebSocket may send this close code. */
const isCode = (code: number): boolean =>
  Number.isInteger(code) && ((code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1014) || (code >= 3000 && code <= 4999));

/** Cuts a reason, because it may have at most 123 bytes. */
const short = (reason: string): string => Buffer.from(reason).subarray(0, 120).toString();

/** The code and reason in a stream's last message. Null: another message. */
function closing(data: string): { readonly code: number; readonly reason: string } | null {
  if (!data.startsWith('{"type":"close"')) return null;
  const message: unknown = JSON.parse(data);
  if (typeof message !== "object" || message === null || !("code" in message) || typeof message.code !== "number") return null;
  return { code: message.code, reason: "reason" in message && typeof message.reason === "string" ? message.reason : "" };
}
