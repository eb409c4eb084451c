import type { CopyAnswer, RecoveryAnswer, RecoveryFrame } from "../../protocol/index.ts";
import { type Answer, body, json, unreachable } from "../model/api/calls.ts";
import { frames } from "../model/api/frames.ts";
import * as t from "../texts/copy.ts";

export const readCopy = () => json<CopyAnswer>("copy");
export const readRecovery = () => json<RecoveryAnswer>("recovery");

/** Receives the progress while a choice is carried out. */
export interface Choosing {
  readonly signal: AbortSignal;
  readonly frame: (frame: RecoveryFrame) => void;
}

/** Resolves when the project is restored, or with why it is not. */
export const restoreCopy = (generation: number, choosing: Choosing) => choose({ action: "restore", generation }, choosing);

/** Resolves when the backup's files are in the project beside its own, or with why not. */
export const keepBoth = (generation: number, choosing: Choosing) => choose({ action: "both", generation }, choosing);

/** Resolves when the opened storage is the project, or with why not. */
export const keepOpened = (choosing: Choosing) => choose({ action: "keep" }, choosing);

/** Resolves when there is an empty project, or with why there is none. */
export const beginAnew = (choosing: Choosing) => choose({ action: "anew" }, choosing);

async function choose(choice: object, { signal, frame }: Choosing): Promise<Answer<null>> {
  try {
    const response = await fetch("recovery", { ...body("POST", choice), signal });
    if (!response.ok) {
      const { error }: { error: string } = await response.json();
      return { ok: false, kind: "refused", message: error };
    }
    for await (const each of frames<RecoveryFrame>(response)) {
      if (each.type === "done") return { ok: true, value: null, etag: null };
      if (each.type === "error") return { ok: false, kind: "refused", message: each.error };
      frame(each);
    }
    return unreachable(t.brokeOff);
  } catch (error) {
    return unreachable(error);
  }
}

/** A backup's files as a zip; null: the generation that is being written now. */
export async function copyZip(generation: number | null): Promise<Answer<Blob>> {
  try {
    const response = await fetch(generation === null ? "copy.zip" : `copy.zip?generation=${generation}`);
    if (!response.ok) return { ok: false, kind: "refused", message: t.answered(response.status) };
    return { ok: true, value: await response.blob(), etag: null };
  } catch (error) {
    return unreachable(error);
  }
}
