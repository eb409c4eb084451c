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
 * Which version of a file each agent last saw, so that it never overwrites something unknown to it.
 *
 * - An agent has seen its own writes, and everything that its own command could read from a file that the command names, as of that call.
 * - It has seen a file that none of its calls names as of its last request: it can't know anything later.
 * - What it saw before this engine started is earlier than everything this engine knows. The project's history knows the changes in between.
 */
export interface FileReads {
  /** The provider is asked for a response. */
  asked(dialogId: string): void;
  /** A finished command saw the files that it names as of this version of the store. */
  ran(dialogId: string, callId: string, version: number): void;
  /** The dialog itself changed these files, or a result showed them, as of this version. */
  saw(dialogId: string, paths: readonly Path[], version: number): void;
  /** The current version of the store. */
  now(): number;
  /** The changes by others after the agent last saw the file. Null if there are none. */
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
      // Every request contains the whole file.
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

/** When the last of these calls was started, in milliseconds since 1970. Null if none of them says so. */
function lastStart(calls: readonly Call[]): number | null {
  const times = calls.map(({ started }) => (started === null ? Number.NaN : Date.parse(started))).filter((time) => !Number.isNaN(time));
  return times.length === 0 ? null : Math.max(...times);
}

/** Calls that succeeded in an earlier engine count too. */
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
