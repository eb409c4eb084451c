// This file also runs inside QuickJS, which has no TextEncoder, so it imports nothing.
/** The first line and the headers of an HTTP/1.1 message. */
export interface HttpHead {
  /** Only in a request. */
  readonly method: string;
  readonly url: string;
  /** Only in a response. */
  readonly status: number;
  readonly statusText: string;
  readonly version: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

export interface HttpListener {
  /** Returns what follows. `none`: there is no body, whatever the headers say. `upgrade`: what follows is not HTTP. */
  head(head: HttpHead): "body" | "none" | "upgrade";
  /** A response with a status below 200, except 101, has arrived; the final response follows. */
  interim?(head: HttpHead): void;
  data(bytes: Uint8Array): void;
  /** The message is complete; another one may follow. */
  done(): void;
  /** Data after an upgrade. */
  raw(bytes: Uint8Array): void;
  /** The input is not HTTP; nothing more is parsed. */
  fail(why: string): void;
}

export interface HttpParser {
  push(bytes: Uint8Array): void;
  /** The other end sends nothing more. */
  end(): void;
  /** Ignores what follows. */
  stop(): void;
}

const mostHead = 65_536;

/** Parses the messages of one direction of a connection. */
export function httpParser(kind: "request" | "response", listener: HttpListener): HttpParser {
  let kept: Uint8Array = new Uint8Array();
  let state: "head" | "length" | "chunk" | "trailer" | "close" | "raw" | "failed" = "head";
  /** Bytes left of the body or its chunk; -1: a chunk's size comes next. */
  let left = 0;

  function fail(why: string): void {
    state = "failed";
    listener.fail(why);
  }

  function finish(): void {
    state = "head";
    listener.done();
  }

  function takeHead(text: string): void {
    const [first = "", ...lines] = text.split("\r\n");
    const headers: [string, string][] = [];
    for (const line of lines) {
      const at = line.indexOf(":");
      if (at <= 0) return fail("a header without a name");
      headers.push([line.slice(0, at), line.slice(at + 1).trim()]);
    }
    const request = /^([A-Z-]+) (\S+) HTTP\/(1\.[01])$/i.exec(first);
    const response = /^HTTP\/(1\.[01]) (\d{3})(?: (.*))?$/i.exec(first);
    if (kind === "request" ? request === null : response === null) return fail("it does not begin as HTTP does");
    const head: HttpHead = {
      method: request?.[1] ?? "",
      url: request?.[2] ?? "",
      version: request?.[3] ?? response?.[1] ?? "1.1",
      status: Number(response?.[2] ?? 0),
      statusText: response?.[3] ?? "",
      headers,
    };
    const of = (name: string): string | undefined => headers.find(([each]) => each.toLowerCase() === name)?.[1];
    const interim = kind === "response" && head.status >= 100 && head.status < 200 && head.status !== 101;
    if (interim) return listener.interim?.(head);
    const next = listener.head(head);
    if (next === "upgrade") return void (state = "raw");
    if (next === "none") return finish();
    const length = of("content-length");
    if (/\bchunked\b/i.test(of("transfer-encoding") ?? "")) [state, left] = ["chunk", -1];
    else if (length !== undefined) {
      if (!/^\d+$/.test(length)) return fail("a length that is no number");
      [state, left] = ["length", Number(length)];
      if (left === 0) finish();
    } else if (kind === "request") finish();
    else state = "close";
  }

  /** The position of the next line end, or -1. */
  function lineEnd(from: number): number {
    for (let at = kept.indexOf(13, from); at >= 0; at = kept.indexOf(13, at + 1)) if (kept[at + 1] === 10) return at;
    return -1;
  }
  const take = (count: number): Uint8Array => {
    const taken = kept.subarray(0, count);
    kept = kept.subarray(count);
    return taken;
  };

  /** More input is needed, and can't help if a line or the headers don't end within the limit. */
  function tooLong(): false {
    if (kept.length > mostHead) fail("its headers, or a line, take more than 64 KB");
    return false;
  }

  /** Does one step; false: it needs more input. */
  function step(): boolean {
    switch (state) {
      case "head": {
        while (kept[0] === 13 && kept[1] === 10) take(2);
        let end = -1;
        for (let at = lineEnd(0); at >= 0; at = lineEnd(at + 2))
          if (kept[at + 2] === 13 && kept[at + 3] === 10) {
            end = at;
            break;
          }
        if (end < 0) {
          return tooLong();
        }
        const text = latin1(take(end));
        take(4);
        takeHead(text);
        return true;
      }
      case "length":
      case "chunk": {
        if (state === "chunk" && left < 0) {
          const end = lineEnd(0);
          if (end < 0) return tooLong();
          const size = /^[\da-f]+/i.exec(latin1(kept.subarray(0, end)));
          if (size === null) {
            fail("a chunk without a size");
            return false;
          }
          take(end + 2);
          left = Number.parseInt(size[0], 16);
          if (left === 0) state = "trailer";
          return true;
        }
        if (left > 0) {
          if (kept.length === 0) return false;
          const bytes = take(Math.min(left, kept.length));
          left -= bytes.length;
          listener.data(bytes);
          if (state === "length" && left === 0) finish();
          return true;
        }
        if (kept.length < 2) return false;
        take(2);
        left = -1;
        return true;
      }
      case "trailer": {
        const end = lineEnd(0);
        if (end < 0) return tooLong();
        take(end + 2);
        if (end === 0) finish();
        return true;
      }
      case "close":
      case "raw": {
        if (kept.length === 0) return false;
        const bytes = take(kept.length);
        if (state === "raw") listener.raw(bytes);
        else listener.data(bytes);
        return false;
      }
      case "failed":
        return false;
    }
  }

  return {
    push(bytes) {
      if (state === "failed") return;
      const all = new Uint8Array(kept.length + bytes.length);
      all.set(kept);
      all.set(bytes, kept.length);
      kept = all;
      while (step());
    },
    stop: () => void (state = "failed"),
    end() {
      if (state === "close") finish();
      else if (state !== "raw" && state !== "failed" && (state !== "head" || kept.length > 0)) fail("it ended too soon");
    },
  };
}

export function latin1(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return text;
}
