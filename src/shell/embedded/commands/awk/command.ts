import { fromBytes, toBytes } from "../../encoding.ts";
import { toBytesOf, toOutput, toText } from "../../stray-bytes.ts";
import type { CommonHost } from "../../host.ts";
import { zoneOf } from "../../zone.ts";
import { type Answer, type Context, failed, type Run, stdinBytes } from "../answer.ts";
import { absolute, readInput, reasonOf } from "../files.ts";
import { resetRandom } from "./functions.ts";
import { AwkSyntaxError, unescape } from "./lexer.ts";
import { parseProgram } from "./parser.ts";
import { runProgram } from "./program.ts";
import { AwkError, Runtime } from "./runtime.ts";
import { fromInput } from "./values.ts";

/** Thrown if the program must stop. */
class Stopped extends Error {}

const usage = "usage: awk [-F fs] [-v var=value] [-f progfile | 'prog'] [file ...]";

/** `awk` and `gawk`: POSIX awk with gawk's functions that scripts use. */
export const awk =
  (host: CommonHost): Run =>
  async (args, context) => {
    const read = await readArguments(args, context);
    if ("exitCode" in read) return read;
    const printed: string[] = [];
    let complaints = "";
    const done = (exitCode: number, more = ""): Answer => ({ stdout: toOutput(printed.join("")), stderr: complaints + more, exitCode });
    const world = {
      async read(path: string): Promise<string | null> {
        const found = await readInput(context, path);
        return found.ok ? toText(found.bytes) : null;
      },
      async write(path: string, text: string, append: boolean): Promise<string | null> {
        const at = absolute(context, path);
        try {
          if (append) await context.fs.appendFile(at, toBytesOf(text));
          else await context.fs.writeFile(at, toBytesOf(text));
          return null;
        } catch (error) {
          return reasonOf(error);
        }
      },
      async run(command: string, input: string): Promise<{ readonly stdout: string; readonly exitCode: number }> {
        if (!context.exec) throw new AwkError("no commands can be run from here");
        const ended = await context.exec(command, {
          cwd: context.cwd,
          stdin: fromBytes(toBytesOf(input), "latin1"),
          stdinKind: "bytes",
        });
        complaints += ended.stderr;
        const isBytes = ended.stdoutKind === "bytes";
        return { stdout: isBytes ? toText(toBytes(ended.stdout, "latin1")) : ended.stdout, exitCode: ended.exitCode };
      },
      stdin: () => toText(stdinBytes(context)),
      print: (text: string) => void printed.push(text),
      complain: (text: string) => void (complaints += text),
      now: () => Date.now(),
      zone: zoneOf(context.exportedEnv?.["TZ"]),
      checkpoint() {
        if (host.stop() !== null) throw new Stopped();
      },
    };
    try {
      resetRandom();
      const program = parseProgram(read.program);
      const runtime = new Runtime(world);
      for (const [name, value] of Object.entries(context.exportedEnv ?? {})) runtime.array("ENVIRON").set(name, fromInput(value));
      for (const [i, each] of ["awk", ...read.operands].entries()) runtime.array("ARGV").set(String(i), fromInput(each));
      runtime.variable("ARGC").value = read.operands.length + 1;
      for (const [name, value] of read.variables) runtime.assign(name, value);
      return done(await runProgram(program, runtime));
    } catch (error) {
      if (error instanceof Stopped) return done(124);
      if (error instanceof AwkSyntaxError) return done(1, `awk: ${error.message}\n`);
      if (error instanceof AwkError) return done(2, `awk: ${error.message}\n`);
      if (error instanceof SyntaxError) return done(2, `awk: ${error.message}\n`);
      throw error;
    }
  };

interface Call {
  readonly program: string;
  readonly operands: readonly string[];
  readonly variables: readonly (readonly [name: string, value: string])[];
}

async function readArguments(args: readonly string[], context: Context): Promise<Call | (Answer & { readonly exitCode: number })> {
  const refuse = (what: string): Answer & { readonly exitCode: number } => ({ ...failed("awk", what, 2), exitCode: 2 });
  const variables: (readonly [string, string])[] = [];
  const programs: string[] = [];
  let at = 0;
  for (; at < args.length; at++) {
    const arg = args[at] ?? "";
    if (arg === "--") {
      at++;
      break;
    }
    if (!arg.startsWith("-") || arg === "-") break;
    if (arg === "--version" || arg === "-V" || arg === "-W")
      return { stdout: "awk (Vibey) with POSIX's and most of gawk's functions\n", exitCode: 0 };
    const [, letter, attached] = /^-([Fvfe])([^]*)$/.exec(arg) ?? /^--(field-separator|assign|file|source)(?:=([^]*))?$/.exec(arg) ?? [];
    if (letter === undefined) {
      // These options are always on, or change nothing.
      if (/^-(?:[rbcPtnNOsSk]|-(?:re-interval|posix|traditional|characters-as-bytes|non-decimal-data|lint|sandbox))$/.test(arg)) continue;
      return refuse(`unknown option ${arg}`);
    }
    const value = attached === undefined || (attached === "" && !arg.includes("=")) ? (args[++at] ?? "") : attached;
    const kind = { "field-separator": "F", assign: "v", file: "f", source: "e" }[letter] ?? letter;
    if (kind === "F") variables.push(["FS", value === "t" ? "\t" : unescape(value)]);
    else if (kind === "v") {
      const [, name, given] = /^([A-Za-z_]\w*)=([^]*)$/.exec(value) ?? [];
      if (name === undefined || given === undefined) return refuse(`invalid -v argument: ${value}`);
      variables.push([name, unescape(given)]);
    } else if (kind === "e") programs.push(value);
    else {
      const file = await readInput(context, value);
      if (!file.ok) return refuse(`can't open file ${value}: ${file.why}`);
      programs.push(fromBytes(file.bytes, undefined).replace(/^#!.*/, ""));
    }
  }
  const operands = args.slice(at);
  const program = programs.length > 0 ? programs.join("\n") : operands.shift();
  if (program === undefined) return { stderr: `${usage}\n`, exitCode: 1 };
  return { program, operands, variables };
}
