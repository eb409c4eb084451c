import type { Value } from "sql.js";

export const modes = ["list", "csv", "json", "column", "line", "table", "box", "markdown", "tabs", "quote"] as const;
export type Mode = (typeof modes)[number];

export interface Style {
  readonly mode: Mode;
  readonly header: boolean;
  readonly separator: string;
  readonly nullValue: string;
  /** The row end in modes that have no other; `.mode csv` sets CR LF, `-csv` does not. */
  readonly rowEnd: string;
}

/** Prints the rows of a statement like sqlite3; "" if there are none. */
export function printRows(columns: readonly string[], rows: readonly (readonly Value[])[], style: Style): string {
  if (rows.length === 0) return "";
  const text = (value: Value): string => (value === null ? style.nullValue : plain(value));
  switch (style.mode) {
    case "json":
      return `[${rows.map((row) => `{${columns.map((name, i) => `${JSON.stringify(name)}:${json(row[i] ?? null)}`).join(",")}}`).join(",\n")}]\n`;
    case "line": {
      const width = Math.max(5, ...columns.map((name) => name.length));
      return rows.map((row) => columns.map((name, i) => `${name.padStart(width)} = ${text(row[i] ?? null)}\n`).join("")).join("\n");
    }
    case "column":
    case "table":
    case "box":
    case "markdown":
      return grid(
        columns,
        rows.map((row) => row.map(text)),
        style.mode,
      );
    default: {
      const cell = style.mode === "csv" ? csv : style.mode === "quote" ? quote : text;
      const head = style.header ? [columns.map((name) => (style.mode === "list" || style.mode === "tabs" ? name : cell(name)))] : [];
      const between = style.mode === "csv" || style.mode === "quote" ? "," : style.mode === "tabs" ? "\t" : style.separator;
      return [...head, ...rows.map((row) => row.map((value) => (value === null && style.mode === "csv" ? style.nullValue : cell(value))))]
        .map((cells) => cells.join(between) + style.rowEnd)
        .join("");
    }
  }
}

function plain(value: Exclude<Value, null>): string {
  if (typeof value === "number") return real(value);
  return value instanceof Uint8Array ? new TextDecoder().decode(value) : String(value);
}

/** Converts a REAL to text like SQLite: fifteen digits, always with a decimal point. */
function real(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? "Inf" : "-Inf";
  const [digits = "", exponent] = value.toPrecision(15).split("e");
  const shown = digits.includes(".") ? digits.replace(/0+$/, "").replace(/\.$/, ".0") : `${digits}.0`;
  return exponent === undefined ? shown : `${shown}e${exponent.replace(/^([+-])(\d)$/, "$10$2")}`;
}

function json(value: Value): string {
  if (value === null) return "null";
  return typeof value === "string" || value instanceof Uint8Array ? JSON.stringify(plain(value)) : plain(value);
}

function csv(value: Value): string {
  const text = value === null ? "" : plain(value);
  return /[",\r\n' ]|[^ -~]/.test(text) || (text === "" && value !== null) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A value as an SQL literal. */
export function quote(value: Value): string {
  if (value === null) return "NULL";
  if (value instanceof Uint8Array) return `X'${[...value].map((byte) => byte.toString(16).padStart(2, "0")).join("")}'`;
  return typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : plain(value);
}

function grid(columns: readonly string[], rows: readonly (readonly string[])[], mode: "column" | "table" | "box" | "markdown"): string {
  const width = columns.map((name, i) => Math.max(length(name), ...rows.map((row) => length(row[i] ?? ""))));
  const padded = (cells: readonly string[]): string[] => cells.map((cell, i) => cell + " ".repeat((width[i] ?? 0) - length(cell)));
  const centred = columns.map((name, i) => {
    const room = (width[i] ?? 0) - length(name);
    return " ".repeat(Math.floor(room / 2)) + name + " ".repeat(Math.ceil(room / 2));
  });
  if (mode === "column") {
    const lines = [padded(columns), width.map((count) => "-".repeat(count)), ...rows.map(padded)];
    return lines.map((cells) => `${cells.join("  ")}\n`).join("");
  }
  const [across, down, left, middle, right] =
    mode === "box" ? ["─", "│", "├", "┼", "┤"] : mode === "table" ? ["-", "|", "+", "+", "+"] : ["-", "|", "|", "|", "|"];
  const rule = (start: string, between: string, end: string): string =>
    `${start}${width.map((count) => across.repeat(count + 2)).join(between)}${end}\n`;
  const row = (cells: readonly string[]): string => `${down} ${cells.join(` ${down} `)} ${down}\n`;
  const body = row(centred) + rule(left, middle, right) + rows.map((cells) => row(padded(cells))).join("");
  if (mode === "markdown") return body;
  return mode === "box" ? rule("┌", "┬", "┐") + body + rule("└", "┴", "┘") : rule("+", "+", "+") + body + rule("+", "+", "+");
}

function length(text: string): number {
  return Array.from(text).length;
}
