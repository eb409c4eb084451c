import { fromBytes, toBytes } from "../../encoding.ts";
import type { CommonHost } from "../../host.ts";
import { type Answer, type Context, failed, type Run, stdinBytes } from "../answer.ts";
import { readInput, writeOutput } from "../files.ts";
import { chomped } from "./calls.ts";
import { parseProgram, type Program } from "./parser.ts";
import { arrayOf, createState, Exit, Jump, type State, textOf, Unsupported } from "./state.ts";
import { split } from "./functions.ts";

interface Line {
  readonly loop: "n" | "p" | null;
  /** What the name of a file's copy ends in; empty: no copy; null: files are not changed. */
  readonly inPlace: string | null;
  readonly chomps: boolean;
  readonly splits: string | null;
  /** What ends a line; null: the whole file is one; empty: paragraphs. */
  readonly separator: string | null;
  readonly isText: boolean;
  readonly code: string;
  readonly checks: boolean;
  readonly files: readonly string[];
}

/** Perl's one-liners: `-e` with `-n`, `-p`, `-i`, `-0`, `-l`, `-a`, `-F`, and what a line of Perl usually does to text. */
export function perl(host: CommonHost): Run {
  return async (args, context) => {
    const line = await readLine(args, context);
    if (!("code" in line)) return line;
    const encoding = line.isText ? undefined : "latin1";
    const run = new Execution(line, context, host, encoding);
    try {
      return await run.answer();
    } catch (error) {
      if (!(error instanceof Unsupported)) throw error;
      return failed(
        "perl",
        `${error.message} is not supported here: only one-liners with s///, tr///, m//, print, if, loops and functions of text are. Use sed -E, awk, python3 or node`,
        2,
      );
    }
  };
}

class Execution {
  private readonly out: string[] = [];
  /** Of the file that is changed in place. */
  private changed: string[] | null = null;
  private said = "";
  private lines: string[] = [];
  private at = 0;
  private readonly line: Line;
  private readonly context: Context;
  private readonly encoding: "latin1" | undefined;
  private readonly state: State;

  constructor(line: Line, context: Context, host: CommonHost, encoding: "latin1" | undefined) {
    this.line = line;
    this.context = context;
    this.encoding = encoding;
    this.state = createState({
      print: (text) => void (this.changed ?? this.out).push(text),
      warn: (text) => void (this.said += text),
      readLine: () => this.next(),
      isAtEnd: () => this.at >= this.lines.length,
      mustStop: () => host.stop() !== null,
    });
    for (const [name, value] of Object.entries(context.exportedEnv ?? {}))
      this.state.hashes.set("ENV", (this.state.hashes.get("ENV") ?? new Map()).set(name, value));
    if (line.chomps) this.state.scalars.set("\\", "\n");
    this.state.scalars.set("/", line.separator ?? undefined);
  }

  private next(): string | undefined {
    const found = this.lines[this.at];
    if (found === undefined) return undefined;
    this.at++;
    this.state.scalars.set(".", Number(this.state.scalars.get(".") ?? 0) + 1);
    return found;
  }

  async answer(): Promise<Answer> {
    const program = parseProgram(fromBytes(toBytes(this.line.code, undefined), this.encoding), this.state);
    if (this.line.checks) return { stderr: "-e syntax OK\n" };
    let exitCode = 0;
    try {
      exitCode = await this.run(program);
    } catch (error) {
      if (!(error instanceof Exit)) throw error;
      this.said += fromBytes(toBytes(error.message, this.encoding), undefined);
      exitCode = error.code;
    }
    return { stdout: toBytes(this.out.join(""), this.encoding), stderr: this.said, exitCode };
  }

  private async run(program: Program): Promise<number> {
    const { files, loop } = this.line;
    arrayOf(this.state, "ARGV").push(...files.map((file) => fromBytes(toBytes(file, undefined), this.encoding)));
    for (const one of program.begin) one();
    if (loop === null) {
      await this.open(files.length === 0 ? null : files);
      try {
        for (const one of program.body) one();
      } catch (error) {
        if (!(error instanceof Jump)) throw error;
      }
    } else {
      for (const file of files.length === 0 ? [null] : files) {
        const ended = await this.ofFile(file, program);
        if (ended === "left") break;
      }
    }
    for (const one of program.end) one();
    return 0;
  }

  /** For `<>` and `<STDIN>`. */
  private async open(files: readonly string[] | null): Promise<void> {
    let text = "";
    if (files === null) text = fromBytes(stdinBytes(this.context), this.encoding);
    for (const file of files ?? []) {
      const read = await readInput(this.context, file);
      if (read.ok) text += fromBytes(read.bytes, this.encoding);
    }
    this.lines = linesOf(text, this.line.separator);
    this.at = 0;
  }

  private async ofFile(file: string | null, program: Program): Promise<"done" | "left"> {
    const read = file === null ? { ok: true as const, bytes: stdinBytes(this.context) } : await readInput(this.context, file);
    if (!read.ok) {
      this.said += `Can't open ${file ?? "-"}: ${read.why}.\n`;
      return "done";
    }
    const text = fromBytes(read.bytes, this.encoding);
    this.lines = linesOf(text, this.line.separator);
    this.at = 0;
    this.state.scalars.set("ARGV", file ?? "-");
    const isChanged = this.line.inPlace !== null && file !== null;
    if (isChanged) this.changed = [];
    let isLeft = false;
    try {
      while (!isLeft && !this.state.mustStop()) {
        const given = this.next();
        if (given === undefined) break;
        isLeft = this.ofLine(given, program);
      }
    } finally {
      if (isChanged) await this.write(file, text);
    }
    return isLeft ? "left" : "done";
  }

  /** Returns whether the loop was left. */
  private ofLine(given: string, program: Program): boolean {
    const { state, line } = this;
    state.scalars.set("_", line.chomps ? chomped(given, line.separator ?? undefined) : given);
    state.positions.clear();
    if (line.splits !== null) state.arrays.set("F", split(line.splits, line.splits === " " ? " " : "", textOf(state.scalars.get("_")), 0));
    try {
      for (const one of program.body) one();
    } catch (error) {
      if (!(error instanceof Jump)) throw error;
      if (error.kind === "last") return true;
    }
    if (line.loop === "p") state.print(textOf(state.scalars.get("_")) + textOf(state.scalars.get("\\")));
    return false;
  }

  private async write(file: string, before: string): Promise<void> {
    const lines = this.changed ?? [];
    this.changed = null;
    // What was not read is not there afterwards, as with Perl.
    const text = lines.join("");
    const copy = this.line.inPlace ?? "";
    if (copy !== "") {
      const why = await writeOutput(
        this.context,
        copy.includes("*") ? copy.replaceAll("*", file) : file + copy,
        toBytes(before, this.encoding),
      );
      if (why !== null) throw new Exit(2, `Can't rename ${file}: ${why}.\n`);
    }
    const why = text === before ? null : await writeOutput(this.context, file, toBytes(text, this.encoding));
    if (why !== null) throw new Exit(2, `Can't do inplace edit: ${file}: ${why}.\n`);
  }
}

function linesOf(text: string, separator: string | null): string[] {
  if (text === "") return [];
  if (separator === null) return [text];
  if (separator === "")
    return (
      text
        .replace(/^\n+/, "")
        .match(/[^]+?(?:\n\n+|$)(?![^]{0}$)|[^]+$/g)
        ?.map((part) => part.replace(/\n{2,}$/, "\n\n")) ?? []
    );
  const lines: string[] = [];
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf(separator, from);
    const next = end < 0 ? text.length : end + separator.length;
    lines.push(text.slice(from, next));
    from = next;
  }
  return lines;
}

async function readLine(args: readonly string[], context: Context): Promise<Line | Answer> {
  const code: string[] = [];
  let line: Omit<Line, "code" | "files"> = {
    loop: null,
    inPlace: null,
    chomps: false,
    splits: null,
    separator: "\n",
    isText: false,
    checks: false,
  };
  let at = 0;
  let hasCode = false;
  for (; at < args.length; at++) {
    const arg = args[at] ?? "";
    if (arg === "--") {
      at++;
      break;
    }
    if (!arg.startsWith("-") || arg === "-") break;
    if (arg === "--version" || arg === "-v")
      return { stdout: "This is Vibey's perl: one-liners with -e, and not the whole of Perl 5.\n", stderr: "" };
    for (let i = 1; i < arg.length; i++) {
      const letter = arg.charAt(i);
      const rest = arg.slice(i + 1);
      if (letter === "e" || letter === "E") {
        code.push(rest === "" ? (args[++at] ?? "") : rest);
        hasCode = true;
        break;
      }
      if (letter === "n" || letter === "p") line = { ...line, loop: line.loop === "p" ? "p" : letter };
      else if (letter === "i") {
        line = { ...line, inPlace: rest };
        break;
      } else if (letter === "l") {
        line = { ...line, chomps: true };
        i += /^[0-7]*/.exec(rest)?.[0].length ?? 0;
      } else if (letter === "a") line = { ...line, splits: line.splits ?? " ", loop: line.loop ?? "n" };
      else if (letter === "F") {
        const given = rest.replace(/^([/"'])(.*)\1$/, "$2");
        line = { ...line, splits: given, loop: line.loop ?? "n" };
        break;
      } else if (letter === "0") {
        const [digits = ""] = /^(?:x[0-9a-fA-F]+|[0-7]*)/.exec(rest) ?? [];
        const value = digits.startsWith("x") ? Number.parseInt(digits.slice(1), 16) : Number.parseInt(digits || "0", 8);
        line = { ...line, separator: digits === "0" ? "" : value >= 0o400 ? null : String.fromCharCode(value) };
        i += digits.length;
      } else if (letter === "C") {
        line = { ...line, isText: true };
        break;
      } else if (letter === "M" || letter === "m") {
        if (!/^-?(?:strict|warnings|utf8|feature|open|5|v5)/.test(rest)) return refused(`the module ${rest.split("=", 1)[0] ?? ""}`);
        if (/^(?:utf8|open)/.test(rest)) line = { ...line, isText: true };
        break;
      } else if (letter === "c") line = { ...line, checks: true };
      else if (!"wWstTuUX".includes(letter)) return refused(`the option -${letter}`);
      else if (letter === "s") return refused("the option -s");
    }
  }
  const files = args.slice(at);
  if (hasCode) return { ...line, code: code.join("\n"), files };
  const [script, ...others] = files;
  const read = script === undefined ? { ok: true as const, bytes: stdinBytes(context) } : await readInput(context, script);
  if (!read.ok) return failed("perl", `Can't open perl script "${script ?? ""}": ${read.why}`, 2);
  return { ...line, code: new TextDecoder().decode(read.bytes).replace(/\n__(?:END|DATA)__\n[^]*$/, "\n"), files: others };
}

function refused(what: string): Answer {
  return failed(
    "perl",
    `${what} is not supported here: only one-liners with s///, tr///, m//, print, if, loops and functions of text are. Use sed -E, awk, python3 or node`,
    2,
  );
}
