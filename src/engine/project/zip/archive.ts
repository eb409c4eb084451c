import { canonical, canonicalText, type Path, parsePath } from "../../../fs/path.ts";
import { configMark } from "../../../fs/history/export-files.ts";
import { inflateEntry } from "../../../fs/zip/inflate.ts";
import { withoutMark } from "../../../fs/zip/names.ts";
import { readZip, type ZipItem, type ZipRefusal } from "../../../fs/zip/read.ts";
import { isVibeyName, nameOf } from "../../../fs/vibey-name.ts";
import { dialogFilename, parseDialogFilename } from "../../../dialog/name.ts";
import { heldName, plainName, withoutHeldMark } from "../outgoing/held-name.ts";
import { limits } from "../../../protocol/limits.ts";

/**
 * An export describes itself in the archive's comment: `vibey 1 history=<folder>`, with the folder of Vibey's own history, or `-` if there is
 * none. If another program has packed the zip again, the comment is lost, and the repository's configuration is checked instead.
 */

export function commentOf(history: string | null): string {
  return `vibey 1 history=${history ?? "-"}`;
}

/** A zip whose names are valid in a project. Its contents are not unpacked yet. */
export interface Archive {
  readonly files: readonly ArchiveFile[];
  /** Vibey's own history, with paths in the repository's folder. Null if there is none. */
  readonly history: ReadonlyMap<string, ZipItem> | null;
  /** The unpacked size of everything, in bytes. */
  readonly size: number;
}

export interface ArchiveFile {
  readonly path: Path;
  readonly item: ZipItem;
}

export type OpenedArchive = { readonly ok: true; readonly archive: Archive } | { readonly ok: false; readonly refusal: ZipRefusal };

export async function openArchive(bytes: Uint8Array): Promise<OpenedArchive> {
  const reading = readZip(bytes, {
    entries: limits.importEntries,
    inflated: limits.importBytes,
    ratio: limits.importRatio,
    name: maxNameLength,
  });
  if (!reading.ok) return reading;
  const said = /^vibey 1 history=(.+)$/.exec(reading.comment)?.[1];
  const items = said === undefined ? unwrapped(reading.entries) : reading.entries;
  const folder = said === undefined ? await markedFolder(items) : said === "-" ? null : said;
  const history = new Map<string, ZipItem>();
  const files: ArchiveFile[] = [];
  const dialogs = new Map<string, string>();
  const paths = new Map<Path, string>();
  const stoodIn = said === undefined ? new Set<ZipItem>() : standIns(items, folder);
  for (const item of items) {
    if (folder !== null && item.path.startsWith(`${folder}/`)) {
      history.set(item.path.slice(folder.length + 1), item);
      continue;
    }
    if (stoodIn.has(item)) continue;
    const refuse = (kind: ZipRefusal["kind"], message: string): OpenedArchive => ({
      ok: false,
      refusal: { kind, entry: item.path, message },
    });
    const path = said === undefined ? asPath(item.path) : original(item.path);
    if (path === null) return refuse("unsafe-name", "Its name isn't safe.");
    const twin = paths.get(path);
    if (twin !== undefined) return refuse("same-name", `It is the same file as ${JSON.stringify(twin)}.`);
    paths.set(path, item.path);
    const form = canonical(path);
    if ((form === "vibey" || form.startsWith("vibey/")) && nameOf(path) === null)
      return refuse(
        "unsafe-name",
        'Its place is wrong: vibey/ holds docs and dialogs, and nothing else; a name there has only letters, digits, "_", "-" and ".", and ends in .md.',
      );
    const id = parseDialogFilename(nameOf(path) ?? "")?.dialogId;
    // An active dialog is imported as a waiting one.
    if (id !== undefined && !isVibeyName(dialogFilename(id, "waiting"))) return refuse("unsafe-name", "Its name is too long for a dialog.");
    if (id !== undefined && dialogs.has(id)) return refuse("same-name", `It is the same dialog as ${dialogs.get(id)}.`);
    if (id !== undefined) dialogs.set(id, item.path);
    files.push({ path, item });
  }
  const size = reading.entries.reduce((sum, each) => sum + each.size, 0);
  return { ok: true, archive: { files, history: history.size > 0 ? history : null, size } };
}

/** The rebuilt repository files that an export added next to the originals, which it held back. The originals are the project's files. */
function standIns(items: readonly ZipItem[], history: string | null): ReadonlySet<ZipItem> {
  const own = items.filter(({ path }) => history === null || !path.startsWith(`${history}/`));
  const names = new Set(own.map(({ path }) => withoutMark(path)));
  return new Set(
    own.filter(({ path }) => {
      const name = withoutMark(path);
      const real = withoutHeldMark(name);
      // Docs and dialogs are in no repository. If two have the same name, keep both.
      if (canonicalText(real)?.startsWith("vibey/") === true) return false;
      // A project's own `sparse-checkout` is always held back.
      if (/(?:^|\/)\.git\/info\/sparse-checkout$/.test(name)) return true;
      return name === plainName(real) && name !== heldName(real) && names.has(heldName(real));
    }),
  );
}

/** A project's longest path, with its marks, is shorter than this. */
const maxNameLength = 4096;

/** The path for which an export created this name. Null if a project can't have it. */
function original(name: Path): Path | null {
  return asPath(withoutHeldMark(withoutMark(name)));
}

function asPath(text: string): Path | null {
  const parsed = parsePath(text);
  return parsed.ok ? parsed.path : null;
}

/** Removes an outer folder that contains a whole project, because packing a folder again often adds one. */
function unwrapped(items: readonly ZipItem[]): readonly ZipItem[] {
  const folder = /^[^/]+\//.exec(items[0]?.path ?? "")?.[0];
  if (folder === undefined || folder === "vibey/" || !items.every(({ path }) => path.startsWith(folder))) return items;
  if (!items.some(({ path }) => path.startsWith(`${folder}vibey/`))) return items;
  return items.flatMap((item) => {
    const inner = parsePath(item.path.slice(folder.length));
    return inner.ok ? [{ ...item, path: inner.path }] : [];
  });
}

/** The folder of a repository that is marked as Vibey's history. Null if there is none. */
async function markedFolder(items: readonly ZipItem[]): Promise<string | null> {
  for (const folder of [".git", "history.git"]) {
    const config = items.find(({ path }) => path === `${folder}/config`);
    if (!config || config.size > limits.fileBytes) continue;
    const read = await inflateEntry(config);
    if (read.ok && new TextDecoder().decode(read.bytes).split("\n").includes(configMark)) return folder;
  }
  return null;
}
