import { isMap, parseDocument } from "yaml";
import { splitFrontMatter } from "./split.ts";

/** The front matter of a file, and what stands behind it. Offsets are UTF-16 units of the whole text. */
export interface FrontMatter {
  /** The lines between the two marks; null: there is none. */
  readonly block: { readonly from: number; readonly to: number } | null;
  /** By key; of one that stands twice the last. */
  readonly entries: ReadonlyMap<string, Entry>;
  readonly body: string;
  readonly problems: readonly string[];
}

export interface Entry {
  /** As JSON has it. */
  readonly value: unknown;
  /** Its lines, with the end of the last one. */
  readonly from: number;
  readonly to: number;
}

/** UTF-16 units up to which front matter is read. */
const longest = 65_536;

/**
 * Reads the front matter of any text; no text makes it fail. Each line that begins with a key begins an entry, which is read as YAML. Many
 * agent files aren't valid YAML: there, only a key that `isKnown` begins one, and a value that still isn't valid is the text as it stands.
 */
export function readFrontMatter(text: string, isKnown: (key: string) => boolean): FrontMatter {
  const { block, isOpen, body } = splitFrontMatter(text);
  const problem = (why: string): FrontMatter => ({ block, entries: new Map(), body, problems: [why] });
  if (isOpen) return problem("The front matter has no end: a line with --- is missing.");
  if (block === null) return { block, entries: new Map(), body, problems: [] };
  const { from, to } = block;
  if (to - from > longest) return problem(`The front matter is longer than ${longest.toLocaleString("en-US")} characters.`);
  const yaml = text.slice(from, to);
  const all = readEntries(yaml, from, () => true);
  const { entries, problems } = all.problems.length === 0 ? all : readEntries(yaml, from, isKnown);
  return { block, entries, body, problems };
}

const KEY = /^(?:([A-Za-z_][\w.-]*)|"([^"\\\n]{1,100})"|'([^'\n]{1,100})')[ \t]*:(?=[ \t\r\n]|$)/gm;

function readEntries(yaml: string, offset: number, begins: (key: string) => boolean): Pick<FrontMatter, "entries" | "problems"> {
  const starts = [...yaml.matchAll(KEY)].flatMap((match) => {
    const key = match[1] ?? match[2] ?? match[3] ?? "";
    return begins(key) ? [{ key, at: match.index, value: match.index + match[0].length }] : [];
  });
  const entries = new Map<string, Entry>();
  const problems: string[] = [];
  const [first] = starts;
  if (!isEmpty(yaml.slice(0, first?.at))) problems.push("The front matter begins with a line that isn't `key: value`.");
  for (const [nth, { key, at, value }] of starts.entries()) {
    const to = endOfEntry(yaml, at, starts[nth + 1]?.at ?? yaml.length);
    const read = readValue(yaml.slice(at, to));
    if (!read.ok) problems.push(`The value of ${key} isn't valid YAML; it was read as plain text.`);
    entries.set(key, { value: read.ok ? read.value : rawText(yaml.slice(value, to)), from: offset + at, to: offset + to });
  }
  return { entries, problems };
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

/** One entry as YAML. An alias can stand for a thousand times its own length, so there are none. */
function readValue(entry: string): { readonly ok: true; readonly value: unknown } | { readonly ok: false } {
  const document = parseDocument(entry, { logLevel: "silent" });
  if (document.errors.length > 0 || !isMap(document.contents) || document.contents.items.length !== 1) return { ok: false };
  try {
    const read: unknown = document.toJS({ maxAliasCount: 0 });
    return { ok: true, value: typeof read === "object" && read !== null ? Object.values(read)[0] : null };
  } catch {
    // An alias, or a value that no object can hold: what stands there is still a text.
    return { ok: false };
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
