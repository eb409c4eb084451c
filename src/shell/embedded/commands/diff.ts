import { fromBytes, toBytes } from "../encoding.ts";
import { splitLines } from "../../../fs/text/line-diff.ts";
import { type Answer, type Context, failed } from "./answer.ts";
import { changesOf, contextual, normal, type Sides, unified } from "./diff-format.ts";
import { absolute, globExpression, readInput, statOf } from "./files.ts";
import { type Options, parseOptions } from "./options.ts";

const long = {
  unified: "u",
  context: "c",
  brief: "q",
  recursive: "r",
  "new-file": "N",
  "unidirectional-new-file": "P",
  "ignore-case": "i",
  "ignore-all-space": "w",
  "ignore-space-change": "b",
  "ignore-trailing-space": "Z",
  "ignore-blank-lines": "B",
  "ignore-matching-lines": "I",
  "report-identical-files": "s",
  "show-c-function": "p",
  text: "a",
  exclude: "x",
  label: "label",
  color: "ignored",
  "strip-trailing-cr": "cr",
  normal: "n",
  minimal: "d",
  "no-dereference": "d",
  "speed-large-files": "H",
};

/** `diff`, with git's line diff and GNU's output. Lines are bytes here, one character each. */
export async function diff(given: readonly string[], context: Context): Promise<Answer> {
  const args = given.flatMap(withNumbers);
  const options = parseOptions(args, "uU:cC:qrNPiwbBZI:sax:L:dHpt", long, ["label", "ignored"]);
  if (typeof options === "string") return usage(options);
  const [left, right, extra] = options.operands;
  if (left === undefined || right === undefined) return usage(`missing operand after '${left ?? "diff"}'`);
  if (extra !== undefined) return usage(`extra operand '${extra}'`);
  for (const letter of ["U", "C"])
    if (options.has(letter) && !/^\d+$/.test(options.value(letter) ?? ""))
      return usage(`invalid context length '${options.value(letter)}'`);
  const [leftStat, rightStat] = [await statOf(context, left), await statOf(context, right)];
  const done =
    leftStat?.isDirectory && rightStat?.isDirectory
      ? await folders(left, right, options, given, context)
      : await files(
          leftStat?.isDirectory ? `${left.replace(/\/$/, "")}/${nameOf(right)}` : left,
          rightStat?.isDirectory ? `${right.replace(/\/$/, "")}/${nameOf(left)}` : right,
          options,
          context,
        );
  return { stdout: toBytes(done.stdout, "latin1"), stderr: done.stderr, exitCode: done.exitCode };
}

/** -u and -c are flags; -U and -C take a number. The number may also be given as in `-u5`, `-ru5` and `--unified=5`. */
function withNumbers(arg: string): string[] {
  if (arg === "--color") return ["--color=auto"];
  if (arg === "--unified") return ["-u"];
  if (arg === "--context") return ["-c"];
  const [, flags = "", letter, count] = /^-([A-Za-z]*)([uc])(\d+)$/.exec(arg) ?? [];
  if (letter !== undefined) return [...(flags === "" ? [] : [`-${flags}`]), `-${letter.toUpperCase()}${count}`];
  return [arg.replace(/^--unified=/, "-U").replace(/^--context=/, "-C")];
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

function usage(what: string): Answer {
  return failed("diff", `${what}\ndiff: Try 'diff --help' for more information.`, 2);
}

/** `stdout`: one character per byte. */
interface Done {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: 0 | 1 | 2;
}

const inBytes = (text: string): string => fromBytes(toBytes(text, undefined), "latin1");
const saying = (text: string, exitCode: Done["exitCode"]): Done => ({ stdout: inBytes(text), stderr: "", exitCode });

async function folders(left: string, right: string, options: Options, given: readonly string[], context: Context): Promise<Done> {
  const [a, b] = [await context.fs.readdir(absolute(context, left)), await context.fs.readdir(absolute(context, right))];
  const skipped = options.values("x").map((pattern) => new RegExp(`^${globExpression(pattern)}$`));
  const switches = given
    .filter((arg, i) => (arg.startsWith("-") && arg !== "-") || /^-[xUCIL]$/.test(given[i - 1] ?? ""))
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`));
  let stdout = "";
  let stderr = "";
  let exitCode: Done["exitCode"] = 0;
  for (const name of [...new Set([...a, ...b])].toSorted()) {
    if (skipped.some((pattern) => pattern.test(name))) continue;
    const [l, r] = [`${left.replace(/\/$/, "")}/${name}`, `${right.replace(/\/$/, "")}/${name}`];
    const done = await pair(name, l, r);
    stdout += done.stdout;
    stderr += done.stderr;
    exitCode = done.exitCode > exitCode ? done.exitCode : exitCode;
  }
  return { stdout, stderr, exitCode };

  async function pair(name: string, l: string, r: string): Promise<Done> {
    const takesMissing = options.has("N") || (options.has("P") && !a.includes(name));
    if (!(a.includes(name) && b.includes(name)) && !takesMissing) return saying(`Only in ${a.includes(name) ? left : right}: ${name}\n`, 1);
    const [leftStat, rightStat] = [await statOf(context, l), await statOf(context, r)];
    const isFolder = (stat: typeof leftStat): boolean => stat?.isDirectory === true;
    if (isFolder(leftStat) && isFolder(rightStat))
      return options.has("r") ? folders(l, r, options, given, context) : saying(`Common subdirectories: ${l} and ${r}\n`, 0);
    if (leftStat && rightStat && isFolder(leftStat) !== isFolder(rightStat)) {
      const kind = (stat: typeof leftStat): string =>
        isFolder(stat) ? "directory" : stat?.size === 0 ? "regular empty file" : "regular file";
      return saying(`File ${l} is a ${kind(leftStat)} while file ${r} is a ${kind(rightStat)}\n`, 1);
    }
    // A folder that exists on one side only: with -N all its files are new.
    if (isFolder(leftStat) || isFolder(rightStat)) return options.has("r") ? oneFolder(l, r, isFolder(leftStat)) : saying("", 0);
    const done = await files(l, r, options, context);
    if (done.exitCode !== 1 || options.has("q")) return done;
    // A message such as "Binary files differ" has no header line.
    if (/^(?:Binary files|Files) /.test(done.stdout)) return done;
    return { ...done, stdout: inBytes(`diff ${[...switches, l, r].join(" ")}\n`) + done.stdout };
  }

  async function oneFolder(l: string, r: string, isLeft: boolean): Promise<Done> {
    let all = saying("", 0);
    for (const name of (await context.fs.readdir(absolute(context, isLeft ? l : r))).toSorted()) {
      const [one, other] = [`${l}/${name}`, `${r}/${name}`];
      const isFolder = (await statOf(context, isLeft ? one : other))?.isDirectory === true;
      const done = isFolder ? await oneFolder(one, other, isLeft) : await files(one, other, options, context);
      const head = !isFolder && done.exitCode === 1 && !options.has("q") ? inBytes(`diff ${[...switches, one, other].join(" ")}\n`) : "";
      all = {
        stdout: all.stdout + head + done.stdout,
        stderr: all.stderr + done.stderr,
        exitCode: done.exitCode > all.exitCode ? done.exitCode : all.exitCode,
      };
    }
    return all;
  }
}

async function files(left: string, right: string, options: Options, context: Context): Promise<Done> {
  const texts: string[] = [];
  let missing = 0;
  for (const path of [left, right]) {
    const read = await readInput(context, path);
    if (read.ok) texts.push(fromBytes(read.bytes, "latin1"));
    else if ((options.has("N") || (options.has("P") && path === left)) && read.why.startsWith("No such") && missing++ === 0) texts.push("");
    else return { stdout: "", stderr: `diff: ${path}: ${read.why}\n`, exitCode: 2 };
  }
  const [a = "", b = ""] = texts;
  const same = saying(options.has("s") ? `Files ${left} and ${right} are identical\n` : "", 0);
  if (a === b) return same;
  const isBinary = !options.has("a") && (a.includes("\0") || b.includes("\0"));
  if (isBinary) return saying(`${options.has("q") ? "Files" : "Binary files"} ${left} and ${right} differ\n`, 1);
  const sides: Sides = { old: splitLines(a), new: splitLines(b) };
  const { changes, isShown } = changesOf(sides, options);
  if (!changes.some(isShown)) return same;
  if (options.has("q")) return saying(`Files ${left} and ${right} differ\n`, 1);
  const around = options.has("U") ? Number(options.value("U")) : options.has("C") ? Number(options.value("C")) : 3;
  const isContext = options.has("c") || options.has("C");
  if (!isContext && !options.has("u") && !options.has("U"))
    return { stdout: normal(sides, changes.filter(isShown)), stderr: "", exitCode: 1 };
  const labels = [...options.values("label"), ...options.values("L")];
  const head = async (path: string, sign: string, label: string | undefined): Promise<string> => {
    if (label !== undefined) return inBytes(`${sign} ${label}\n`);
    const time = (path === "-" ? null : await statOf(context, path))?.mtime ?? new Date(0);
    return inBytes(`${sign} ${path}\t${time.toISOString().slice(0, 10)} ${time.toISOString().slice(11, 23)}000000 +0000\n`);
  };
  const [first, second] = isContext ? ["***", "---"] : ["---", "+++"];
  const heading = (await head(left, first ?? "", labels[0])) + (await head(right, second ?? "", labels[1]));
  const print = isContext ? contextual : unified;
  return { stdout: heading + print(sides, changes, isShown, around, options.has("p")), stderr: "", exitCode: 1 };
}
