import { diffArrays } from "diff";
import { fromBytes } from "../encoding.ts";
import { type Answer, type Context, failed } from "./answer.ts";
import { absolute, readInput, statOf } from "./files.ts";
import { type Options, parseOptions } from "./options.ts";

const long = {
  unified: "u",
  brief: "q",
  recursive: "r",
  "new-file": "N",
  "ignore-case": "i",
  "ignore-all-space": "w",
  "ignore-space-change": "b",
  "ignore-blank-lines": "B",
  "report-identical-files": "s",
  text: "a",
  exclude: "x",
  label: "label",
  color: "ignored",
  "strip-trailing-cr": "cr",
  normal: "n",
  minimal: "d",
};

export async function diff(given: readonly string[], context: Context): Promise<Answer> {
  // -u is a flag and --unified and -U take a number.
  const args = given.map((arg) => (arg === "--color" ? "--color=auto" : arg === "--unified" ? "-u" : arg.replace(/^--unified=/, "-U")));
  const options = parseOptions(args, "uU:qrNiwbBsax:dpt", long, ["label", "ignored"]);
  if (typeof options === "string") return failed("diff", `${options}\ndiff: Try 'diff --help' for more information.`, 2);
  const [left, right, extra] = options.operands;
  if (left === undefined || right === undefined)
    return failed("diff", `missing operand after '${left ?? "diff"}'\ndiff: Try 'diff --help' for more information.`, 2);
  if (extra !== undefined) return failed("diff", `extra operand '${extra}'\ndiff: Try 'diff --help' for more information.`, 2);
  const [leftStat, rightStat] = [await statOf(context, left), await statOf(context, right)];
  if (leftStat?.isDirectory && rightStat?.isDirectory) return folders(left, right, options, given, context);
  const name = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
  const pair = [
    leftStat?.isDirectory ? `${left}/${name(right)}` : left,
    rightStat?.isDirectory ? `${right}/${name(left)}` : right,
  ] as const;
  return files(pair[0], pair[1], options, context);
}

async function folders(left: string, right: string, options: Options, given: readonly string[], context: Context): Promise<Answer> {
  const [a, b] = [await context.fs.readdir(absolute(context, left)), await context.fs.readdir(absolute(context, right))];
  const skipped = options.values("x");
  const switches = given.filter((arg) => arg.startsWith("-") && arg !== "-");
  let stdout = "";
  let stderr = "";
  let exitCode = 0;
  for (const name of [...new Set([...a, ...b])].toSorted()) {
    if (skipped.includes(name)) continue;
    const [l, r] = [`${left.replace(/\/$/, "")}/${name}`, `${right.replace(/\/$/, "")}/${name}`];
    if (!(a.includes(name) && b.includes(name)) && !options.has("N")) {
      stdout += `Only in ${a.includes(name) ? left : right}: ${name}\n`;
      exitCode = Math.max(exitCode, 1);
      continue;
    }
    const [leftStat, rightStat] = [await statOf(context, l), await statOf(context, r)];
    let done: Answer;
    if (leftStat?.isDirectory && rightStat?.isDirectory) {
      done = options.has("r") ? await folders(l, r, options, given, context) : { stdout: `Common subdirectories: ${l} and ${r}\n` };
    } else {
      done = await files(l, r, options, context);
      if (done.exitCode === 1 && !options.has("q"))
        done = { ...done, stdout: `diff ${[...switches, l, r].join(" ")}\n${String(done.stdout ?? "")}` };
    }
    stdout += String(done.stdout ?? "");
    stderr += done.stderr ?? "";
    exitCode = Math.max(exitCode, done.exitCode ?? 0);
  }
  return { stdout, stderr, exitCode };
}

async function files(left: string, right: string, options: Options, context: Context): Promise<Answer> {
  const texts: string[] = [];
  for (const path of [left, right]) {
    const read = await readInput(context, path);
    if (read.ok) texts.push(fromBytes(read.bytes, undefined));
    else if (options.has("N") && read.why.startsWith("No such")) texts.push("");
    else return failed("diff", `${path}: ${read.why}`, 2);
  }
  const [a = "", b = ""] = texts;
  const same: Answer = { stdout: options.has("s") ? `Files ${left} and ${right} are identical\n` : "" };
  if (a === b) return same;
  const binary = !options.has("a") && (a.includes("\0") || b.includes("\0"));
  const changes = binary ? [] : changesOf(linesOf(a), linesOf(b), options);
  if (!binary && changes.length === 0) return same;
  if (options.has("q") || binary)
    return { stdout: `${binary && !options.has("q") ? "Binary files" : "Files"} ${left} and ${right} differ\n`, exitCode: 1 };
  const context3 = options.has("U") ? Number(options.value("U")) : options.has("u") ? 3 : null;
  if (context3 === null) return { stdout: normal(linesOf(a), linesOf(b), changes), exitCode: 1 };
  const labels = options.values("label");
  const head = async (path: string, sign: string, label: string | undefined): Promise<string> => {
    if (label !== undefined) return `${sign} ${label}\n`;
    const time = (await statOf(context, path))?.mtime ?? new Date(0);
    return `${sign} ${path}\t${time.toISOString().slice(0, 10)} ${time.toISOString().slice(11, 23)}000000 +0000\n`;
  };
  const heading = (await head(left, "---", labels[0])) + (await head(right, "+++", labels[1]));
  return { stdout: heading + unified(linesOf(a), linesOf(b), changes, context3), exitCode: 1 };
}

/** Lines with their ends. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Lines of the left from `left` on are replaced by lines of the right from `right` on. */
interface Change {
  readonly left: number;
  readonly removed: number;
  readonly right: number;
  readonly added: number;
}

function changesOf(a: readonly string[], b: readonly string[], options: Options): Change[] {
  const plain = (line: string): string => {
    let text = options.has("i") ? line.toLowerCase() : line;
    if (options.has("cr")) text = text.replace(/\r\n$/, "\n");
    if (options.has("w")) return text.replaceAll(/\s+/g, "");
    return options.has("b") ? text.replaceAll(/\s+/g, " ").trimEnd() : text;
  };
  const changes: Change[] = [];
  let [left, right] = [0, 0];
  let open: { left: number; removed: number; right: number; added: number } | null = null;
  for (const part of diffArrays(a.map(plain), b.map(plain))) {
    const count = part.value.length;
    if (part.removed || part.added) {
      open ??= { left, removed: 0, right, added: 0 };
      if (part.removed) {
        open.removed += count;
        left += count;
      } else {
        open.added += count;
        right += count;
      }
      continue;
    }
    if (open) changes.push(open);
    open = null;
    left += count;
    right += count;
  }
  if (open) changes.push(open);
  const blank = (line: string | undefined): boolean => line?.trim() === "";
  if (!options.has("B")) return changes;
  return changes.filter(
    (change) =>
      ![...a.slice(change.left, change.left + change.removed), ...b.slice(change.right, change.right + change.added)].every(blank),
  );
}

const ended = (line: string): string => (line.endsWith("\n") ? line : `${line}\n\\ No newline at end of file\n`);

function normal(a: readonly string[], b: readonly string[], changes: readonly Change[]): string {
  const range = (start: number, count: number): string =>
    count === 0 ? String(start) : count === 1 ? String(start + 1) : `${start + 1},${start + count}`;
  return changes
    .map(({ left, removed, right, added }) => {
      const kind = removed === 0 ? "a" : added === 0 ? "d" : "c";
      const gone = a.slice(left, left + removed).map((line) => `< ${ended(line)}`);
      const fresh = b.slice(right, right + added).map((line) => `> ${ended(line)}`);
      return `${range(left, removed)}${kind}${range(right, added)}\n${gone.join("")}${kind === "c" ? "---\n" : ""}${fresh.join("")}`;
    })
    .join("");
}

function unified(a: readonly string[], b: readonly string[], changes: readonly Change[], around: number): string {
  const groups: Change[][] = [];
  for (const change of changes) {
    const last = groups.at(-1)?.at(-1);
    if (last && change.left - (last.left + last.removed) <= 2 * around) groups.at(-1)?.push(change);
    else groups.push([change]);
  }
  const range = (start: number, count: number): string => (count === 1 ? String(start + 1) : `${count === 0 ? start : start + 1},${count}`);
  let text = "";
  for (const group of groups) {
    const [first, last] = [group[0], group.at(-1)];
    if (!first || !last) continue;
    const before = Math.min(around, first.left);
    const after = Math.min(around, a.length - (last.left + last.removed));
    const [from, to] = [first.left - before, last.left + last.removed + after];
    const [fromRight, toRight] = [first.right - before, last.right + last.added + after];
    text += `@@ -${range(from, to - from)} +${range(fromRight, toRight - fromRight)} @@\n`;
    let at = from;
    for (const { left, removed, right, added } of group) {
      for (; at < left; at++) text += ` ${ended(a[at] ?? "")}`;
      for (; at < left + removed; at++) text += `-${ended(a[at] ?? "")}`;
      for (const line of b.slice(right, right + added)) text += `+${ended(line)}`;
    }
    for (; at < to; at++) text += ` ${ended(a[at] ?? "")}`;
  }
  return text;
}
