import { type Actor, actorKey, eitherOf, sameActor } from "../../../fs/actor.ts";
import type { FileContent, FileEvent } from "../../../fs/files.ts";
import type { Oid } from "../../../fs/history/object.ts";
import type { CommitRecord } from "../../../fs/history/store.ts";
import type { Path } from "../../../fs/path.ts";

/**
 * What was changed and is in no commit yet. A group is what one commit will hold: changes of one author, none of whose files
 * someone else has changed in between.
 */
export interface Group {
  readonly id: number;
  readonly by: Actor;
  /** How each file was left. */
  readonly files: Map<Path, Left>;
  /** Nothing is added to it anymore. */
  sealed: boolean;
  /** Grows with every change of any group: when it grew last. */
  touched: number;
  /** What the commit says; null: what it changes, and who it was. */
  words: CommitWords | null;
  /** Groups whose notes are done with it. */
  notes: readonly number[];
  /** When the last change of it was made, in milliseconds since 1970; null: no one knows. */
  time: number | null;
  /** Its commit, once there is one. */
  commit: Oid | null;
}

export type CommitWords = Pick<CommitRecord, "summary" | "trailers">;

export interface Left {
  /** How often a commit has failed at it. */
  tries?: number;
  /** null: it was removed. */
  readonly version: number | null;
  /** Its content, where someone is about to replace it. */
  held?: FileContent;
}

export interface Groups {
  /**
   * The events of one commit, for the files that are followed: returns the group that they went to, null when there are none. Groups of
   * others that hold one of its files are sealed.
   */
  saw(events: readonly FileEvent[]): { readonly group: Group; readonly isNew: boolean } | null;
  /** What is about to be lost to the history when `by` changes these files: every state of one of them that can't be replaced in its group. */
  endangered(paths: readonly Path[], by: Actor): { readonly path: Path; readonly left: Left }[];
  /** What was done before it, and is done, is sealed before it. */
  seal(group: Group): void;
  /** A state of this file that `by` left is lost, so the change of who changed it next holds both: it gets a group of its own. */
  blend(path: Path, by: Actor): void;
  /** Bytes of contents that are held. */
  heldBytes(): number;
  /** A sealed group of files that are in no other one. */
  add(by: Actor, files: Map<Path, Left>, how: Pick<Group, "notes" | "time" | "words">): void;
  /** Groups that still grow, the one that has been quiet for longest first. */
  open(): readonly Group[];
  /** Sealed ones, in the order in which they have to be committed. */
  readonly sealed: Group[];
  has(path: Path): boolean;
  /** Of all groups. */
  paths(): Path[];
}

export interface GroupsOptions {
  /** Which files. */
  readonly isFollowed: (path: Path) => boolean;
  /** Whether this author is in the middle of something. */
  readonly goesOn: (by: Actor) => boolean;
  readonly firstId: number;
}

export function createGroups({ isFollowed, goesOn, firstId }: GroupsOptions): Groups {
  /** By `actorKey`. */
  const growing = new Map<string, Group>();
  const sealed: Group[] = [];
  let nextId = firstId;
  let clock = 0;

  function make(by: Actor, files: Map<Path, Left>): Group {
    const id = nextId++;
    return { id, by, files, sealed: false, touched: 0, words: null, notes: [id], time: null, commit: null };
  }

  function seal(group: Group): void {
    if (group.sealed) return;
    const earlier = open().filter((other) => other.touched < group.touched && !goesOn(other.by));
    for (const one of [...earlier, group]) {
      one.sealed = true;
      growing.delete(actorKey(one.by));
      sealed.push(one);
    }
  }

  function open(): readonly Group[] {
    return [...growing.values()].toSorted((a, b) => a.touched - b.touched);
  }

  return {
    sealed,
    seal,
    saw(events) {
      const left = leftBy(events);
      for (const path of left.keys()) if (!isFollowed(path)) left.delete(path);
      const [first] = events;
      if (!first || left.size === 0) return null;
      const paths = [...left.keys()];
      for (const other of open()) {
        if (sameActor(other.by, first.by) ? !joins(other, paths) : paths.some((path) => other.files.has(path))) seal(other);
      }
      const grown = growing.get(actorKey(first.by));
      const group = grown ?? make(first.by, new Map());
      growing.set(actorKey(first.by), group);
      for (const [path, state] of left) group.files.set(path, state);
      clock += 1;
      group.touched = clock;
      return { group, isNew: !grown };
    },
    endangered(all, by) {
      const paths = all.filter(isFollowed);
      const found: { path: Path; left: Left }[] = [];
      for (const group of [...sealed, ...growing.values()]) {
        if (!group.sealed && sameActor(group.by, by) && joins(group, paths)) continue;
        for (const path of paths) {
          const left = group.files.get(path);
          if (left && left.version !== null && !left.held) found.push({ path, left });
        }
      }
      return found;
    },
    blend(path, by) {
      const next = [...sealed, ...growing.values()].find(({ files }) => files.has(path));
      const left = next?.files.get(path);
      if (!next || !left || sameActor(next.by, by)) return;
      next.files.delete(path);
      const group = { ...make(eitherOf(by, next.by), new Map([[path, left]])), time: next.time, sealed: true };
      sealed.splice(next.sealed ? sealed.indexOf(next) : sealed.length, 0, group);
    },
    heldBytes() {
      let sum = 0;
      for (const { files } of [...sealed, ...growing.values()]) for (const { held } of files.values()) sum += held?.size ?? 0;
      return sum;
    },
    add(by, files, { notes, time, words }) {
      const group = make(by, files);
      seal(Object.assign(group, { time, words, notes: [group.id, ...notes] }));
    },
    open,
    paths: () => [...sealed, ...growing.values()].flatMap(({ files }) => [...files.keys()]),
    has: (path) => [...sealed, ...growing.values()].some(({ files }) => files.has(path)),
  };
}

/** An agent's turn is one commit. A human's saves are one as long as they are of the same files. */
function joins(group: Group, paths: readonly Path[]): boolean {
  return group.by.kind !== "human" || (paths.length === group.files.size && paths.every((path) => group.files.has(path)));
}

/** How a commit left the files that it touched. */
export function leftBy(events: readonly FileEvent[]): Map<Path, Left> {
  const left = new Map<Path, Left>();
  for (const event of events) {
    if (event.kind === "renamed") left.set(event.from, { version: null }).set(event.to, { version: event.version });
    else left.set(event.path, { version: event.kind === "removed" ? null : event.version });
  }
  return left;
}
