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

/**
 * Calls `then` once, when the answer is given or its caller is gone. Node tells an answer that waits behind another one on its connection nothing when
 * that closes.
 */
export function whenOver(response: ServerResponse, then: () => void): void {
  const { socket } = response.req;
  const over = () => {
    response.off("close", over);
    socket.off("close", over);
    then();
  };
  response.on("close", over);
  socket.on("close", over);
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
  if (request.readableEnded) response.end();
  else request.once("end", () => response.end()).resume();
}
