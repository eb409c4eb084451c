import type { EventBus } from "../../events.ts";
import { human } from "../../../fs/actor.ts";
import type { Change, CommitOptions } from "../../../fs/files.ts";
import type { History } from "../../../fs/history/history.ts";
import type { Oid } from "../../../fs/history/object.ts";
import type { CommitRecord, FileChange, HistoryStore, KnownFile } from "../../../fs/history/store.ts";
import { isGitObject, repositoryFolder } from "../../../fs/git-name.ts";
import type { Path } from "../../../fs/path.ts";
import { StorageError } from "../../../fs/storage-error.ts";
import type { RestoreAnswer } from "../../../protocol/index.ts";
import type { DialogStore } from "../../dialogs/store.ts";
import { docAuthority, guardDoc } from "../../../dialog/doc-authority.ts";
import { placeOf } from "../../agents/registry.ts";
import { askingAgent, unaskedOf } from "../zip/arriving-agent.ts";
import { mergedLines, mergeTexts } from "../../../fs/text/merge-texts.ts";
import { decodeText } from "../../text.ts";
import { isMainDoc } from "../../../protocol/write-rules.ts";
import type { CommitWords } from "./groups.ts";
import type { Recorder } from "./recorder.ts";
import { restoring, undoesOf, undoing } from "./people.ts";
import { namesOf } from "./summary.ts";

/**
 * Restores earlier states of files. This is a change by the user like any other: the replaced state is in the history first, and the change can
 * be undone itself. Dialogs are never touched.
 */
export interface TurnBack {
  /** Restores the file, or all files, to the state after this commit. */
  restore(id: Oid, path: Path | null): Promise<TurnedBack>;
  /** Undoes this commit's changes. Later changes to other lines are kept. */
  undo(id: Oid, path: Path | null): Promise<TurnedBack>;
  /** The files whose newest committed state differs from that after this commit, sorted. Null if there is no such commit. */
  preview(id: Oid): Promise<readonly Path[] | null>;
}

export type TurnedBack = { readonly ok: true; readonly answer: RestoreAnswer } | { readonly ok: false; readonly refusal: TurnBackRefusal };

export type TurnBackRefusal =
  | { readonly kind: "unknown-commit" }
  /** The commit has no such file, or didn't change it. */
  | { readonly kind: "unknown-path" }
  /** Files kept changing during the attempts. */
  | { readonly kind: "busy" }
  /** Uncommitted changes could not be committed and would have been lost. */
  | { readonly kind: "history"; readonly message: string }
  | { readonly kind: "storage"; readonly message: string };

export interface TurnBackDeps {
  readonly history: History;
  readonly store: Pick<HistoryStore, "changes" | "commit" | "commits" | "file" | "files">;
  readonly recorder: Pick<Recorder, "settle" | "named">;
  readonly commit: DialogStore["other"];
  readonly emit: EventBus["emit"];
}

/** The maximum number of attempts if a file keeps changing. */
const attempts = 5;

/** How many commits' changes are read at once. */
const pageOfChanges = 100;

type Found = NonNullable<Awaited<ReturnType<History["get"]>>>;

interface Plan {
  readonly writes: readonly Write[];
  readonly kept: readonly Path[];
  readonly damaged: readonly Path[];
}

interface Write {
  readonly path: Path;
  /** The state in the newest commit. */
  readonly now: KnownFile | null;
  /** Null if the file is removed. */
  readonly bytes: Uint8Array | null;
}

const asBytes = (content: Uint8Array | "damaged" | null): Uint8Array | null => (content === "damaged" ? null : content);

function widened(path: Path, before: Uint8Array | null, after: Uint8Array | null): string | null {
  const had = unaskedOf(path, before);
  const more = unaskedOf(path, after).filter((tool) => !had.includes(tool));
  return more.length === 0 ? null : `The agent of ${path} may use ${more.join(", ")} without asking again.`;
}

function changedMain(now: Uint8Array | null, then: Uint8Array | null): string | null {
  const [before, after] = [now, then].map((bytes) => (bytes ? new TextDecoder().decode(bytes) : ""));
  const guard = guardDoc(before ?? "", after ?? "");
  if (guard.ok) return null;
  const lines = (list: readonly string[]) => list.map((line) => JSON.stringify(line)).join(", ");
  const parts = [
    ...(guard.wanted.length > 0 ? [`${lines(guard.wanted)} added`] : []),
    ...(guard.lost.length > 0 ? [`${lines(guard.lost)} removed`] : []),
  ];
  return `This changed permissions in main: ${parts.join("; ")}.`;
}

/**
 * Merges both changes of `base`. If an agent has moved an authority line, it keeps its new place, unless the other side removes the line: moving
 * it must not restore it.
 */
function mergedMain(base: string, ours: string, theirs: string): string | null {
  const merged = mergeTexts(base, ours, theirs);
  if (merged === null) return null;
  const lines = mergedLines(docAuthority(base), docAuthority(ours), docAuthority(theirs), docAuthority(merged));
  const guard = lines && guardDoc(lines.join("\n"), merged);
  return guard?.ok === false ? guard.repaired : guard && merged;
}

export function createTurnBack({ history, store, recorder, commit, emit }: TurnBackDeps): TurnBack {
  async function turnBack(words: CommitWords, make: () => Promise<Plan | null>): Promise<TurnedBack> {
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      const settled = await recorder.settle("all");
      if (!settled.ok) return { ok: false, refusal: { kind: "history", message: settled.message } };
      const plan = await make();
      if (!plan) return { ok: false, refusal: { kind: "unknown-path" } };
      const { writes, kept, damaged } = plan;
      if (writes.length === 0) return { ok: true, answer: { ok: true, changed: [], kept, damaged, commit: null } };
      const notice = await authorityNotice(writes);
      const changes = writes.map(({ path, bytes }): Change => (bytes ? { op: "write", path, data: bytes } : { op: "remove", path }));
      const expect: CommitOptions["expect"] = writes.map(({ path, now }) => ({ path, version: now?.version ?? null }));
      const paths = new Set(writes.map(({ path }) => path));
      const act = () => commit(changes, { durability: "strict", by: human, expect });
      const { stored, made } = await recorder.named(paths, words, act);
      if (stored.ok) {
        if (notice !== null) emit({ type: "notice", data: { kind: "authority", message: notice } });
        return { ok: true, answer: { ok: true, changed: [...paths], kept, damaged, commit: await made() } };
      }
      if (stored.failure.kind === "conflict") continue;
      const why =
        stored.failure.kind === "full" ? "the browser's storage is full" : `the browser couldn't save it (${stored.failure.kind})`;
      return { ok: false, refusal: { kind: "storage", message: `${why}; nothing was changed` } };
    }
    return { ok: false, refusal: { kind: "busy" } };
  }

  /** Which authority lines of doc-main.md are added or removed, and which agents may do more without approval. Null if nothing changes. */
  async function authorityNotice(writes: readonly Write[]): Promise<string | null> {
    const told: string[] = [];
    for (const write of writes) {
      if (!isMainDoc(write.path) && placeOf(write.path) !== "yours") continue;
      const now = write.now && (await readable(write.now.oid));
      const sentence = isMainDoc(write.path) ? changedMain(asBytes(now), write.bytes) : widened(write.path, asBytes(now), write.bytes);
      if (sentence !== null) told.push(sentence);
    }
    return told.length === 0 ? null : told.join(" ");
  }

  async function restorePlan(record: CommitRecord, path: Path | null): Promise<Plan | null> {
    const { target, now, paths: different } = await compare(record);
    if (path !== null && !target.has(path) && !now.has(path)) return null;
    const paths = path === null ? different : different.filter((one) => one === path);
    const writes: Write[] = [];
    const damaged: Path[] = [];
    for (const one of paths) {
      const [oid = null, file = null] = [target.get(one), now.get(one)];
      const bytes = oid === null ? null : await readable(oid);
      if (bytes === "damaged") damaged.push(one);
      else writes.push({ path: one, now: file, bytes });
    }
    return { writes: await withOwnWords(writes, record.number + 1), kept: [], damaged };
  }

  /** The files of this commit and of the newest commit, and the paths that differ, sorted. */
  async function compare(record: CommitRecord) {
    const [target, known] = await Promise.all([history.filesAt(record), store.files()]);
    const now = new Map(known.map((file) => [file.path, file]));
    const all = new Set([...target.keys(), ...now.keys()]);
    // Later objects of a repository stay, because they do nothing by themselves.
    const differs = (path: Path) => target.get(path) !== now.get(path)?.oid && (target.has(path) || !isGitObject(path));
    return { target, now, paths: [...all].filter(differs).toSorted() };
  }

  async function undoPlan({ record, files: all }: Found, path: Path | null): Promise<Plan | null> {
    const changes = path === null ? all : all.filter((change) => change.path === path);
    if (changes.length === 0) return null;
    const files = await store.file(changes.map((change) => change.path));
    const stuck = movedOn(changes, files);
    const writes: Write[] = [];
    const kept: Path[] = [];
    const damaged: Path[] = [];
    for (const [at, change] of changes.entries()) {
      const now = files[at] ?? null;
      if ((now?.oid ?? null) === change.before || (change.before === null && isGitObject(change.path))) continue;
      if (stuck.has(repositoryFolder(change.path) ?? "")) {
        kept.push(change.path);
        continue;
      }
      const bytes = await undone(change, now);
      if (bytes === "conflict") kept.push(change.path);
      else if (bytes === "damaged") damaged.push(change.path);
      else if (bytes !== "same") writes.push({ path: change.path, now, bytes });
    }
    return { writes: await withOwnWords(writes, record.number), kept, damaged };
  }

  /**
   * The repositories in the deed in which a file written by the commit has changed since. The files of a repository belong together: an old index
   * doesn't match a new branch. So such a repository stays unchanged. Objects are never removed, because later commits may need them, and they do
   * nothing by themselves.
   */
  function movedOn(changes: readonly FileChange[], files: readonly (KnownFile | null)[]): ReadonlySet<string> {
    const moved = new Set<string>();
    for (const [at, { path, before, after }] of changes.entries()) {
      const folder = repositoryFolder(path);
      const now = files[at]?.oid ?? null;
      if (folder !== null && !isGitObject(path) && now !== after && now !== before) moved.add(folder);
    }
    return moved;
  }

  /** The writes, without permissions from an import that the user didn't accept. */
  async function withOwnWords(writes: readonly Write[], number: number): Promise<Write[]> {
    const guarded = writes.filter(({ path, bytes }) => bytes !== null && (isMainDoc(path) || placeOf(path) === "yours"));
    const unaccepted = await cameUnaccepted(new Set(guarded.map(({ path }) => path)), number);
    const all: Write[] = [];
    for (const write of writes) {
      const { path, now, bytes } = write;
      all.push(unaccepted.has(path) ? { ...write, bytes: await withOwnWord(path, now, bytes) } : write);
    }
    return all;
  }

  /**
   * Which of these files were, before commit `number`, in the state of an import that the user didn't accept. Pages through the history once for
   * all of them.
   */
  async function cameUnaccepted(paths: ReadonlySet<Path>, number: number): Promise<ReadonlySet<Path>> {
    const unaccepted = new Set<Path>();
    const left = new Set(paths);
    for (let to = number - 1; to > 0 && left.size > 0; to -= pageOfChanges) {
      const page = await store.changes(Math.max(1, to - pageOfChanges + 1), to);
      for (const last of page.toReversed()) {
        const found = last.files.flatMap(({ path }) => (left.delete(path) ? [path] : []));
        if (found.length === 0) continue;
        const [record] = await store.commits(last.number + 1, 1);
        if (record?.unaccepted === true) for (const path of found) unaccepted.add(path);
      }
    }
    return unaccepted;
  }

  /**
   * An import doesn't speak for the user: an imported agent asks before it reads, and doc-main.md keeps its current authority lines instead of
   * the imported ones.
   */
  async function withOwnWord<B extends Uint8Array | null>(path: Path, now: KnownFile | null, bytes: B): Promise<B | Uint8Array> {
    if (bytes === null) return bytes;
    const agent = askingAgent(path, bytes);
    if (agent !== null) return new TextEncoder().encode(agent.text);
    if (!isMainDoc(path)) return bytes;
    const ours = now && (await readable(now.oid));
    const decode = (one: Uint8Array) => new TextDecoder().decode(one);
    const guard = guardDoc(ours === null || ours === "damaged" ? "" : decode(ours), decode(bytes));
    return guard.ok ? bytes : new TextEncoder().encode(guard.repaired);
  }

  /** One damaged file must not prevent the others from being restored. */
  async function readable(oid: Oid): Promise<Uint8Array | "damaged"> {
    try {
      return await history.bytes(oid);
    } catch (error) {
      if (error instanceof StorageError && error.kind === "damaged") return "damaged";
      throw error;
    }
  }

  /**
   * The file without this change. `same`: the file already lacks the change. `conflict`: the same places were changed later. `damaged`: a content
   * that is needed can't be read.
   */
  async function undone(
    { path, before, after }: FileChange,
    now: KnownFile | null,
  ): Promise<Uint8Array | null | "same" | "conflict" | "damaged"> {
    if ((now?.oid ?? null) === after) return before === null ? null : readable(before);
    if (before === null || after === null || now === null) return "conflict";
    const contents = [await readable(after), await readable(now.oid), await readable(before)];
    const [base = null, ours = null, theirs = null] = contents.map((bytes) => (bytes === "damaged" ? null : decodeText(bytes)));
    if (contents.includes("damaged")) return "damaged";
    if (base === null || ours === null || theirs === null) return "conflict";
    const merged = isMainDoc(path) ? mergedMain(base, ours, theirs) : mergeTexts(base, ours, theirs);
    if (merged === null) return "conflict";
    return merged === ours ? "same" : new TextEncoder().encode(merged);
  }

  /** The name of an undo of this commit. Undoing an undo is a redo. */
  async function undoWords(record: CommitRecord): Promise<string> {
    let [root, verb] = [record, "undid"];
    for (let id = undoesOf(root); id !== null; id = undoesOf(root)) {
      const earlier = await store.commit(id);
      if (!earlier) break;
      [root, verb] = [earlier, verb === "undid" ? "redid" : "undid"];
    }
    return `${verb} “${root.summary}”`;
  }

  return {
    async preview(id) {
      const found = await history.get(id);
      return found && (await compare(found.record)).paths;
    },
    async restore(id, path) {
      const found = await history.get(id);
      if (!found) return { ok: false, refusal: { kind: "unknown-commit" } };
      const time = new Date(found.record.time).toISOString().slice(0, 16).replace("T", " ");
      const summary = `restored ${path ?? "everything"} as of ${time} UTC`;
      const trailers = path === null ? restoring(id) : [];
      return turnBack({ summary, trailers }, () => restorePlan(found.record, path));
    },
    async undo(id, path) {
      const found = await history.get(id);
      if (!found) return { ok: false, refusal: { kind: "unknown-commit" } };
      const summary = `${await undoWords(found.record)}${path === null ? "" : ` in ${namesOf([path])}`}`;
      const isWhole = found.files.every((change) => path === null || change.path === path);
      return turnBack({ summary, trailers: isWhole ? undoing(id) : [] }, () => undoPlan(found, path));
    },
  };
}
