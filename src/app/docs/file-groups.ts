import type { DeedListing } from "../../protocol/index.ts";
import { visible } from "../calls/visible.ts";
import { fileKey, type FileRef, formatRoute } from "../model/route.ts";
import type { Group, Row } from "../ui/Sidebar.tsx";
import { fileSize } from "../ui/sizes.ts";
import * as t from "../texts/docs.ts";
import { agentSlug, dialogFile, orderDocs, shownName } from "./names.ts";

export interface ListedFiles {
  /** The names of the files in `vibey/`. */
  readonly names: readonly string[];
  readonly deed: readonly DeedListing[];
  /** The keys of the files that have unsaved text. */
  readonly unsaved: ReadonlySet<string>;
  /** The key of the file that is open; `""` where none is. */
  readonly open: string;
  readonly remove: (ref: FileRef, title: string) => void;
}

export const docRef = (name: string): FileRef => ({ kind: "doc", name });

/** Of ten thousand paths, ten times as fast as `localeCompare`. */
const byName = new Intl.Collator();

/** What git keeps for itself comes last: a person seldom reads it. */
const ofGit = /(?:^|\/)\.git\//;
const gitLast = (a: string, b: string) => Number(ofGit.test(a)) - Number(ofGit.test(b)) || byName.compare(a, b);

/** Every file, in its group; a group can be empty. */
export function fileGroups({ names, deed, unsaved, open, remove }: ListedFiles): Group[] {
  const row = (ref: FileRef, name: string, title = visible(name)): Row => ({
    key: fileKey(ref),
    href: formatRoute({ tab: "docs", file: ref }),
    title,
    hint: ref.kind === "doc" ? visible(ref.name) : title,
    side: unsaved.has(fileKey(ref)) ? t.unsavedMark : "",
    note: "",
    mark: "none",
    current: fileKey(ref) === open,
    remove: () => remove(ref, title),
  });
  // A file deleted elsewhere while it had unsaved text is listed on, so that the text can be found.
  const drafted = (kind: FileRef["kind"]) =>
    Array.from(unsaved).flatMap((key) => (key.startsWith(`${kind}:`) ? [key.slice(kind.length + 1)] : []));
  const all = Array.from(new Set([...names, ...drafted("doc")]));
  const sizes = new Map(deed.map(({ path, size }) => [path, fileSize(size)]));
  const paths = Array.from(new Set([...sizes.keys(), ...drafted("deed")]));
  const others = all.filter((name) => !name.startsWith("doc-")).map((name) => ({ name, dialog: dialogFile(name) }));
  const dialogs = (status: string) =>
    others.flatMap(({ name, dialog }) => (dialog?.status === status ? [row(docRef(name), dialog.slug)] : []));
  const inDeed = (path: string): Row => {
    const made = row({ kind: "deed", path }, path);
    return made.side === "" ? { ...made, side: sizes.get(path) ?? "" } : made;
  };
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

/** The rows whose name or file name has these words in it, in their groups; those that are left empty go. */
export function filtered(groups: readonly Group[], words: string): Group[] {
  const wanted = words.trim().toLowerCase();
  const found = (text: string) => text.toLowerCase().includes(wanted);
  return groups
    .map((group) => (wanted === "" ? group : { ...group, rows: group.rows.filter(({ title, hint }) => found(title) || found(hint)) }))
    .filter(({ rows }) => rows.length > 0);
}
