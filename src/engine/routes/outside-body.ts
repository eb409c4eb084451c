import type { OutsideRefusal } from "../../protocol/index.ts";
import { limits } from "../../protocol/limits.ts";

export type OutsideBody = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly answer: Response };

/** `{"ok": false, "error"}`, as the protocol of outside agents has it. */
export const refuse = (status: number, error: string): Response =>
  Response.json({ ok: false, error } satisfies OutsideRefusal, { status, headers: { "cache-control": "no-store" } });

/** A request's JSON of at most a megabyte. No more than that is read. */
export async function readOutsideBody(request: Request): Promise<OutsideBody> {
  const tooLarge = { ok: false, answer: refuse(413, `Expected at most ${limits.outsideBytes} bytes`) } as const;
  if (Number(request.headers.get("content-length") ?? 0) > limits.outsideBytes) return tooLarge;
  const bytes = await readUpTo(request, limits.outsideBytes);
  if (bytes === null) return tooLarge;
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return { ok: true, value };
  } catch (error) {
    // Not UTF-8, or not JSON.
    if (error instanceof SyntaxError || error instanceof TypeError) return { ok: false, answer: refuse(400, "Invalid JSON") };
    throw error;
  }
}

/** null: there is more. */
async function readUpTo(request: Request, most: number): Promise<Uint8Array<ArrayBuffer> | null> {
  const reader = request.body?.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const next = await reader?.read();
    if (!next || next.done) break;
    size += next.value.length;
    if (size > most) {
      await reader?.cancel();
      return null;
    }
    chunks.push(next.value);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
