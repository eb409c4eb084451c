import * as v from "valibot";
import type { ServerResponse } from "../../protocol/index.ts";
import { limits } from "../../protocol/limits.ts";
import { splitLine, withLine } from "../../protocol/line-and-body.ts";
import type { SandboxPorts } from "../../shell/sandbox.ts";
import { failure } from "./answers.ts";
import { nonEmpty } from "./body.ts";

const token = /^[!#$%&'*+.^_`|~\dA-Za-z-]+$/;

/** Headers about the connection and the length of a message, which the sender sets itself. */
const ofTheConnection = /^(?:host|connection|content-length|transfer-encoding|keep-alive|upgrade|te|trailer|expect)$/i;

const line = v.object({
  dialogId: nonEmpty,
  method: v.pipe(v.string("expected text"), v.regex(/^[A-Z]{1,20}$/, "expected a method in upper case")),
  path: v.pipe(
    v.string("expected text"),
    v.regex(/^\/[!-~]*$/, "expected a path that begins with a slash and is encoded"),
    v.maxLength(limits.networkAddress, "expected a shorter path"),
  ),
  headers: v.array(
    v.tuple([
      v.pipe(v.string("expected text"), v.regex(token, "expected the name of a header")),
      v.pipe(v.string("expected text"), v.regex(/^[\t -~\u0080-\u00FF]*$/, "expected the value of a header, on one line")),
    ]),
  ),
  follow: v.boolean("expected true or false"),
});

/** Sends a request to a server of a dialog in Vibey's own shell. The request can't leave the dialog's ports. */
export async function requestServer(ask: SandboxPorts["fetch"], portText: string, request: Request): Promise<Response> {
  const port = /^\d{1,5}$/.test(portText) ? Number(portText) : 0;
  if (port < 1 || port > 65_535) return failure(404, "No server listens on this port");
  const split = splitLine(new Uint8Array(await request.arrayBuffer()));
  if (split === null) return failure(400, "body: expected one line of JSON, and the request's body after it");
  const parsed = v.safeParse(line, split.line);
  if (!parsed.success) {
    const [issue] = parsed.issues;
    return failure(400, `${v.getDotPath(issue) ?? "body"}: ${issue.message}`);
  }
  if (split.body.length > limits.networkRequestBytes)
    return failure(413, `A request can send at most ${limits.networkRequestBytes / 1_000_000} MB`);
  const { dialogId, method, path, headers, follow } = parsed.output;
  const late = AbortSignal.timeout(limits.networkMs);
  const answer = await ask(
    dialogId,
    {
      url: `http://localhost:${port}${path}`,
      method,
      headers: headers.filter(([name]) => !ofTheConnection.test(name)),
      body: split.body.length > 0 || method === "POST" || method === "PUT" || method === "PATCH" ? split.body : null,
      program: "preview",
      follow,
    },
    AbortSignal.any([request.signal, late]),
  );
  if (answer === null) return failure(404, `Nothing listens on port ${port} of this dialog`);
  if (answer.kind !== "answer")
    return failure(502, late.aborted ? `The server gave no whole answer within ${limits.networkMs / 1_000} seconds` : answer.why);
  const { kind: _kind, body, ...head } = answer;
  return new Response(withLine(head satisfies ServerResponse, body), {
    headers: { "content-type": "application/octet-stream", "cache-control": "no-store" },
  });
}
