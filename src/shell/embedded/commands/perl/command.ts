import { equalBytes } from "../../../equal-bytes.ts";
import { fromBytes, toBytes } from "../../encoding.ts";
import type { CommonHost } from "../../host.ts";
import { type Answer, type Context, failed, type Run, stdinBytes } from "../answer.ts";
import { type Read, readInput, writeOutput } from "../files.ts";
import { chomped } from "./calls.ts";
import { parseProgram, type Program } from "./parser.ts";
import { arrayOf, bytesOnly, createState, Exit, Jump, type State, textOf, Unsupported } from "./state.ts";
import { split } from "./functions.ts";

interface Line {
  readonly loop: "n" | "p" | null;
  /** The suffix of the backup files. Empty: no backup. Null: files are not changed. */
  readonly inPlace: string | null;
  readonly chomps: boolean;
  /** What `print` appends; null: nothing. */
  readonly ending: string | null;
  readonly splits: string | null;
  /** The line separator. Null: the whole file is one line. Empty: paragraphs. */
  readonly separator: string | null;
  readonly isText: boolean;
  /** `-Mutf8`: the program itself is text, too. */
  readonly isCodeText: boolean;
  readonly code: string;
  readonly checks: boolean;
  readonly files: readonly string[];
}

/** Perl's one-liners: `-e` with `-n`, `-p`, `-i`, `-0`, `-l`, `-a`, `-F`, and the usual operations on text. */
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
  /** The new content of the file that is changed in place. */
  private changed: string[] | null = null;
  /** The future content of files. They are written when the whole program is known to run. */
  private readonly written = new Map<string, Uint8Array>();
  private said = "";
  private lines: string[] = [];
  private at = 0;
  /** The number of files after the current one. */
  private following = 0;
  /** Without -n and -p: the files that `<>` reads when it is first used. Null: it was used, or reads standard input. */
  private unread: ReadonlyMap<string, Read> | null = null;
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
      warn: (text) => this.say(text),
      readLine: () => this.readLine(),
      isAtEnd: (ofAll) => this.isAtEnd(ofAll),
      readsFiles: line.files.length > 0,
      isText: line.isText,
      mustStop: () => host.stop() !== null,
    });
    for (const [name, value] of Object.entries(context.exportedEnv ?? {}))
      this.state.hashes.set("ENV", (this.state.hashes.get("ENV") ?? new Map()).set(name, value));
    if (line.ending !== null) this.state.scalars.set("\\", line.ending);
    this.state.scalars.set("/", line.separator ?? undefined);
  }

  private say(text: string): void {
    this.said += fromBytes(this.bytesOf(text), undefined);
  }

  private bytesOf(text: string): Uint8Array {
    return toBytes(bytesOnly(text, this.state), this.encoding);
  }

  private textOf(bytes: Uint8Array): string {
    const text = fromBytes(bytes, this.encoding);
    if (!this.line.isText) return text;
    if (/[\ud800-\udfff]/.test(text)) throw new Unsupported("a character above U+FFFF with -C");
    if (text.includes("\ufffd") && !equalBytes(toBytes(text, undefined), bytes)) throw new Unsupported("input that is not UTF-8 with -C");
    return text;
  }

  private next(): string | undefined {
    const found = this.lines[this.at];
    if (found === undefined) return undefined;
    this.at++;
    this.state.scalars.set(".", Number(this.state.scalars.get(".") ?? 0) + 1);
    return found;
  }

  /** Reads a line for `<>` and `<STDIN>`. */
  private readLine(): string | undefined {
    this.openUnread();
    const found = this.next();
    if (found === undefined && this.following > 0) throw new Unsupported("<> that reads the file after this one");
    return found;
  }

  private isAtEnd(ofAll: boolean): boolean {
    if (this.line.loop === null && !ofAll && this.line.files.length > 1)
      throw new Unsupported("eof of each of several files without -n or -p");
    this.openUnread();
    return this.at >= this.lines.length && (!ofAll || this.following === 0);
  }

  /** `<>` reads the files that `@ARGV` names at that time. */
  private openUnread(): void {
    const { unread } = this;
    if (unread === null) return;
    this.unread = null;
    let text = "";
    for (const name of arrayOf(this.state, "ARGV").splice(0).map(textOf)) {
      const read = unread.get(name);
      if (read === undefined) throw new Unsupported("<> of files that were not named to perl");
      if (read.ok) text += this.textOf(read.bytes);
      else this.say(`Can't open ${name}: ${read.why} at -e line 1.\n`);
    }
    this.lines = linesOf(text, this.line.separator);
  }

  async answer(): Promise<Answer> {
    const { code, isText, isCodeText } = this.line;
    if (/[\u0080-\uffff]/.test(code) && isText !== (isCodeText || /\buse\s+utf8\b/.test(code)))
      throw new Unsupported("a letter that is not ASCII, in a program with -C or -Mutf8 alone, instead of both,");
    const program = parseProgram(this.textOf(toBytes(code, undefined)), this.state);
    if (program.after !== null && this.line.loop === null) throw new Unsupported("}{ without -n or -p");
    if (this.line.checks) return { stderr: "-e syntax OK\n" };
    let exitCode = await this.ending(() => this.run(program));
    const last = await this.ending(() => {
      for (const one of program.end) one();
    });
    if (last !== 0) exitCode = last;
    // The program was stopped, so the content may be incomplete: write nothing.
    if (this.state.mustStop()) return { stderr: this.said, exitCode: 1 };
    const stdout = this.bytesOf(this.out.join(""));
    for (const [file, bytes] of this.written) {
      const why = await writeOutput(this.context, file, bytes);
      if (why === null) continue;
      this.said += `Can't do inplace edit: ${file}: ${why}.\n`;
      exitCode = 2;
      break;
    }
    return { stdout, stderr: this.said, exitCode };
  }

  /** Runs a part of the program and returns its exit code. */
  private async ending(run: () => Promise<void> | void): Promise<number> {
    try {
      await run();
      return 0;
    } catch (error) {
      if (!(error instanceof Exit)) throw error;
      this.say(error.message);
      return error.code;
    }
  }

  private async run(program: Program): Promise<void> {
    const { files, loop } = this.line;
    arrayOf(this.state, "ARGV").push(...files.map((file) => fromBytes(toBytes(file, undefined), this.encoding)));
    for (const one of program.begin) one();
    if (loop === null) {
      await this.prepare(files);
      try {
        for (const one of program.body) one();
      } catch (error) {
        if (!(error instanceof Jump)) throw error;
      }
      return;
    }
    const given = files.length === 0 ? [null] : files;
    for (const [i, file] of given.entries()) {
      this.following = given.length - 1 - i;
      if ((await this.ofFile(file, program)) === "left") break;
    }
    if (program.after === null) return;
    this.state.scalars.set("_", undefined);
    for (const one of program.after) one();
    if (loop === "p") this.printTopic();
  }

  private async prepare(files: readonly string[]): Promise<void> {
    if (files.length === 0) {
      this.lines = linesOf(this.textOf(stdinBytes(this.context)), this.line.separator);
      return;
    }
    const unread = new Map<string, Read>();
    for (const file of files) unread.set(fromBytes(toBytes(file, undefined), this.encoding), await readInput(this.context, file));
    this.unread = unread;
  }

  private async ofFile(file: string | null, program: Program): Promise<"done" | "left"> {
    const before = file === null ? undefined : this.written.get(file);
    const read = before !== undefined ? { ok: true as const, bytes: before } : await readInput(this.context, file ?? "-");
    if (!read.ok) {
      this.said += `Can't open ${file ?? "-"}: ${read.why}.\n`;
      return "done";
    }
    this.lines = linesOf(this.textOf(read.bytes), this.line.separator);
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
    } catch (error) {
      // As in Perl, what was not read before `exit` is lost; `die` leaves the file unchanged.
      if (error instanceof Exit && isChanged && error.message === "") this.keep(file, read.bytes);
      this.changed = null;
      throw error;
    }
    if (isChanged) this.keep(file, read.bytes);
    return isLeft ? "left" : "done";
  }

  /** Returns whether the loop was left. */
  private ofLine(given: string, program: Program): boolean {
    const { state, line } = this;
    state.scalars.set("_", line.chomps ? chomped(given, line.separator ?? undefined) : given);
    state.positions.clear();
    if (line.splits !== null)
      state.arrays.set("F", split(line.splits, line.splits === " " ? " " : "", textOf(state.scalars.get("_")), 0, line.isText));
    try {
      for (const one of program.body) one();
    } catch (error) {
      if (!(error instanceof Jump)) throw error;
      if (error.kind === "last") return true;
    }
    if (line.loop === "p" && program.after === null) this.printTopic();
    return false;
  }

  private printTopic(): void {
    this.state.print(textOf(this.state.scalars.get("_")) + textOf(this.state.scalars.get("\\")));
  }

  private keep(file: string, before: Uint8Array): void {
    const bytes = this.bytesOf((this.changed ?? []).join(""));
    this.changed = null;
    const copy = this.line.inPlace ?? "";
    if (copy !== "") this.written.set(copy.includes("*") ? copy.replaceAll("*", () => file) : file + copy, before);
    if (!equalBytes(bytes, before)) this.written.set(file, bytes);
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
    ending: null,
    splits: null,
    separator: "\n",
    isText: false,
    isCodeText: false,
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
        const [digits = ""] = /^[0-7]*/.exec(rest) ?? [];
        const same = line.separator === "" ? "\n\n" : line.separator;
        line = { ...line, chomps: true, ending: digits === "" ? same : String.fromCharCode(Number.parseInt(digits, 8)) };
        i += digits.length;
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
        // Files must be read and written in the same encoding as the output.
        if (rest !== "" && !/^(?=.*S)(?=.*D)[IOEioADSLa]+$/.test(rest)) return refused(`the option -C${rest}`);
        line = { ...line, isText: true };
        break;
      } else if (letter === "M" || letter === "m") {
        if (!/^-?(?:strict|warnings|utf8|feature|open|5|v5)/.test(rest)) return refused(`the module ${rest.split("=", 1)[0] ?? ""}`);
        if (rest.startsWith("utf8")) line = { ...line, isCodeText: true };
        if (rest.startsWith("open")) line = { ...line, isText: true };
        break;
      } else if (letter === "c") line = { ...line, checks: true };
      else if (!"wWstTuUX".includes(letter)) return refused(`the option -${letter}`);
      else if (letter === "s") return refused("the option -s");
    }
  }
  const files = args.slice(at);
  if (line.inPlace !== null && line.loop === null) return refused("-i without -n or -p");
  if (hasCode) return { ...line, code: code.join("\n"), files };
  const [script, ...others] = files;
  const read = script === undefined ? { ok: true as const, bytes: stdinBytes(context) } : await readInput(context, script);
  if (!read.ok) return failed("perl", `Can't open perl script "${script ?? ""}": ${read.why}`, 2);
  const source = new TextDecoder().decode(read.bytes);
  if (/^#!.*perl.*\s-\w*[nplaF0is]/.test(source)) return refused("an option in the first line of a script");
  return { ...line, code: source.replace(/\n__(?:END|DATA)__\n[^]*$/, "\n"), files: others };
}

function refused(what: string): Answer {
  return failed(
    "perl",
    `${what} is not supported here: only one-liners with s///, tr///, m//, print, if, loops and functions of text are. Use sed -E, awk, python3 or node`,
    2,
  );
}
