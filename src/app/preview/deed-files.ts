import type { DeedListing } from "../../protocol/index.ts";
import type { Answer } from "../model/api/calls.ts";
import { createKept } from "./kept.ts";

export interface DeedSource {
  readonly list: () => Promise<Answer<readonly DeedListing[]>>;
  readonly read: (path: string) => Promise<Answer<ArrayBuffer>>;
}

/** Folders that contain history, not content. */
const skipped = /(^|\/)\.git\//;

/**
 * The deed as the preview sees it: the file names at the last check, and the contents of requested files, each read once per version. A Blob is
 * passed on without being copied.
 */
export function createDeedFiles({ list, read }: DeedSource) {
  let versions = new Map<string, string>();
  const contents = createKept<Blob | null>((blob) => blob?.size ?? 0);

  async function fetchBlob(path: string): Promise<Blob | null> {
    const answer = await read(path);
    if (answer.ok) return new Blob([answer.value]);
    // Deleted since the last check.
    if (answer.kind === "missing") return null;
    throw new Error(answer.message);
  }

  const files = {
    /** Checks the names again. Returns the files that differ from the last check, or what went wrong. */
    async look(): Promise<{ readonly changed: readonly string[] } | { readonly problem: string }> {
      const answer = await list();
      if (!answer.ok) return { problem: answer.message };
      const before = versions;
      versions = new Map(answer.value.filter(({ path }) => !skipped.test(path)).map(({ path, size, mtime }) => [path, `${mtime} ${size}`]));
      const changed = [...new Set([...before.keys(), ...versions.keys()])].filter((path) => before.get(path) !== versions.get(path));
      for (const path of changed) contents.drop(path);
      return { changed };
    },
    paths: (): readonly string[] => [...versions.keys()],
    has: (path: string) => versions.has(path),
    /** Changes when the file changes, as far as the list shows. */
    version: (path: string) => versions.get(path) ?? "",
    /** Drops a file that was just changed: two changes in one millisecond look the same in the list. */
    forget: contents.drop,
    /** Null if there is no such file. Rejects with a sentence if the engine gave no answer. */
    blob: async (path: string): Promise<Blob | null> => (versions.has(path) ? contents.get(path, () => fetchBlob(path)) : null),
    text: async (path: string): Promise<string | null> => (await files.blob(path))?.text() ?? null,
  };
  return files;
}
export type DeedFiles = ReturnType<typeof createDeedFiles>;
