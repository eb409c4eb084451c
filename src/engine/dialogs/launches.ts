import type { Files } from "../../fs/files.ts";
import { vibeyPath } from "../../fs/vibey-name.ts";
import { sectionTime } from "../format/edit.ts";
import type { Dialog, Meta } from "../format/model.ts";
import { parseDialogFilename } from "../format/name.ts";
import { parseDialog } from "../format/parse.ts";
import { limitSource } from "../doc-limits.ts";
import type { DocLimits } from "./doc-limits.ts";
import { hour } from "./line.ts";
import type { Live } from "./live.ts";
import { type DialogFile, listDialogs } from "./open.ts";
import type { Queue } from "./queue.ts";

/** Whether an agent may launch another one. */
export interface Launches {
  /** Why this dialog's agent may not, for the model; null when it may. The queue knows all earlier launches afterwards. */
  refusal(live: Live): Promise<string | null>;
}

export interface LaunchesDeps {
  readonly files: Files;
  readonly now: () => Date;
  readonly docLimits: DocLimits;
  readonly queue: Pick<Queue, "remember">;
  /** The limit of depth holds an agent back. */
  readonly bites: (sentence: string, live: Live) => void;
  readonly report: (error: unknown) => void;
}

export function createLaunches({ files, now, docLimits, queue, bites, report }: LaunchesDeps): Launches {
  const read: Read = ({ filename }) =>
    files.read(vibeyPath(filename)).then(
      (content) => content?.bytes ?? null,
      (error: unknown) => {
        // One file that can't be read must not keep every agent from launching.
        report(error);
        return null;
      },
    );
  let remembered: Promise<void> | null = null;

  /** Once, before the first launch of this engine: what an earlier engine launched counts too. */
  function remember(): Promise<void> {
    remembered ??= launchTimes(files, read, now().getTime()).then(
      (times) => queue.remember(times),
      (error: unknown) => {
        remembered = null;
        throw error;
      },
    );
    return remembered;
  }

  return {
    async refusal(live) {
      const { depth } = await docLimits.read();
      const reached = await launchDepth(files, read, live.state.dialog.head);
      if (reached >= depth.value) {
        const sentence = `Agents may launch agents ${depth.value} deep (${limitSource("depth", depth)}), and this agent is ${reached} deep`;
        bites(`${sentence}: it was refused to launch another one.`, live);
        return `${sentence}; no dialog was created. Do the work yourself, or say what is left to do.`;
      }
      await remember();
      return null;
    },
  };
}

/** A dialog's file; null when it is gone or can't be read. */
type Read = (file: DialogFile) => Promise<Uint8Array | null>;

/** Bytes at the start of a dialog's file in which its header stands. */
const headBytes = 16_384;

/**
 * When launched agents began in the hour before `now` (milliseconds since 1970), as the files say it, ascending: the time of a
 * dialog's first response, which is written when its provider is asked. A file can say any time; one to come holds nobody back.
 */
async function launchTimes(files: Files, read: Read, now: number): Promise<number[]> {
  const since = now - hour;
  const times: number[] = [];
  for (const file of await listDialogs(files)) {
    if (Math.max(file.mtime, namedTime(file)) < since) continue;
    const bytes = await read(file);
    if (!bytes || launchedBy(readHead(bytes)) === null) continue;
    const time = beginOf(parseDialog(new TextDecoder().decode(bytes)), file);
    if (time >= since && time <= now) times.push(time);
  }
  return times.toSorted((a, b) => a - b);
}

/** How many launches stand between the dialog with this header and one that a human began. A file that is gone, or can't be read, ends the chain. */
async function launchDepth(files: Files, read: Read, head: readonly Meta[]): Promise<number> {
  const seen = new Set<string>();
  let parent = launchedBy(head);
  let depth = 0;
  while (parent !== null && !seen.has(parent)) {
    depth += 1;
    seen.add(parent);
    const id = parent;
    const file = (await listDialogs(files, id)).find(({ dialogId }) => dialogId === id);
    const bytes = file ? await read(file) : null;
    parent = bytes && launchedBy(readHead(bytes));
  }
  return depth;
}

export function launchedBy(head: readonly Meta[]): string | null {
  return head.findLast(({ key }) => key === "Launched by")?.value ?? null;
}

function readHead(bytes: Uint8Array): readonly Meta[] {
  return parseDialog(new TextDecoder().decode(bytes.subarray(0, headBytes))).head;
}

function beginOf({ sections }: Dialog, file: DialogFile): number {
  const first = sections.find(({ role }) => role === "assistant");
  const time = Date.parse((first && sectionTime(first).start) ?? "");
  return Number.isNaN(time) ? namedTime(file) : time;
}

function namedTime({ filename }: DialogFile): number {
  return parseDialogFilename(filename)?.time.getTime() ?? 0;
}
