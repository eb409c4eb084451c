import type { EventBus } from "../../events.ts";
import { type Actor, actorKey, actorOfKey, dialogOf, eitherOf, human, sameActor, vibey } from "../../../fs/actor.ts";
import type { Change, FileContent, FileEvent, Files } from "../../../fs/files.ts";
import { type CommitOutcome, FileTrouble, type History, type NewFile } from "../../../fs/history/history.ts";
import type { Oid } from "../../../fs/history/object.ts";
import type { HistoryStore, KnownFile, Note, WriteFailure } from "../../../fs/history/store.ts";
import type { Path } from "../../../fs/path.ts";
import { StorageError } from "../../../fs/storage-error.ts";
import type { LiveEvent } from "../../../protocol/index.ts";
import { limits } from "../../../protocol/limits.ts";
import type { FileChanges } from "../../projections/file-changes.ts";
import { readUndamaged } from "../../read-each.ts";
import { slices } from "../../slices.ts";
import { type CommitWords, createGroups, type Group, type Left, leftBy } from "./groups.ts";
import { authorOf } from "./people.ts";
import { summaryOf } from "./summary.ts";
import { isTracked } from "./tracked.ts";

/**
 * Makes the commits: after a turn, after a save, and for what an earlier engine left.
 *
 * - It runs in the background: no change waits for a commit. Only a change to a file that someone else has just changed waits until the earlier
 *   state was read.
 * - A commit never contains changes of two authors.
 * - If the history can't be written, the user is told once. Nothing else fails, and the changes are committed later.
 */
export interface Recorder {
  saw(events: readonly FileEvent[]): void;
  heard(event: LiveEvent): void;
  /** Call it before these changes are made. */
  before(changes: readonly Change[], by: Actor): Promise<void> | undefined;
  /** Commits what is not committed yet, and doesn't wait for later writes. `quiet`: except for active turns. */
  settle(which: "all" | "quiet"): Promise<Settled>;
  /**
   * Commits the user's change to these files with this message. `act` stores the changes and returns whether they are stored. The message is
   * noted with the change itself: if the tab is closed before the commit, the next engine uses it.
   */
  named<Stored extends { readonly ok: boolean }>(
    paths: ReadonlySet<Path>,
    words: CommitWords,
    act: () => Promise<Stored>,
  ): Promise<Named<Stored>>;
}

interface Named<Stored> {
  readonly stored: Stored;
  /** Waits for the commit. Null if it could not be made now, or if nothing was stored. */
  readonly made: () => Promise<Oid | null>;
}

export type Settled = { readonly ok: true } | { readonly ok: false; readonly message: string };

export interface RecorderDeps {
  readonly files: Pick<Files, "list" | "read" | "readMany">;
  readonly history: History;
  readonly store: Pick<HistoryStore, "files" | "notes">;
  /** Texts that were replaced before the history read them. */
  readonly fileChanges: Pick<FileChanges, "since">;
  /** Called after a commit, with the changed files as they were in the previous commit. */
  readonly replaced: (files: readonly KnownFile[]) => void;
  /** Called after a commit, with its number. */
  readonly committed: (number: number) => void;
  readonly emit: EventBus["emit"];
  readonly now: () => Date;
  /** Calls `then` once after `ms`. */
  readonly later: (then: () => void, ms: number) => void;
  readonly report: (error: unknown) => void;
}

export async function startRecorder(deps: RecorderDeps): Promise<Recorder> {
  const { files, history, store, fileChanges, replaced, committed, emit, now, later, report } = deps;
  const oldNotes = await store.notes();
  /** Dialogs with an active turn. */
  const active = new Set<string>();
  /** Dialogs with calls that wait for the user's decision. */
  const asking = new Set<string>();
  const goesOn = (by: Actor) => active.has(dialogOf(by) ?? "");
  const firstId = 1 + oldNotes.reduce((most, { group }) => Math.max(most, group), 0);
  const groups = createGroups({ isFollowed: isTracked, goesOn, firstId });
  /** Why commits can't be made now. */
  let trouble: string | null = null;
  /** Another engine writes the history now. */
  let over = false;
  let working: Promise<Settled> | null = null;
  let caughtUp = false;
  let retries = false;
  /** What the user is about to do. */
  let announced: { readonly paths: ReadonlySet<Path>; readonly words: CommitWords; group: Group | null } | null = null;
  /** Whether there was room to hold the contents replaced last. */
  let holdsAll = true;
  /** Called when their group is committed, even if others were sealed after it. */
  const waiting = new Map<Group, (settled: Settled) => void>();

  function seal(group: Group): void {
    groups.seal(group);
    work().catch(report);
  }

  /**
   * A dialog says when its turn ends. Other changes are finished when they have stopped for a while. What the user saves while agents work is
   * finished at once: the agents' next changes come after it, and a replay shows that order.
   */
  function arm(group: Group, isNew: boolean): void {
    if (goesOn(group.by)) return;
    if (group.by.kind === "human" && active.size + asking.size > 0) return seal(group);
    const { touched } = group;
    later(
      () => {
        if (group.touched === touched && !goesOn(group.by)) seal(group);
      },
      group.by.kind === "human" ? limits.historySaveMs : limits.historyQuietMs,
    );
    if (isNew) later(() => goesOn(group.by) || seal(group), limits.historyLongestMs);
  }

  /** Commits all sealed groups, one after the other. */
  function work(): Promise<Settled> {
    working ??= commitAll();
    return working;
  }

  async function commitAll(): Promise<Settled> {
    // Wait, so that `working` is set before this can end.
    await Promise.resolve();
    try {
      if (over) return failed({ kind: "fenced" });
      if (!caughtUp) await catchUp();
      for (let group = groups.sealed[0]; group; group = groups.sealed[0]) {
        const { done, unread, lost } = await commitGroup(group);
        if (!done.ok) return failed(done.failure);
        groups.sealed.shift();
        for (const path of lost) groups.blend(path, group.by);
        await noteAgain(group, unread);
        group.commit = done.record?.id ?? null;
        waiting.get(group)?.({ ok: true });
        waiting.delete(group);
        replaced(done.replaced);
        if (!done.record) continue;
        committed(done.record.number);
        emit({ type: "history", data: { commit: done.record.id } });
      }
      trouble = null;
      return { ok: true };
    } catch (error) {
      if (!(error instanceof StorageError)) report(error);
      return inTrouble(error instanceof Error ? error.message : String(error));
    } finally {
      // Reset it in the same step in which nothing was left: a group that is sealed afterwards starts new work.
      working = null;
    }
  }

  function failed(failure: WriteFailure): Settled {
    if (failure.kind === "full") return inTrouble("the browser's storage is full");
    if (failure.kind === "broken") return inTrouble(failure.message);
    over = true;
    groups.sealed.length = 0;
    return { ok: false, message: "another tab is writing the history" };
  }

  function tell(message: string): void {
    emit({ type: "notice", data: { kind: "history", message } });
  }

  function inTrouble(why: string): Settled {
    if (trouble === null) tell(`History is paused: ${why}. Your work is still saved, but changes can't be undone until history resumes.`);
    trouble = why;
    if (!retries) {
      retries = true;
      later(() => {
        retries = false;
        work().catch(report);
      }, limits.historyRetryMs);
    }
    return { ok: false, message: why };
  }

  interface Tried {
    readonly done: CommitOutcome;
    /** Files that were left out because they can't be read. */
    readonly unread: Note["files"];
    /** Files whose state was replaced before it was held. */
    readonly lost: readonly Path[];
  }

  async function commitGroup(group: Group): Promise<Tried> {
    const { author, trailers } = authorOf(group.by);
    const unread: (readonly [Path, number])[] = [];
    const lost: Path[] = [];
    const read = async (path: Path, left: Left) => {
      const found = await readLeft(path, left);
      if (found === "unread" && left.version !== null) unread.push([path, left.version]);
      if (found === "lost") lost.push(path);
      return found === "unread" || found === "lost" ? "unknown" : found;
    };
    try {
      const done = await history.commit({
        author,
        trailers: [...trailers, ...(group.words?.trailers ?? [])],
        time: group.time ?? now().getTime(),
        summary: (changes) => group.words?.summary ?? summaryOf(changes),
        files: Array.from(group.files, ([path, left]): NewFile => ({ path, read: () => read(path, left) })),
        notes: group.notes,
      });
      return { done, unread, lost };
    } catch (error) {
      const left = error instanceof FileTrouble ? group.files.get(error.path) : undefined;
      if (!(error instanceof FileTrouble) || !left) throw error;
      // Opening the history also tries a commit, at any time. Such attempts don't count.
      if (!retries) left.tries = (left.tries ?? 0) + 1;
      if ((left.tries ?? 0) < limits.historyFileTries) throw error;
      report(error);
      tell(`The history leaves out ${error.message}. The file itself is saved.`);
      return commitGroup(group);
    }
  }

  /** Keeps the authors of these files, because a later engine may be able to read the files. */
  async function noteAgain({ id, by, time, words }: Group, unread: Note["files"]): Promise<void> {
    const own = unread.filter(([path]) => !groups.has(path));
    if (own.length === 0) return;
    await history.note({ group: id, by: actorKey(by), time: time ?? undefined, files: own, words: words ?? undefined });
  }

  /**
   * The state that the group left. A later state belongs to another author's group. `lost`: the state was replaced. `unread`: the file exists but
   * can't be read.
   */
  async function readLeft(path: Path, left: Left): Promise<FileContent | "removed" | "lost" | "unread"> {
    if (left.version === null) return "removed";
    // A file that was read but repeatedly failed to be stored in the history will fail now, too.
    if ((left.tries ?? 0) >= limits.historyFileTries) return "unread";
    if (left.held) return left.held;
    try {
      const content = await files.read(path);
      return content?.version === left.version ? content : (left.held ?? replacedText(path, left.version) ?? "lost");
    } catch (error) {
      if (!(error instanceof StorageError) || error.kind !== "damaged") throw error;
      // One damaged file must not keep the others out of the history.
      report(error);
      return left.held ?? replacedText(path, left.version) ?? "unread";
    }
  }

  function holdNoMore(): void {
    if (holdsAll) tell("The history can't keep up: where several change one file now, it will show one change.");
    holdsAll = false;
  }

  /** The text that the file had in this version, if it has been replaced since. */
  function replacedText(path: Path, version: number): FileContent | null {
    const text = fileChanges.since(path, version)[0]?.before;
    if (typeof text !== "string") return null;
    const bytes = new TextEncoder().encode(text);
    return { path, version, mtime: 0, size: bytes.length, bytes };
  }

  /** Changes that happened unobserved: before this engine started, or in the last moment of an earlier one. */
  async function catchUp(): Promise<void> {
    const [stats, known] = await Promise.all([files.list(), store.files()]);
    const seen = notedStates(oldNotes);
    /** By `actorKey`. */
    const found = new Map<string, Pick<Group, "by" | "files" | "time" | "words">>();
    const put = (noted: Noted | null, path: Path, left: Left) => {
      const { by, time, words } = noted ?? { by: vibey, time: null, words: null };
      const key = words === null ? actorKey(by) : `${actorKey(by)}\n${JSON.stringify(words)}`;
      const own = found.get(key) ?? { by, files: new Map<Path, Left>(), time: 0, words };
      own.files.set(path, left);
      own.time = own.time === null || time === null ? null : Math.max(own.time, time);
      found.set(key, own);
    };
    const take = (path: Path, version: number | null) => {
      const note = seen.get(path);
      // A file that this engine has seen changing has its group. The state in which the engine found it comes before that.
      if (!groups.has(path)) return put(note?.version === version ? note : null, path, { version });
      const held = replacedText(path, 0);
      if (held) put(note ?? null, path, { version: 0, held });
    };
    const before = new Map(known.map((file) => [file.path, file]));
    for (const { path, version, mtime, size } of stats) {
      const file = before.get(path);
      before.delete(path);
      if (file?.version !== version || file.mtime !== mtime || file.size !== size) if (isTracked(path)) take(path, version);
    }
    for (const path of before.keys()) take(path, null);
    // Deleted before the history read them.
    const listed = new Set(stats.map(({ path }) => path));
    for (const path of groups.paths()) if (!listed.has(path) && !before.has(path)) take(path, null);
    const others = groups.sealed.splice(0);
    for (const { by, files: left, time, words } of found.values()) groups.add(by, left, { notes: [], time, words });
    groups.add(vibey, new Map(), { notes: [...new Set(oldNotes.map(({ group }) => group))], time: null, words: null });
    groups.sealed.push(...others);
    caughtUp = true;
  }

  later(() => void work().catch(report), 0);

  return {
    saw(events) {
      if (over) return;
      const seen = groups.saw(events);
      if (!seen) return;
      const { group, isNew } = seen;
      const time = now().getTime();
      group.time = time;
      if (announced?.group === null && isDoneTo(group, announced.paths)) {
        announced.group = group;
        group.words = announced.words;
      }
      const note: Note = {
        group: group.id,
        by: actorKey(group.by),
        time,
        files: Array.from(leftBy(events), ([path, { version }]) => [path, version] as const).filter(([path]) => isTracked(path)),
        words: group.words ?? undefined,
      };
      // Without the note, the commit has a different author after a crash. A storage failure is reported by the commit anyway.
      history.note(note).catch(report);
      arm(group, isNew);
      if (groups.sealed.length > 0) work().catch(report);
    },
    heard(event) {
      const { dialogId } = event;
      if ((event.type !== "dialog" && event.type !== "dialog_removed") || dialogId === null) return;
      const works = event.type === "dialog" && event.data.status === "active";
      const asks = event.type === "dialog" && event.data.waitingFor === "leave";
      if (works || asks) for (const group of groups.open()) if (group.by.kind === "human") seal(group);
      if (asks) asking.add(dialogId);
      else asking.delete(dialogId);
      if (works) return void active.add(dialogId);
      active.delete(dialogId);
      for (const group of groups.open()) if (dialogOf(group.by) === dialogId) seal(group);
    },
    before(changes, by) {
      const paths = changes.flatMap(pathsOf);
      const endangered = groups.endangered(paths, by);
      if (endangered.length === 0) return undefined;
      const hold = async () => {
        let held = groups.heldBytes();
        for (const slice of slices(endangered)) {
          if (held > limits.historyHeldBytes) return holdNoMore();
          const contents = await readUndamaged(
            files,
            slice.map(({ path }) => path),
          );
          for (const [nth, { left }] of slice.entries()) {
            const content = contents[nth] ?? null;
            if (content?.version !== left.version) continue;
            left.held = content;
            held += content.size;
          }
        }
        holdsAll = true;
      };
      return hold().catch(report);
    },
    settle(which) {
      for (const group of groups.open()) if (which === "all" || !goesOn(group.by)) groups.seal(group);
      const all = (working ?? Promise.resolve()).then(work);
      const last = groups.sealed.at(-1);
      if (!last) return all;
      const enough = new Promise<Settled>((resolve) => {
        const earlier = waiting.get(last);
        waiting.set(last, (settled) => {
          earlier?.(settled);
          resolve(settled);
        });
      });
      // If others keep writing, there is always something left.
      return Promise.race([all, enough]);
    },
    async named(paths, words, act) {
      const mine: NonNullable<typeof announced> = { paths, words, group: null };
      announced = mine;
      try {
        const stored = await act();
        const { group } = mine;
        if (group) groups.seal(group);
        const made = async () => {
          await work();
          return group?.commit ?? null;
        };
        return { stored, made };
      } finally {
        if (announced === mine) announced = null;
      }
    },
  };
}

/** Whether the group is the user's and has exactly these files. */
const isDoneTo = ({ by, files }: Group, paths: ReadonlySet<Path>): boolean =>
  sameActor(by, human) && files.size === paths.size && [...paths].every((path) => files.has(path));

interface Noted {
  readonly by: Actor;
  /** The time of the change. Null if unknown: then the current time is used. */
  readonly time: number | null;
  readonly words: CommitWords | null;
  readonly version: number | null;
}

function notedStates(notes: readonly Note[]): Map<Path, Noted> {
  const states = new Map<Path, Noted>();
  for (const { by: key, time = null, files, words = null } of notes) {
    const by = actorOfKey(key);
    for (const [path, version] of files) {
      // Their earlier changes to the same file are in no commit either.
      const earlier = states.get(path);
      states.set(path, { by: earlier ? eitherOf(earlier.by, by) : by, time, version, words });
    }
  }
  return states;
}

function pathsOf(change: Change): Path[] {
  if (change.op === "fold") return [];
  return change.op === "rename" ? [change.from, change.to] : [change.path];
}
