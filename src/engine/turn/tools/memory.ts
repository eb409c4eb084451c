import { agentOf, type DialogAgent } from "../../../dialog/agent.ts";
import type { Dialog } from "../../../dialog/model.ts";
import type { Files } from "../../../fs/files.ts";
import type { Path } from "../../../fs/path.ts";
import { vibeyPath } from "../../../fs/vibey-name.ts";

/** The maximum length of a memory, in UTF-16 units. */
export const maxMemoryLength = 8_000;

/** The file in which the dialog's agent keeps what it has to know in later dialogs. Null if its definition gives it no memory. */
export function memoryPath(dialog: Dialog): Path | null {
  const agent = agentOf(dialog);
  return agent && pathOf(agent);
}

const pathOf = ({ hasMemory, slug }: Pick<DialogAgent, "hasMemory" | "slug">): Path | null =>
  hasMemory ? vibeyPath(`memory-${slug}.md`) : null;

/** What the agent is told about its memory. Null if it has none. `text` is the memory's content. */
export async function memoryOf(
  agent: DialogAgent,
  files: Pick<Files, "read">,
): Promise<{ readonly path: Path; readonly text: string } | null> {
  const path = pathOf(agent);
  if (path === null) return null;
  const content = await files.read(path);
  return { path, text: content === null ? "" : new TextDecoder().decode(content.bytes).slice(0, maxMemoryLength) };
}
