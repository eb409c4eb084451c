/**
 * Cleans a text for use in a dialog. First NUL is removed. Then a run of CR before LF becomes that LF, and every other CR becomes LF (a CR left in
 * text would become structure once a textarea returns it). A lone surrogate becomes U+FFFD. Blank lines at both ends are removed. Idempotent:
 * `clean(clean(text))` is `clean(text)`.
 */
export function clean(text: string): string {
  return trimBlankLines(cleanCharacters(text));
}

/** The same without trimming. */
export function cleanCharacters(text: string): string {
  if (isCleanCharacters(text)) return text;
  return wellFormed(text.replaceAll("\0", "").replace(/\r+\n?/g, (run) => (run.endsWith("\n") ? "\n" : "\n".repeat(run.length))));
}

/** Replaces each lone surrogate with U+FFFD. */
export function wellFormed(text: string): string {
  return text.replace(LONE_SURROGATES, "\uFFFD");
}

export function isCleanCharacters(text: string): boolean {
  return !text.includes("\r") && !text.includes("\0") && !hasLoneSurrogate(text);
}

/** `cleanCharacters` for a stream. The joined output doesn't depend on where the stream was cut. */
export interface Cleaner {
  push(chunk: string): string;
  /** What was held back: a run of CR, or a high surrogate without its pair. */
  end(): string;
}

export function createCleaner(): Cleaner {
  /** CRs at the end so far: an LF that follows absorbs them. Counted, because a stream can consist of nothing else. */
  let returns = 0;
  let high = "";

  const flush = (): string => {
    const flushed = high === "" ? "\n".repeat(returns) : "\uFFFD";
    returns = 0;
    high = "";
    return flushed;
  };

  return {
    push(chunk) {
      let rest = chunk.replaceAll("\0", "");
      if (rest === "") return "";
      let out = "";
      if (returns > 0) {
        const more = runOfReturns(rest);
        returns += more;
        rest = rest.slice(more);
        if (rest === "") return "";
        if (rest.startsWith("\n")) returns = 0;
        else out = flush();
      } else if (high !== "") {
        rest = high + rest;
        high = "";
      }
      let end = rest.length;
      while (end > 0 && rest.charCodeAt(end - 1) === 13) end--;
      returns = rest.length - end;
      if (returns === 0 && isHighSurrogate(rest.charCodeAt(end - 1))) {
        end--;
        high = rest.slice(end);
      }
      return out + cleanCharacters(rest.slice(0, end));
    },
    end: flush,
  };
}

/**
 * Removes blank lines (empty, or only spaces and tabs) at both ends. Only whole lines are removed: spaces before the first word of a line or after
 * the last stay.
 */
export function trimBlankLines(text: string): string {
  const [from, to] = textRange(text, 0, text.length);
  return from === 0 && to === text.length ? text : text.slice(from, to);
}

/** The start and end of the text between `from` and `to` without the blank lines at its ends. Empty if all lines are blank. */
export function textRange(text: string, from: number, to: number): [from: number, to: number] {
  let start = from;
  let at = from;
  for (; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code === 10) start = at + 1;
    else if (code !== 32 && code !== 9) break;
  }
  if (at >= to) return [to, to];
  let end = to;
  for (let back = to - 1; ; back--) {
    const code = text.charCodeAt(back);
    if (code === 10) end = back;
    else if (code !== 32 && code !== 9) break;
  }
  return [start, end];
}

/** Whether a line is empty or only spaces and tabs. */
export function isBlank(line: string): boolean {
  for (let at = 0; at < line.length; at++) {
    const code = line.charCodeAt(at);
    if (code !== 32 && code !== 9) return false;
  }
  return true;
}

/** With the `u` flag, a surrogate class matches only lone surrogates. */
const LONE_SURROGATES = /[\uD800-\uDFFF]/gu;
const SURROGATE = /[\uD800-\uDFFF]/g;

/** The built-in test doesn't even read strings stored as one byte per character. Not every browser has it. */
const isWellFormed: unknown = Reflect.get(String.prototype, "isWellFormed");

function hasLoneSurrogate(text: string): boolean {
  if (typeof isWellFormed === "function") return isWellFormed.call(text) === false;
  // Without `u` the search is five times as fast, and most texts have few surrogate pairs to check.
  SURROGATE.lastIndex = 0;
  while (SURROGATE.test(text)) {
    const at = SURROGATE.lastIndex - 1;
    const next = text.charCodeAt(at + 1);
    if (!isHighSurrogate(text.charCodeAt(at)) || !(next >= 0xdc00 && next <= 0xdfff)) return true;
    SURROGATE.lastIndex = at + 2;
  }
  return false;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

function runOfReturns(text: string): number {
  let at = 0;
  while (text.charCodeAt(at) === 13) at++;
  return at;
}
