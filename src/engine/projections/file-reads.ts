import { type Actor, dialogOf } from "../../fs/actor.ts";
import type { Path } from "../../fs/path.ts";
import { ranWith } from "../../dialog/call-json.ts";
import type { Call, Dialog } from "../../dialog/model.ts";
import { callsOf } from "../turn/machine/queries.ts";
import type { FileChanges, FileChange } from "./file-changes.ts";
import { mentions } from "../turn/tools/mentions.ts";
import type { ChangedByOthers } from "../turn/tools/tool.ts";
import { isMainDoc } from "../../protocol/write-rules.ts";

/**
 * Which state of a file each agent last saw, so that it overwrites nothing that it does not know.
 *
 * - What it wrote itself, and what a command of its own that names the file could read, it saw as of that call.
 * - A file that no call of its own names it saw as of the request that its call answers: it can't have known of anything later.
 * - What was seen before this engine started was seen before all that this engine knows of. What was changed between the two, the
 *   project's history says.
 */
export interface FileReads {
  /** The provider is asked for a response. */
  asked(dialogId: string): void;
  /** A finished command saw the files that it names as of this version of the store. */
  ran(dialogId: string, callId: string, version: number): void;
  /** Files that the dialog itself changed, or that a result showed to it, as of this version. */
  saw(dialogId: string, paths: readonly Path[], version: number): void;
  /** The version of the store now. */
  now(): number;
  /** What others did to the file after the agent last saw it; null when no one did anything. */
  changedByOthers(dialogId: string, dialog: Dialog, path: Path): Promise<ChangedByOthers | null>;
}

interface Sight {
  asked: number;
  readonly commands: Map<string, number>;
  readonly files: Map<Path, number>;
}

export function createFileReads(fileChanges: FileChanges): FileReads {
  const sights = new Map<string, Sight>();

  function sightOf(dialogId: string): Sight {
    const known = sights.get(dialogId);
    if (known) return known;
    const sight: Sight = { asked: 0, commands: new Map(), files: new Map() };
    sights.set(dialogId, sight);
    return sight;
  }

  return {
    asked(dialogId) {
      sightOf(dialogId).asked = fileChanges.version();
    },
    ran(dialogId, callId, version) {
      sightOf(dialogId).commands.set(callId, version);
    },
    saw(dialogId, paths, version) {
      for (const path of paths) sightOf(dialogId).files.set(path, version);
    },
    now: () => fileChanges.version(),
    async changedByOthers(dialogId, dialog, path) {
      const { asked, commands, files } = sightOf(dialogId);
      const calls = dialog.sections.flatMap(callsOf).filter((call) => couldSee(call, path));
      const sightings = calls.map((call) => commands.get(call.id) ?? 0);
      // It stands in every request, whole.
      if (isMainDoc(path)) sightings.push(asked);
      const shown = files.get(path);
      if (shown !== undefined) sightings.push(shown);
      const seenAt = sightings.length > 0 ? sightings.reduce((latest, version) => Math.max(latest, version), 0) : asked;
      const isOthers = ({ by }: Pick<FileChange, "by">) => dialogOf(by) !== dialogId;
      const here = fileChanges.since(path, seenAt).filter(isOthers);
      const lastSeen = sightings.length > 0 && seenAt === 0 ? lastStart(calls) : null;
      const changes = lastSeen === null ? here : [...(await fileChanges.changesSince(path, lastSeen)).filter(isOthers), ...here];
      const [first] = changes;
      if (!first) return null;
      return { who: [...new Set(changes.map(({ by }) => inWords(by)))].join(" and "), before: first.before };
    },
  };
}

/** When the last of these calls was started, in milliseconds since 1970; null: none of them says it. */
function lastStart(calls: readonly Call[]): number | null {
  const times = calls.map(({ started }) => (started === null ? Number.NaN : Date.parse(started))).filter((time) => !Number.isNaN(time));
  return times.length === 0 ? null : Math.max(...times);
}

/** What ended well in an earlier engine counts like what this one knows of. */
function couldSee(call: Call, path: Path): boolean {
  const { name, result } = call;
  if (result === undefined) return false;
  const { command, path: named } = ranWith(call);
  if (name === "run_command") return typeof command === "string" && mentions(command, path);
  if (name !== "write_file" && name !== "edit_file" && name !== "vfs_read" && name !== "vfs_write") return false;
  const went = result !== null && typeof result === "object" && "success" in result && result["success"] === true;
  return went && typeof named === "string" && mentions(named, path);
}

function inWords(by: Actor): string {
  switch (by.kind) {
    case "human":
      return "the user";
    case "agent":
      return `another agent (dialog ${by.dialogId})`;
    case "outside":
      return `another agent (${by.agentId}, which runs in ${by.framework})`;
    case "vibey":
      return "Vibey";
  }
}
