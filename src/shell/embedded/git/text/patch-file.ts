/** A hunk. Each line begins with a blank, `-` or `+` and includes its line end; the last line of a file may have none. */
export interface Hunk {
  readonly oldStart: number;
  readonly oldCount: number;
  readonly newStart: number;
  readonly newCount: number;
  readonly lines: readonly string[];
  readonly header: string;
}

/** The changes that a patch makes to one file. */
export interface FilePatch {
  /** The old name, stripped of leading folders (`-p1`), and the new one. Null: the file does not exist on that side. */
  readonly from: string | null;
  readonly to: string | null;
  readonly newMode: number | null;
  readonly isRename: boolean;
  readonly isCopy: boolean;
  readonly isBinary: boolean;
  readonly hunks: readonly Hunk[];
}

/** A patch can't be parsed; the message says why. */
export class PatchError extends Error {
  override readonly name = "PatchError";
}

/** Parses the output of `git diff` and `diff -u`, and ignores text around it. `strip`: the number of leading folders removed from names. */
export function parsePatch(text: string, strip: number): FilePatch[] {
  const rows = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const files: FilePatch[] = [];
  let at = 0;
  const row = (): string => rows[at] ?? "";
  while (at < rows.length) {
    const isGit = row().startsWith("diff --git ");
    if (!isGit && !(row().startsWith("--- ") && rows[at + 1]?.startsWith("+++ "))) {
      at++;
      continue;
    }
    const names = isGit ? gitNames(row().slice(11), strip) : null;
    const headers = new Map<string, string>();
    let isBinary = false;
    if (isGit) {
      for (at++; at < rows.length && !/^(?:diff --git |--- |@@ )/.test(row()); at++) {
        const found =
          /^(old mode|new mode|new file mode|deleted file mode|rename from|rename to|copy from|copy to|similarity index|dissimilarity index|index) (.*)\n?$/.exec(
            row(),
          );
        if (found) headers.set(found[1] ?? "", found[2] ?? "");
        else if (/^(?:Binary files |GIT binary patch)/.test(row())) isBinary = true;
        else break;
      }
    }
    let from = names?.from ?? null;
    let to = names?.to ?? null;
    const hunks: Hunk[] = [];
    if (row().startsWith("--- ") && rows[at + 1]?.startsWith("+++ ")) {
      from = stripped(nameIn(row()), strip);
      to = stripped(nameIn(rows[at + 1] ?? ""), strip);
      at += 2;
      at = readHunks(rows, at, hunks);
    }
    const moved = headers.get("rename from") ?? headers.get("copy from");
    if (moved !== undefined) {
      from = unquoted(moved);
      to = unquoted(headers.get("rename to") ?? headers.get("copy to") ?? moved);
    }
    const mode = headers.get("new mode") ?? headers.get("new file mode");
    files.push({
      from: headers.has("new file mode") ? null : from,
      to: headers.has("deleted file mode") ? null : to,
      newMode: mode === undefined ? null : Number.parseInt(mode, 8),
      isRename: headers.has("rename from"),
      isCopy: headers.has("copy from"),
      isBinary,
      hunks,
    });
  }
  return files;
}

function readHunks(rows: readonly string[], start: number, hunks: Hunk[]): number {
  let at = start;
  for (;;) {
    const header = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(rows[at] ?? "");
    if (!header) return at;
    const [oldCount, newCount] = [Number(header[2] ?? 1), Number(header[4] ?? 1)];
    const first = at;
    const lines: string[] = [];
    let [old, fresh] = [oldCount, newCount];
    for (at++; at < rows.length && (old > 0 || fresh > 0 || rows[at]?.startsWith("\\")); at++) {
      const line = rows[at] ?? "";
      if (line.startsWith("\\")) {
        lines.push((lines.pop() ?? "").replace(/\n$/, ""));
        continue;
      }
      if (!/^[-+ \n]/.test(line)) throw new PatchError(`corrupt patch at line ${at + 1}`);
      // An empty line is a blank context line that an editor trimmed.
      const kept = line === "\n" ? " \n" : line;
      if (!kept.startsWith("+")) old--;
      if (!kept.startsWith("-")) fresh--;
      lines.push(kept);
    }
    if (old > 0 || fresh > 0) throw new PatchError(`corrupt patch at line ${at + 1}`);
    hunks.push({
      oldStart: Number(header[1]),
      oldCount,
      newStart: Number(header[3]),
      newCount,
      lines,
      header: (rows[first] ?? "").trimEnd(),
    });
  }
}

/** Returns the patch in reverse. */
export function reversed(file: FilePatch, oldMode: number | null = null): FilePatch {
  const turn = (line: string): string => (line.startsWith("+") ? "-" : line.startsWith("-") ? "+" : " ") + line.slice(1);
  return {
    ...file,
    from: file.to,
    to: file.from,
    newMode: oldMode,
    hunks: file.hunks.map((hunk) => ({
      oldStart: hunk.newStart,
      oldCount: hunk.newCount,
      newStart: hunk.oldStart,
      newCount: hunk.oldCount,
      lines: removalsFirst(hunk.lines.map(turn)),
      header: hunk.header,
    })),
  };
}

/** Within a run of changed lines, puts removed lines first, as in every diff. */
function removalsFirst(lines: readonly string[]): string[] {
  const ordered: string[] = [];
  let added: string[] = [];
  for (const line of lines) {
    if (line.startsWith("+")) added.push(line);
    else if (line.startsWith("-")) ordered.push(line);
    else {
      for (const one of added) ordered.push(one);
      ordered.push(line);
      added = [];
    }
  }
  return [...ordered, ...added];
}

const nameIn = (line: string): string => line.slice(4).replace(/\n$/, "").replace(/\t.*$/, "");

function gitNames(text: string, strip: number): { from: string | null; to: string | null } {
  const line = text.replace(/\n$/, "");
  const quoted = /^("(?:[^"\\]|\\.)*"|\S+) ("(?:[^"\\]|\\.)*"|\S+)$/.exec(line);
  if (quoted) return { from: stripped(quoted[1] ?? "", strip), to: stripped(quoted[2] ?? "", strip) };
  // Both names are the same, and the name contains a blank.
  const half = line.slice(0, (line.length - 1) / 2);
  return { from: stripped(half, strip), to: stripped(half, strip) };
}

function stripped(given: string, strip: number): string | null {
  const name = unquoted(given);
  return name === "/dev/null" ? null : name.split("/").slice(strip).join("/");
}

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", a: "\x07", b: "\b", v: "\v", f: "\f" };

/** The name without quotes and escapes. Like the rest of the patch, it has one character per byte. */
export function unquoted(name: string): string {
  if (!name.startsWith('"')) return name;
  return name
    .slice(1, -1)
    .replaceAll(/\\(?:([0-7]{3})|(.))/gs, (_, octal: string | undefined, letter: string) =>
      octal === undefined ? (escapes[letter] ?? letter) : String.fromCharCode(Number.parseInt(octal, 8)),
    );
}

export interface AppliedHunks {
  readonly lines: readonly string[];
  /** The line number at which each hunk was applied, from 1; null if it was not applied. */
  readonly at: readonly (number | null)[];
}

/** Applies hunks like git does: the complete context must match, at any place in the file. */
export function applyHunks(before: readonly string[], hunks: readonly Hunk[]): AppliedHunks {
  let lines = [...before];
  const at: (number | null)[] = [];
  let shift = 0;
  for (const hunk of hunks) {
    const old = hunk.lines.filter((line) => !line.startsWith("+")).map((line) => line.slice(1));
    const fresh = hunk.lines.filter((line) => !line.startsWith("-")).map((line) => line.slice(1));
    // A hunk whose last line is a change must match at the end of the file.
    const atStart = hunk.oldStart <= 1;
    const atEnd = hunk.lines.at(-1)?.startsWith(" ") === false;
    const expected = Math.max(0, hunk.oldStart - (old.length > 0 ? 1 : 0)) + shift;
    const found = placeOf(lines, old, expected, atStart, atEnd);
    at.push(found === null ? null : found + 1);
    if (found === null) continue;
    // Not `splice`: a hunk may have more lines than a call allows arguments.
    lines = lines.slice(0, found).concat(fresh, lines.slice(found + old.length));
    shift += fresh.length - old.length + (found - expected);
  }
  return { lines, at };
}

function placeOf(lines: readonly string[], old: readonly string[], expected: number, atStart: boolean, atEnd: boolean): number | null {
  const fits = (at: number): boolean =>
    at >= 0 &&
    at + old.length <= lines.length &&
    (!atEnd || at + old.length === lines.length) &&
    old.every((line, i) => lines[at + i] === line);
  if (atStart) return fits(0) ? 0 : null;
  for (let offset = 0; offset <= lines.length; offset++) {
    if (fits(expected - offset)) return expected - offset;
    if (fits(expected + offset)) return expected + offset;
  }
  return null;
}
