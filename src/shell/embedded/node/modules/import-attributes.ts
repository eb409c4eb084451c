/**
 * Replaces the older `assert { … }` of an import at this position, where current parsers stop, with the current syntax. Null: something else is
 * there. No position changes.
 */
export const withAttributes = (code: string, at: number): string | null =>
  /^assert\s*\{/.test(code.slice(at, at + 100)) ? `${code.slice(0, at)}with  ${code.slice(at + "assert".length)}` : null;
