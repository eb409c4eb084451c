import { fromBytes, toBytes } from "../../encoding.ts";
import type { CommonHost } from "../../host.ts";
import { type Answer, type Context, failed, type Run, stdinText } from "../answer.ts";
import { absolute, statOf, writeOutput } from "../files.ts";
import { joinBytes } from "../../../../fs/bytes.ts";
import { Builder, type BuildOptions, defaultGoals, type Runner } from "./build.ts";
import type { Surroundings } from "./expand.ts";
import { emptyMakefile, MakeError } from "./makefile.ts";
import { parse } from "./parse.ts";

const help = `Usage: make [options] [NAME=VALUE] [target] ...
  -B  make all targets          -C DIR   in another folder      -f FILE  another makefile
  -i  ignore errors             -k       continue where possible  -n     print, run nothing
  -q  exit code 1 if not up to date      -s  print no recipes   -t       touch instead of running
-j N is taken and changes nothing: recipes run one after the other.
`;

/** The maximum depth of `make` calls within `make`. Each takes a shell. */
const mostLevels = 50;

interface Line extends Omit<BuildOptions, "name"> {
  readonly folder: string | null;
  readonly files: readonly string[];
  readonly variables: readonly (readonly [name: string, operator: string, value: string])[];
  readonly goals: readonly string[];
  readonly printsFolder: boolean;
}

/** GNU make, without built-in rules (there is no compiler), `eval`, `vpath` or concurrent jobs. */
export function make(host: CommonHost): Run {
  return async (args, context) => {
    if (args.includes("--version") || args.includes("-v")) return { stdout: "GNU Make 4.3\n" };
    if (args.includes("--help") || args.includes("-h")) return { stdout: help };
    const level = Number(context.exportedEnv?.["MAKELEVEL"] ?? 0);
    if (level > mostLevels) return failed("make", `more than ${mostLevels} makes within makes`, 2);
    const name = level === 0 ? "make" : `make[${level}]`;
    const line = parseLine([...flagsOf(context.exportedEnv?.["MAKEFLAGS"]), ...args]);
    if (typeof line === "string") return failed(name, line, 2);
    return run(line, name, level, context, host);
  };
}

/** The options inherited from the calling make, which does not pass on folders and files. */
function flagsOf(flags: string | undefined): string[] {
  return (flags ?? "").split(" ").filter((flag) => /^-[Bikns]+$/.test(flag));
}

async function run(line: Line, name: string, level: number, outer: Context, host: CommonHost): Promise<Answer> {
  const cwd = line.folder === null ? outer.cwd : absolute(outer, line.folder);
  if ((await statOf(outer, cwd))?.isDirectory !== true)
    return { stderr: `${name}: *** ${line.folder ?? ""}: No such file or directory.  Stop.\n`, exitCode: 2 };
  const place = { fs: outer.fs, cwd };
  const output = createOutput(outer, host);
  const printsFolder = line.printsFolder || (level > 0 && !line.silent) || (line.folder !== null && !line.silent);
  const exec = outer.exec;
  if (!exec) throw new Error("no commands can be run from here");
  const shell = async (text: string, exported: Readonly<Record<string, string>>) =>
    exec(text, {
      cwd,
      env: { ...Object.fromEntries(outer.env), ...exported, MAKELEVEL: String(level + 1), MAKEFLAGS: passedOn(line), PWD: cwd },
    });
  /** Runs a text and returns its output. The output goes through a file, because the output of a script's commands would be shown. */
  const read = async (text: string): Promise<{ readonly stdout: string; readonly stderr: string }> => {
    const file = `/tmp/.make-${++lastRead}`;
    const { stderr } = await shell(`{ :; ${text}\n} > ${file}`, {});
    const bytes = (await statOf(place, file)) === null ? new Uint8Array() : await outer.fs.readFileBuffer(file);
    await outer.fs.rm(file, { force: true });
    return { stdout: fromBytes(bytes, undefined), stderr };
  };
  const around: Surroundings = {
    async shell(text) {
      const done = await read(text);
      output.addShown("", done.stderr);
      return done.stdout;
    },
    async wildcard(pattern) {
      if (!/[*?[]/.test(pattern)) return (await statOf(place, pattern)) === null ? [] : [pattern];
      const words = pattern.replaceAll(/[^\w*?[\]./~{},-]/g, "\\$&");
      const { stdout } = await read(`shopt -s nullglob; printf '%s\\n' ${words}`);
      return stdout.split("\n").filter((found) => found !== "");
    },
    exists: async (path) => (await statOf(place, path)) !== null,
    absolute: (path) => absolute(place, path),
    say: (text, stream) => (stream === "stdout" ? output.add(text, "") : output.add("", text)),
  };
  const runner: Runner = {
    remove: (path) => outer.fs.rm(absolute(place, path)),
    async run(text, exported) {
      const done = await shell(text, exported);
      output.addShown(textOf(done), done.stderr);
      return done.exitCode;
    },
    modified: async (path) => (await statOf(place, path))?.mtime.getTime() ?? null,
    async touch(path) {
      const at = absolute(place, path);
      const stat = await statOf(place, path);
      const why = stat === null ? await writeOutput(place, path, new Uint8Array()) : null;
      if (why !== null) throw new MakeError(`touch: ${path}: ${why}`);
      if (stat !== null) await outer.fs.utimes(at, new Date(), new Date());
    },
  };
  let exitCode = 0;
  if (printsFolder) output.add(`${name}: Entering directory '${cwd}'\n`, "");
  try {
    exitCode = await build(line, name, level, place, around, runner, outer);
  } catch (error) {
    if (!(error instanceof MakeError)) throw error;
    output.add("", `${error.place ?? name}: *** ${error.message}\n`);
    exitCode = 2;
  }
  if (printsFolder) output.add(`${name}: Leaving directory '${cwd}'\n`, "");
  return { ...output.answer(), exitCode };
}

async function build(
  line: Line,
  name: string,
  level: number,
  place: Pick<Context, "fs" | "cwd">,
  around: Surroundings,
  runner: Runner,
  outer: Context,
): Promise<number> {
  const makefile = emptyMakefile();
  const set = (variable: string, text: string, origin: "default" | "environment" | "command line", isSimple = true): void =>
    void makefile.variables.set(variable, { text, isSimple, origin });
  for (const [variable, value] of Object.entries({
    MAKE: "make",
    SHELL: "/bin/sh",
    CURDIR: place.cwd,
    MAKELEVEL: String(level),
    ".SHELLFLAGS": "-c",
    RM: "rm -f",
    CC: "cc",
    AR: "ar",
  }))
    set(variable, value, "default");
  for (const [variable, value] of Object.entries(outer.exportedEnv ?? {}))
    if (variable !== "SHELL" && variable !== "MAKELEVEL") {
      set(variable, value, "environment");
      // It stays exported if the makefile changes its value.
      makefile.exported.add(variable);
    }
  for (const [variable, operator, value] of line.variables) set(variable, value, "command line", operator !== "=");
  set("MAKECMDGOALS", line.goals.join(" "), "default");
  const read = async (path: string): Promise<string | null> => {
    if (path === "-") return stdinText(outer);
    const stat = await statOf(place, path);
    return stat?.isFile === true ? fromBytes(await place.fs.readFileBuffer(absolute(place, path)), undefined) : null;
  };
  const files = line.files.length > 0 ? line.files : await firstOf(["GNUmakefile", "makefile", "Makefile"], around);
  if (files.length === 0)
    throw new MakeError(
      line.goals.length === 0
        ? "No targets specified and no makefile found.  Stop."
        : `No rule to make target '${line.goals[0] ?? ""}'.  Stop.`,
    );
  for (const file of files) {
    if ((await read(file)) === null) {
      around.say(`${name}: ${file}: No such file or directory\n`, "stderr");
      throw new MakeError(`No rule to make target '${file}'.  Stop.`);
    }
    await parse(makefile, file, around, read);
  }
  const goals = line.goals.length > 0 ? line.goals : await defaultGoals(makefile, around);
  if (goals.length === 0) throw new MakeError("No targets.  Stop.");
  const builder = new Builder(makefile, around, runner, { ...line, name });
  for (const goal of goals) {
    await builder.goal(goal);
    if (builder.exitCode === 2 && !line.keepGoing) break;
  }
  return builder.exitCode;
}

async function firstOf(names: readonly string[], around: Surroundings): Promise<readonly string[]> {
  for (const name of names) if (await around.exists(name)) return [name];
  return [];
}

function passedOn(line: Line): string {
  const letters = [line.always && "B", line.ignoreErrors && "i", line.keepGoing && "k", line.dryRun && "n", line.silent && "s"]
    .filter((each) => each !== false)
    .join("");
  return letters === "" ? "" : `-${letters}`;
}

function textOf(done: { readonly stdout: string }): string {
  const isBytes = Reflect.get(done, "stdoutKind") === "bytes" || Reflect.get(done, "stdoutEncoding") === "binary";
  return isBytes ? fromBytes(toBytes(done.stdout, "latin1"), undefined) : done.stdout;
}

/** The number of the last file that `read` used, in all running makes. */
let lastRead = 0;

interface Output {
  add(stdout: string, stderr: string): void;
  /** Adds what a command that make ran has already shown. */
  addShown(stdout: string, stderr: string): void;
  answer(): Answer;
}

/** Collects the output, and shows it while recipes run. */
function createOutput(context: Context, host: CommonHost): Output {
  const show = host.terminal(context);
  const out: Uint8Array[] = [];
  let said = "";
  function addShown(stdout: string, stderr: string): void {
    if (stdout !== "") out.push(toBytes(stdout, undefined));
    said += stderr;
  }
  return {
    add(stdout, stderr) {
      addShown(stdout, stderr);
      if (stdout !== "") show?.("stdout", stdout);
      if (stderr !== "") show?.("stderr", stderr);
    },
    addShown,
    answer: () => ({ stdout: joinBytes(out), stderr: said }),
  };
}

const long: Readonly<Record<string, string>> = {
  "always-make": "B",
  directory: "C",
  file: "f",
  makefile: "f",
  "ignore-errors": "i",
  jobs: "j",
  "keep-going": "k",
  "just-print": "n",
  "dry-run": "n",
  recon: "n",
  question: "q",
  silent: "s",
  quiet: "s",
  touch: "t",
  "print-directory": "w",
  "no-print-directory": "W",
  "no-builtin-rules": "r",
  "no-builtin-variables": "R",
  "output-sync": "O",
  "warn-undefined-variables": "u",
  trace: "u",
};

function parseLine(args: readonly string[]): Line | string {
  const flags = new Set<string>();
  const files: string[] = [];
  const variables: (readonly [string, string, string])[] = [];
  const goals: string[] = [];
  let folder: string | null = null;
  let isOver = false;
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? "";
    const [, variable, operator = "", value = ""] = /^([\w.-]+)(::?=|=)([^]*)$/.exec(arg) ?? [];
    if (variable !== undefined && !arg.startsWith("-")) variables.push([variable, operator, value]);
    else if (isOver || !arg.startsWith("-") || arg === "-") goals.push(arg);
    else if (arg === "--") isOver = true;
    else {
      const [, name, joined] = /^--([a-z-]+)(?:=([^]*))?$/.exec(arg) ?? [];
      const letters = name === undefined ? arg.slice(1) : (long[name] ?? "?");
      if (letters === "?") return `unrecognized option '${arg}'`;
      for (let i = 0; i < letters.length; i++) {
        const letter = letters.charAt(i);
        if (letter === "C" || letter === "f") {
          const rest = name === undefined ? letters.slice(i + 1) : (joined ?? "");
          const given: string = rest === "" ? (args[++at] ?? "") : rest;
          if (letter === "f") files.push(given);
          else folder = folder === null || given.startsWith("/") ? given : `${folder}/${given}`;
          break;
        }
        if (letter === "j" || letter === "O" || letter === "l") {
          if (letters.slice(i + 1) === "" && name === undefined && letter !== "O" && /^[\d.]+$/.test(args[at + 1] ?? "")) at++;
          break;
        }
        if (!(name === undefined ? "BiknqstwrRSd" : "BiknqstwWrRu").includes(letter)) return `invalid option -- '${letter}'`;
        flags.add(letter);
      }
    }
  }
  return {
    folder,
    files,
    variables,
    goals,
    printsFolder: flags.has("w"),
    dryRun: flags.has("n"),
    silent: flags.has("s"),
    always: flags.has("B"),
    keepGoing: flags.has("k"),
    ignoreErrors: flags.has("i"),
    touch: flags.has("t"),
    question: flags.has("q"),
  };
}
