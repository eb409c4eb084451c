/**
 * Characters that look like others, following UTS #39: words that mix two scripts with similar letters, words in which every letter looks like a
 * Latin one, styled and full-width forms, and in commands characters that look like an operator but aren't one.
 */
import { scriptNames } from "../texts/characters.ts";
import { letterTwins, operatorTwins } from "./lookalike-table.ts";

/** `command`: what a shell reads. `host`: a host name. `text`: file content or a prompt. */
export type Reading = "command" | "host" | "text";

export interface Twin {
  readonly character: string;
  /** Null: a form of an ASCII character, such as a full-width one. */
  readonly script: Script | null;
  /** The ASCII character that it looks like. */
  readonly plain: string;
}

/** A range of the text that contains look-alikes, and which ones. */
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
/** Operators. Adds some that the table lacks: it has only single characters, and leaves out characters that are dashes in prose. */
const operators = new Map([...twinsOf(operatorTwins), ["\u2015", "-"], ["\u2025", ".."], ["\u2016", "||"], ["\u02CB", "`"]]);
/** Letters that look like ASCII although they are Latin, phonetic or from rare scripts. Reported where a shell or an address reads them. */
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
/** Scripts written without blanks, often next to Latin and full-width characters. */
const cjk = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}]/u;
/** Superscripts, subscripts and symbols that ordinary prose attaches to words. */
const ordinary = /[ªº²³¹™ℓ\u2070-\u209F]/u;
const ofProse = /^[\p{Zs},.!?:;«»„“”"'()–—-]*$/u;

/** The look-alikes of a text, in order. */
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

/** The look-alikes in a word that need a mark. None if its other letters make clear which script it is. */
function inWord(text: string, reading: Reading): Twin[] {
  const twins: Twin[] = [];
  const others: string[] = [];
  for (const character of text) {
    const plain = letters.get(character);
    // Turkish uses this letter, but names of programs and hosts hardly do.
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

/** Whether a word stands among words of the same script that can't be mistaken for Latin. It then is what it seems: "а не то" is Russian. */
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

/** Characters that look like those with a meaning in a shell or an address, except what prose needs: an apostrophe, or a dash between blanks. */
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
