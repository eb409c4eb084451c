import type { Files } from "../../fs/files.ts";
import { vibeyPath } from "../../fs/vibey-name.ts";

/** The text of doc-main.md. Null if there is none. */
export async function readMain(files: Pick<Files, "read">): Promise<string | null> {
  const content = await files.read(vibeyPath("doc-main.md"));
  return content ? new TextDecoder().decode(content.bytes) : null;
}

/** The names of the other docs, sorted. */
export async function otherDocs(files: Pick<Files, "list">): Promise<string[]> {
  const stats = await files.list("vibey/doc-");
  return stats.map(({ path }) => path.slice("vibey/".length)).filter((name) => name !== "doc-main.md");
}
