import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createSecureServer, type ServerHttp2Session, type ServerHttp2Stream } from "node:http2";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { latin, markdown as markdownText, random, text, wide } from "./corpus.ts";

export interface TokenServer {
  readonly url: string;
  /** Starts all waiting streams together. Each then continues at its own pace. */
  begin(): void;
  /** When each token of a stream was sent (milliseconds, `performance.now()`), by the last text of its prompt. */
  times(): ReadonlyMap<string, readonly number[]>;
  /** The number of streams that wait or run. */
  readonly open: number;
  close(): Promise<void>;
}

export interface TokenOptions {
  readonly tokensPerSecond: number;
  readonly seconds: number;
  /** Tokens are `n0`, `n1` …, which shows which are missing. */
  readonly numbered?: true;
  /** Tokens form paragraphs, lists, code and tables. By default they are the words of one endless paragraph. */
  readonly markdown?: true;
}

/**
 * A provider that streams: the Messages API over HTTP/2, because HTTP/1 allows only six connections per host. `/blank` is an empty page
 * of the same origin, for the bare reader.
 */
export async function startTokens({ tokensPerSecond, seconds, numbered, markdown }: TokenOptions): Promise<TokenServer> {
  // Without this setting a browser opens at most a hundred streams.
  const server = createSecureServer({ ...certificate(), settings: { maxConcurrentStreams: 1_000 } });
  const words = markdown
    ? markdownWords()
    : text(40_000, random(7), latin + wide)
        .split(" ")
        .map((word) => `${word} `);
  const waiting: (() => void)[] = [];
  const sentAt = new Map<string, number[]>();
  let begun = false;
  let open = 0;
  const sessions = new Set<ServerHttp2Session>();
  server.on("session", (session) => {
    sessions.add(session);
    session.once("close", () => sessions.delete(session));
  });

  server.on("stream", (stream: ServerHttp2Stream, headers) => {
    stream.on("error", () => undefined);
    const cors = { "access-control-allow-origin": "*", "access-control-allow-headers": "*", "access-control-allow-methods": "GET, POST" };
    if (headers[":method"] === "OPTIONS") {
      const asked = headers["access-control-request-headers"] ?? "";
      stream.respond({ ":status": 204, ...cors, "access-control-allow-headers": asked, "access-control-max-age": "600" });
      stream.end();
      return;
    }
    if (headers[":path"] === "/blank") {
      stream.respond({ ":status": 200, "content-type": "text/html" });
      stream.end("<!doctype html><title>blank</title>");
      return;
    }
    if (headers[":path"] !== "/v1/messages") {
      stream.respond({ ":status": 404, ...cors });
      stream.end();
      return;
    }
    stream.respond({ ":status": 200, "content-type": "text/event-stream", ...cors });
    open += 1;
    stream.once("close", () => (open -= 1));
    write(stream, {
      type: "message_start",
      message: { id: "m", role: "assistant", content: [], usage: { input_tokens: 9, output_tokens: 1 } },
    });
    write(stream, { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } });
    const times: number[] = [];
    if (numbered) void promptOf(stream).then((prompt) => sentAt.set(prompt, times));
    if (begun) play(stream, times);
    else waiting.push(() => play(stream, times));
  });

  function play(stream: ServerHttp2Stream, times: number[]): void {
    const total = tokensPerSecond * seconds;
    const start = Math.floor(Math.random() * words.length);
    let sent = 0;
    /** Tokens per tick. A timer fires every few milliseconds at most, so at a faster pace each tick sends several. */
    const atOnce = Math.ceil(tokensPerSecond / 200);
    const timer = setInterval(
      () => {
        if (stream.destroyed) return clearInterval(timer);
        if (sent === total) {
          clearInterval(timer);
          write(stream, { type: "content_block_stop", index: 0 });
          write(stream, { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: total } });
          write(stream, { type: "message_stop" });
          return stream.end();
        }
        for (const end = Math.min(total, sent + atOnce); sent < end; ) token();
        return undefined;
      },
      (1000 * atOnce) / tokensPerSecond,
    );
    function token(): void {
      const word = numbered ? `n${sent} ` : (words[(start + sent) % words.length] ?? "");
      sent += 1;
      if (numbered) times.push(performance.now());
      write(stream, { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: word } });
    }
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return {
    url: `https://localhost:${address.port}`,
    get open() {
      return open;
    },
    times: () => sentAt,
    begin() {
      begun = true;
      for (const go of waiting.splice(0)) go();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const session of sessions) session.destroy();
      }),
  };
}

function markdownWords(): readonly string[] {
  const next = random(7);
  const whole = Array.from({ length: 60 }, () => `${markdownText(next)}\n\n`).join("");
  return whole.match(/\S+\s*/g) ?? [];
}

function write(stream: ServerHttp2Stream, event: { readonly type: string; readonly [key: string]: unknown }): void {
  stream.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
}

/** The last text of the request's last message. */
async function promptOf(stream: ServerHttp2Stream): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece);
  const { messages } = JSON.parse(Buffer.concat(pieces).toString());
  return messages.at(-1).content.at(-1).text;
}

/** A certificate for this run: browsers support HTTP/2 only over TLS. */
function certificate(): { key: Buffer; cert: Buffer } {
  const folder = mkdtempSync(join(tmpdir(), "vibey-bench-"));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-keyout", key, "-out", cert, ...subject], {
    stdio: "ignore",
  });
  const made = { key: readFileSync(key), cert: readFileSync(cert) };
  rmSync(folder, { recursive: true });
  return made;
}
