import type { Repository } from "./repository.ts";
import { noOid, type Oid, type Person } from "./store/model.ts";
import { formatPerson, parsePerson } from "./store/objects.ts";
import { decode, encode } from "./text/bytes.ts";

/** An entry of the stash: `refs/stash` is the newest one, and its log lists all. */
export interface Stash {
  readonly oid: Oid;
  readonly why: string;
  readonly who: Person;
}

/** Newest first. */
export async function readStashes(repo: Repository): Promise<readonly Stash[]> {
  const text = decode((await repo.files.read(`${repo.common}/logs/refs/stash`)) ?? new Uint8Array());
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const tab = line.indexOf("\t");
      return { oid: line.slice(41, 81), why: line.slice(tab + 1), who: parsePerson(line.slice(82, tab)) };
    })
    .toReversed();
}

export async function writeStashes(repo: Repository, stashes: readonly Stash[]): Promise<void> {
  const log = `${repo.common}/logs/refs/stash`;
  const [newest] = stashes;
  if (!newest) {
    if ((await repo.refs.resolve("refs/stash")) !== null) await repo.refs.remove("refs/stash");
    await repo.files.remove(log, repo.common);
    return;
  }
  let before = noOid;
  let text = "";
  for (const { oid, why, who } of stashes.toReversed()) {
    text += `${before} ${oid} ${formatPerson(who)}\t${why}\n`;
    before = oid;
  }
  await repo.files.write(log, encode(text));
  await repo.refs.set("refs/stash", newest.oid);
}
