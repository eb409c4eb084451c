import { failed, type Run } from "./answer.ts";
import { readInput } from "./files.ts";
import { toOutput, toText } from "../stray-bytes.ts";
import { type Options, parseOptions } from "./options.ts";

type Line = readonly string[];

/** A field of an output line: the field that both lines share, or a field of one file, counted from 0. */
type Shown = "shared" | { readonly file: 0 | 1; readonly field: number };

interface Style {
  readonly separator: string | null;
  readonly shared: readonly [number, number];
  readonly shown: readonly Shown[] | null;
  readonly empty: string;
  readonly key: (line: Line, file: 0 | 1) => string;
}

const long = { "ignore-case": "i", header: "header", "check-order": "check", "nocheck-order": "nocheck" };

/** GNU join. */
export const join: Run = async (args, context) => {
  const options = parseOptions(withFieldLists(args), "a:e:ij:o:t:v:1:2:z", long);
  if (typeof options === "string") return failed("join", options);
  const [first, second, odd] = options.operands;
  if (first === undefined) return failed("join", "missing operand");
  if (second === undefined) return failed("join", `missing operand after '${first}'`);
  if (odd !== undefined) return failed("join", `extra operand '${odd}'`);
  const sharedOf = (file: string): number => Number(options.value(file) ?? options.value("j") ?? 1) - 1;
  const shared = [sharedOf("1"), sharedOf("2")] as const;
  if (shared.some((field) => !Number.isInteger(field) || field < 0))
    return failed("join", `invalid field number: '${options.value("1") ?? options.value("2") ?? options.value("j") ?? ""}'`);
  const separator = options.value("t");
  const end = options.has("z") ? "\0" : "\n";
  const files: Line[][] = [];
  for (const name of [first, second]) {
    const read = await readInput(context, name);
    if (!read.ok) return failed("join", `${name}: ${read.why}`);
    const text = toText(read.bytes);
    const lines = text === "" ? [] : (text.endsWith(end) ? text.slice(0, -1) : text).split(end);
    files.push(lines.map((line) => fieldsOf(line, separator)));
  }
  const [left = [], right = []] = files;
  const shown = shownFields(options, left[0] ?? [], right[0] ?? [], shared);
  if (typeof shown === "string") return failed("join", shown);
  const fold = options.has("i") ? (text: string): string => text.toUpperCase() : (text: string): string => text;
  const style: Style = {
    separator,
    shared,
    shown,
    empty: options.value("e") ?? "",
    key: (line, file) => fold(line[shared[file]] ?? ""),
  };
  const alone = [...options.values("a"), ...options.values("v")];
  const rows: string[] = [];
  if (options.has("header") && (left.length > 0 || right.length > 0)) rows.push(row(left.shift() ?? null, right.shift() ?? null, style));
  const unpaired = joinInto(rows, [left, right], style, !options.has("v"), [alone.includes("1"), alone.includes("2")]);
  // As in GNU join, the order does not matter as long as each line has a partner.
  const isChecked = options.has("check") || (unpaired && !options.has("nocheck"));
  const order = isChecked ? (disorder(left, 0, first, style) ?? disorder(right, 1, second, style)) : null;
  return {
    stdout: toOutput(rows.map((line) => line + end).join("")),
    ...(order !== null && { stderr: `join: ${order}\njoin: input is not in sorted order\n`, exitCode: 1 }),
  };
};

/** Joins the lists of `-o 1.1 2.2`: further fields may follow as words. */
function withFieldLists(args: readonly string[]): readonly string[] {
  const at = args.indexOf("-o");
  if (at < 0) return args;
  let end = at + 2;
  while (end < args.length && /^(?:0|[12]\.\d+)(?:,(?:0|[12]\.\d+))*$/.test(args[end] ?? "")) end++;
  return [...args.slice(0, at + 1), args.slice(at + 1, end).join(","), ...args.slice(end)];
}

/** Without a separator, blanks separate fields, and those before the first field count for nothing. */
function fieldsOf(line: string, separator: string | null): Line {
  if (separator === "") return [line];
  return separator === null ? line.replace(/^[ \t]+/, "").split(/[ \t]+/) : line.split(separator);
}

/** Null: the shared field, and then the other fields of each line. A text: what is wrong with the list. */
function shownFields(options: Options, left: Line, right: Line, shared: readonly [number, number]): readonly Shown[] | null | string {
  const lists = options.values("o");
  if (lists.length === 0) return null;
  if (lists.length === 1 && lists[0] === "auto") {
    const others = (line: Line, file: 0 | 1): Shown[] =>
      line.flatMap((_, field): Shown[] => (field === shared[file] ? [] : [{ file, field }]));
    return ["shared", ...others(left, 0), ...others(right, 1)];
  }
  const shown: Shown[] = [];
  for (const field of lists.flatMap((list) => list.split(/[ \t,]+/))) {
    const [, file, number] = /^([12])\.([1-9]\d*)$/.exec(field) ?? [];
    if (field === "0") shown.push("shared");
    else if (file === undefined) return `invalid field specifier: '${field}'`;
    else shown.push({ file: file === "1" ? 0 : 1, field: Number(number) - 1 });
  }
  return shown;
}

function row(left: Line | null, right: Line | null, { separator, shared, shown, empty }: Style): string {
  const field = (file: 0 | 1, at: number): string => ((file === 0 ? left : right)?.[at] ?? "") || empty;
  const both = left === null ? field(1, shared[1]) : field(0, shared[0]);
  const others = (line: Line | null, file: 0 | 1): string[] =>
    (line ?? []).flatMap((_, at) => (at === shared[file] ? [] : [field(file, at)]));
  const fields = shown?.map((one) => (one === "shared" ? both : field(one.file, one.field))) ?? [
    both,
    ...others(left, 0),
    ...others(right, 1),
  ];
  return fields.join(separator ?? " ");
}

/** The message about the first line that is not in order; null if all lines are. */
function disorder(lines: readonly Line[], file: 0 | 1, name: string, { key, separator }: Style): string | null {
  for (let at = 1; at < lines.length; at++) {
    const line = lines[at] ?? [];
    if (key(line, file) < key(lines[at - 1] ?? [], file)) return `${name}:${at + 1}: is not sorted: ${line.join(separator ?? " ")}`;
  }
  return null;
}

/** Adds the rows. Returns whether a line had no partner while both files had lines. */
function joinInto(
  rows: string[],
  [left, right]: readonly [readonly Line[], readonly Line[]],
  style: Style,
  pairs: boolean,
  alone: readonly [boolean, boolean],
): boolean {
  let unpaired = false;
  let [a, b] = [0, 0];
  while (a < left.length || b < right.length) {
    const [one, other] = [left[a], right[b]];
    const [low, high] = [one && style.key(one, 0), other && style.key(other, 1)];
    if (low !== undefined && high !== undefined && low !== high) unpaired = true;
    if (one !== undefined && (high === undefined || (low ?? "") < high)) {
      if (alone[0]) rows.push(row(one, null, style));
      a++;
    } else if (other !== undefined && (low === undefined || (high ?? "") < low)) {
      if (alone[1]) rows.push(row(null, other, style));
      b++;
    } else {
      let [endA, endB] = [a + 1, b + 1];
      while (endA < left.length && style.key(left[endA] ?? [], 0) === low) endA++;
      while (endB < right.length && style.key(right[endB] ?? [], 1) === low) endB++;
      if (pairs) for (const l of left.slice(a, endA)) for (const r of right.slice(b, endB)) rows.push(row(l, r, style));
      [a, b] = [endA, endB];
    }
  }
  return unpaired;
}
