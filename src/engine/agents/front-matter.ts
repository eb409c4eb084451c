import { isMap } from "yaml";
import { parseYaml } from "./parse-yaml.ts";
import { splitFrontMatter } from "./split.ts";

/** The front matter of a file, and the text after it. Offsets are UTF-16 units of the whole text. */
export interface FrontMatter {
  /** The lines between the two marks. Null if there are none. */
  readonly block: { readonly from: number; readonly to: number } | null;
  /** The entries by key. If a key appears twice, its last entry. */
  readonly entries: ReadonlyMap<string, Entry>;
  /** The front matter is a single flow or indented mapping, so entries don't have their own lines. */
  readonly isWhole: boolean;
  /** Keys that don't begin a line in the expected form, such as `? tools`. No entry has them. */
  readonly hidden: readonly string[];
  /** The front matter may have keys that were not found. */
  readonly isUnclear: boolean;
  readonly body: string;
  readonly problems: readonly string[];
}

export interface Entry {
  /** The value as JSON. */
  readonly value: unknown;
  /** The value isn't valid YAML, so it is the raw text. */
  readonly isRaw: boolean;
  readonly isTwice: boolean;
  /** The range of its lines, including the end of the last line. */
  readonly from: number;
  readonly to: number;
}

/** The maximum length of front matter that is read, in UTF-16 units. */
const longest = 65_536;
/** The maximum length of an entry that is read as YAML, in UTF-16 units. Errors in long entries are expensive. */
const maxEntryLength = 8_192;
const maxEntries = 1_000;
/** After this many UTF-16 units of invalid entries, no other entry is read as YAML. */
const maxInvalid = 8_192;

/**
 * Reads the front matter of any text and never fails. Each line that begins with a key begins an entry, which is read as YAML. Many agent files
 * aren't valid YAML. In these, an unknown key begins an entry only if it can't be a line of the text before it (`isStart`), and a value that is
 * still invalid is the raw text.
 */
export function readFrontMatter(text: string, isKnown: (key: string) => boolean): FrontMatter {
  const { block, isOpen, body } = splitFrontMatter(text);
  const nothing = { block, entries: new Map<string, Entry>(), body, isWhole: false, hidden: [] };
  const problem = (why: string): FrontMatter => ({ ...nothing, isUnclear: true, problems: [why] });
  if (isOpen) return problem("The front matter has no end: a line with --- is missing.");
  if (block === null) return { ...nothing, isUnclear: false, problems: [] };
  const { from, to } = block;
  if (to - from > longest) return problem(`The front matter is longer than ${longest.toLocaleString("en-US")} characters.`);
  // The length stays the same, so that offsets stay valid.
  const yaml = text.slice(from, to).replaceAll(/\r(?!\n)/g, "\n");
  const all = startsIn(yaml);
  if (all.length > maxEntries) return problem(`The front matter has more than ${maxEntries.toLocaleString("en-US")} keys.`);
  if (all.length === 0) {
    const whole = readWhole(yaml, block);
    if (whole) return { ...nothing, entries: whole, isWhole: true, isUnclear: false, problems: [] };
  }
  const read = readEntries(yaml, from, all);
  const { valid: _, ...chosen } =
    read.problems.length === 0 ? read : readEntries(yaml, from, all.filter(isStart(all, read.valid, isKnown)));
  return { block, body, isWhole: false, ...chosen };
}

/** Keys with prose, which often has lines such as `Context: …`. */
const prose = new Set(["description", "prompt", "system_prompt"]);

/**
 * Which lines with a key begin an entry if not all entries are valid. Known keys do, and so do unknown keys before the first known one. Unknown
 * keys after a known key belong to its value if that value is invalid, or if it is prose and one of these keys has an invalid value.
 */
function isStart(
  all: readonly Start[],
  valid: readonly boolean[],
  isKnown: (key: string) => boolean,
): (start: Start, nth: number) => boolean {
  const known = all.map(({ key }) => isKnown(key));
  const isText = all.map(({ key }, nth) => {
    if (!known[nth]) return false;
    const next = known.indexOf(true, nth + 1);
    const rest = valid.slice(nth + 1, next < 0 ? undefined : next);
    return !valid[nth] || (prose.has(key) && rest.includes(false));
  });
  return (_, nth) => known[nth] === true || isText[known.lastIndexOf(true, nth)] !== true;
}

const KEY = /^(?:([A-Za-z_][\w.-]*)|"([^"\\\n]{1,100})"|'([^'\n]{1,100})')[ \t]*:(?=[ \t\r\n]|$)/gm;

interface Start {
  readonly key: string;
  readonly at: number;
  readonly value: number;
}

function startsIn(yaml: string): Start[] {
  return [...yaml.matchAll(KEY)].map((match) => ({
    key: match[1] ?? match[2] ?? match[3] ?? "",
    at: match.index,
    value: match.index + match[0].length,
  }));
}

function readEntries(
  yaml: string,
  offset: number,
  starts: readonly Start[],
): Pick<FrontMatter, "entries" | "problems" | "hidden" | "isUnclear"> & { readonly valid: readonly boolean[] } {
  const valid: boolean[] = [];
  const entries = new Map<string, Entry>();
  const problems: string[] = [];
  const hidden: string[] = [];
  const isUnclear = !isEmpty(yaml.slice(0, starts[0]?.at));
  let invalid = 0;
  if (isUnclear) problems.push("The front matter begins with a line that isn't `key: value`.");
  for (const [nth, { key, at, value }] of starts.entries()) {
    const to = endOfEntry(yaml, at, starts[nth + 1]?.at ?? yaml.length);
    const read: ReturnType<typeof readValue> = invalid > maxInvalid ? notValid : readValue(yaml.slice(at, to));
    valid.push(read.ok);
    if (!read.ok) {
      if (to - at <= maxEntryLength) invalid += to - at;
      hidden.push(...(read.keys ?? []));
      problems.push(`The value of ${key} ${read.why}; it was read as plain text.`);
    }
    entries.set(key, {
      value: read.ok ? read.value : rawText(yaml.slice(value, to)),
      isRaw: !read.ok,
      isTwice: entries.has(key),
      from: offset + at,
      to: offset + to,
    });
  }
  return { entries, problems, hidden, isUnclear, valid };
}

/** Front matter that is a single mapping, indented or in braces. Null if it isn't. */
function readWhole(yaml: string, { from, to }: { readonly from: number; readonly to: number }): Map<string, Entry> | null {
  const read = readMapping(yaml);
  if (!read.ok) return null;
  return new Map(read.all.map(([key, value]) => [key, { value, isRaw: false, isTwice: false, from, to }]));
}

const isEmpty = (yaml: string): boolean => yaml.split("\n").every((line) => /^[ \t]*(?:#.*)?\r?$/.test(line));

/** Comments and blank lines before the next key belong to that key. */
function endOfEntry(yaml: string, from: number, to: number): number {
  let end = to;
  for (;;) {
    const line = yaml.lastIndexOf("\n", end - 2) + 1;
    if (line <= from || !isEmpty(yaml.slice(line, end).replace(/\n$/, ""))) return end;
    end = line;
  }
}

interface Unread {
  readonly ok: false;
  readonly why: string;
  /** The keys after the first one, if it is valid YAML with more than one entry. */
  readonly keys?: readonly string[];
}

const notValid: Unread = { ok: false, why: "isn't valid YAML" };

function readValue(entry: string): { readonly ok: true; readonly value: unknown } | Unread {
  const read = readMapping(entry);
  if (!read.ok) return read;
  const [first] = read.all;
  return first && read.all.length === 1 ? { ok: true, value: first[1] } : { ...notValid, keys: read.all.slice(1).map(([key]) => key) };
}

/** Reads a YAML mapping. Aliases are not allowed, because an alias can expand to a thousand times its length. */
function readMapping(yaml: string): { readonly ok: true; readonly all: readonly (readonly [string, unknown])[] } | Unread {
  if (yaml.length > maxEntryLength) return { ok: false, why: `is longer than ${maxEntryLength.toLocaleString("en-US")} characters` };
  const parsed = parseYaml(yaml, { unique: true });
  if (!parsed.ok || !isMap(parsed.document.contents)) return notValid;
  try {
    const read: unknown = parsed.document.toJS({ maxAliasCount: 0 });
    return typeof read === "object" && read !== null ? { ok: true, all: Object.entries(read) } : notValid;
  } catch {
    // An alias, or a value that an object can't hold. It is still text.
    return notValid;
  }
}

/** The text after the key, as people meant it: without indentation, a block mark, or quotes around all of it. */
function rawText(value: string): string {
  const lines = value.split(/\r?\n/).map((line) => line.trim());
  const text = lines
    .join("\n")
    .replace(/^[|>][+-]?\n/, "")
    .trim();
  const quoted = /^(["'])([^]*)\1$/.exec(text);
  return quoted?.[2] ?? text;
}
