import { bodyOf, subjectOf } from "./commit.ts";
import { fatal } from "./stop.ts";
import type { Commit, Oid, Person } from "./store/model.ts";
import type { DateStyle } from "./text/dates.ts";

/** The data that fills the fields of a template. */
export interface FieldSource {
  readonly commit: Commit;
  /** The names of the branches and tags at the commit. */
  readonly names: readonly string[];
  /** "": the commit has no note. Null: `--no-notes`, with which git leaves `%N` as it is. */
  readonly note: string | null;
  readonly short: (oid: Oid) => string;
  readonly date: (person: Person, style?: DateStyle) => string;
  readonly hasColor: boolean;
  /** Null: the commit is not shown as an entry of a reflog. */
  readonly entry: ReflogEntry | null;
}

/** An entry of the reflog of a branch or HEAD. */
export interface ReflogEntry {
  /** "main@{0}". */
  readonly short: string;
  /** With the name as it was typed: "refs/heads/main@{0}". */
  readonly whole: string;
  readonly why: string;
  readonly who: Person;
}

/** `git log --format=TEMPLATE` for one commit. */
export function fillTemplate(template: string, source: FieldSource): string {
  let text = "";
  /** The padding of the next field. */
  let padding: Padding | null = null;
  for (const [token, mark, field] of template.matchAll(
    /%([-+ ]?)(x[0-9a-fA-F]{2}|[<>].*?\)|C(?:\([^)]*\)|[a-z]+)|G.|\([^)]*\)|[acg].|.)|[^%]+|%/gsu,
  )) {
    if (field === undefined) {
      text += token;
      continue;
    }
    const width = readPadding(field);
    if (width !== null) {
      padding = width;
      continue;
    }
    const value = valueOf(field, source);
    if (value === null) {
      text += token;
      continue;
    }
    if (mark === "-" && value === "") text = text.replace(/\n+$/, "");
    const before: string = value === "" ? "" : mark === "+" ? "\n" : mark === " " ? " " : "";
    text += before + (padding === null ? value : padded(value, padding));
    padding = null;
  }
  return text;
}

interface Padding {
  readonly side: "<" | ">" | "><";
  readonly columns: number;
  readonly cut: string;
}

/** Parses `<(20)` or `>(20,trunc)`; null for another field. */
function readPadding(field: string): Padding | null {
  const [, side, columns, cut = ""] = /^(<|>|><)\( *(\d+) *(?:, *(l?m?trunc|ltrunc) *)?\)$/.exec(field) ?? [];
  if (side === "<" || side === ">" || side === "><") return { side, columns: Number(columns), cut };
  return /^[<>]/.test(field) ? fatal(`Vibey's git has no %${field} in a format`) : null;
}

function padded(value: string, { side, columns, cut }: Padding): string {
  const length = Array.from(value).length;
  if (length > columns && cut !== "") {
    const letters = Array.from(value);
    const room = Math.max(0, columns - 2);
    if (cut === "ltrunc") return `..${letters.slice(letters.length - room).join("")}`;
    const left = Math.floor(room / 2);
    return cut === "trunc"
      ? `${letters.slice(0, room).join("")}..`
      : `${letters.slice(0, left).join("")}..${letters.slice(letters.length - (room - left)).join("")}`;
  }
  const blanks = Math.max(0, columns - length);
  const before = side === "<" ? 0 : side === ">" ? blanks : Math.floor(blanks / 2);
  return " ".repeat(before) + value + " ".repeat(blanks - before);
}

/** Null: git has no such field and prints it unchanged. */
function valueOf(field: string, { commit, names, note, short, date, hasColor, entry }: FieldSource): string | null {
  const [first = "", second = ""] = field;
  if (first === "x" && field.length === 3) return String.fromCharCode(Number.parseInt(field.slice(1), 16));
  if (first === "a" || first === "c") return personField(first === "a" ? commit.author : commit.committer, second, date);
  if (first === "C") return colorOf(field.slice(1), hasColor);
  // Commits here are never signed.
  if (first === "G") return second === "?" ? "N" : /[GSKFPT]/.test(second) ? "" : null;
  if (first === "g") return entryField(second, entry);
  if (first === "(") return longField(field.slice(1, -1), commit);
  if (/[wS]/.test(field)) return fatal(`Vibey's git has no %${field} in a format`);
  switch (field) {
    case "%":
      return "%";
    case "n":
      return "\n";
    case "H":
      return commit.oid;
    case "h":
      return short(commit.oid);
    case "T":
      return commit.tree;
    case "t":
      return short(commit.tree);
    case "P":
      return commit.parents.join(" ");
    case "p":
      return commit.parents.map(short).join(" ");
    case "s":
      return subjectOf(commit.message);
    case "b":
      return bodyOf(commit.message);
    case "B":
      return commit.message;
    case "f":
      return subjectOf(commit.message)
        .replaceAll(/[^A-Za-z0-9_.]+/g, "-")
        .replaceAll(/^-|[-.]+$/g, "");
    case "d":
      return names.length === 0 ? "" : ` (${names.join(", ")})`;
    case "D":
      return names.join(", ");
    case "m":
      return ">";
    // UTF-8 is the only encoding.
    case "e":
      return "";
    case "N":
      return note;
    default:
      return null;
  }
}

function entryField(letter: string, entry: ReflogEntry | null): string | null {
  if (!/^[dDnNeEs]$/.test(letter)) return null;
  if (entry === null) return "";
  if (letter === "d" || letter === "D") return letter === "d" ? entry.short : entry.whole;
  return letter === "s" ? entry.why : personField(entry.who, letter, () => "");
}

function personField(who: Person, letter: string, date: FieldSource["date"]): string | null {
  const style = dateLetters[letter];
  if (style !== undefined) return date(who, style);
  switch (letter) {
    case "n":
    case "N":
      return who.name;
    case "e":
    case "E":
      return who.email;
    case "l":
    case "L":
      return who.email.split("@")[0] ?? "";
    case "d":
      return date(who);
    case "h":
      return fatal("Vibey's git has no human dates; use --date=relative or --date=iso");
    default:
      return null;
  }
}

const dateLetters: Readonly<Record<string, DateStyle>> = {
  D: "rfc",
  r: "relative",
  t: "unix",
  i: "iso",
  I: "iso-strict",
  s: "short",
};

const colors = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];
const attributes: Readonly<Record<string, number>> = { bold: 1, dim: 2, italic: 3, ul: 4, blink: 5, reverse: 7, strike: 9 };

/** Parses `(red)`, `(bold blue)` or `red`; null: no color. */
function colorOf(given: string, hasColor: boolean): string | null {
  const always = given.startsWith("(always,");
  const words = given
    .replace(/^\((?:auto,|always,)?|\)$/g, "")
    .split(/[\s,]+/)
    .filter((word) => word !== "" && word !== "auto");
  const codes: number[] = [];
  let isBackground = false;
  for (const word of words) {
    const at = colors.indexOf(word.replace(/^bright/, ""));
    const attribute = attributes[word];
    if (word === "reset") codes.push(0);
    else if (attribute !== undefined) codes.push(attribute);
    else if (at >= 0) codes.push((word.startsWith("bright") ? 90 : 30) + at + (isBackground ? 10 : 0));
    else if (word !== "normal" && word !== "default") return null;
    if (word === "normal" || at >= 0) isBackground = true;
  }
  if (!hasColor && !always) return "";
  return words.includes("reset") ? "\u001b[m" : codes.length === 0 ? "" : `\u001b[${codes.join(";")}m`;
}

/** Parses `trailers` and `trailers:key=Signed-off-by,valueonly`. */
function longField(field: string, commit: Commit): string | null {
  const [, given = ""] = /^trailers(?::(.*))?$/.exec(field) ?? [];
  if (field.startsWith("describe")) fatal("Vibey's git has no %(describe): use git describe");
  if (!field.startsWith("trailers")) return null;
  const options = given === "" ? [] : given.split(",").map((option) => option.split("="));
  const has = (name: string): boolean => options.some(([option, value = "true"]) => option === name && /^(?:true|yes|on|)$/.test(value));
  const known = new Set(["key", "valueonly", "keyonly", "only", "unfold", "separator"]);
  const unknown = options.find(([option = ""]) => !known.has(option));
  if (unknown) return fatal(`Vibey's git has no ${unknown[0]} in %(trailers)`);
  const keys = options.filter(([option]) => option === "key").map(([, value = ""]) => value.replace(/:$/, "").toLowerCase());
  const separator = options.find(([option]) => option === "separator")?.[1];
  const lines = trailersOf(commit.message)
    .filter(([key]) => keys.length === 0 || keys.includes(key.toLowerCase()))
    .map(([key, value]) => (has("valueonly") ? value : has("keyonly") ? key : `${key}: ${value}`));
  if (separator === undefined) return lines.map((line) => `${line}\n`).join("");
  return lines.join(separator.replaceAll(/%x([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))));
}

/** The `Key: value` lines of a message's last paragraph, if it has only such lines. */
function trailersOf(message: string): (readonly [key: string, value: string])[] {
  const paragraphs = message.trimEnd().split(/\n{2,}/);
  if (paragraphs.length < 2) return [];
  const found: [string, string][] = [];
  for (const line of (paragraphs.at(-1) ?? "").split("\n")) {
    const [, key, value] = /^([A-Za-z0-9-]+): *(.*)$/.exec(line) ?? [];
    const last = found.at(-1);
    if (key !== undefined && value !== undefined) found.push([key, value]);
    else if (/^\s/.test(line) && last) last[1] += `\n${line}`;
    else return [];
  }
  return found;
}
