import { joinBytes } from "../../../fs/bytes.ts";
import { fromBytes } from "../encoding.ts";
import { type Answer, type Context, failed, stdinBytes } from "./answer.ts";
import { compress, decompress, isGzip } from "./deflate.ts";
import { absolute, globExpression, makeFolders, readInput, reasonOf, statOf, walk, writeOutput, flagsOf } from "./files.ts";
import { parseOptions } from "./options.ts";
import { readTime } from "./date.ts";
import { zoneOf } from "../zone.ts";
import { type Member, packTar, unpackTar } from "./tar-format.ts";

const letters = "cxtruzjJaAvf:C:kpmhPOT:X:wnoUZ";
const long = {
  create: "c",
  extract: "x",
  get: "x",
  list: "t",
  append: "r",
  update: "u",
  gzip: "z",
  gunzip: "z",
  bzip2: "j",
  xz: "J",
  verbose: "v",
  file: "f",
  directory: "C",
  exclude: "exclude",
  "strip-components": "strip",
  "to-stdout": "O",
  "files-from": "T",
  "exclude-from": "X",
  "auto-compress": "a",
  "no-same-owner": "o",
  "same-permissions": "p",
  "preserve-permissions": "p",
  "keep-old-files": "k",
  "no-same-permissions": "n",
  wildcards: "n",
  overwrite: "n",
  "absolute-names": "P",
  "no-recursion": "norecursion",
  "exclude-vcs": "vcs",
  owner: "ignored",
  group: "ignored",
  mtime: "mtime",
  sort: "ignored",
  format: "ignored",
  numeric: "n",
  "numeric-owner": "n",
};
const withValue = ["exclude", "strip", "mtime", "ignored"];

export async function tar(given: readonly string[], context: Context): Promise<Answer> {
  const args = oldStyle(given);
  const options = parseOptions(args, letters, long, withValue);
  if (typeof options === "string") return failed("tar", `${options}\nTry 'tar --help' or 'tar --usage' for more information.`, 64);
  const modes = ["c", "x", "t", "r", "u"].filter((letter) => options.has(letter));
  if (modes.length === 0)
    return failed(
      "tar",
      "You must specify one of the '-Acdtrux', '--delete' or '--test-label' options\nTry 'tar --help' or 'tar --usage' for more information.",
      2,
    );
  if (modes.length > 1)
    return failed(
      "tar",
      "You may not specify more than one '-Acdtrux', '--delete' or  '--test-label' option\nTry 'tar --help' or 'tar --usage' for more information.",
      2,
    );
  if (options.has("j") || options.has("J")) return failed("tar", "bzip2 and xz are not here; use -z", 2);
  const excluded = [...options.values("exclude")];
  for (const list of options.values("X")) {
    const read = await readInput(context, list);
    if (!read.ok) return failed("tar", `${list}: Cannot open: ${read.why}`, 2);
    excluded.push(
      ...fromBytes(read.bytes, undefined)
        .split("\n")
        .filter((line) => line !== ""),
    );
  }
  if (options.has("vcs")) excluded.push(".git", ".gitignore", ".svn", ".hg");
  const time = options.value("mtime");
  const mtime = time === null ? null : await readMtime(time, context);
  if (time !== null && mtime === null) return failed("tar", `Invalid time or file '${time}'`, 2);
  const request: Request = {
    archive: options.value("f") ?? "-",
    zipped: options.has("z") || (options.has("a") && /\.(tgz|gz)$/.test(options.value("f") ?? "")),
    verbose: options.values("v").length,
    skip: excluder(excluded),
    mtime,
  };
  if (modes[0] === "c") return create(request, args, options.values("T"), options.has("norecursion"), context);
  if (modes[0] === "r" || modes[0] === "u") return failed("tar", "an archive can't be changed here; create it again", 2);
  const strip = Number(options.value("strip") ?? 0);
  return open(
    request,
    modes[0] === "t",
    { folder: options.value("C"), strip, toStdout: options.has("O"), keep: options.has("k") },
    options.operands,
    context,
  );
}

interface Request {
  readonly archive: string;
  readonly zipped: boolean;
  readonly verbose: number;
  readonly skip: (path: string) => boolean;
  /** The time of all members. Null: each has that of its file. */
  readonly mtime: Date | null;
}

/** A time, or that of a file, whose name begins with `/` or `.`. Null: neither. */
async function readMtime(given: string, context: Context): Promise<Date | null> {
  if (/^[/.]/.test(given)) return (await statOf(context, given))?.mtime ?? null;
  return readTime(given, new Date(), zoneOf(context.exportedEnv?.["TZ"]));
}

/** `tar czf a.tgz b`: the letters of the first word take their values from the following words, in order. */
function oldStyle(args: readonly string[]): string[] {
  const [first = "", ...rest] = args;
  if (first.startsWith("-") || first === "") return [...args];
  const expanded: string[] = [];
  for (const letter of first) {
    expanded.push(`-${letter}`);
    if (letters.includes(`${letter}:`)) expanded.push(rest.shift() ?? "");
  }
  return [...expanded, ...rest];
}

function excluder(patterns: readonly string[]): (path: string) => boolean {
  const expressions = patterns.map(
    (pattern) => new RegExp(`(^|/)${globExpression(pattern.replace(/^\.\//, "").replace(/\/$/, ""))}$`, "s"),
  );
  return (path) => expressions.some((expression) => expression.test(path.replace(/\/$/, "")));
}

/** Folders and operands in the order of the command line, because -C applies to what follows it. */
async function create(
  request: Request,
  args: readonly string[],
  lists: readonly string[],
  flat: boolean,
  context: Context,
): Promise<Answer> {
  const members: Member[] = [];
  let stderr = "";
  let problems = false;
  let stripped = false;
  let listing = "";
  let at = context.cwd;
  const self = absolute(context, request.archive);

  async function add(name: string): Promise<void> {
    const inside = { fs: context.fs, cwd: at };
    if ((await statOf(inside, name)) === null) {
      stderr += `tar: ${name}: Cannot stat: No such file or directory\n`;
      problems = true;
      return;
    }
    for await (const { path, stat } of walk(inside, name === "/" ? "/" : name.replace(/\/+$/, ""), request.skip)) {
      if (flat && path !== name) continue;
      const whole = absolute(inside, path);
      if (whole === self) {
        if (request.archive !== "-") stderr += `tar: ${path}: file is the archive; not dumped\n`;
        continue;
      }
      if (path.startsWith("/") && !stripped) {
        stderr += "tar: Removing leading `/' from member names\n";
        stripped = true;
      }
      const member = path.replace(/^\/+/, "") + (stat.isDirectory ? "/" : "");
      if (member === "/") continue;
      const bytes = stat.isDirectory ? new Uint8Array() : await context.fs.readFileBuffer(whole);
      members.push({
        name: member,
        kind: stat.isDirectory ? "folder" : "file",
        bytes,
        mode: stat.mode,
        mtime: (request.mtime ?? stat.mtime).getTime() / 1000,
        target: "",
      });
      if (request.verbose > 0) listing += `${path}${stat.isDirectory ? "/" : ""}\n`;
    }
  }

  let named = 0;
  for (const step of await operandsInOrder(args, lists, context)) {
    if (step.kind === "problem") return failed("tar", step.text, 2);
    if (step.kind === "folder") {
      at = context.fs.resolvePath(at, step.path);
      if (!(await statOf(context, at))?.isDirectory)
        return failed("tar", `${step.path}: Cannot open: No such file or directory\ntar: Error is not recoverable: exiting now`, 2);
    } else {
      named++;
      await add(step.path);
    }
  }
  if (named === 0)
    return failed("tar", "Cowardly refusing to create an empty archive\nTry 'tar --help' or 'tar --usage' for more information.", 2);
  if (problems) stderr += "tar: Exiting with failure status due to previous errors\n";
  const packed = packTar(members);
  const bytes = request.zipped ? await compress(packed, "gzip") : packed;
  if (request.archive === "-") return { stdout: bytes, stderr: listing + stderr, exitCode: problems ? 2 : 0 };
  const why = await writeOutput(context, request.archive, bytes);
  if (why !== null) return failed("tar", `${request.archive}: Cannot open: ${why}\ntar: Error is not recoverable: exiting now`, 2);
  return { stdout: listing, stderr, exitCode: problems ? 2 : 0 };
}

type Step = { readonly kind: "folder" | "file"; readonly path: string } | { readonly kind: "problem"; readonly text: string };

async function operandsInOrder(args: readonly string[], lists: readonly string[], context: Context): Promise<Step[]> {
  const steps: Step[] = [];
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? "";
    if (arg === "--") {
      steps.push(...args.slice(i + 1).map((path) => ({ kind: "file", path }) as const));
      break;
    }
    const attached = /^(?:-[a-zA-Z]*C|--directory=)(.+)$/s.exec(arg);
    if (attached && (arg.startsWith("--") || !/^-[a-zA-Z]*[fTX]/.test(arg))) steps.push({ kind: "folder", path: attached[1] ?? "" });
    else if (/^-[a-zA-Z]*C$/.test(arg) || arg === "--directory") steps.push({ kind: "folder", path: args[++i] ?? "" });
    else if (
      /^-[a-zA-Z]*[fTX]$/.test(arg) ||
      [
        "--file",
        "--exclude",
        "--exclude-from",
        "--files-from",
        "--strip-components",
        "--owner",
        "--group",
        "--mtime",
        "--sort",
        "--format",
      ].includes(arg)
    )
      i++;
    else if (!arg.startsWith("-") || arg === "-") steps.push({ kind: "file", path: arg });
  }
  for (const list of lists) {
    const read = await readInput(context, list);
    if (!read.ok) return [{ kind: "problem", text: `${list}: Cannot open: ${read.why}\ntar: Error is not recoverable: exiting now` }];
    for (const path of fromBytes(read.bytes, undefined).split(/[\n\0]/)) if (path !== "") steps.push({ kind: "file", path });
  }
  return steps;
}

interface Extraction {
  readonly folder: string | null;
  readonly strip: number;
  readonly toStdout: boolean;
  readonly keep: boolean;
}

async function open(request: Request, listOnly: boolean, how: Extraction, wanted: readonly string[], context: Context): Promise<Answer> {
  const read = request.archive === "-" ? { ok: true as const, bytes: stdinBytes(context) } : await readInput(context, request.archive);
  if (!read.ok) return failed("tar", `${request.archive}: Cannot open: ${read.why}\ntar: Error is not recoverable: exiting now`, 2);
  let plain = read.bytes;
  if (isGzip(plain)) {
    try {
      plain = await decompress(plain, "gzip");
    } catch {
      return failed("tar", "the gzip stream is damaged\ntar: Error is not recoverable: exiting now", 2);
    }
  } else if (request.zipped)
    return {
      stderr: "\ngzip: stdin: not in gzip format\ntar: Child returned status 1\ntar: Error is not recoverable: exiting now\n",
      exitCode: 2,
    };
  const archive = unpackTar(plain);
  if (archive === null)
    return failed("tar", "This does not look like a tar archive\ntar: Exiting with failure status due to previous errors", 2);

  const base = how.folder === null ? context.cwd : absolute(context, how.folder);
  if (how.folder !== null && !(await statOf(context, base))?.isDirectory)
    return failed("tar", `${how.folder}: Cannot open: No such file or directory\ntar: Error is not recoverable: exiting now`, 2);
  const met = new Set<string>();
  const printed: Uint8Array[] = [];
  let listing = "";
  let stderr = archive.whole ? "" : "tar: Unexpected EOF in archive\n";
  let problem = !archive.whole;
  for (const member of archive.members) {
    if (request.skip(member.name) || !isWanted(member.name, wanted, met)) continue;
    if (listOnly) {
      listing += request.verbose > 0 ? `${longLine(member)}\n` : `${member.name}\n`;
      continue;
    }
    const name = member.name.replace(/^\/+/, "").split("/").slice(how.strip).join("/");
    if (name === "") continue;
    if (request.verbose > 0) listing += `${member.name}\n`;
    const why = name.split("/").includes("..")
      ? "Member name contains '..'"
      : how.toStdout
        ? null
        : await extract(member, `${base}/${name}`, base, how, context);
    if (how.toStdout && why === null && member.kind === "file") printed.push(member.bytes);
    if (why !== null) {
      stderr += `tar: ${member.name}: ${why}\n`;
      problem = true;
    }
  }
  for (const name of wanted) {
    if (met.has(name)) continue;
    stderr += `tar: ${name}: Not found in archive\n`;
    problem = true;
  }
  if (problem) stderr += "tar: Exiting with failure status due to previous errors\n";
  return { stdout: how.toStdout ? joinBytes(printed) : listing, stderr: (how.toStdout ? listing : "") + stderr, exitCode: problem ? 2 : 0 };
}

function isWanted(name: string, wanted: readonly string[], met: Set<string>): boolean {
  if (wanted.length === 0) return true;
  const bare = name.replace(/\/$/, "");
  const found = wanted.filter((entry) => {
    const want = entry.replace(/\/$/, "");
    return bare === want || bare.startsWith(`${want}/`) || (/[*?]/.test(want) && new RegExp(`^${globExpression(want)}$`, "s").test(bare));
  });
  for (const entry of found) met.add(entry);
  return found.length > 0;
}

async function extract(member: Member, path: string, base: string, how: Extraction, context: Context): Promise<string | null> {
  if (member.kind === "folder") return makeFolders(context, path);
  const target = context.fs.resolvePath(path.slice(0, path.lastIndexOf("/")), member.target);
  if (member.kind === "link") return `Cannot create link to '${target.slice(base.length + 1)}': links can't be made here`;
  if (member.kind === "other") return "Cannot create special file here";
  if (how.keep && (await statOf(context, path)) !== null) return "Cannot open: File exists";
  const why = (await makeFolders(context, path.slice(0, path.lastIndexOf("/")))) ?? (await writeOutput(context, path, member.bytes));
  if (why !== null) return `Cannot open: ${why}`;
  try {
    await context.fs.chmod(path, member.mode & 0o777);
    const mtime = new Date(member.mtime * 1000);
    await context.fs.utimes(path, mtime, mtime);
    return null;
  } catch (error) {
    return `Cannot change mode: ${reasonOf(error)}`;
  }
}

function longLine({ name, kind, bytes, mode, mtime }: Member): string {
  const flags = flagsOf({ isDirectory: kind === "folder", mode });
  const time = new Date(mtime * 1000).toISOString();
  return `${kind === "link" ? flags.replace("-", "l") : flags} user/user ${String(bytes.length).padStart(9)} ${time.slice(0, 10)} ${time.slice(11, 16)} ${name}`;
}
