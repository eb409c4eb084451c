import type { Heard } from "../model/api/events.ts";
import type { TextStore } from "../docs/drafts.ts";
import { ago } from "./ago.ts";
import * as t from "../texts/care.ts";

/** What this browser remembers about the safety of the project. Times in milliseconds since 1970. */
export interface CareState {
  /** When the browser was asked to keep the project, and its answer. */
  readonly asked: { readonly at: number; readonly granted: boolean } | null;
  /** The user's saves and turns since the last export. */
  readonly work: number;
  readonly exportedAt: number | null;
  readonly remindedAt: number | null;
}

/** The key for a project, by its id; "" is the first project. */
const keyOf = (project: string) => (project === "" ? "vibey storage care" : `vibey storage care ${project}`);
const nothing: CareState = { asked: null, work: 0, exportedAt: null, remindedAt: null };

/** The number of saves and turns after which to suggest an export, and milliseconds until the suggestion may be repeated. */
const reminder = { work: 20, pauseMs: 24 * 3_600_000 } as const;

export function readCare(store: Pick<TextStore, "getItem">, project: string): CareState {
  const text = store.getItem(keyOf(project));
  if (text === null) return nothing;
  try {
    const value: Partial<CareState> | null = JSON.parse(text);
    if (typeof value !== "object" || value === null) return nothing;
    const { asked, work, exportedAt, remindedAt } = value;
    const time = (at: unknown) => (typeof at === "number" ? at : null);
    return {
      asked: typeof asked?.at === "number" && typeof asked.granted === "boolean" ? { at: asked.at, granted: asked.granted } : null,
      work: typeof work === "number" ? work : 0,
      exportedAt: time(exportedAt),
      remindedAt: time(remindedAt),
    };
  } catch (error) {
    if (error instanceof SyntaxError) return nothing;
    throw error;
  }
}

/** If the store is full, less is remembered. Nothing depends on it. */
export function writeCare(store: Pick<TextStore, "getItem" | "setItem">, project: string, change: Partial<CareState>): void {
  try {
    store.setItem(keyOf(project), JSON.stringify({ ...readCare(store, project), ...change }));
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}

export const noteExport = (store: TextStore, project: string, now: number) => writeCare(store, project, { work: 0, exportedAt: now });

export interface CareParts {
  readonly store: TextStore;
  /** The id of the project. */
  readonly project: string;
  readonly now: () => number;
  /** Whether the browser keeps the project until the user deletes it. */
  readonly persisted: () => Promise<boolean>;
  /** Asks the browser to keep it; some browsers ask the user. */
  readonly persist: () => Promise<boolean>;
  /** Whether the agent of this dialog is a real one, not the scripted demo. */
  readonly isReal: (dialogId: string) => Promise<boolean>;
  readonly remind: (message: string) => void;
}

/**
 * Handles events of the project. At the user's first own work (a saved file, or a turn of a real agent) the browser is asked, once, to keep the
 * project. If it doesn't, the user is reminded after some work to export the project, at most once a day.
 */
export function createCare({ store, project, now, persisted, persist, isReal, remind }: CareParts): (event: Heard) => Promise<void> {
  const active = new Set<string>();
  const demos = new Set<string>();

  async function isOwnWork(event: Heard): Promise<boolean> {
    if (event.type === "file" || event.type === "deed") return event.data.change === "changed" && event.actor.kind === "human";
    if (event.type !== "dialog") return false;
    const { dialogId } = event;
    if (dialogId === null) return false;
    const { status } = event.data;
    const begins = status === "active" && !active.has(dialogId);
    if (status === "active") active.add(dialogId);
    else active.delete(dialogId);
    if (!begins || demos.has(dialogId)) return false;
    if (readCare(store, project).asked !== null || (await isReal(dialogId))) return true;
    demos.add(dialogId);
    return false;
  }

  return async (event) => {
    if (!(await isOwnWork(event))) return;
    writeCare(store, project, { work: readCare(store, project).work + 1 });
    if (readCare(store, project).asked === null) {
      // Noted before the answer: it may take long, and the next event must not ask again.
      writeCare(store, project, { asked: { at: now(), granted: false } });
      writeCare(store, project, { asked: { at: now(), granted: (await persisted()) || (await persist()) } });
    }
    const due = reminderDue(readCare(store, project), now());
    if (due === null || (await persisted())) return;
    writeCare(store, project, { remindedAt: now() });
    remind(due);
  };
}

/** The reminder to show now; null: none. */
export function reminderDue({ work, exportedAt, remindedAt }: CareState, now: number): string | null {
  if (work < reminder.work) return null;
  if (remindedAt !== null && now - remindedAt < reminder.pauseMs) return null;
  return t.exportReminder(exportedAt === null ? null : ago(exportedAt, now), work);
}
