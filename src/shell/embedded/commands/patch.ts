import { fromBytes, toBytes } from "../encoding.ts";
import { type Answer, type Context, failed, stdinBytes } from "./answer.ts";
import { toBytesOf, toText } from "../stray-bytes.ts";
import { absolute, makeFolders, readInput, writeOutput } from "./files.ts";
import { type Options, parseOptions } from "./options.ts";

interface Hunk {
  readonly oldStart: number;
  readonly newStart: number;
  /** With their first character (blank, `-` or `+`) and their line end. */
  readonly lines: readonly string[];
  readonly header: string;
}

interface FilePatch {
  readonly from: string;
  readonly to: string;
  readonly hunks: readonly Hunk[];
}

/** Applies unified diffs only, as `diff -u` and `git diff` write them. Context may have moved, and up to two of its outer lines may differ. */
export async function patch(args: readonly string[], context: Context): Promise<Answer> {
  const options = parseOptions(args, "p:Ri:d:o:sNftuElF:bV:r:", {
    strip: "p",
    reverse: "R",
    input: "i",
    directory: "d",
    output: "o",
    "dry-run": "dry",
    quiet: "s",
    silent: "s",
    forward: "N",
    force: "f",
    batch: "t",
    unified: "u",
    fuzz: "F",
    backup: "b",
    verbose: "v",
  });
  if (typeof options === "string") return failed("patch", options, 2);
  const at = { fs: context.fs, cwd: options.has("d") ? absolute(context, options.value("d") ?? "") : context.cwd };
  const read = options.has("i")
    ? await readInput(context, options.value("i") ?? "")
    : options.operands[1] === undefined
      ? null
      : await readInput(context, options.operands[1]);
  if (read !== null && !read.ok)
    return failed("patch", `**** Can't open patch file ${options.value("i") ?? options.operands[1]} : ${read.why}`, 2);
  const patches = parsePatch(read === null ? toText(stdinBytes(context)) : toText(read.bytes), options.has("R"));
  if (patches.length === 0) return failed("patch", "**** Only garbage was found in the patch input.", 2);

  const dry = options.has("dry");
  let stdout = "";
  let exitCode = 0;
  const say = (line: string, always = false): void => void (stdout += options.has("s") && !always ? "" : `${line}\n`);
  for (const file of patches) {
    const names = namesIn(file, options.value("p"));
    const safe = names.filter((each) => !isDangerous(each));
    const name = options.operands[0] ?? (await nameOf(file, safe, at));
    if (options.operands[0] === undefined)
      for (const each of new Set(names)) if (isDangerous(each)) say(`Ignoring potentially dangerous file name ${each}`, true);
    if (name === null) {
      say("can't find file to patch\nPerhaps you used the wrong -p or --strip option?\nNo file to patch.  Skipping patch.", true);
      say(`${file.hunks.length} out of ${file.hunks.length} hunk${file.hunks.length === 1 ? "" : "s"} ignored`, true);
      exitCode = 1;
      continue;
    }
    const exists = await at.fs.exists(absolute(at, name));
    const before = exists ? await at.fs.readFileBuffer(absolute(at, name)) : new Uint8Array();
    const fuzz = options.has("F") ? Number(options.value("F")) : 2;
    const lines = linesOf(toText(before));
    const found = options.has("f") ? null : wasApplied(lines, file, name, exists && before.length > 0, fuzz, options.has("R"));
    const isMade = file.from === "/dev/null" && found !== null;
    if (!isMade) say(`${dry ? "checking" : "patching"} file ${name}`);
    const turns = found !== null && options.has("t");
    if (found !== null) say(`${found}  ${answerOf(options)}`, true);
    if (isMade && turns) say(`${dry ? "checking" : "patching"} file ${name}`);
    const skips = found !== null && !turns;
    const hunks = turns ? file.hunks.map(reversed) : file.hunks;
    const applied = skips ? { lines, failed: hunks, remarks: [] } : applyHunks(lines, hunks, fuzz);
    for (const line of applied.remarks) say(line, line.includes("FAILED"));
    const rejects = options.value("r") ?? `${name}.rej`;
    const rejected = dry || rejects === "-" || isMade ? null : rejects;
    if (applied.failed.length > 0) {
      exitCode = 1;
      say(
        `${applied.failed.length} out of ${hunks.length} hunk${hunks.length === 1 ? "" : "s"} ${skips ? "ignored" : "FAILED"}${rejected === null ? "" : ` -- saving rejects to file ${rejected}`}`,
        true,
      );
    }
    if (dry) continue;
    if (applied.failed.length > 0 && rejected !== null) {
      const text = applied.failed
        .map(
          ({ header, lines: own }) =>
            `${header}\n${own.map((line) => (line.endsWith("\n") ? line : `${line}\n\\ No newline at end of file\n`)).join("")}`,
        )
        .join("");
      await writeOutput(at, rejected, toBytesOf(`--- ${file.from}\n+++ ${file.to}\n${text}`));
    }
    if (skips) continue;
    // As GNU patch does, keeps the original if something did not fit exactly.
    if (exists && (options.has("b") || applied.remarks.length > 0)) await writeOutput(at, `${name}.orig`, before);
    const after = applied.lines.join("");
    if ((file.to === "/dev/null" || (isMade && turns)) && after === "") await at.fs.rm(absolute(at, name), { force: true });
    else if (applied.failed.length < hunks.length) {
      const target = options.value("o") ?? name;
      const slash = target.lastIndexOf("/");
      const why = (slash > 0 ? await makeFolders(at, target.slice(0, slash)) : null) ?? (await writeOutput(at, target, toBytesOf(after)));
      if (why !== null) return { stdout, stderr: `patch: **** Can't create file ${target} : ${why}\n`, exitCode: 2 };
    }
  }
  return { stdout, exitCode };
}

/** What patch prints if a change is already in the file, or was already reverted; null: it can be tried. The first hunk decides. */
function wasApplied(
  lines: readonly string[],
  file: FilePatch,
  name: string,
  hasContent: boolean,
  fuzz: number,
  isReverse: boolean,
): string | null {
  const [hunk] = file.hunks;
  if (hunk === undefined) return null;
  if (file.from === "/dev/null" && hasContent) return `The next patch would create the file ${name},\nwhich already exists!`;
  const fuzzOf = (given: Hunk): number => place(lines, given, given.oldStart - 1, 0, fuzz)?.fuzz ?? Infinity;
  return fuzzOf(reversed(hunk)) < fuzzOf(hunk) ? `${isReverse ? "Unreversed" : "Reversed (or previously applied)"} patch detected!` : null;
}

function reversed(hunk: Hunk): Hunk {
  const signs: Readonly<Record<string, string>> = { "+": "-", "-": "+" };
  const lines = hunk.lines.map((line) => (signs[line.charAt(0)] ?? line.charAt(0)) + line.slice(1));
  return { oldStart: hunk.newStart, newStart: hunk.oldStart, lines, header: hunk.header };
}

/** No one can be asked, so the answer to each of patch's questions is no. */
function answerOf(options: Options): string {
  const other = options.has("R") ? "Ignore" : "Assume";
  if (options.has("t")) return `${other === "Assume" ? "Assuming" : "Ignoring"} -R.`;
  return options.has("N") ? "Skipping patch." : `${other} -R? [n] \nApply anyway? [n] \nSkipping patch.`;
}

function namesIn({ from, to }: FilePatch, strip: string | null): string[] {
  const stripped = (name: string): string =>
    strip === null ? name.slice(name.lastIndexOf("/") + 1) : name.split("/").slice(Number(strip)).join("/");
  return [from, to]
    .filter((name) => name !== "/dev/null")
    .map(stripped)
    .filter((name) => name !== "");
}

/** Whether the name may lead out of the folder. */
function isDangerous(name: string): boolean {
  return name.startsWith("/") || name.split("/").includes("..");
}

/** The first of the names that exists, or the name of a file to create. */
async function nameOf({ from }: FilePatch, names: readonly string[], at: Pick<Context, "fs" | "cwd">): Promise<string | null> {
  for (const name of names) if (await at.fs.exists(absolute(at, name))) return name;
  return from === "/dev/null" ? (names[0] ?? null) : null;
}

function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** A name in quotes with C's escapes, as git writes unusual names; null: it has no quotes. */
function quotedName(text: string): string | null {
  const [, quoted] = /^"((?:[^"\\\n]|\\.)*)"/.exec(text) ?? [];
  if (quoted === undefined) return null;
  const bytes = fromBytes(toBytes(quoted, undefined), "latin1").replaceAll(/\\([0-7]{1,3}|.)/g, (_, escape: string) => {
    const letter = { a: "\x07", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" }[escape];
    return letter ?? (/^[0-7]/.test(escape) ? String.fromCharCode(Number.parseInt(escape, 8)) : escape);
  });
  return fromBytes(toBytes(bytes, "latin1"), undefined);
}

function parsePatch(text: string, reverse: boolean): FilePatch[] {
  const rows = linesOf(text);
  const patches: FilePatch[] = [];
  const nameIn = (row: string): string =>
    quotedName(row.slice(4)) ??
    row
      .slice(4)
      .replace(/[\t\r\n].*$/s, "")
      .trimEnd();
  for (let i = 0; i + 1 < rows.length; i++) {
    if (!rows[i]?.startsWith("--- ") || !rows[i + 1]?.startsWith("+++ ")) continue;
    const from = nameIn(rows[i] ?? "");
    const to = nameIn(rows[i + 1] ?? "");
    const hunks: Hunk[] = [];
    i += 2;
    for (;;) {
      const header = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(rows[i] ?? "");
      if (!header) break;
      const heading = (rows[i] ?? "").trimEnd();
      let old = Number(header[2] ?? 1);
      let fresh = Number(header[4] ?? 1);
      const lines: string[] = [];
      for (i++; i < rows.length && (old > 0 || fresh > 0 || rows[i]?.startsWith("\\")); i++) {
        const row = rows[i] ?? "";
        if (row.startsWith("\\")) {
          lines.push((lines.pop() ?? "").replace(/\n$/, ""));
          continue;
        }
        // An empty line is a blank context line that an editor trimmed.
        const line = row === "\n" ? " \n" : row;
        if (line[0] !== "+") old--;
        if (line[0] !== "-") fresh--;
        const sign = reverse ? (line[0] === "+" ? "-" : line[0] === "-" ? "+" : " ") : (line[0] ?? " ");
        lines.push(sign + line.slice(1));
      }
      hunks.push({ oldStart: Number(header[reverse ? 3 : 1]), newStart: Number(header[reverse ? 1 : 3]), lines, header: heading });
    }
    i--;
    patches.push(reverse ? { from: to, to: from, hunks } : { from, to, hunks });
  }
  return patches;
}

interface Applied {
  readonly lines: readonly string[];
  readonly failed: readonly Hunk[];
  readonly remarks: readonly string[];
}

function applyHunks(before: readonly string[], hunks: readonly Hunk[], maxFuzz: number): Applied {
  let lines = [...before];
  const rejected: Hunk[] = [];
  const remarks: string[] = [];
  let shift = 0;
  let drift = 0;
  let floor = 0;
  for (const [i, hunk] of hunks.entries()) {
    const expected = hunk.oldStart + shift + drift - (hunk.lines.some((line) => line[0] !== "+") ? 1 : 0);
    const found = place(lines, hunk, expected, floor, maxFuzz);
    if (found === null) {
      rejected.push(hunk);
      remarks.push(`Hunk #${i + 1} FAILED at ${hunk.oldStart}.`);
      continue;
    }
    const { at, fuzz, body } = found;
    const fresh = body.filter((line) => line[0] !== "-").map((line) => line.slice(1));
    const old = body.filter((line) => line[0] !== "+").length;
    // Not `splice`: a hunk may have more lines than a call allows arguments.
    lines = lines.slice(0, at).concat(fresh, lines.slice(at + old));
    const offset = at - found.skipped - expected;
    drift += offset;
    shift += fresh.length - old;
    floor = at + fresh.length;
    if (fuzz > 0 || offset !== 0) {
      const fuzzed = fuzz > 0 ? ` with fuzz ${fuzz}` : "";
      const moved = offset === 0 ? "" : ` (offset ${offset} line${offset === 1 ? "" : "s"})`;
      remarks.push(`Hunk #${i + 1} succeeded at ${at - found.skipped + 1}${fuzzed}${moved}.`);
    }
  }
  return { lines, failed: rejected, remarks };
}

/** Finds the place of a hunk, nearest to the expected line. Null: it does not fit. */
function place(
  lines: readonly string[],
  hunk: Hunk,
  expected: number,
  floor: number,
  maxFuzz: number,
): { at: number; fuzz: number; skipped: number; body: readonly string[] } | null {
  const leading = Math.max(
    0,
    hunk.lines.findIndex((line) => line[0] !== " "),
  );
  const trailing = Math.max(
    0,
    hunk.lines.toReversed().findIndex((line) => line[0] !== " "),
  );
  const most = Math.max(leading, trailing);
  for (let fuzz = 0; fuzz <= Math.min(maxFuzz, most); fuzz++) {
    const [before, after] = [fuzz + leading - most, fuzz + trailing - most];
    const skipped = Math.max(0, before);
    const body = hunk.lines.slice(skipped, hunk.lines.length - Math.max(0, after));
    const old = body.filter((line) => line[0] !== "+").map((line) => line.slice(1));
    const fits = (at: number): boolean => at >= floor && at + old.length <= lines.length && old.every((line, i) => lines[at + i] === line);
    const start = expected + skipped;
    // Less context on one side means that the file began or ended there.
    const only = before < 0 && hunk.oldStart <= 1 ? 0 : after < 0 ? lines.length - old.length : null;
    if (old.length === 0 || only !== null) {
      const at = old.length === 0 ? start : (only ?? 0);
      if (fits(at)) return { at, fuzz, skipped, body };
      continue;
    }
    const furthest = Math.max(start, lines.length - start);
    for (let offset = 0; offset <= furthest; offset++) {
      if (fits(start + offset)) return { at: start + offset, fuzz, skipped, body };
      if (fits(start - offset)) return { at: start - offset, fuzz, skipped, body };
    }
  }
  return null;
}
