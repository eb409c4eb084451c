import type { IncomingMessage, ServerResponse } from "node:http";

export type Headers = Readonly<Record<string, string>>;

/** Says why something was not done, in the shape that programs of this port read. */
export function createResponder(response: ServerResponse, isAgents: boolean) {
  return (status: number, why: string, headers: Headers = {}): void => sayJson(response, status, problem(why, isAgents), headers);
}

const problem = (why: string, isAgents: boolean): object => (isAgents ? { ok: false, error: why } : { detail: why });

const jsonHeaders = { "content-type": "application/json", "cache-control": "no-store", "x-content-type-options": "nosniff" } as const;

export function sayJson(response: ServerResponse, status: number, body: object, headers: Headers = {}): void {
  response.writeHead(status, { ...jsonHeaders, ...headers }).end(JSON.stringify(body));
}

/** Milliseconds for which the rest of a body is thrown away after its answer. */
const restMs = 5_000;

/**
 * Refuses a request whose body is still on its way, and closes the connection only when that has come: a program that sends it to its end before it
 * reads would never see the answer.
 */
export function refuseLongBody(request: IncomingMessage, response: ServerResponse, isAgents: boolean): void {
  const text = JSON.stringify(problem("The body is too long", isAgents));
  response.writeHead(413, { ...jsonHeaders, "content-length": Buffer.byteLength(text), connection: "close" }).write(text);
  const timer = setTimeout(() => response.destroy(), restMs).unref();
  response.on("close", () => clearTimeout(timer));
  request.once("end", () => response.end()).resume();
}

/** Lets a page that may call read the answer. True: the request was its browser's question whether it may, which is answered. */
export function allowPage(request: IncomingMessage, response: ServerResponse): boolean {
  const { origin, "access-control-request-method": method, "access-control-request-headers": headers = "" } = request.headers;
  if (origin === undefined) return false;
  response.setHeader("access-control-allow-origin", origin).setHeader("vary", "origin");
  if (request.method !== "OPTIONS" || method === undefined) return false;
  response
    .writeHead(204, {
      "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
      "access-control-allow-headers": headers,
      "access-control-max-age": "600",
    })
    .end();
  return true;
}
