import { utc } from "../../zone.ts";
import { type Code, from, fromLater, now } from "./code.ts";
import { compile, patternOf, type Scope, store } from "./expressions.ts";
import type { Expr, Target } from "./parser.ts";
import { splitAt, splitFields } from "./records.ts";
import { regex } from "./regex.ts";
import { AwkError } from "./runtime.ts";
import { readStamp, stamp } from "./time.ts";
import { type AwkArray, compare, formatted, fromInput, toNumber, type Value } from "./values.ts";

const wholeRecord: Target = { type: "field", index: { type: "number", value: 0 } };
const unset: Expr = { type: "string", value: "" };

/** Functions from a number to a number. */
const math: Readonly<Record<string, (x: number) => number>> = {
  sin: Math.sin,
  cos: Math.cos,
  exp: Math.exp,
  log: Math.log,
  sqrt: Math.sqrt,
  int: Math.trunc,
  compl: (x) => Number(BigInt.asUintN(53, ~BigInt(Math.trunc(x)))),
};
const bits: Readonly<Record<string, (a: bigint, b: bigint) => bigint>> = {
  and: (a, b) => a & b,
  or: (a, b) => a | b,
  xor: (a, b) => a ^ b,
  lshift: (a, b) => a << b,
  rshift: (a, b) => a >> b,
};

/** A generator that starts with the same seed in each run, like awk's. */
let seed = 1;
let state = 0;
function random(): number {
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), state | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}
export function resetRandom(): void {
  seed = 1;
  state = 0;
}

export function callBuiltin(name: string, args: readonly Expr[], scope: Scope): Code {
  const { runtime } = scope;
  const part = (i: number): Code => (args[i] ? compile(args[i], scope) : now(() => undefined));
  const text = (value: Value): string => runtime.text(value);
  const arrayAt = (i: number): (() => AwkArray) => {
    const arg = args[i];
    if (arg?.type !== "name") throw new AwkError(`${name}: argument ${i + 1} is not an array`);
    return scope.array(arg.name);
  };
  const need = (count: number): void => {
    if (args.length < count) throw new AwkError(`not enough arguments for ${name}`);
  };
  const isArray = (arg: Expr | undefined): arg is Extract<Expr, { type: "name" }> => arg?.type === "name" && scope.isArray(arg.name);
  const simple = Object.hasOwn(math, name) ? math[name] : undefined;
  if (simple !== undefined) {
    need(1);
    return from([part(0)], (value) => simple(toNumber(value)));
  }
  const bitwise = Object.hasOwn(bits, name) ? bits[name] : undefined;
  if (bitwise !== undefined) {
    need(2);
    return from([part(0), part(1)], (a, b) => Number(bitwise(BigInt(Math.trunc(toNumber(a))), BigInt(Math.trunc(toNumber(b))))));
  }
  switch (name) {
    case "length": {
      const [arg] = args;
      if (arg?.type === "name") {
        const any = scope.any(arg.name);
        return now(() => {
          const value = any();
          return value instanceof Map ? value.size : countOf(text(value));
        });
      }
      if (arg === undefined) return now(() => countOf(text(runtime.field(0))));
      return from([part(0)], (value) => countOf(text(value)));
    }
    case "substr":
      need(2);
      return from([part(0), part(1), part(2)], (value, start, length) =>
        substring(text(value), toNumber(start), args.length > 2 ? toNumber(length) : Infinity),
      );
    case "index":
      need(2);
      return from([part(0), part(1)], (value, wanted) => {
        const whole = text(value);
        const at = whole.indexOf(text(wanted));
        return at < 0 ? 0 : countOf(whole.slice(0, at)) + 1;
      });
    case "tolower":
      return from([part(0)], (value) => text(value).toLowerCase());
    case "toupper":
      return from([part(0)], (value) => text(value).toUpperCase());
    case "sprintf":
      need(1);
      return from(
        args.map((_, i) => part(i)),
        (format, ...values) => formatted(text(format), values, runtime.special("CONVFMT")),
      );
    case "atan2":
      need(2);
      return from([part(0), part(1)], (y, x) => Math.atan2(toNumber(y), toNumber(x)));
    case "rand":
      return now(random);
    case "srand":
      return from([part(0)], (value) => {
        const before = seed;
        seed = args.length === 0 ? Math.floor(runtime.world.now() / 1000) : toNumber(value);
        state = Math.trunc(seed) | 0;
        return before;
      });
    case "split": {
      need(2);
      const array = arrayAt(1);
      const separators = args[3] ? arrayAt(3) : null;
      const separator = args[2];
      const isRegex = separator?.type === "regex";
      const source = separator ? patternOf(separator, scope) : now(() => runtime.special("FS"));
      return from([part(0), source], (value, given) => {
        const by = text(given);
        const between: string[] = [];
        const parts = (isRegex || by.length > 1) && by !== "" ? splitAt(text(value), by, between) : splitFields(text(value), by);
        const into = array();
        into.clear();
        for (const [i, each] of parts.entries()) into.set(String(i + 1), fromInput(each));
        if (separators !== null) {
          const found = separators();
          found.clear();
          for (const [i, each] of between.entries()) found.set(String(i + 1), each);
        }
        return parts.length;
      });
    }
    case "sub":
    case "gsub":
      return substitute(name === "gsub", args, scope);
    case "gensub":
      need(3);
      return from(
        [patternOf(args[0] ?? unset, scope), part(1), part(2), args[3] ? part(3) : now(() => runtime.field(0))],
        (source, by, how, value) => generate(regex(text(source), `g${runtime.flags()}`), text(by), text(how), text(value)),
      );
    case "match": {
      need(2);
      const array = args[2] ? arrayAt(2) : null;
      return from([part(0), patternOf(args[1] ?? unset, scope)], (value, source) => {
        const whole = text(value);
        const found = regex(text(source), runtime.flags()).exec(whole);
        const start = found ? countOf(whole.slice(0, found.index)) + 1 : 0;
        runtime.variable("RSTART").value = start;
        runtime.variable("RLENGTH").value = found ? countOf(found[0]) : -1;
        if (array !== null) {
          const into = array();
          into.clear();
          for (const [i, group] of (found ?? []).entries()) if (group !== undefined) into.set(String(i), fromInput(group));
        }
        return start;
      });
    }
    case "strtonum":
      return from([part(0)], (value) => {
        const given = text(value).trim();
        if (/^0[xX][0-9a-fA-F]+/.test(given)) return Number.parseInt(given, 16);
        return /^0[0-7]+$/.test(given) ? Number.parseInt(given, 8) : toNumber(value);
      });
    case "systime":
      return now(() => Math.floor(runtime.world.now() / 1000));
    case "mktime":
      return from([part(0)], (value) => readStamp(text(value), runtime.world.zone));
    case "strftime":
      return from([part(0), part(1), part(2)], (format, seconds, isUtc) =>
        stamp(
          args.length > 0 ? text(format) : "%a %b %e %H:%M:%S %Z %Y",
          args.length > 1 ? toNumber(seconds) : Math.floor(runtime.world.now() / 1000),
          args.length > 2 && toNumber(isUtc) !== 0 ? utc : runtime.world.zone,
        ),
      );
    case "asort":
    case "asorti": {
      const source = arrayAt(0);
      const target = args[1] ? arrayAt(1) : source;
      return now(() => {
        const values = [...source()].map(([key, value]): Value => (name === "asorti" ? key : value));
        const sorted = values.toSorted((a, b) => Number(typeof a === "string") - Number(typeof b === "string") || compare(a, b, "%.6g"));
        const into = target();
        into.clear();
        for (const [i, value] of sorted.entries()) into.set(String(i + 1), value);
        return sorted.length;
      });
    }
    case "isarray":
      return now(() => (isArray(args[0]) ? 1 : 0));
    case "typeof":
      if (isArray(args[0])) return now(() => "array");
      return from([part(0)], (value) => (value === undefined ? "untyped" : typeof value === "object" ? "strnum" : typeof value));
    case "system":
      need(1);
      return fromLater([part(0)], async (command) => {
        await runtime.flush();
        const { stdout, exitCode } = await runtime.world.run(text(command), "");
        runtime.world.print(stdout);
        return exitCode;
      });
    case "close":
      need(1);
      return fromLater([part(0)], async (target) => runtime.close(text(target)));
    case "fflush":
      return now(() => 0);
    default:
      throw new AwkError(`function ${name} is not here`);
  }
}

function countOf(value: string): number {
  // Counts characters, not halves of surrogate pairs.
  return /[\ud800-\udbff]/.test(value) ? Array.from(value).length : value.length;
}

function substring(value: string, start: number, length: number): string {
  // As in gawk, a start before the text counts as 1, and does not shorten the result.
  const begin = Math.max(1, Math.round(start));
  const to = length === Infinity ? Infinity : begin + Math.round(length);
  const letters = /[\ud800-\udbff]/.test(value) ? Array.from(value) : null;
  const [first, last] = [begin - 1, Math.max(0, to - 1)];
  if (last <= first) return "";
  return letters === null ? value.slice(first, last) : letters.slice(first, last).join("");
}

/** Expands `&` and `\\&` in a replacement. */
function replacement(by: string, found: string): string {
  return by.includes("&") || by.includes("\\")
    ? by.replaceAll(/\\\\&|\\&|&|\\\\/g, (mark) => (mark === "&" ? found : mark === "\\&" ? "&" : mark === "\\\\&" ? `\\${found}` : "\\"))
    : by;
}

function substitute(isAll: boolean, args: readonly Expr[], scope: Scope): Code {
  const { runtime } = scope;
  if (args.length < 2) throw new AwkError(`not enough arguments for ${isAll ? "gsub" : "sub"}`);
  const [source = unset, by = unset, given] = args;
  const inner = given?.type === "group" ? given.inner : given;
  const isTarget = inner === undefined || inner.type === "name" || inner.type === "element" || inner.type === "field";
  const target = isTarget ? (inner ?? wholeRecord) : null;
  let count = 0;
  const change = (value: Value, pattern: Value, replaced: Value): Value => {
    const whole = runtime.text(value);
    const text = runtime.text(replaced);
    count = 0;
    const changed = whole.replace(regex(runtime.text(pattern), `${isAll ? "g" : ""}${runtime.flags()}`), (...found: unknown[]) => {
      count++;
      return replacement(text, String(found[0]));
    });
    return count === 0 ? value : changed;
  };
  const parts = [patternOf(source, scope), compile(by, scope)];
  if (target === null)
    return from([compile(inner ?? unset, scope), ...parts], (value, pattern, replaced) => (change(value, pattern, replaced), count));
  // If nothing was found, nothing is assigned, because an assignment would rebuild the record.
  const read = compile(target, scope);
  let changed: Value;
  const put = store(target, scope, [], () => changed);
  if (read.waits || put.waits) throw new AwkError("getline can't choose what is substituted");
  return from(parts, (pattern, replaced) => {
    changed = change(read.run(), pattern, replaced);
    if (count > 0) put.run();
    return count;
  });
}

function generate(pattern: RegExp, by: string, how: string, value: string): string {
  const nth = /^[gG]/.test(how) ? 0 : Math.max(1, Math.trunc(toNumber(how)) || 1);
  let count = 0;
  return value.replace(pattern, (...found: unknown[]) => {
    count++;
    const [all] = found;
    if (nth !== 0 && count !== nth) return String(all);
    return by.replaceAll(/\\([0-9&\\])|&/g, (mark, letter?: string) => {
      if (mark === "&" || letter === "0") return String(all);
      if (letter === undefined || !/\d/.test(letter)) return letter ?? "";
      const group = found[Number(letter)];
      return typeof group === "string" ? group : "";
    });
  });
}
