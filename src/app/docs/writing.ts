import { createSignal } from "solid-js";
import type { Answer } from "../model/api/calls.ts";
import { fileKey, type FileRef } from "../model/route.ts";
import { readContent, writeText } from "./source.ts";

/** Writes files, and knows which ones are being written. */
export function createWriting() {
  const [keys, setKeys] = createSignal<ReadonlySet<string>>(new Set());
  return {
    /** Whether the file with this key is being written. */
    has: (key: string) => keys().has(key),
    /** Like `writeText`. The answer names the file's new version; null if it could not be determined. */
    async write(file: FileRef, text: string, etag: string | null): Promise<Answer<unknown>> {
      const key = fileKey(file);
      setKeys(new Set([...keys(), key]));
      const answer = await writeText(file, text, etag);
      const after = answer.ok && answer.etag === null ? await readContent(file) : answer;
      setKeys(new Set(Array.from(keys()).filter((other) => other !== key)));
      return answer.ok ? { ...answer, etag: after.ok ? after.etag : null } : answer;
    },
  };
}
