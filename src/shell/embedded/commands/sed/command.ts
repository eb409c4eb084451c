import type { CommonHost } from "../../host.ts";
import { toBytesOf, toOutput, toText } from "../../stray-bytes.ts";
import { type Answer, type Context, failed, type Run } from "../answer.ts";
import { readInput, writeOutput } from "../files.ts";
import { parseScript, SedError } from "./parse.ts";
import { type Input, runScript } from "./run.ts";

class Stopped extends Error {}

interface Call {
  readonly script: string;
  readonly files: readonly string[];
  readonly quiet: boolean;
  readonly extended: boolean;
  readonly separate: boolean;
  readonly zero: boolean;
  /** Null: the result is printed. "": files are changed. Otherwise a backup with this suffix is kept of each file. */
  readonly inPlace: string | null;
  readonly columns: number;
}

/** GNU sed, without `e`. */
export const sed =
  (host: CommonHost): Run =>
  async (args, context) => {
    const call = await readCall(args, context);
    if (!("script" in call)) return call;
    try {
      return await run(host, call, context);
    } catch (error) {
      if (error instanceof Stopped) return { exitCode: 124 };
      if (error instanceof SedError) return failed("sed", error.message);
      throw error;
    }
  };

async function readCall(args: readonly string[], context: Context): Promise<Call | Answer> {
  const scripts: string[] = [];
  const words: string[] = [];
  let [quiet, extended, separate, zero] = [false, false, false, false];
  let inPlace: string | null = null;
  let columns = 70;
  const fromFile = async (name: string): Promise<Answer | null> => {
    const read = await readInput(context, name);
    if (!read.ok) return failed("sed", `couldn't open file ${name}: ${read.why}`);
    const text = toText(read.bytes).replace(/\n$/, "");
    scripts.push(text);
    if (scripts.length === 1 && /^#n(?:\n|$)/.test(text)) quiet = true;
    return null;
  };
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? "";
    if (arg === "--") {
      words.push(...args.slice(at + 1));
      break;
    }
    if (!arg.startsWith("-") || arg === "-") {
      words.push(arg);
      continue;
    }
    const [, name, joined] = /^--([a-z-]+)(?:=([^]*))?$/.exec(arg) ?? [];
    if (name === "version") return { stdout: "sed (GNU sed) 4.9 (Vibey)\n" };
    if (name === "help") return { stdout: "Usage: sed [OPTION]... {script-only-if-no-other-script} [input-file]...\n" };
    const letters = name === undefined ? arg.slice(1) : longNames[name];
    if (letters === undefined) return failed("sed", `unrecognized option '${arg}'`);
    for (let i = 0; i < letters.length; i++) {
      const letter = letters.charAt(i);
      const rest = name === undefined ? letters.slice(i + 1) : (joined ?? "");
      if (letter === "n") quiet = true;
      else if (letter === "E" || letter === "r") extended = true;
      else if (letter === "s") separate = true;
      else if (letter === "z") zero = true;
      else if (letter === "u" || letter === "b" || letter === "p") continue;
      else if (letter === "i") {
        inPlace = rest;
        separate = true;
        break;
      } else if (letter === "e" || letter === "f" || letter === "l") {
        const value = rest !== "" || joined !== undefined ? rest : args[++at];
        if (value === undefined) return failed("sed", `option requires an argument -- '${letter}'`);
        if (letter === "e") scripts.push(value);
        else if (letter === "l") columns = Number(value);
        else {
          const wrong = await fromFile(value);
          if (wrong !== null) return wrong;
        }
        break;
      } else return failed("sed", `invalid option -- '${letter}'`);
    }
  }
  const script = scripts.length > 0 ? scripts.join("\n") : words.shift();
  if (script === undefined) return { stderr: "Usage: sed [OPTION]... {script-only-if-no-other-script} [input-file]...\n", exitCode: 1 };
  if (inPlace !== null && words.length === 0) return failed("sed", "no input files", 4);
  return { script, files: words, quiet: quiet || script.startsWith("#n\n"), extended, separate, zero, inPlace, columns };
}

const longNames: Readonly<Record<string, string>> = {
  quiet: "n",
  silent: "n",
  expression: "e",
  file: "f",
  "in-place": "i",
  "regexp-extended": "E",
  separate: "s",
  "null-data": "z",
  "zero-terminated": "z",
  unbuffered: "u",
  "line-length": "l",
  posix: "p",
  binary: "b",
};

/** Adds a missing line end if the output of another input follows. */
function concatenated(printed: readonly string[], end: string): string {
  const texts = printed.filter((text) => text !== "");
  return texts.map((text, i) => (i === texts.length - 1 || text.endsWith(end) ? text : text + end)).join("");
}

async function run(host: CommonHost, call: Call, context: Context): Promise<Answer> {
  const program = parseScript(call.script, call);
  const end = call.zero ? "\0" : "\n";
  const inputs: Input[] = [];
  let stderr = "";
  let exitCode = 0;
  for (const name of call.files.length === 0 ? ["-"] : call.files) {
    const read = await readInput(context, name);
    if (!read.ok) {
      stderr +=
        read.why === "Is a directory"
          ? `sed: ${call.inPlace === null ? `read error on ${name}: Is a directory` : `couldn't edit ${name}: not a regular file`}\n`
          : `sed: can't read ${name}: ${read.why}\n`;
      exitCode = read.why === "Is a directory" && call.inPlace !== null ? 4 : 2;
      continue;
    }
    const text = toText(read.bytes);
    const lines = text.split(end);
    const ends = text.endsWith(end);
    if (ends || text === "") lines.pop();
    inputs.push({ name, lines, ends });
  }
  const contents = new Map<string, string>();
  for (const one of program) {
    if (one.command !== "r" && one.command !== "R") continue;
    const read = await readInput(context, one.text);
    if (read.ok) contents.set(one.text, toText(read.bytes));
  }
  const done = runScript(
    program,
    inputs,
    { quiet: call.quiet, separate: call.separate, end, columns: call.columns },
    {
      contents,
      checkpoint() {
        if (host.stop() !== null) throw new Stopped();
      },
    },
  );
  for (const [name, text] of done.written) {
    const why = await writeOutput(context, name, toBytesOf(text));
    if (why !== null) return failed("sed", `couldn't open file ${name}: ${why}`, 4);
  }
  if (call.inPlace === null) return { stdout: toOutput(concatenated(done.printed, end)), stderr, exitCode: exitCode || done.exitCode };
  for (const [i, input] of inputs.entries()) {
    if (i > done.last) break;
    const before = input.lines.join(end) + (input.ends ? end : "");
    const after = done.printed[i] ?? "";
    const copy = call.inPlace.includes("*") ? call.inPlace.replaceAll("*", input.name) : input.name + call.inPlace;
    if (call.inPlace !== "") {
      const why = await writeOutput(context, copy, toBytesOf(before));
      if (why !== null) return failed("sed", `cannot rename ${input.name}: ${why}`, 4);
    }
    const why = after === before ? null : await writeOutput(context, input.name, toBytesOf(after));
    if (why !== null) return failed("sed", `couldn't open file ${input.name}: ${why}`, 4);
  }
  return { stderr, exitCode: exitCode || done.exitCode };
}
