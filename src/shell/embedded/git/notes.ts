import type { Repository } from "./repository.ts";
import { modes, type Oid, type Snapshot } from "./store/model.ts";

const usual = "refs/notes/commits";

export async function notesRef(repo: Repository): Promise<string> {
  const name = repo.shell.env("GIT_NOTES_REF") ?? (await repo.setting("core.notesref")) ?? usual;
  return name.startsWith("refs/") ? name : `refs/notes/${name}`;
}

/** The notes, by the object they belong to. */
export async function readNotes(repo: Repository, ref: string): Promise<ReadonlyMap<Oid, Oid>> {
  const commit = await repo.refs.resolve(ref);
  const found = new Map<Oid, Oid>();
  // Large sets of notes are split into folders: ab/cdef….
  for (const [path, { oid }] of await repo.snapshot(commit)) found.set(path.replaceAll("/", ""), oid);
  return found;
}

export async function writeNotes(repo: Repository, ref: string, notes: ReadonlyMap<Oid, Oid>, why: string): Promise<void> {
  const files: Snapshot = new Map([...notes].map(([object, oid]) => [object, { mode: modes.file, oid }]));
  const before = await repo.refs.resolve(ref);
  const [author, committer] = [await repo.author(), await repo.committer()];
  const tree = await repo.objects.writeTree(files);
  const oid = await repo.writeCommit({ tree, parents: before === null ? [] : [before], author, committer, message: `${why}\n` });
  await repo.refs.set(ref, oid);
}
