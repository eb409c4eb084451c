/** A variable of a makefile. A simple one was expanded when it was set. */
export interface Variable {
  readonly text: string;
  readonly isSimple: boolean;
  readonly origin: "file" | "environment" | "command line" | "default";
}

/** A line of a recipe, without its tab. */
export interface RecipeLine {
  readonly text: string;
  readonly file: string;
  readonly line: number;
}

export interface Rule {
  readonly targets: readonly string[];
  readonly prerequisites: readonly string[];
  /** The prerequisites after `|`: they must exist, but their times don't count. */
  readonly orderOnly: readonly string[];
  readonly recipe: readonly RecipeLine[];
  /** `a.o: %.o: %.c` */
  readonly pattern: string | null;
}

export interface Makefile {
  readonly variables: Map<string, Variable>;
  /** The variables of single targets, or of target patterns. */
  readonly ownVariables: Map<string, Map<string, Variable>>;
  readonly rules: Rule[];
  readonly exported: Set<string>;
  isAllExported: boolean;
  /** The first target that is not a pattern and does not begin with a dot. */
  firstTarget: string | null;
  readonly files: string[];
}

export function emptyMakefile(): Makefile {
  return {
    variables: new Map(),
    ownVariables: new Map(),
    rules: [],
    exported: new Set(),
    isAllExported: false,
    firstTarget: null,
    files: [],
  };
}

/** Ends `make` with this message, in the form that GNU make prints after `*** `. */
export class MakeError extends Error {
  override readonly name = "MakeError";
  /** The file and line that precede the message. */
  readonly place: string | null;

  constructor(message: string, place: string | null = null) {
    super(message);
    this.place = place;
  }
}

/** The part of the word that `%` in the pattern matches; null: no match. */
export function stemOf(pattern: string, word: string): string | null {
  const at = pattern.indexOf("%");
  if (at < 0) return pattern === word ? "" : null;
  const [before, after] = [pattern.slice(0, at), pattern.slice(at + 1)];
  if (word.length < before.length + after.length || !word.startsWith(before) || !word.endsWith(after)) return null;
  return word.slice(before.length, word.length - after.length);
}

export function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== "");
}
