import type { OutsideRefusal } from "../../protocol/index.ts";
import { limits } from "../../protocol/limits.ts";

export type OutsideBytes =
  | { readonly ok: true; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly ok: false; readonly answer: Response };
export type OutsideBody = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly answer: Response };

/** `{"ok": false, "error"}`, the format in the protocol of outside agents. */
export const refuse = (status: number, error: string, headers: Record<string, string> = {}): Response =>
  Response.json({ ok: false, error } satisfies OutsideRefusal, { status, headers: { "cache-control": "no-store", ...headers } });

/** The same for too many requests. `seconds`: when to try again. */
export const refuseTooMany = (error: string, seconds: number): Response => refuse(429, error, { "retry-after": String(seconds) });

/** A request's body of at most a megabyte. It is read at once, because Firefox can't stream request bodies. */
export async function readOutsideBytes(request: Request): Promise<OutsideBytes> {
  const tooLarge = { ok: false, answer: refuse(413, `Expected at most ${limits.outsideBytes} bytes`) } as const;
  if (Number(request.headers.get("content-length") ?? 0) > limits.outsideBytes) return tooLarge;
  const bytes = new Uint8Array(await request.arrayBuffer());
  return bytes.length > limits.outsideBytes ? tooLarge : { ok: true, bytes };
}

/** The body as JSON. */
export async function readOutsideBody(request: Request): Promise<OutsideBody> {
  const read = await readOutsideBytes(request);
  if (!read.ok) return read;
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(read.bytes));
    return { ok: true, value };
  } catch (error) {
    // Not UTF-8, or not JSON.
    if (error instanceof SyntaxError || error instanceof TypeError) return { ok: false, answer: refuse(400, "Invalid JSON") };
    throw error;
  }
}
