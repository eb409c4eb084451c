import type { DialogAnswer } from "../src/protocol/index.ts";
import { parseDecisions } from "../src/dialog/sentinel.ts";

/** Before it approves, a client names each call with the hash that was shown with it. */

interface Approval {
  readonly dialogId: string;
  readonly decisions: unknown;
}

/** Whether the request approves calls without naming hashes. A test that leaves them out on purpose sends `hashes: {}`. */
export function mustBeHashed(method: string, path: string, body: unknown): body is Approval {
  if (method !== "PUT" || !/^\/?dialog$/.test(path) || typeof body !== "object" || body === null || "hashes" in body) return false;
  const { dialogId, decisions } = body as Partial<Approval>;
  return typeof dialogId === "string" && approvedIn(decisions).size > 0;
}

/** `read` returns the answer to `GET /dialog/:id`, or null if there is no such dialog. */
export async function withShownHashes(body: Approval, read: (dialogId: string) => Promise<DialogAnswer | null>): Promise<Approval> {
  const approved = approvedIn(body.decisions);
  const shown = ((await read(body.dialogId))?.messages ?? []).flatMap(({ parts }) =>
    parts.flatMap((part) => (part.kind === "call" && approved.has(part.call.id) ? [part.call] : [])),
  );
  return { ...body, hashes: Object.fromEntries(shown.map(({ id, hash }) => [id, hash])) } as Approval;
}

export function readDialog(fetch: (request: Request) => Promise<Response>) {
  return async (dialogId: string): Promise<DialogAnswer | null> => {
    const answer = await fetch(new Request(`http://engine/dialog/${dialogId}`));
    return answer.ok ? ((await answer.json()) as DialogAnswer) : null;
  };
}

function approvedIn(decisions: unknown): ReadonlySet<string> {
  if (typeof decisions === "string")
    return new Set([...parseDecisions(decisions)].flatMap(([id, word]) => (word === "approve" ? [id] : [])));
  if (!Array.isArray(decisions)) return new Set();
  const given = decisions as readonly { readonly id: string; readonly approved: boolean }[];
  return new Set(given.flatMap(({ id, approved }) => (approved ? [id] : [])));
}
