import { failed, type Run } from "./answer.ts";
import { readInput } from "./files.ts";
import { toOutput, toText } from "../stray-bytes.ts";
import { type Options, parseOptions } from "./options.ts";

const long = {
  table: "t",
  separator: "s",
  "output-separator": "o",
  "table-columns": "N",
  "table-right": "R",
  "table-noheadings": "d",
  "keep-empty-lines": "L",
  "output-width": "c",
  fillrows: "x",
};

/** util-linux's column: a table with `-t`, otherwise the lines in columns. */
export const column: Run = async (args, context) => {
  const options = parseOptions(args, "ts:o:N:R:dLc:x", long);
  if (typeof options === "string") return failed("column", options);
  const total = Number(options.value("c") ?? 80);
  if (!(total > 0)) return failed("column", `invalid columns argument: '${options.value("c") ?? ""}'`);
  const lines: string[] = [];
  let stderr = "";
  for (const file of options.operands.length === 0 ? ["-"] : options.operands) {
    const read = await readInput(context, file);
    if (read.ok) for (const line of toText(read.bytes).replace(/\n$/, "").split("\n")) lines.push(line);
    else stderr += `column: ${file}: ${read.why}\n`;
  }
  const kept = options.has("L") ? lines : lines.filter((line) => line.trim() !== "");
  const shown = options.has("t") ? table(kept, options) : inColumns(kept, total, options.has("x"));
  return { stdout: toOutput(shown.map((line) => `${line}\n`).join("")), stderr, exitCode: stderr === "" ? 0 : 1 };
};

function table(lines: readonly string[], options: Options): readonly string[] {
  const separators = options.value("s");
  const names = options.value("N")?.split(",") ?? [];
  const rows = lines.map((line) => cellsOf(line, separators));
  if (names.length > 0 && !options.has("d")) rows.unshift(names);
  const count = Math.max(0, ...rows.map((row) => row.length));
  const right = new Set((options.value("R") ?? "").split(",").map((one) => names.indexOf(one) + 1 || Number(one)));
  const widths = Array.from({ length: count }, (_, at) => rows.reduce((most, row) => Math.max(most, widthOf(row[at] ?? "")), 0));
  const between = options.value("o") ?? "  ";
  return rows.map((row) =>
    widths
      .map((width, at) => {
        const cell = row[at] ?? "";
        const blanks = " ".repeat(width - widthOf(cell));
        if (right.has(at + 1)) return blanks + cell;
        return at === count - 1 ? cell : cell + blanks;
      })
      .join(between),
  );
}

/** Without separators, blanks separate cells. Given separators also enclose empty cells. */
function cellsOf(line: string, separators: string | null): readonly string[] {
  if (separators === null || separators === "") return line.split(/[ \t]+/).filter((cell) => cell !== "");
  const cells = [""];
  for (const letter of line) {
    if (separators.includes(letter)) cells.push("");
    else cells[cells.length - 1] += letter;
  }
  return cells;
}

/** Fills columns from top to bottom, or rows from left to right. */
function inColumns(lines: readonly string[], total: number, fillsRows: boolean): readonly string[] {
  const width = (Math.floor(Math.max(0, ...lines.map(widthOf)) / 8) + 1) * 8;
  const columns = Math.max(1, Math.floor(total / width));
  const rows = Math.ceil(lines.length / columns);
  return Array.from({ length: rows }, (_, row) => {
    const cells = lines.filter((_line, at) => (fillsRows ? Math.floor(at / columns) : at % rows) === row);
    return cells.map((cell, at) => (at === cells.length - 1 ? cell : cell + "\t".repeat(Math.ceil((width - widthOf(cell)) / 8)))).join("");
  });
}

/** The number of columns that a terminal uses. */
function widthOf(text: string): number {
  let width = 0;
  for (const letter of text) width += /[\p{Mn}\p{Cf}]/u.test(letter) ? 0 : wide.test(letter) ? 2 : 1;
  return width;
}

const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}]/u;
