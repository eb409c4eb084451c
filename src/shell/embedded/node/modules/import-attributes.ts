/** The older `assert { … }` of an import at this place, where a parser of today stops, as it is written now; null: something else is there. Nothing moves. */
export const withAttributes = (code: string, at: number): string | null =>
  /^assert\s*\{/.test(code.slice(at, at + 100)) ? `${code.slice(0, at)}with  ${code.slice(at + "assert".length)}` : null;
