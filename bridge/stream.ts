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
  readonly now: () => number;
  /** Calls back every so often; returns the way to stop. */
  readonly every: (ms: number, then: () => void) => () => void;
  /** Milliseconds for which a reader may take nothing of what it was sent. */
  readonly readTimeoutMs: number;
}

/** Milliseconds between two pings, and how many a reader that takes nothing may leave unanswered. A slow reader has much to read before it gets to one. */
const pings = { ms: 30_000, missed: 3 } as const;

/** What a reader has said that may wait to be posted. */
const maxQueued = 16;

/** Codes with which a stream ends that could not begin. */
const codes: Readonly<Record<number, number>> = { 401: 4401, 404: 4404, 410: 4410 };

/**
 * A stream of SSE as the messages of a WebSocket. It goes as fast as the socket takes it; a reader that takes nothing is cut off with 1013, and when the
 * page is lost the stream ends with 1012: connect again. What the reader says is posted to the path of its
 * stream, one after another once that has begun, and answered with what comes back, unless that is null; one that says too much at once is cut off with 1008.
 */
export function openStream(
  page: PageConnection,
  asked: BridgeRequest,
  socket: ReaderSocket,
  { now, every, readTimeoutMs }: StreamParts,
): void {
  let rest = "";
  let isOver = false;
  let refusedWith: number | null = null;
  let unsent = 0;
  let moved = now();
  const decoder = new TextDecoder();
  const stopWatch = every(Math.min(readTimeoutMs, 5_000), () => {
    if (unsent > 0 && now() - moved > readTimeoutMs) end(1013, "the reader was too slow");
  });
  let missed = 0;
  const stopPings = every(pings.ms, () => {
    if (missed >= pings.missed) return socket.terminate();
    missed += 1;
    socket.ping();
  });
  socket.on("pong", () => (missed = 0));

  function end(code: number, reason: string): void {
    if (isOver) return;
    isOver = true;
    stopWatch();
    stopPings();
    stop();
    stopPost();
    socket.close(code, reason);
    // A reader that takes nothing doesn't take this either.
    if (code === 1013) socket.terminate();
  }

  function send(text: string, sent: () => void): void {
    unsent += 1;
    socket.send(text, (error) => {
      unsent -= 1;
      moved = now();
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
    error: (message) => end(1011, message.slice(0, 100)),
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
    isOver = true;
    stopWatch();
    stopPings();
    stop();
    stopPost();
  });
}

/** The last message of a stream says with which code it ends. */
function closing(data: string): { readonly code: number; readonly reason: string } | null {
  if (!data.startsWith('{"type":"close"')) return null;
  const message: unknown = JSON.parse(data);
  if (typeof message !== "object" || message === null || !("code" in message) || typeof message.code !== "number") return null;
  return { code: message.code, reason: "reason" in message && typeof message.reason === "string" ? message.reason : "" };
}
