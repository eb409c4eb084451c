import type { CopyAnswer, RecoveryAnswer, RecoveryFrame } from "../../engine/api.ts";
import { type Answer, body, json, unreachable } from "../api/calls.ts";
import { frames } from "../api/frames.ts";

export const readCopy = () => json<CopyAnswer>("copy");
export const readRecovery = () => json<RecoveryAnswer>("recovery");
export const beginAnew = () => json<{ ok: true }>("recovery", body("POST", { action: "anew" }));

export interface Restoring {
  readonly signal: AbortSignal;
  readonly frame: (frame: RecoveryFrame) => void;
}

/** Ends when the project is restored, or with the reason why it is not. */
export async function restoreCopy(generation: number, { signal, frame }: Restoring): Promise<Answer<null>> {
  try {
    const response = await fetch("recovery", { ...body("POST", { action: "restore", generation }), signal });
    if (!response.ok) {
      const { error }: { error: string } = await response.json();
      return { ok: false, kind: "refused", message: error };
    }
    for await (const each of frames<RecoveryFrame>(response)) {
      if (each.type === "done") return { ok: true, value: null, etag: null };
      if (each.type === "error") return { ok: false, kind: "refused", message: each.error };
      frame(each);
    }
    return unreachable("it broke off");
  } catch (error) {
    return unreachable(error);
  }
}

/** A copy's files as a zip; null: the generation that is written now. */
export async function copyZip(generation: number | null): Promise<Answer<Blob>> {
  try {
    const response = await fetch(generation === null ? "copy.zip" : `copy.zip?generation=${generation}`);
    if (!response.ok) return { ok: false, kind: "refused", message: `The engine answered ${response.status}.` };
    return { ok: true, value: await response.blob(), etag: null };
  } catch (error) {
    return unreachable(error);
  }
}
