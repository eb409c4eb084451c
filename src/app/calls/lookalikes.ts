/**
 * Characters that look like others, after UTS #39: words of two scripts in which letters look alike, words of which every letter looks
 * like a Latin one, styled and full-width forms, and in commands what looks like an operator and is none.
 */
import { scriptNames } from "../texts/characters.ts";
import { letterTwins, operatorTwins } from "./lookalike-table.ts";

/** `command`: what a shell reads. `host`: a host's name. `text`: the content of a file, a prompt. */
export type Reading = "command" | "host" | "text";

export interface Twin {
  readonly character: string;
  /** Null: a form of an ASCII character, such as a full-width one. */
  readonly script: Script | null;
  /** The ASCII character that it looks like. */
  readonly plain: string;
}

/** A range of the text that holds look-alikes, and which. */
export interface Lookalike {
  readonly from: number;
  readonly to: number;
  readonly twins: readonly Twin[];
}

/** Unicode's names of the scripts whose letters are in the table. */
export type Script = keyof typeof scriptNames;

const isScript = (name: string): name is Script => Object.hasOwn(scriptNames, name);
const scripts = Object.keys(scriptNames)
  .filter(isScript)
  .map((name) => ({ name, has: new RegExp(String.raw`\p{scx=${name}}`, "u") }));
const twinsOf = (table: typeof letterTwins) =>
  new Map(table.flatMap(([plain, twins]) => Array.from(twins, (twin): [string, string] => [twin, plain])));
const letters = twinsOf(letterTwins);
/** Signs that the table does not have: it is of single characters, and leaves out what is a dash in prose. */
const operators = new Map([...twinsOf(operatorTwins), ["\u2015", "-"], ["\u2025", ".."], ["\u2016", "||"], ["\u02CB", "`"]]);
/** Letters of Latin itself, of phonetic or seldom scripts, that look like ASCII: told where a shell or an address reads them. */
const latinTwins = new Map([
  ["\u0261", "g"],
  ["\u0251", "a"],
  ["\u0269", "i"],
  ["\u01C0", "|"],
  ["\u01C1", "||"],
  ["\uA78C", "'"],
]);

// oxlint-disable-next-line no-control-regex -- ASCII as a whole.
const ascii = /^[\x00-\x7F]*$/;
const word = /[\p{L}\p{M}\p{N}_]+/gu;
const latin = /\p{Script=Latin}/u;
/** What is written without blanks, beside Latin and full-width characters alike. */
const cjk = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}]/u;
/** Signs that ordinary prose puts above, below or beside a word. */
const ordinary = /[ªº²³¹™ℓ\u2070-\u209F]/u;
const ofProse = /^[\p{Zs},.!?:;«»„“”"'()–—-]*$/u;

/** The look-alikes of a text, in their order. */
export function lookalikes(text: string, reading: Reading): Lookalike[] {
  if (ascii.test(text)) return [];
  const words = [...text.matchAll(word)];
  const found = words.flatMap((match, index): Lookalike[] => {
    const twins = ascii.test(match[0]) ? [] : inWord(match[0], reading);
    if (twins.length === 0) return [];
    const isWhole = twins.every(({ script }) => script !== null) && !latin.test(match[0]) && isOneScript(match[0]);
    if (isWhole && reading !== "host" && (Array.from(match[0]).length < 2 || isInProse(text, words, index))) return [];
    return [{ from: match.index, to: match.index + match[0].length, twins }];
  });
  return reading === "text" ? found : [...found, ...signs(text)].toSorted((a, b) => a.from - b.from);
}

/** The look-alikes in a word, where they are to be told: none where its other letters say plainly what it is. */
function inWord(text: string, reading: Reading): Twin[] {
  const twins: Twin[] = [];
  const others: string[] = [];
  for (const character of text) {
    const plain = letters.get(character);
    // Turkish has it; a program's or a host's name hardly does.
    const ofLatin = reading === "text" ? undefined : reading === "host" && character === "\u0131" ? "i" : latinTwins.get(character);
    if (ofLatin !== undefined) twins.push({ character, script: null, plain: ofLatin });
    else if (plain !== undefined) twins.push({ character, script: scriptOf(character), plain });
    else if (!ascii.test(character) && !ordinary.test(character) && /^[A-Za-z0-9]$/.test(character.normalize("NFKC")))
      twins.push({ character, script: null, plain: character.normalize("NFKC") });
    else if (/\p{L}/u.test(character)) others.push(character);
  }
  if (twins.some(({ script }) => script === null)) return cjk.test(text) ? [] : twins;
  if (others.length === 0) return twins;
  const script = twins[0]?.script;
  const isMixed = others.some((other) => latin.test(other) || scriptOf(other) !== script);
  return isMixed || !isOneScript(text) ? twins : [];
}

const scriptOf = (character: string): Script | null => scripts.find(({ has }) => has.test(character))?.name ?? null;

const isOneScript = (text: string) => new Set(Array.from(text.matchAll(/\p{L}/gu), ([letter]) => scriptOf(letter))).size === 1;

/** Among words of the same script that can't be taken for Latin, a word is what it seems: "а не то" is Russian. */
function isInProse(text: string, words: readonly RegExpMatchArray[], index: number): boolean {
  const script = scriptOf(words[index]?.[0] ?? "");
  if (script === null) return false;
  for (const step of [-1, 1]) {
    for (let at = index; ; at += step) {
      const [here, next] = [words[at], words[at + step]];
      if (here === undefined || next === undefined) break;
      const [first, second] = step < 0 ? [next, here] : [here, next];
      if (!ofProse.test(text.slice((first.index ?? 0) + first[0].length, second.index ?? 0))) break;
      const own = Array.from(next[0]).filter((letter) => scriptOf(letter) === script);
      if (own.length === 0) break;
      if (own.some((letter) => !letters.has(letter))) return true;
    }
  }
  return false;
}

/** Signs that look like what a shell or an address gives a meaning. What prose needs is left: an apostrophe, a dash between blanks. */
function signs(text: string): Lookalike[] {
  const found: Lookalike[] = [];
  for (const { 0: character, index } of text.matchAll(/[\p{P}\p{S}]/gu)) {
    if (ascii.test(character)) continue;
    const form = character.normalize("NFKC");
    const plain = operators.get(character) ?? (/^[!-/:-@[-`{-~]$/.test(form) ? form : undefined);
    if (plain === undefined) continue;
    const [before, after] = [text.slice(0, index).at(-1) ?? " ", text.slice(index + character.length, index + character.length + 1)];
    if (plain === "-" && !(/\s/.test(before) && /[\p{L}\p{N}\p{Pd}]/u.test(after))) continue;
    if (plain === "'" && /\p{L}/u.test(before)) continue;
    if (/[,.:!?()]/.test(plain) && cjk.test(before)) continue;
    found.push({ from: index, to: index + character.length, twins: [{ character, script: null, plain }] });
  }
  return found;
}
