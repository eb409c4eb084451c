import type { ServerResponse } from "node:http";

export type Headers = Readonly<Record<string, string>>;

/** Says why something was not done, in the shape that programs of this port read. */
export function createResponder(response: ServerResponse, isAgents: boolean) {
  return (status: number, why: string, headers: Headers = {}): void =>
    sayJson(response, status, isAgents ? { ok: false, error: why } : { detail: why }, headers);
}

export function sayJson(response: ServerResponse, status: number, body: object, headers: Headers = {}): void {
  response
    .writeHead(status, { "content-type": "application/json", "cache-control": "no-store", "x-content-type-options": "nosniff", ...headers })
    .end(JSON.stringify(body));
}
