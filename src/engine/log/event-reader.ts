import type { Files } from "../../fs/files.ts";
import { eventsOfHeader, eventsOfSection, generationOf } from "../../dialog/events/events-of.ts";
import type { DialogEvent } from "../../dialog/events/model.ts";
import type { Dialog } from "../../dialog/model.ts";
import { StorageError } from "../../fs/storage-error.ts";
import type { CommitEvent, LogEvent } from "../../protocol/index.ts";
import type { Commits } from "./commits.ts";
import { cursorOf } from "./cursor.ts";
import type { EventPosition, Position } from "./log.ts";
import { keyOf } from "./new-events.ts";
import { type StoredDialog, storedDialog } from "./written-files.ts";

/** Bytes of files that stay parsed in memory, not counting the last one. */
const keepBytes = 20_000_000;

/** Reads events from their sources: the texts of the dialogs and the history. */
export interface EventReader {
  /** The events at these positions, in order. Leaves out events of a dialog or commit that is gone, or of a dialog that the user has edited since. */
  read(positions: readonly Position[], logId: string): Promise<LogEvent[]>;
}

export interface EventReaderDeps {
  readonly files: Pick<Files, "list" | "read">;
  /** The dialog that the engine has open. Null: it isn't open. */
  readonly live: (dialogId: string) => Dialog | null;
  /** The history's commits. Null: the history can't be opened now. */
  readonly commits: () => Promise<Pick<Commits, "events"> | null>;
}

export function createEventReader({ files, live, commits }: EventReaderDeps): EventReader {
  /** By id, the most recently used last. */
  const parsed = new Map<string, StoredDialog>();
  /** Bytes of all their files. */
  let bytes = 0;
  const read = new WeakMap<Dialog, { readonly generation: number; readonly places: Map<string, ReadonlyMap<string, DialogEvent>> }>();

  async function stored(id: string): Promise<Dialog | null> {
    const found = await storedDialog(files, id, parsed.get(id));
    forget(id);
    if (found === null) return null;
    parsed.set(id, found);
    bytes += found.size;
    for (const oldest of parsed.keys()) {
      if (bytes <= keepBytes || oldest === id) break;
      forget(oldest);
    }
    return found.dialog;
  }

  function forget(id: string): void {
    bytes -= parsed.get(id)?.size ?? 0;
    parsed.delete(id);
  }

  function eventsAt(dialog: Dialog, dialogId: string, place: string): ReadonlyMap<string, DialogEvent> {
    const { generation, places: own } = read.get(dialog) ?? { generation: generationOf(dialog), places: new Map() };
    read.set(dialog, { generation, places: own });
    const known = own.get(place);
    if (known) return known;
    const events = place === "h" ? eventsOfHeader(dialog, dialogId) : eventsOfSection(dialog, dialogId, Number(place), { generation });
    const byKey = new Map(events.map((event) => [keyOf(event), event]));
    own.set(place, byKey);
    return byKey;
  }

  function eventIn(dialog: Dialog | null, { dialogId, generation, key }: EventPosition): DialogEvent | null {
    const event = dialog && eventsAt(dialog, dialogId, key.split(".", 1)[0] ?? "").get(key);
    return event?.id === `${dialogId}/${generation}/${key}` ? event : null;
  }

  async function eventAt(position: EventPosition, inFiles: Map<string, Dialog | null>): Promise<DialogEvent | null> {
    const { dialogId } = position;
    const event = eventIn(live(dialogId), position);
    if (event !== null) return event;
    const dialog = inFiles.has(dialogId) ? (inFiles.get(dialogId) ?? null) : await stored(dialogId);
    inFiles.set(dialogId, dialog);
    return eventIn(dialog, position);
  }

  /** A damaged history has no events. The dialogs still do. */
  async function eventsOfCommits(positions: readonly Position[]): Promise<ReadonlyMap<number, CommitEvent>> {
    const numbers = positions.flatMap((position) => ("commit" in position ? [position.commit] : []));
    if (numbers.length === 0) return new Map();
    try {
      return (await (await commits())?.events(numbers)) ?? new Map();
    } catch (error) {
      if (error instanceof StorageError) return new Map();
      throw error;
    }
  }

  return {
    async read(positions, logId) {
      const inHistory = await eventsOfCommits(positions);
      /** The dialogs in the files. Each is read once, and only if the open dialog doesn't have the event (yet). */
      const inFiles = new Map<string, Dialog | null>();
      const found: LogEvent[] = [];
      for (const position of positions) {
        const event = "commit" in position ? inHistory.get(position.commit) : await eventAt(position, inFiles);
        if (event) found.push({ ...event, exact: event.exact && !position.rebuilt, cursor: cursorOf(logId, position) });
      }
      return found;
    },
  };
}
