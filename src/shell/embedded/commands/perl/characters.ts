/** Classes of characters up to U+FFFF in texts. In bytes, only ASCII characters belong to a class. */
const inText: Readonly<Record<string, RegExp>> = {
  word: /[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]/u,
  digit: /\p{Nd}/u,
  alpha: /\p{Alphabetic}/u,
  alnum: /[\p{Alphabetic}\p{Nd}]/u,
  upper: /\p{Uppercase}/u,
  lower: /\p{Lowercase}/u,
  space: /[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/u,
  blank: /[\t \xa0\u1680\u2000-\u200a\u202f\u205f\u3000]/u,
  vertical: /[\n-\r\x85\u2028\u2029]/u,
};

const inBytes: Readonly<Record<string, RegExp>> = {
  word: /\w/u,
  digit: /\d/u,
  alpha: /[a-zA-Z]/u,
  alnum: /[a-zA-Z\d]/u,
  upper: /[A-Z]/u,
  lower: /[a-z]/u,
  space: /[\t-\r ]/u,
  blank: /[\t ]/u,
  vertical: /[\n-\r]/u,
  punct: /[!-/:-@[-`{-~]/u,
  xdigit: /[\da-fA-F]/u,
  cntrl: /[^\P{Cc}\u0080-\u009f]/u,
};

const known = new Map<string, string>();

/** The content of a class's brackets, or of the negated class; null: it is not supported. */
export function members(name: string, isText: boolean, isOthers: boolean): string | null {
  const test = (isText ? inText : inBytes)[name];
  if (test === undefined) return null;
  const key = `${isText ? "text" : "bytes"} ${name} ${isOthers ? "others" : ""}`;
  const found = known.get(key) ?? rangesOf(test, isOthers);
  known.set(key, found);
  return found;
}

function rangesOf(test: RegExp, isOthers: boolean): string {
  const escaped = (code: number): string => `\\u${code.toString(16).padStart(4, "0")}`;
  let ranges = "";
  let start = -1;
  for (let code = 0; code <= 0x10000; code++) {
    const isIn = code < 0x10000 && test.test(String.fromCharCode(code)) !== isOthers;
    if (isIn && start < 0) start = code;
    else if (!isIn && start >= 0) {
      ranges += start === code - 1 ? escaped(start) : `${escaped(start)}-${escaped(code - 1)}`;
      start = -1;
    }
  }
  return ranges;
}
