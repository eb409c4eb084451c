import { vibey } from "../src/fs/actor.ts";
import type { Files } from "../src/fs/files.ts";
import { vibeyPath } from "../src/fs/vibey-name.ts";

/** Puts docs into a project that has never had a file, in the same way as the demo's docs. */
export async function putFirst(files: Files, docs: readonly { readonly name: string; readonly content: string }[]): Promise<void> {
  if (docs.length === 0 || !(await files.isNew())) return;
  const stored = await files.commit(
    docs.map(({ name, content }) => ({ op: "write", path: vibeyPath(name), data: content }) as const),
    { durability: "relaxed", by: vibey },
  );
  if (!stored.ok) throw new Error(`the first files could not be stored: ${stored.failure.kind}`);
}
