import type { Files } from "../../fs/files.ts";
import { eventsOfHeader, eventsOfSection } from "../../dialog/events/events-of.ts";
import type { DialogEvent } from "../../dialog/events/model.ts";
import type { Dialog } from "../../dialog/model.ts";
import { StorageError } from "../../fs/storage-error.ts";
import type { LogEvent } from "../../protocol/index.ts";
import { cursorOf } from "./cursor.ts";
import type { Position } from "./log.ts";
import { keyOf } from "./news.ts";
import { dialogIn, findDialog } from "./written-files.ts";

/** Bytes of the files that are kept parsed, the last one aside. */
const keepBytes = 20_000_000;

/** Reads events where they stand: in the texts of the dialogs. */
export interface EventReader {
  /** The events at these places, in their order. Those of a dialog that is gone, or that the user has edited since, are left out. */
  read(positions: readonly Position[], logId: string): Promise<LogEvent[]>;
}

/** `live`: the dialog as the engine has it open; null: it has not. */
export function createEventReader(files: Pick<Files, "list" | "read">, live: (dialogId: string) => Dialog | null): EventReader {
  /** By id, the one that was asked for last at the end. */
  const parsed = new Map<string, { readonly version: number; readonly size: number; readonly dialog: Dialog }>();
  const read = new WeakMap<Dialog, Map<string, ReadonlyMap<string, DialogEvent>>>();

  async function stored(id: string): Promise<Dialog | null> {
    const stat = await findDialog(files, id);
    const known = parsed.get(id);
    parsed.delete(id);
    if (stat === null) return null;
    const dialog = known?.version === stat.version ? known.dialog : await parse(stat.path);
    if (dialog === null) return null;
    parsed.set(id, { version: stat.version, size: stat.size, dialog });
    let bytes = [...parsed.values()].reduce((sum, { size }) => sum + size, 0);
    for (const [oldest, { size }] of parsed) {
      if (bytes <= keepBytes || oldest === id) break;
      parsed.delete(oldest);
      bytes -= size;
    }
    return dialog;
  }

  /** A file that is damaged says nothing; the others still do. */
  async function parse(path: Parameters<Files["read"]>[0]): Promise<Dialog | null> {
    try {
      const content = await files.read(path);
      return content && dialogIn(content.bytes);
    } catch (error) {
      if (error instanceof StorageError) return null;
      throw error;
    }
  }

  function eventsAt(dialog: Dialog, dialogId: string, place: string): ReadonlyMap<string, DialogEvent> {
    const own = read.get(dialog) ?? new Map<string, ReadonlyMap<string, DialogEvent>>();
    read.set(dialog, own);
    const known = own.get(place);
    if (known) return known;
    const events = place === "h" ? eventsOfHeader(dialog, dialogId) : eventsOfSection(dialog, dialogId, Number(place));
    const byKey = new Map(events.map((event) => [keyOf(event), event]));
    own.set(place, byKey);
    return byKey;
  }

  function eventIn(dialog: Dialog | null, { dialogId, generation, key }: Position): DialogEvent | null {
    const event = dialog && eventsAt(dialog, dialogId, key.split(".", 1)[0] ?? "").get(key);
    return event?.id === `${dialogId}/${generation}/${key}` ? event : null;
  }

  return {
    async read(positions, logId) {
      /** As the files have them; each is read once, and only if what is open doesn't have the event (yet). */
      const inFiles = new Map<string, Dialog | null>();
      const found: LogEvent[] = [];
      for (const position of positions) {
        const { dialogId, rebuilt } = position;
        let event = eventIn(live(dialogId), position);
        if (event === null) {
          const dialog = inFiles.has(dialogId) ? (inFiles.get(dialogId) ?? null) : await stored(dialogId);
          inFiles.set(dialogId, dialog);
          event = eventIn(dialog, position);
        }
        if (event) found.push({ ...event, exact: event.exact && !rebuilt, cursor: cursorOf(logId, position) });
      }
      return found;
    },
  };
}
