import { isMap } from "yaml";
import { parseYaml } from "./parse-yaml.ts";
import { splitFrontMatter } from "./split.ts";

/** The front matter of a file, and what stands behind it. Offsets are UTF-16 units of the whole text. */
export interface FrontMatter {
  /** The lines between the two marks; null: there is none. */
  readonly block: { readonly from: number; readonly to: number } | null;
  /** By key; of one that stands twice the last. */
  readonly entries: ReadonlyMap<string, Entry>;
  /** The front matter is a single flow or indented mapping, so entries don't have their own lines. */
  readonly isWhole: boolean;
  /** Keys that no line begins with as they are looked for, such as `? tools`: no entry has them. */
  readonly hidden: readonly string[];
  /** Keys may stand in it that weren't found. */
  readonly isUnclear: boolean;
  readonly body: string;
  readonly problems: readonly string[];
}

export interface Entry {
  /** As JSON has it. */
  readonly value: unknown;
  /** It isn't valid YAML: the value is its text. */
  readonly isRaw: boolean;
  readonly isTwice: boolean;
  /** Its lines, with the end of the last one. */
  readonly from: number;
  readonly to: number;
}

/** UTF-16 units up to which front matter is read. */
const longest = 65_536;
/** UTF-16 units up to which an entry is read as YAML: errors cost more than their share. */
const maxEntryLength = 8_192;
const maxEntries = 1_000;
/** UTF-16 units of entries that aren't valid, after which no other one is read as YAML. */
const maxInvalid = 8_192;

/**
 * Reads the front matter of any text; no text makes it fail. Each line that begins with a key begins an entry, which is read as YAML. Many
 * agent files aren't valid YAML: there, a key that isn't known begins one only where it can't be a line of a text before it (`isStart`), and a value that
 * still isn't valid is the text as it stands.
 */
export function readFrontMatter(text: string, isKnown: (key: string) => boolean): FrontMatter {
  const { block, isOpen, body } = splitFrontMatter(text);
  const nothing = { block, entries: new Map<string, Entry>(), body, isWhole: false, hidden: [] };
  const problem = (why: string): FrontMatter => ({ ...nothing, isUnclear: true, problems: [why] });
  if (isOpen) return problem("The front matter has no end: a line with --- is missing.");
  if (block === null) return { ...nothing, isUnclear: false, problems: [] };
  const { from, to } = block;
  if (to - from > longest) return problem(`The front matter is longer than ${longest.toLocaleString("en-US")} characters.`);
  // As long as before, so that offsets stay.
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

/** Keys of prose, which often has lines such as `Context: …`. */
const prose = new Set(["description", "prompt", "system_prompt"]);

/**
 * Which lines with a key begin an entry where not all are valid. A known key does, and so do the keys that stand before it. Unknown ones behind it are
 * lines of its text where its own value isn't valid, or where it is prose and one of them isn't.
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

/** Front matter that is one mapping, indented or in braces; null: it is none. */
function readWhole(yaml: string, { from, to }: { readonly from: number; readonly to: number }): Map<string, Entry> | null {
  const read = readMapping(yaml);
  if (!read.ok) return null;
  return new Map(read.all.map(([key, value]) => [key, { value, isRaw: false, isTwice: false, from, to }]));
}

const isEmpty = (yaml: string): boolean => yaml.split("\n").every((line) => /^[ \t]*(?:#.*)?\r?$/.test(line));

/** Comments and blank lines before the next key are about that one. */
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
  /** Where it is valid, and more than one entry. */
  readonly keys?: readonly string[];
}

const notValid: Unread = { ok: false, why: "isn't valid YAML" };

function readValue(entry: string): { readonly ok: true; readonly value: unknown } | Unread {
  const read = readMapping(entry);
  if (!read.ok) return read;
  const [first] = read.all;
  return first && read.all.length === 1 ? { ok: true, value: first[1] } : { ...notValid, keys: read.all.slice(1).map(([key]) => key) };
}

/** A mapping of YAML. An alias can stand for a thousand times its own length, so there are none. */
function readMapping(yaml: string): { readonly ok: true; readonly all: readonly (readonly [string, unknown])[] } | Unread {
  if (yaml.length > maxEntryLength) return { ok: false, why: `is longer than ${maxEntryLength.toLocaleString("en-US")} characters` };
  const parsed = parseYaml(yaml, { unique: true });
  if (!parsed.ok || !isMap(parsed.document.contents)) return notValid;
  try {
    const read: unknown = parsed.document.toJS({ maxAliasCount: 0 });
    return typeof read === "object" && read !== null ? { ok: true, all: Object.entries(read) } : notValid;
  } catch {
    // An alias, or a value that no object can hold: what stands there is still a text.
    return notValid;
  }
}

/** What stands behind the key, as people meant it: without the quotes of a text that isn't closed, one space for an indented line break. */
function rawText(value: string): string {
  const lines = value.split(/\r?\n/).map((line) => line.trim());
  const text = lines
    .join("\n")
    .replace(/^[|>][+-]?\n/, "")
    .trim();
  const quoted = /^(["'])([^]*)\1$/.exec(text);
  return quoted?.[2] ?? text;
}
