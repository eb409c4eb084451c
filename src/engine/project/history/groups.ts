import { type Actor, actorKey, eitherOf, sameActor } from "../../../fs/actor.ts";
import type { FileContent, FileEvent } from "../../../fs/files.ts";
import type { Oid } from "../../../fs/history/object.ts";
import type { CommitRecord } from "../../../fs/history/store.ts";
import type { Path } from "../../../fs/path.ts";

/** Changes that are in no commit yet. A group becomes one commit: changes of one author to files that no one else has changed in between. */
export interface Group {
  readonly id: number;
  readonly by: Actor;
  /** The state in which each file was left. */
  readonly files: Map<Path, Left>;
  /** Nothing more is added to it. */
  sealed: boolean;
  /** The order of the last change, counted across all groups. */
  touched: number;
  /** The commit message. Null for the default, which names the changes. */
  words: CommitWords | null;
  /** The groups whose notes are settled by this commit. */
  notes: readonly number[];
  /** The time of its last change, in milliseconds since 1970. Null if unknown. */
  time: number | null;
  /** Its commit, once it exists. */
  commit: Oid | null;
}

export type CommitWords = Pick<CommitRecord, "summary" | "trailers">;

export interface Left {
  /** How many times a commit has failed because of this file. */
  tries?: number;
  /** Null if the file was removed. */
  readonly version: number | null;
  /** Its content, if someone is about to replace it. */
  held?: FileContent;
}

export interface Groups {
  /**
   * Takes the events of one commit, for the tracked files. Returns their group, or null if there are none. Groups of other authors that contain
   * one of the files are sealed.
   */
  saw(events: readonly FileEvent[]): { readonly group: Group; readonly isNew: boolean } | null;
  /** The states that the history would lose when `by` changes these files: those that the change doesn't replace within its own group. */
  endangered(paths: readonly Path[], by: Actor): { readonly path: Path; readonly left: Left }[];
  /** Seals the group, after earlier groups whose authors are finished. */
  seal(group: Group): void;
  /** The state in which `by` left this file is lost, so the next author's change contains both. It gets its own group. */
  blend(path: Path, by: Actor): void;
  /** The total bytes of held contents. */
  heldBytes(): number;
  /** Adds a sealed group of files that are in no other group. */
  add(by: Actor, files: Map<Path, Left>, how: Pick<Group, "notes" | "time" | "words">): void;
  /** The groups that are still growing, longest unchanged first. */
  open(): readonly Group[];
  /** The sealed groups, in the order in which they must be committed. */
  readonly sealed: Group[];
  has(path: Path): boolean;
  /** The files of all groups. */
  paths(): Path[];
}

export interface GroupsOptions {
  /** Whether the file is tracked. */
  readonly isFollowed: (path: Path) => boolean;
  /** Whether this author is still working. */
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

/** An agent's turn is one commit. Consecutive saves of a human are one commit if they change the same files. */
function joins(group: Group, paths: readonly Path[]): boolean {
  return group.by.kind !== "human" || (paths.length === group.files.size && paths.every((path) => group.files.has(path)));
}

/** The state in which a commit left the files that it changed. */
export function leftBy(events: readonly FileEvent[]): Map<Path, Left> {
  const left = new Map<Path, Left>();
  for (const event of events) {
    if (event.kind === "renamed") left.set(event.from, { version: null }).set(event.to, { version: event.version });
    else left.set(event.path, { version: event.kind === "removed" ? null : event.version });
  }
  return left;
}
