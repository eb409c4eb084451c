import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

export type Headers = Readonly<Record<string, string>>;

/** Answers with an error, in the format that programs on this port expect. */
export function createResponder(response: ServerResponse, isAgents: boolean) {
  return (status: number, why: string, headers: Headers = {}): void => sayJson(response, status, problem(why, isAgents), headers);
}

export const problem = (why: string, isAgents: boolean): object => (isAgents ? { ok: false, error: why } : { detail: why });

const jsonHeaders = { "content-type": "application/json", "cache-control": "no-store", "x-content-type-options": "nosniff" } as const;

export function sayJson(response: ServerResponse, status: number, body: object, headers: Headers = {}): void {
  response.writeHead(status, { ...jsonHeaders, ...headers }).end(JSON.stringify(body));
}

/**
 * Calls `then` once, when the answer is complete or the caller is gone. If an answer waits for an earlier one on the same connection, Node
 * doesn't tell it that the connection has closed.
 */
export function whenOver(response: ServerResponse, then: () => void): void {
  const over = () => {
    response.off("close", over);
    waiting.delete(over);
    then();
  };
  response.on("close", over);
  const waiting = waitingFor(response.req.socket).add(over);
}

const closing = new WeakMap<Socket, Set<() => void>>();

/** The callbacks for when the connection closes. They share one listener, no matter how many requests are pipelined. */
function waitingFor(socket: Socket): Set<() => void> {
  const known = closing.get(socket);
  if (known) return known;
  const waiting = new Set<() => void>();
  closing.set(socket, waiting);
  socket.once("close", () => {
    for (const over of waiting) over();
  });
  return waiting;
}

/** Milliseconds for which the rest of a body is discarded after the answer. */
const restMs = 5_000;

/**
 * Refuses a request whose body is still being sent. Closes the connection only after the whole body has arrived, because a program that sends
 * everything before it reads would never see the answer.
 */
export function refuseBody(
  { request, response, isAgents }: { readonly request: IncomingMessage; readonly response: ServerResponse; readonly isAgents: boolean },
  status: number,
  why: string,
  headers: Headers = {},
): void {
  const text = JSON.stringify(problem(why, isAgents));
  const length = { "content-length": String(Buffer.byteLength(text)), connection: "close" };
  response.writeHead(status, { ...jsonHeaders, ...headers, ...length }).write(text);
  const timer = setTimeout(() => response.destroy(), restMs).unref();
  response.on("close", () => clearTimeout(timer));
  if (request.readableEnded) response.end();
  else request.once("end", () => response.end()).resume();
}
