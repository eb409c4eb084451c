import { hidesLines, readAttributes } from "./attributes.ts";
import type { FileChange } from "./changes.ts";
import type { Options } from "./options.ts";
import type { Repository } from "./repository.ts";
import { shortOid } from "./revision.ts";
import type { Index } from "./store/index-file.ts";
import { type FileRef, modes, modeText, noOid } from "./store/model.ts";
import { isBinary, type Quote } from "./text/bytes.ts";
import { type Compared, countChanges, linesOf, unified } from "./text/unified.ts";

async function contentOf(repo: Repository, file: FileRef | null): Promise<Uint8Array> {
  if (file === null) return new Uint8Array();
  if (file.mode === modes.submodule) return new TextEncoder().encode(`Subproject commit ${file.oid}\n`);
  return repo.objects.blob(file.oid);
}

/** What a patch puts before the names of the two sides. */
export interface Prefixes {
  readonly before: string;
  readonly after: string;
}

/** "a/" and "b/", unless the options or `diff.noprefix` say something else. */
export async function prefixesOf(repo: Repository, options: Options | null): Promise<Prefixes> {
  const isOff = options?.has("no-prefix") === true || (await repo.flag("diff.noprefix", false));
  const [before, after] = isOff ? ["", ""] : ["a/", "b/"];
  return { before: options?.value("src-prefix") ?? before, after: options?.value("dst-prefix") ?? after };
}

/** A diff as `git diff` prints it. */
export async function patch(
  repo: Repository,
  changes: readonly FileChange[],
  context: number,
  as: Compared = "as they are",
  given: Prefixes | null = null,
): Promise<string> {
  const prefixes = given ?? (await prefixesOf(repo, null));
  let text = "";
  for (const change of changes) {
    if (change.unmerged) text += `* Unmerged path ${change.path}\n`;
    // A file that became a link, or vice versa, is printed as a removal and an addition.
    else if (change.old && change.new && change.old.mode >> 12 !== change.new.mode >> 12) {
      text +=
        (await filePatch(repo, { ...change, new: null }, context, as, prefixes)) +
        (await filePatch(repo, { ...change, old: null }, context, as, prefixes));
    } else text += await filePatch(repo, change, context, as, prefixes);
  }
  return text;
}

async function filePatch(
  repo: Repository,
  change: FileChange,
  context: number,
  as: Compared,
  { before: left, after: right }: Prefixes,
): Promise<string> {
  const { path, old, new: now } = change;
  const quoted = await repo.quoting();
  const oldName = quoted(left + (change.from ?? path));
  const newName = quoted(right + path);
  let text = `diff --git ${oldName} ${newName}\n`;
  if (old && now && old.mode !== now.mode) text += `old mode ${modeText(old.mode)}\nnew mode ${modeText(now.mode)}\n`;
  if (change.from !== null)
    text += `similarity index ${change.similarity}%\nrename from ${quoted(change.from)}\nrename to ${quoted(path)}\n`;
  if (!old && now) text += `new file mode ${modeText(now.mode)}\n`;
  if (old && !now) text += `deleted file mode ${modeText(old.mode)}\n`;
  if (old?.oid === now?.oid) return text;
  const mode = old && now && old.mode === now.mode ? ` ${modeText(old.mode)}` : "";
  text += `index ${shortOid(old?.oid ?? "0000000")}..${shortOid(now?.oid ?? "0000000")}${mode}\n`;
  const before = await contentOf(repo, old);
  const after = await contentOf(repo, now);
  if (isBinary(before) || isBinary(after) || hidesLines(await (await readAttributes(repo)).of(path)))
    return `${text}Binary files ${old ? oldName : "/dev/null"} and ${now ? newName : "/dev/null"} differ\n`;
  const hunks = unified(linesOf(before), linesOf(after), context, as);
  // Only white space differs, and the file exists on both sides.
  if (hunks === "" && as !== "as they are" && old && now && old.mode === now.mode) return "";
  // A tab after a name with spaces tells `patch` where the name ends.
  const ended = (name: string): string => (name.includes(" ") ? `${name}\t` : name);
  return hunks === "" ? text : `${text}--- ${old ? ended(oldName) : "/dev/null"}\n+++ ${now ? ended(newName) : "/dev/null"}\n${hunks}`;
}

interface Counted {
  readonly name: string;
  readonly change: FileChange;
  /** Lines, or bytes of a binary file. */
  readonly added: number;
  readonly removed: number;
  readonly binary: boolean;
}

async function count(repo: Repository, changes: readonly FileChange[], as: Compared = "as they are"): Promise<Counted[]> {
  const counted: Counted[] = [];
  const quoted = await repo.quoting();
  for (const change of changes) {
    const name = change.from === null ? quoted(change.path) : renamed(quoted, change.from, change.path);
    if (change.unmerged || change.old?.oid === change.new?.oid) {
      counted.push({ name, change, added: 0, removed: 0, binary: false });
      continue;
    }
    const before = await contentOf(repo, change.old);
    const after = await contentOf(repo, change.new);
    const binary = isBinary(before) || isBinary(after) || hidesLines(await (await readAttributes(repo)).of(change.path));
    const lines = binary ? { added: after.length, removed: before.length } : countChanges(linesOf(before), linesOf(after), as);
    if (as !== "as they are" && !binary && lines.added + lines.removed === 0 && change.old && change.new) continue;
    counted.push({ name, change, ...lines, binary });
  }
  return counted;
}

/** Returns "src/{a.ts => b.ts}". */
function renamed(quoted: Quote, from: string, to: string): string {
  if (quoted(from) !== from || quoted(to) !== to) return `${quoted(from)} => ${quoted(to)}`;
  let start = 0;
  for (let i = 0; i < Math.min(from.length, to.length) && from[i] === to[i]; i++) if (from[i] === "/") start = i + 1;
  let end = 0;
  for (let i = 1; from.length - i >= Math.max(start - 1, 0) && to.length - i >= Math.max(start - 1, 0) && from.at(-i) === to.at(-i); i++) {
    if (from.at(-i) === "/") end = i;
  }
  if (start === 0 && end === 0) return `${from} => ${to}`;
  const middle = (path: string): string => path.slice(start, Math.max(path.length - end, start));
  return `${from.slice(0, start)}{${middle(from)} => ${middle(to)}}${from.slice(from.length - end)}`;
}

/** The total, such as " 1 file changed, 2 insertions(+)". */
function total(counted: readonly Counted[]): string {
  if (counted.length === 0) return "";
  const sum = (pick: (one: Counted) => number): number => counted.reduce((all, one) => all + (one.binary ? 0 : pick(one)), 0);
  const added = sum((one) => one.added);
  const removed = sum((one) => one.removed);
  return totalLine(counted.filter((one) => !one.change.unmerged).length, added, removed);
}

export function totalLine(files: number, added: number, removed: number): string {
  let text = ` ${files} file${files === 1 ? "" : "s"} changed`;
  if (added > 0 || removed === 0) text += `, ${added} insertion${added === 1 ? "" : "s"}(+)`;
  if (removed > 0 || added === 0) text += `, ${removed} deletion${removed === 1 ? "" : "s"}(-)`;
  return `${text}\n`;
}

export async function shortStat(repo: Repository, changes: readonly FileChange[], as: Compared = "as they are"): Promise<string> {
  return total(await count(repo, changes, as));
}

export async function numStat(repo: Repository, changes: readonly FileChange[], as: Compared = "as they are"): Promise<string> {
  return (await count(repo, changes, as)).map((one) => `${one.binary ? "-\t-" : `${one.added}\t${one.removed}`}\t${one.name}\n`).join("");
}

/** In columns. */
const width = 80;

/** Prints the table of `--stat` with its total, with git's own arithmetic. */
export async function stat(repo: Repository, changes: readonly FileChange[], as: Compared = "as they are", marks = false): Promise<string> {
  const all = await count(repo, changes, as);
  const counted = marks ? all.map((one) => ({ ...one, name: `${one.name}${markOf(one.change)}` })) : all;
  if (counted.length === 0) return "";
  const longest = Math.max(...counted.map((one) => one.name.length));
  const most = Math.max(0, ...counted.map((one) => (one.binary ? 0 : one.added + one.removed)));
  const binaries = counted.filter((one) => one.binary);
  const binaryWidth = Math.max(0, ...binaries.map((one) => 14 + String(one.added).length + String(one.removed).length));
  const numberWidth = Math.max(String(most).length, binaries.length > 0 ? 3 : 0);
  let graph = most + 4 > binaryWidth ? most : binaryWidth - 4;
  let names = longest;
  if (names + numberWidth + 6 + graph > width) {
    const share = Math.floor((width * 3) / 8) - numberWidth - 6;
    if (graph > share) graph = Math.max(share, 6);
    if (names > width - numberWidth - 6 - graph) names = width - numberWidth - 6 - graph;
    else graph = width - numberWidth - 6 - names;
  }
  const scale = (lines: number): number => (lines === 0 ? 0 : 1 + Math.floor((lines * (graph - 1)) / most));
  const rows = counted.map((one) => {
    let name = one.name;
    if (name.length > names) {
      name = name.slice(name.length - (names - 3));
      const slash = name.indexOf("/");
      name = `...${slash < 0 ? name : name.slice(slash)}`;
    }
    const label = ` ${name.padEnd(names)} | `;
    if (one.change.unmerged) return `${label}Unmerged\n`;
    if (one.binary)
      return `${label}${"Bin".padStart(numberWidth)}${one.added + one.removed === 0 ? "" : ` ${one.removed} -> ${one.added} bytes`}\n`;
    let plus = one.added;
    let minus = one.removed;
    if (graph <= most) {
      let both = scale(plus + minus);
      if (both < 2 && plus > 0 && minus > 0) both = 2;
      if (plus < minus) {
        plus = scale(plus);
        minus = both - plus;
      } else {
        minus = scale(minus);
        plus = both - minus;
      }
    }
    const changed = one.added + one.removed;
    return `${label}${String(changed).padStart(numberWidth)}${changed > 0 ? " " : ""}${"+".repeat(plus)}${"-".repeat(minus)}\n`;
  });
  return rows.join("") + total(counted);
}

/** `--compact-summary`: what happened to the file itself. */
function markOf({ old, new: now }: FileChange): string {
  const runs = (file: FileRef | null): boolean => file?.mode === modes.program;
  if (now === null) return " (gone)";
  if (old === null) return runs(now) ? " (new +x)" : now.mode === modes.link ? " (new +l)" : " (new)";
  if (old.mode === now.mode) return "";
  return runs(now) ? " (mode +x)" : runs(old) ? " (mode -x)" : now.mode === modes.link ? " (mode +l)" : " (mode -l)";
}

/** Prints " create mode 100644 a", " rename a => b (90%)" and similar lines. */
export async function summary(repo: Repository, changes: readonly FileChange[]): Promise<string> {
  const quoted = await repo.quoting();
  return changes
    .map(({ path, from, old, new: now, similarity }) => {
      if (from !== null) {
        const mode = old && now && old.mode !== now.mode ? ` mode change ${modeText(old.mode)} => ${modeText(now.mode)}\n` : "";
        return ` rename ${renamed(quoted, from, path)} (${similarity}%)\n${mode}`;
      }
      if (!old && now) return ` create mode ${modeText(now.mode)} ${quoted(path)}\n`;
      if (old && !now) return ` delete mode ${modeText(old.mode)} ${quoted(path)}\n`;
      return old && now && old.mode !== now.mode ? ` mode change ${modeText(old.mode)} => ${modeText(now.mode)} ${quoted(path)}\n` : "";
    })
    .join("");
}

export function letterOf(change: FileChange): string {
  if (change.unmerged) return "U";
  if (change.from !== null) return "R";
  if (!change.old) return "A";
  if (!change.new) return "D";
  return change.old.mode >> 12 === change.new.mode >> 12 ? "M" : "T";
}

export async function nameStatus(repo: Repository, changes: readonly FileChange[], end: "\n" | "\0"): Promise<string> {
  const quoted = await repo.quoting();
  const gap = end === "\0" ? "\0" : "\t";
  const name = (path: string): string => (end === "\0" ? path : quoted(path));
  return changes
    .map((change) => {
      const similarity = change.from === null ? "" : String(change.similarity).padStart(3, "0");
      return `${letterOf(change)}${similarity}${gap}${change.from === null ? "" : `${name(change.from)}${gap}`}${name(change.path)}${end}`;
    })
    .join("");
}

export async function nameOnly(repo: Repository, changes: readonly FileChange[], end: "\n" | "\0"): Promise<string> {
  const quoted = await repo.quoting();
  return changes.map((change) => (end === "\0" ? change.path : quoted(change.path)) + end).join("");
}

/**
 * Prints `:100644 100644 <old> <new> M\tpath`. `index`: the new files are those of the working tree, and git gives a file that differs from the index
 * no hash.
 */
export async function rawLines(
  repo: Repository,
  changes: readonly FileChange[],
  { digits = 40, end = "\n", index = null }: { readonly digits?: number; readonly end?: "\n" | "\0"; readonly index?: Index | null },
): Promise<string> {
  const quoted = await repo.quoting();
  const [gap, name] = end === "\0" ? ["\0", (path: string) => path] : ["\t", quoted];
  return changes
    .map((change) => {
      const { path, from, old, new: now, similarity } = change;
      const letter = from === null ? letterOf(change) : `R${String(similarity).padStart(3, "0")}`;
      const mode = (file: typeof old): string => (file?.mode ?? 0).toString(8).padStart(6, "0");
      const oid = (file: typeof old): string => (file?.oid ?? noOid).slice(0, digits);
      const isStored = index === null || index.files.get(path)?.oid === now?.oid;
      return `:${mode(old)} ${mode(now)} ${oid(old)} ${oid(isStored ? now : null)} ${letter}${gap}${from === null ? "" : `${name(from)}${gap}`}${name(path)}${end}`;
    })
    .join("");
}
