import type { DeedListing } from "../../protocol/index.ts";
import { visible } from "../calls/visible.ts";
import { fileKey, type FileRef, formatRoute } from "../model/route.ts";
import type { Group, Row } from "../ui/Sidebar.tsx";
import { fileSize } from "../ui/sizes.ts";
import * as t from "../texts/docs.ts";
import { agentSlug, dialogFile, orderDocs, shownName } from "./names.ts";

/** The texts of a row are computed when they are read: of ten thousand rows, few are in view. */
export interface FileRow extends Row {
  /** The name in the store, for the search. */
  readonly name: string;
}
export interface FileGroup extends Group {
  readonly rows: readonly FileRow[];
}

export interface ListedFiles {
  /** The names of the files in `vibey/`. */
  readonly names: readonly string[];
  readonly deed: readonly DeedListing[];
  /** The keys of the files that have unsaved text. */
  readonly unsaved: ReadonlySet<string>;
  /** The key of the open file; `""` if none is open. */
  readonly open: string;
  readonly remove: (ref: FileRef, title: string) => void;
  /** The previous list: an unchanged row stays the same object. */
  readonly before?: readonly FileGroup[];
}

export const docRef = (name: string): FileRef => ({ kind: "doc", name });

/** For ten thousand paths, ten times as fast as `localeCompare`. */
const byName = new Intl.Collator();

/** git's own files come last, because people seldom read them. */
const ofGit = /(?:^|\/)\.git\//;
const gitLast = (a: string, b: string) => Number(ofGit.test(a)) - Number(ofGit.test(b)) || byName.compare(a, b);

/** Every file, in its group. A group can be empty. */
export function fileGroups({ names, deed, unsaved, open, remove, before = [] }: ListedFiles): FileGroup[] {
  const kept = new Map(before.flatMap(({ rows }) => rows.map((row) => [row.key, row])));
  const row = (ref: FileRef, shown: string, size = ""): FileRow => {
    const key = fileKey(ref);
    const side = unsaved.has(key) ? t.unsavedMark : size;
    const current = key === open;
    const same = kept.get(key);
    if (same?.side === side && same.current === current) return same;
    const name = ref.kind === "doc" ? ref.name : ref.path;
    return {
      key,
      name,
      get href() {
        return formatRoute({ tab: "docs", file: ref });
      },
      get title() {
        return visible(shown);
      },
      get hint() {
        return visible(name);
      },
      side,
      note: "",
      mark: "none",
      current,
      remove: () => remove(ref, visible(shown)),
    };
  };
  // A file that was deleted elsewhere while it had unsaved text stays in the list, so that the text can be found.
  const drafted = (kind: FileRef["kind"]) =>
    Array.from(unsaved).flatMap((key) => (key.startsWith(`${kind}:`) ? [key.slice(kind.length + 1)] : []));
  const all = Array.from(new Set([...names, ...drafted("doc")]));
  const sizes = new Map(deed.map(({ path, size }) => [path, fileSize(size)]));
  const paths = Array.from(new Set([...sizes.keys(), ...drafted("deed")]));
  const others = all.filter((name) => !name.startsWith("doc-")).map((name) => ({ name, dialog: dialogFile(name) }));
  const dialogs = (status: string) =>
    others.flatMap(({ name, dialog }) => (dialog?.status === status ? [row(docRef(name), dialog.slug)] : []));
  const inDeed = (path: string) => row({ kind: "deed", path }, path, sizes.get(path));
  const agents = others.flatMap(({ name }) => {
    const slug = agentSlug(name);
    return slug === null ? [] : [row(docRef(name), slug)];
  });
  return [
    { title: t.groupDocs, rows: orderDocs(all).map((name) => row(docRef(name), shownName(name))) },
    { title: t.groupAgents, rows: agents },
    { title: t.groupDeed, rows: paths.toSorted(gitLast).map(inDeed) },
    { title: t.groupAtWork, rows: dialogs("active") },
    { title: t.groupWaiting, rows: dialogs("waiting") },
    { title: t.groupDone, rows: dialogs("done") },
    {
      title: t.groupOthers,
      rows: others.flatMap(({ name, dialog }) => (dialog === null && agentSlug(name) === null ? [row(docRef(name), name)] : [])),
    },
  ];
}

/** The groups with only the rows whose file name contains these words. Empty groups are left out. */
export function filtered(groups: readonly FileGroup[], words: string): FileGroup[] {
  const wanted = words.trim().toLowerCase();
  return groups
    .map((group) => (wanted === "" ? group : { ...group, rows: group.rows.filter(({ name }) => name.toLowerCase().includes(wanted)) }))
    .filter(({ rows }) => rows.length > 0);
}
