import { inheritedAgent } from "../agents/inherited-agent.ts";
import { roomOf } from "../../dialog/replies.ts";
import type { Files } from "../../fs/files.ts";
import { nameOf } from "../../fs/vibey-name.ts";
import { parseDialogFilename, slugify } from "../../dialog/name.ts";
import { currentModel, currentProvider } from "../turn/machine/next-step.ts";
import { summaryText } from "../prompt/summary/summary.ts";
import type { NewDialog } from "./new-dialog.ts";
import type { Live } from "./live.ts";

/** The prompt if the user wrote none. */
const defaultPrompt = "Continue from here.";

/**
 * A new dialog that continues from this one. This one doesn't change. The first message of the new dialog is a summary of the stored file. Null
 * if the file no longer exists. The caller runs in the dialog's order (`inOrder`).
 */
export async function continuation(live: Live, prompt: string | null, files: Pick<Files, "read">): Promise<NewDialog | null> {
  const filename = nameOf(live.path);
  const name = filename === null ? null : parseDialogFilename(filename);
  const content = await files.read(live.path);
  if (filename === null || !name || !content) return null;
  const { dialog } = live.state;
  const room = roomOf(dialog.head);
  const file = new TextDecoder().decode(content.bytes);
  return {
    provider: currentProvider(dialog),
    model: currentModel(dialog),
    slug: nextSlug(name.slug),
    prompt: summaryText({ dialogId: live.id, filename, file, prompt: prompt ?? defaultPrompt }),
    launchedBy: null,
    ...inheritedAgent(dialog),
    ...(room === null ? {} : { room }),
    continuedFrom: live.id,
  };
}

/** `game` becomes `game-2`, which becomes `game-3`. */
function nextSlug(slug: string): string {
  const [, base = slug, number = "1"] = /^(.*?)-(\d{1,3})$/.exec(slug) ?? [];
  const ending = `-${Number(number) + 1}`;
  return slugify(base.slice(0, 40 - ending.length) + ending);
}
