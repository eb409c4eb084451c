import type { HistoryStore } from "../../../fs/history/store.ts";
import { byOf, cameWithZip } from "./people.ts";
import type { Writer } from "../../../protocol/index.ts";

/** How many commits' changes are read at once. */
const page = 256;

/** Who last wrote each of these files, or a file in each of these folders. Deleting doesn't count. Files that no commit has written are left out. */
export async function lastWriters(
  store: Pick<HistoryStore, "changes" | "commits">,
  paths: readonly string[],
): Promise<ReadonlyMap<string, Writer>> {
  const found = new Map<string, Writer>();
  const left = new Set(paths);
  for (let before = Infinity; left.size > 0; ) {
    const records = await store.commits(before, page);
    const [first, last] = [records[0], records.at(-1)];
    if (!first || !last) break;
    const changes = new Map((await store.changes(last.number, first.number)).map(({ number, files }) => [number, files]));
    for (const record of records) {
      const by = cameWithZip(record) ? ({ kind: "import" } as const) : byOf(record);
      for (const name of touched(
        (changes.get(record.number) ?? []).flatMap(({ path, after }) => (after === null ? [] : [path])),
        left,
      )) {
        left.delete(name);
        found.set(name, { ...by, commit: record.id });
      }
    }
    before = last.number;
  }
  return found;
}

/** Those of the names that are one of the paths, or a folder that contains one. */
function touched(paths: readonly string[], names: ReadonlySet<string>): ReadonlySet<string> {
  const found = new Set<string>();
  for (const path of paths) {
    if (names.has(path)) found.add(path);
    for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) {
      const folder = path.slice(0, at);
      if (names.has(folder)) found.add(folder);
    }
  }
  return found;
}
