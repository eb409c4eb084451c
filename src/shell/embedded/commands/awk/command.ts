import { joinBytes } from "../../../../fs/bytes.ts";
import { fromBytes, toBytes } from "../../encoding.ts";
import type { CommonHost } from "../../host.ts";
import { type Answer, type Context, failed, type Run, stdinBytes } from "../answer.ts";
import { absolute, readInput, reasonOf } from "../files.ts";
import { resetRandom } from "./functions.ts";
import { AwkSyntaxError, unescape } from "./lexer.ts";
import { parseProgram } from "./parser.ts";
import { runProgram } from "./program.ts";
import { AwkError, Runtime } from "./runtime.ts";
import { fromInput } from "./values.ts";

/** Thrown where the program has to stop. */
class Stopped extends Error {}

const usage = "usage: awk [-F fs] [-v var=value] [-f progfile | 'prog'] [file ...]";

/** `awk` and `gawk`: POSIX awk with the functions of gawk that scripts use. */
export const awk =
  (host: CommonHost): Run =>
  async (args, context) => {
    const read = await readArguments(args, context);
    if ("exitCode" in read) return read;
    const printed: string[] = [];
    let complaints = "";
    const done = (exitCode: number, more = ""): Answer => ({ stdout: toOutput(printed), stderr: complaints + more, exitCode });
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
      // What these switch on is on, or changes nothing.
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

/** A byte that is no UTF-8 becomes U+DC00 and its value, which no text has. */
function toText(bytes: Uint8Array): string {
  const text = fromBytes(bytes, undefined);
  if (!text.includes("\ufffd")) return text;
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceAt(bytes, at);
    parts.push(length === 0 ? String.fromCharCode(0xdc00 + (bytes[at] ?? 0)) : fromBytes(bytes.subarray(at, at + length), undefined));
    at += Math.max(1, length);
  }
  return parts.join("");
}

/** How many bytes make a character there; 0: they make none. */
function sequenceAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  const length =
    first < 0x80 ? 1 : first >= 0xc2 && first < 0xe0 ? 2 : first >= 0xe0 && first < 0xf0 ? 3 : first >= 0xf0 && first < 0xf5 ? 4 : 0;
  for (let i = 1; i < length; i++) if (((bytes[at + i] ?? 0) & 0xc0) !== 0x80) return 0;
  return length;
}

const stray = /[\ud800-\udbff][\udc00-\udfff]|[\udc00-\udcff]/g;

function toBytesOf(text: string): Uint8Array {
  const parts: Uint8Array[] = [];
  let from = 0;
  for (const found of text.matchAll(stray)) {
    if (found[0].length === 2) continue;
    parts.push(toBytes(text.slice(from, found.index), undefined), Uint8Array.of(found[0].charCodeAt(0) & 0xff));
    from = found.index + 1;
  }
  return from === 0 ? toBytes(text, undefined) : joinBytes([...parts, toBytes(text.slice(from), undefined)]);
}

function toOutput(printed: readonly string[]): string | Uint8Array {
  const text = printed.join("");
  // A character beyond the first 65,536 is two halves, too; its bytes are the same.
  return /[\ud800-\udfff]/.test(text) ? toBytesOf(text) : text;
}
