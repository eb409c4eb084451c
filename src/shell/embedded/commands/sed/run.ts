import { type Address, type Instruction, SedError, type Substitution } from "./parse.ts";
import { invalidReference, missingGroup, replaced } from "./replacement.ts";

/** An input with its lines, without line ends. */
export interface Input {
  readonly name: string;
  readonly lines: readonly string[];
  /** Whether the last line has a line end. */
  readonly ends: boolean;
}

export interface World {
  /** The files that `r` and `R` read; missing files are null. */
  readonly contents: ReadonlyMap<string, string>;
  /** Throws if the program must stop. */
  checkpoint(): void;
}

export interface Output {
  /** What was printed while each input was read. */
  readonly printed: readonly string[];
  /** The output of `w`, by file. */
  readonly written: ReadonlyMap<string, string>;
  readonly exitCode: number;
  /** The input that was being read when the script ended. */
  readonly last: number;
}

/** Maximum size of the pattern space and of the hold space, in characters. */
const mostSpace = 64 * 1024 * 1024;

interface Settings {
  readonly quiet: boolean;
  /** Each file is processed separately: line numbers, ranges and the hold space start over, and `$` is its last line. */
  readonly separate: boolean;
  readonly end: "\n" | "\0";
  readonly columns: number;
}

export function runScript(program: readonly Instruction[], inputs: readonly Input[], settings: Settings, world: World): Output {
  const { quiet, separate, end } = settings;
  const printed = inputs.map(() => [] as string[]);
  const written = new Map<string, string[]>();
  /** For each active range of two addresses, the line where it ends, if the second address is a line. */
  const ranges = new Map<Instruction, { until: number | null }>();
  /** Ranges that begin at a line number and have begun. They begin only once per input. */
  const begun = new Set<Instruction>();
  /** The number of lines that `R` has read from each file. */
  const readOn = new Map<string, number>();
  let current = 0;
  let at = 0;
  let line = 0;
  let space = "";
  let hold = "";
  let lastPattern: RegExp | null = null;
  let missingEnd = false;
  let exitCode = 0;
  let substituted = false;
  let appended: (() => void)[] = [];
  let steps = 0;
  /** Outputs whose last line had no line end; one is added before the next line. */
  const open = new Set<string>();

  for (const one of program) {
    const file = one.command === "w" || one.command === "W" ? one.text : (one.substitution?.file ?? null);
    if (file !== null && !file.startsWith("/dev/std")) written.set(file, []);
  }
  const out = (): string[] => printed[current] ?? [];
  function put(text: string, withEnd: boolean, to: string | null = null): void {
    const parts = to === null || to === "/dev/stdout" ? out() : (written.get(to) ?? out());
    const key = to ?? `${current}`;
    if (open.delete(key)) parts.push(end);
    parts.push(withEnd ? text + end : text);
    if (!withEnd) open.add(key);
  }
  const isLastOf = (i: number, n: number): boolean => n >= (inputs[i]?.lines.length ?? 0);
  const hasMore = (): boolean => !isLastOf(current, at) || (!separate && inputs.slice(current + 1).some(({ lines }) => lines.length > 0));

  /** Returns the next line; null at the end. */
  function readLine(): string | null {
    while (current < inputs.length && isLastOf(current, at)) {
      if (current + 1 >= inputs.length) return null;
      current++;
      at = 0;
      if (!separate) continue;
      line = 0;
      hold = "";
      ranges.clear();
      begun.clear();
      readOn.clear();
    }
    const input = inputs[current];
    if (input === undefined) return null;
    const found = input.lines[at++] ?? "";
    line++;
    missingEnd = at >= input.lines.length && !input.ends;
    return found;
  }

  function matches(address: Address): boolean {
    switch (address.kind) {
      case "line":
        return line === address.line;
      case "step":
        return address.step <= 0 ? line === address.first : line >= address.first && (line - address.first) % address.step === 0;
      case "last":
        return !hasMore();
      case "pattern":
        return test(address.pattern);
      default:
        return false;
    }
  }

  function test(given: RegExp | null): boolean {
    const pattern = given ?? lastPattern;
    if (pattern === null) throw new SedError("no previous regular expression");
    lastPattern = pattern;
    pattern.lastIndex = 0;
    return pattern.test(space);
  }

  function isAddressed(one: Instruction): boolean {
    const { from, to } = one;
    if (from === null) return true;
    if (to === null) return matches(from);
    const range = ranges.get(one);
    if (range === undefined) {
      if (from.kind === "line" || from.kind === "zero") {
        // The first line may have been deleted before this command could see it.
        if (begun.has(one) || (from.kind === "line" && line < from.line)) return false;
        begun.add(one);
        if (from.kind === "line" && to.kind === "line" && line > to.line) return line === from.line;
      } else if (!matches(from)) return false;
      if (from.kind === "zero") {
        if (!(to.kind === "pattern" && test(to.pattern))) ranges.set(one, { until: null });
        return true;
      }
      if (to.kind === "line") {
        if (to.line > line) ranges.set(one, { until: to.line });
      } else if (to.kind === "plus") {
        if (to.count > 0) ranges.set(one, { until: line + to.count });
      } else if (to.kind === "multiple") {
        if (to.of > 0 && line % to.of !== 0) ranges.set(one, { until: Math.ceil(line / to.of) * to.of });
      } else ranges.set(one, { until: null });
      return true;
    }
    if (range.until !== null) {
      if (line >= range.until) ranges.delete(one);
      return line <= range.until;
    }
    if (matches(to)) ranges.delete(one);
    return true;
  }

  function substitute(one: Substitution): boolean {
    const pattern = one.pattern ?? lastPattern;
    if (pattern === null) throw new SedError("no previous regular expression");
    lastPattern = pattern;
    pattern.lastIndex = 0;
    const missing = one.pattern === null ? missingGroup(one.replacement, pattern) : null;
    if (missing !== null) throw new SedError(`-e expression #1, char 0: ${invalidReference(missing)}`);
    let result = "";
    let from = 0;
    let count = 0;
    let done = false;
    let matchEnd = -1;
    for (const match of space.matchAll(pattern)) {
      // An empty match right after another match does not count.
      if (match[0] === "" && match.index === matchEnd) continue;
      matchEnd = match.index + match[0].length;
      count++;
      if (count < one.nth) continue;
      result += space.slice(from, match.index) + replaced(one.replacement, match);
      from = matchEnd;
      done = true;
      if (!one.all) break;
    }
    if (!done) return false;
    space = result + space.slice(from);
    return true;
  }

  /** Prints the space with escapes for unusual characters, in lines of `columns` columns. */
  function list(given: string): void {
    const columns = given === "" ? settings.columns : Number(given);
    const names: Readonly<Record<string, string>> = {
      "\\": "\\\\",
      "\n": "\\n",
      "\t": "\\t",
      "\r": "\\r",
      "\x07": "\\a",
      "\b": "\\b",
      "\f": "\\f",
      "\v": "\\v",
    };
    let row = "";
    for (const letter of space) {
      const bytes = new TextEncoder().encode(letter);
      const piece =
        names[letter] ??
        (letter >= " " && letter <= "~" ? letter : Array.from(bytes, (byte) => `\\${byte.toString(8).padStart(3, "0")}`).join(""));
      if (columns > 1 && row.length + piece.length > columns - 1) {
        put(`${row}\\`, true);
        row = "";
      }
      row += piece;
    }
    put(`${row}$`, true);
  }

  function flush(): void {
    for (const one of appended) one();
    appended = [];
  }

  /** Ends a cycle. */
  function endCycle(): void {
    if (!quiet) put(space, !missingEnd);
    flush();
  }

  let restart = false;
  cycle: for (;;) {
    if (!restart) {
      const next = readLine();
      if (next === null) break;
      space = next;
      substituted = false;
    }
    restart = false;
    for (let i = 0; i < program.length; ) {
      const one = program[i];
      if (one === undefined) break;
      if ((++steps & 1023) === 0) world.checkpoint();
      i++;
      if (isAddressed(one) === one.negated) {
        if (one.command === "{") i = one.target;
        continue;
      }
      switch (one.command) {
        case "{":
          break;
        case "=":
          put(String(line), true);
          break;
        case "a":
          appended.push(() => put(one.text.slice(0, -1), true));
          break;
        case "i":
          put(one.text.slice(0, -1), true);
          break;
        case "c": {
          const inRange = one.to !== null && ranges.has(one) && !one.negated;
          if (!inRange) put(one.text.slice(0, -1), true);
          flush();
          continue cycle;
        }
        case "d":
          flush();
          continue cycle;
        case "D": {
          const cut = space.indexOf(end);
          flush();
          if (cut < 0) continue cycle;
          space = space.slice(cut + 1);
          restart = true;
          continue cycle;
        }
        case "g":
          space = hold;
          break;
        case "G":
          space = space + end + hold;
          break;
        case "h":
          hold = space;
          break;
        case "H":
          hold = hold + end + space;
          break;
        case "x":
          [space, hold] = [hold, space];
          break;
        case "l":
          list(one.text);
          break;
        case "n": {
          // Without a next line, GNU sed prints the space. With separate files, the next file follows.
          if (!hasMore()) {
            endCycle();
            continue cycle;
          }
          endCycle();
          space = readLine() ?? "";
          break;
        }
        case "N": {
          if (!hasMore()) {
            endCycle();
            continue cycle;
          }
          flush();
          space = space + end + (readLine() ?? "");
          break;
        }
        case "p":
          put(space, !missingEnd);
          break;
        case "P":
          put(space.split(end, 1)[0] ?? "", true);
          break;
        case "q":
          exitCode = Number(one.text);
          endCycle();
          break cycle;
        case "Q":
          exitCode = Number(one.text);
          break cycle;
        case "r": {
          const text = world.contents.get(one.text);
          if (text !== undefined)
            appended.push(() => {
              if (text !== "") put(text.endsWith(end) ? text.slice(0, -1) : text, text.endsWith(end));
            });
          break;
        }
        case "R": {
          const lines = world.contents.get(one.text)?.replace(/\n$/, "").split("\n");
          const next = readOn.get(one.text) ?? 0;
          const text = lines?.[next];
          readOn.set(one.text, next + 1);
          if (text !== undefined) appended.push(() => put(text, true));
          break;
        }
        case "w":
          put(space, !missingEnd, one.text);
          break;
        case "W":
          put(space.split(end, 1)[0] ?? "", true, one.text);
          break;
        case "s": {
          const { substitution } = one;
          if (substitution === null || !substitute(substitution)) break;
          substituted = true;
          if (substitution.prints) put(space, !missingEnd);
          if (substitution.file !== null) put(space, !missingEnd, substitution.file);
          break;
        }
        case "y":
          space = Array.from(space, (letter) => one.letters?.get(letter) ?? letter).join("");
          break;
        case "z":
          space = "";
          break;
        case "F":
          put(inputs[current]?.name ?? "-", true);
          break;
        case "b":
          i = one.target;
          break;
        case "t":
          if (substituted) i = one.target;
          substituted = false;
          break;
        case "T":
          if (!substituted) i = one.target;
          substituted = false;
          break;
        default:
          throw new SedError(`unknown command: \`${one.command}'`);
      }
      if (space.length + hold.length > mostSpace) throw new SedError("the pattern space and the hold space take more than 64 MB");
    }
    endCycle();
  }
  return {
    printed: printed.map((parts) => parts.join("")),
    last: current,
    written: new Map([...written].map(([name, parts]) => [name, parts.join("")])),
    exitCode,
  };
}
