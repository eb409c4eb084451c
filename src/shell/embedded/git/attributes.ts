import type { Repository } from "./repository.ts";
import { globPattern } from "./store/ignore.ts";
import { decode, isBinary } from "./text/bytes.ts";

/** The attributes that `.gitattributes` gives a file: set, unset (`-text`), a value, or none. */
export type Attributes = ReadonlyMap<string, string | boolean>;

export interface AttributeRules {
  of(path: string): Promise<Attributes>;
  lineEnds(path: string): Promise<LineEnds>;
}

interface Rule {
  readonly pattern: RegExp;
  /** The pattern matches the whole path, not the last segment. */
  readonly anchored: boolean;
  readonly sets: readonly (readonly [name: string, value: string | boolean | null])[];
}

function parseRules(text: string): Rule[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const [, glob, rest] = /^\s*("(?:[^"\\]|\\.)*"|[^\s#]\S*)\s+(.*)$/.exec(line) ?? [];
    if (glob === undefined || rest === undefined || glob.startsWith("[attr]")) return [];
    const name = glob.startsWith('"') ? glob.slice(1, -1) : glob;
    const sets = rest.split(/\s+/).flatMap((word): Rule["sets"] => {
      if (word === "") return [];
      // git's only built-in macro.
      if (word === "binary")
        return [
          ["binary", true],
          ["diff", false],
          ["merge", false],
          ["text", false],
        ];
      if (word.startsWith("-")) return [[word.slice(1), false]];
      if (word.startsWith("!")) return [[word.slice(1), null]];
      const equals = word.indexOf("=");
      return equals < 0 ? [[word, true]] : [[word.slice(0, equals), word.slice(equals + 1)]];
    });
    return [{ pattern: globPattern(name.replace(/^\//, ""), true), anchored: name.includes("/"), sets }];
  });
}

const known = new WeakMap<Repository, Promise<AttributeRules>>();

/** The rules of the working tree's files and of `.git/info/attributes`. A command reads each file once. */
export function readAttributes(repo: Repository): Promise<AttributeRules> {
  const before = known.get(repo);
  if (before) return before;
  const rules = readRules(repo);
  known.set(repo, rules);
  return rules;
}

/** Call this after a command has written an attributes file. */
export function forgetAttributes(repo: Repository): void {
  known.delete(repo);
}

async function readRules(repo: Repository): Promise<AttributeRules> {
  const own = parseRules(decode((await repo.files.read(`${repo.common}/info/attributes`)) ?? new Uint8Array()));
  const kept = new Map<string, readonly Rule[]>();
  const rulesIn = async (folder: string): Promise<readonly Rule[]> => {
    const before = kept.get(folder);
    if (before) return before;
    const bytes = repo.isBare ? null : await repo.files.read(repo.absolute(folder === "" ? ".gitattributes" : `${folder}/.gitattributes`));
    const rules = bytes === null ? [] : parseRules(decode(bytes));
    kept.set(folder, rules);
    return rules;
  };
  const auto = (await repo.setting("core.autocrlf"))?.toLowerCase() ?? "false";
  const crlf = (await repo.setting("core.eol")) === "crlf";
  const all: AttributeRules = {
    lineEnds: async (path) => lineEndsOf(await all.of(path), auto, crlf),
    async of(path) {
      const found = new Map<string, string | boolean>();
      const take = (rules: readonly Rule[], rest: string): void => {
        for (const { pattern, anchored, sets } of rules) {
          if (!pattern.test(anchored ? rest : rest.slice(rest.lastIndexOf("/") + 1))) continue;
          for (const [name, value] of sets) {
            if (value === null) found.delete(name);
            else found.set(name, value);
          }
        }
      };
      take(await rulesIn(""), path);
      for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) take(await rulesIn(path.slice(0, at)), path.slice(at + 1));
      take(own, path);
      return found;
    },
  };
  return all;
}

/** A file's line endings: `cleans` says when commits get "\n", `writes` what the working tree gets. */
export interface LineEnds {
  readonly cleans: "always" | "if text" | "never";
  readonly writes: "lf" | "crlf";
}

function lineEndsOf(attributes: Attributes, auto: string, crlf: boolean): LineEnds {
  const text = attributes.get("text") ?? null;
  const eol = attributes.get("eol") ?? null;
  const usual = auto === "true" || (auto !== "input" && crlf) ? "crlf" : "lf";
  const writes = eol === "crlf" || eol === "lf" ? eol : usual;
  if (text === false) return { cleans: "never", writes: "lf" };
  if (text === "auto") return { cleans: "if text", writes };
  if (text === true || eol !== null) return { cleans: "always", writes };
  return auto === "true" || auto === "input" ? { cleans: "if text", writes } : { cleans: "never", writes: "lf" };
}

const cr = 0x0d;
const lf = 0x0a;

/** The file's bytes as they are committed. `staged`: its content in the index; null: none, or it doesn't count. */
export async function cleaned(bytes: Uint8Array, { cleans }: LineEnds, staged: () => Promise<Uint8Array | null>): Promise<Uint8Array> {
  if (cleans === "never" || !bytes.includes(cr) || (cleans === "if text" && looksBinary(bytes))) return bytes;
  // When git detects text by itself, a file that was committed with CRLF keeps it.
  if (cleans === "if text" && /crlf|mixed/.test(lineEnds((await staged()) ?? new Uint8Array()))) return bytes;
  return bytes.filter((byte, i) => byte !== cr || bytes[i + 1] !== lf);
}

/** The file's bytes as they are in the working tree. */
export function smudged(bytes: Uint8Array, { cleans, writes }: LineEnds): Uint8Array {
  if (cleans === "never" || writes === "lf" || !bytes.includes(lf)) return bytes;
  // When git detects text by itself, it leaves a file that already has CRLF unchanged.
  if (cleans === "if text" && (looksBinary(bytes) || lineEnds(bytes) !== "lf")) return bytes;
  let bare = 0;
  for (let i = 0; i < bytes.length; i++) if (bytes[i] === lf && bytes[i - 1] !== cr) bare++;
  const out = new Uint8Array(bytes.length + bare);
  let at = 0;
  for (let i = 0; i < bytes.length; i++) {
    if (bytes[i] === lf && bytes[i - 1] !== cr) out[at++] = cr;
    out[at++] = bytes[i] ?? 0;
  }
  return out;
}

function looksBinary(bytes: Uint8Array): boolean {
  // A lone "\r" is not a line ending.
  return isBinary(bytes) || bytes.some((byte, i) => byte === cr && bytes[i + 1] !== lf);
}

/** The word that `git ls-files --eol` prints. */
export function lineEnds(bytes: Uint8Array): string {
  if (looksBinary(bytes)) return "-text";
  let [crlf, bare] = [0, 0];
  for (const [i, byte] of bytes.entries())
    if (byte === lf) {
      if (bytes[i - 1] === cr) crlf++;
      else bare++;
    }
  return crlf > 0 && bare > 0 ? "mixed" : crlf > 0 ? "crlf" : bare > 0 ? "lf" : "none";
}

export function eolWords(attributes: Attributes): string {
  const text = attributes.get("text");
  const eol = attributes.get("eol");
  const first = text === false ? "-text" : text === "auto" ? "text=auto" : text === true || typeof eol === "string" ? "text" : "";
  return typeof eol === "string" && text !== false ? `${first} eol=${eol}`.trim() : first;
}

/** Whether `-diff` or `binary` hides the file's lines in diffs. */
export function hidesLines(attributes: Attributes): boolean {
  return attributes.get("diff") === false;
}
