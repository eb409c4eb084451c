import { joinBytes } from "../../../fs/bytes.ts";
import { limits } from "../../../protocol/limits.ts";
import type { AnswerListener, NetAnswer, NetRequest } from "../../network.ts";
import { deferred } from "../deferred.ts";
import { type HttpHead, httpParser } from "./http-parser.ts";
import { isOwnHost } from "./own-host.ts";
import type { Ports } from "./ports.ts";

/** The maximum number of redirects that are followed. */
const mostRedirects = 20;

/** The dialog's port for an address; null: the address is elsewhere. */
export function ownPort(address: string): number | null {
  if (!URL.canParse(address)) return null;
  const { protocol, hostname, port } = new URL(address);
  return protocol === "http:" && isOwnHost(hostname) ? Number(port || 80) : null;
}

/** Sends a request to a port of the dialog; null: nothing listens there. `signal` aborts when the command is stopped. */
export async function fetchFromPorts(
  ports: Ports,
  request: NetRequest,
  signal: AbortSignal,
  listener?: AnswerListener,
): Promise<NetAnswer | null> {
  let { url, method, body } = request;
  for (let redirects = 0; ; redirects++) {
    const port = ownPort(url);
    if (port === null) return { kind: "failed", why: `redirected to ${url}, which is no server of this dialog` };
    const answer = await once(ports, port, { ...request, url, method, body }, signal, listener);
    if (answer === null && redirects > 0)
      return { kind: "failed", why: `redirected to port ${port} of this dialog, where nothing listens` };
    if (answer === null || answer.kind !== "answer") return answer;
    const location = answer.headers.find(([name]) => name === "location")?.[1];
    if (!request.follow || answer.status < 300 || answer.status > 399 || location === undefined || !URL.canParse(location, url))
      return answer;
    if (redirects === mostRedirects) return { kind: "failed", why: `more than ${mostRedirects} redirects` };
    url = new URL(location, url).href;
    if ((answer.status === 303 && method !== "HEAD") || (answer.status < 303 && method === "POST")) [method, body] = ["GET", null];
  }
}

async function once(
  ports: Ports,
  port: number,
  { url, method, headers, body }: NetRequest,
  signal: AbortSignal,
  listener: AnswerListener | undefined,
): Promise<NetAnswer | null> {
  const { promise, resolve } = deferred<NetAnswer>();
  /** Only the first answer counts. What a server sends afterwards is not read. */
  const settle = (answer: NetAnswer): void => {
    parser.stop();
    resolve(answer);
  };
  const failed = (why: string): void => settle({ kind: "failed", why });
  const chunks: Uint8Array[] = [];
  let size = 0;
  let head: HttpHead | null = null;
  const parser = httpParser("response", {
    head(given) {
      head = given;
      listener?.head(headOf(url, given));
      if (given.status === 101) failed("the server speaks another protocol now");
      return method === "HEAD" || given.status === 204 || given.status === 304 ? "none" : given.status === 101 ? "upgrade" : "body";
    },
    data(bytes) {
      size += bytes.length;
      if (size > limits.networkAnswerBytes) failed("the answer is too large");
      else {
        chunks.push(bytes);
        listener?.data(bytes);
      }
    },
    done: () => head && settle(answerOf(url, head, chunks)),
    raw: () => undefined,
    fail(why) {
      const said = `the server's answer is no HTTP: ${why}`;
      settle(head === null ? { kind: "failed", why: said } : { kind: "failed", why: said, isCut: true });
    },
  });
  const closed = (): void => {
    parser.end();
    if (head === null) settle({ kind: "failed", why: "the server closed the connection without an answer", isEmpty: true });
    else settle({ kind: "failed", why: "the server closed the connection in the middle of its answer", isCut: true });
  };
  const end = await ports.connect(port, {
    data: (bytes) => parser.push(bytes),
    end: closed,
    close: closed,
  });
  if (end === null) return null;
  const stopped = (): void => failed("the command was stopped");
  signal.addEventListener("abort", stopped, { once: true });
  if (signal.aborted) stopped();
  end.send(requestBytes(url, method, headers, body));
  const answer = await promise;
  signal.removeEventListener("abort", stopped);
  end.close();
  return answer;
}

function requestBytes(address: string, method: string, headers: NetRequest["headers"], body: Uint8Array | null): Uint8Array {
  const { host, pathname, search } = new URL(address);
  const given = new Set(headers.map(([name]) => name.toLowerCase()));
  const lines = [
    `${method} ${pathname}${search} HTTP/1.1`,
    ...(given.has("host") ? [] : [`Host: ${host}`]),
    ...(given.has("accept") ? [] : ["Accept: */*"]),
    ...headers.filter(([name]) => !/^(content-length|connection)$/i.test(name)).map(([name, value]) => `${name}: ${value}`),
    ...(body === null ? [] : [`Content-Length: ${body.length}`]),
  ];
  const head = new TextEncoder().encode(`${lines.join("\r\n")}\r\n\r\n`);
  return joinBytes([head, ...(body === null ? [] : [body])]);
}

function headOf(url: string, { status, statusText, headers }: HttpHead) {
  const lower = headers.map(([name, value]) => [name.toLowerCase(), value] as const);
  return { kind: "answer", url, status, statusText, headers: lower } as const;
}

const answerOf = (url: string, head: HttpHead, chunks: readonly Uint8Array[]): NetAnswer => ({
  ...headOf(url, head),
  body: joinBytes(chunks),
});
