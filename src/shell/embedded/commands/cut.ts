import { toBytesOf, toOutput, toText } from "../stray-bytes.ts";
import { type Context, failed } from "./answer.ts";
import { command } from "./command.ts";
import { readInput, writeOutput } from "./files.ts";
import { type Options, parseOptions } from "./options.ts";

/** Parses `1,3-5,7-` to the first and last position of each part. Returns a text if something is wrong. */
function rangesOf(list: string, kind: string): readonly (readonly [number, number])[] | string {
  const ranges: (readonly [number, number])[] = [];
  for (const part of list.split(",")) {
    const found = /^(?:(\d+)|(\d*)-(\d*))$/.exec(part);
    if (!found || part === "-") return `invalid ${kind} value '${part}'`;
    const first = Number(found[1] ?? (found[2] === "" ? 1 : found[2]));
    const last = Number(found[1] ?? (found[3] === "" ? Infinity : found[3]));
    if (first === 0 || last === 0) return kind === "field" ? "fields are numbered from 1" : "byte/character positions are numbered from 1";
    if (last < first) return "invalid decreasing range";
    ranges.push([first, last]);
  }
  return ranges;
}

const cutLong = {
  bytes: "b",
  characters: "c",
  delimiter: "d",
  fields: "f",
  "only-delimited": "s",
  "zero-terminated": "z",
  complement: "complement",
  "output-delimiter": "out",
};

const cut = command("cut", async (args, context) => {
  const options = parseOptions(args, "b:c:d:f:nsz", cutLong, ["out"]);
  if (typeof options === "string") return failed("cut", options);
  const kinds = ["b", "c", "f"].filter((letter) => options.has(letter));
  const [kind = "f"] = kinds;
  const hint = "\nTry 'cut --help' for more information.";
  if (kinds.length !== 1)
    return failed(
      "cut",
      `${kinds.length === 0 ? "you must specify a list of bytes, characters, or fields" : "only one list may be specified"}${hint}`,
    );
  const delimiter = options.value("d") ?? "\t";
  if (options.has("d") && kind !== "f") return failed("cut", `an input delimiter may be specified only when operating on fields${hint}`);
  if (Array.from(delimiter).length > 1) return failed("cut", `the delimiter must be a single character${hint}`);
  const read = rangesOf(options.value(kind) ?? "", kind === "f" ? "field" : "byte/character position or range");
  if (typeof read === "string") return failed("cut", `${read}${hint}`);
  const ranges = read;
  const end = options.has("z") ? "\0" : "\n";
  const [complement, delimitedOnly] = [options.has("complement"), options.has("s")];
  const takes = (place: number): boolean => ranges.some(([first, last]) => place >= first && place <= last) !== complement;
  const between = options.value("out") ?? (kind === "f" ? delimiter : "");

  function ofLine(line: string): string | null {
    if (kind === "f") {
      if (!line.includes(delimiter)) return delimitedOnly ? null : line;
      return line
        .split(delimiter)
        .filter((_, i) => takes(i + 1))
        .join(between);
    }
    const letters = Array.from(line);
    // The output delimiter goes between ranges, not between characters.
    let text = "";
    for (let i = 0; i < letters.length; i++) {
      if (!takes(i + 1)) continue;
      if (text !== "" && between !== "" && (!takes(i) || ranges.some(([first]) => first === i + 1))) text += between;
      text += letters[i];
    }
    return text;
  }

  return overLines("cut", options, context, end, (lines) => lines.flatMap((line) => ofLine(line) ?? []));
});

/** Applies a change to each file's lines, and collects messages for files that can't be read. */
async function overLines(
  name: string,
  options: Options,
  context: Context,
  end: string,
  change: (lines: readonly string[]) => readonly string[],
) {
  let stdout = "";
  let stderr = "";
  for (const file of options.operands.length === 0 ? ["-"] : options.operands) {
    const read = await readInput(context, file);
    if (!read.ok) stderr += `${name}: ${file}: ${read.why}\n`;
    else {
      const lines = linesOf(toText(read.bytes), end);
      stdout += change(lines)
        .map((line) => line + end)
        .join("");
    }
  }
  return { stdout: toOutput(stdout), stderr, exitCode: stderr === "" ? 0 : 1 };
}

const linesOf = (text: string, end: string): readonly string[] =>
  text === "" ? [] : (text.endsWith(end) ? text.slice(0, -end.length) : text).split(end);

const uniqLong = {
  count: "c",
  repeated: "d",
  "all-repeated": "D",
  unique: "u",
  "ignore-case": "i",
  "skip-fields": "f",
  "skip-chars": "s",
  "check-chars": "w",
  "zero-terminated": "z",
};

const uniq = command("uniq", async (args, context) => {
  const options = parseOptions(args, "cdDuif:s:w:z", uniqLong);
  if (typeof options === "string") return failed("uniq", `${options}\nTry 'uniq --help' for more information.`);
  const [input = "-", output, extra] = options.operands;
  if (extra !== undefined) return failed("uniq", `extra operand '${extra}'\nTry 'uniq --help' for more information.`);
  const read = await readInput(context, input);
  if (!read.ok) return failed("uniq", `${read.why === "Is a directory" ? `error reading '${input}'` : input}: ${read.why}`);
  const end = options.has("z") ? "\0" : "\n";
  const [fields, skipped, width] = ["f", "s", "w"].map((letter) => Number(options.value(letter) ?? (letter === "w" ? Infinity : 0)));
  const keyOf = (line: string): string => {
    const rest = line.replace(new RegExp(`^(?:[ \\t]*[^ \\t]*){0,${fields}}`), (found) => (fields === 0 ? found : "")).slice(skipped);
    const key = width === Infinity ? rest : rest.slice(0, width);
    return options.has("i") ? key.toLowerCase() : key;
  };
  let stdout = "";
  let group: string[] = [];
  const flush = (): void => {
    const [first] = group;
    if (first === undefined) return;
    if (options.has("D")) stdout += group.length > 1 ? group.map((line) => line + end).join("") : "";
    else if (!(options.has("d") && group.length === 1) && !(options.has("u") && group.length > 1))
      stdout += `${options.has("c") ? `${String(group.length).padStart(7)} ` : ""}${first}${end}`;
    group = [];
  };
  let last: string | null = null;
  for (const line of linesOf(toText(read.bytes), end)) {
    const key = keyOf(line);
    if (key !== last) flush();
    last = key;
    group.push(line);
  }
  flush();
  if (output === undefined || output === "-") return { stdout: toOutput(stdout) };
  const why = await writeOutput(context, output, toBytesOf(stdout));
  return why === null ? {} : failed("uniq", `${output}: ${why}`);
});

export const lineTools = [cut, uniq];
