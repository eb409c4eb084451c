/**
 * A text as it may stand in a dialog: NUL goes first; then a run of CR before LF becomes that LF, and every other CR becomes LF (a CR
 * left in text becomes structure once a textarea gives it back); a lone surrogate becomes U+FFFD; blank lines at the two ends go.
 * `clean(clean(text))` is `clean(text)`.
 */
export function clean(text: string): string {
  return trimBlankLines(cleanCharacters(text));
}

/** The same without the trimming. */
export function cleanCharacters(text: string): string {
  if (isCleanCharacters(text)) return text;
  return wellFormed(text.replaceAll("\0", "").replace(/\r+\n?/g, (run) => (run.endsWith("\n") ? "\n" : "\n".repeat(run.length))));
}

/** Every lone surrogate as U+FFFD. */
export function wellFormed(text: string): string {
  return text.replace(LONE_SURROGATES, "\uFFFD");
}

export function isCleanCharacters(text: string): boolean {
  return !text.includes("\r") && !text.includes("\0") && !hasLoneSurrogate(text);
}

/** `cleanCharacters` for a text that comes in pieces: what it gives, joined, does not depend on where the stream was cut. */
export interface Cleaner {
  push(chunk: string): string;
  /** What was held back: a run of CR, or a high surrogate that stayed alone. */
  end(): string;
}

export function createCleaner(): Cleaner {
  /** CRs at the end so far: an LF that follows swallows them. Counted, because a stream can consist of nothing else. */
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

/** Blank means empty or spaces and tabs. Only whole lines go: what stands before the first word of a line, or behind the last, stays. */
export function trimBlankLines(text: string): string {
  const [from, to] = textRange(text, 0, text.length);
  return from === 0 && to === text.length ? text : text.slice(from, to);
}

/** Where the text between `from` and `to` starts and ends without the blank lines at its ends; empty when all lines are blank. */
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

/** Empty, or spaces and tabs. */
export function isBlank(line: string): boolean {
  for (let at = 0; at < line.length; at++) {
    const code = line.charCodeAt(at);
    if (code !== 32 && code !== 9) return false;
  }
  return true;
}

/** In `u` mode a surrogate class matches lone ones only. */
const LONE_SURROGATES = /[\uD800-\uDFFF]/gu;
const SURROGATE = /[\uD800-\uDFFF]/g;

/** The engine's own test reads a text of narrow characters not at all. Not every browser has it. */
const isWellFormed: unknown = Reflect.get(String.prototype, "isWellFormed");

function hasLoneSurrogate(text: string): boolean {
  if (typeof isWellFormed === "function") return isWellFormed.call(text) === false;
  // Without `u` the search runs five times as fast, and most texts hold few pairs to look at.
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
