/** The parts of a command, as the shell that runs it parses it. Plain data: it goes from the shell's worker to the page. */

/** What a person should know about a part before approving it. */
export type Finding =
  /** Removes files or discards changes. */
  | { readonly kind: "deletes" }
  /** Replaces or creates a file. `path`: as written. */
  | { readonly kind: "overwrites"; readonly path: string }
  /** Changes files in place. */
  | { readonly kind: "edits" }
  /** Names a path outside the project. */
  | { readonly kind: "outside"; readonly path: string }
  /** Reaches a host. Null: the program's default host, such as a package registry. */
  | { readonly kind: "reaches"; readonly host: string | null }
  /** Runs text as a program. */
  | { readonly kind: "runs-text" }
  /** The program is known only when the command runs. */
  | { readonly kind: "computed" };

/** How a part follows the previous one. `pipe`: it reads that part's output. `inside`: it is written within that part. */
export type Joint = "first" | "next" | "and" | "or" | "pipe" | "background" | "inside";

/** A construct that encloses other parts. */
export type Frame = "if" | "else" | "loop" | "case" | "function" | "subshell" | "group" | "test" | "arithmetic";

export interface Part {
  readonly joint: Joint;
  /** The number of enclosing parts. */
  readonly depth: number;
  /** Null: a command. */
  readonly frame: Frame | null;
  /** The program, a function's name or a loop's variable; null if there is none. */
  readonly name: string | null;
  /** The arguments without quotes; computed parts stay as written. */
  readonly words: readonly string[];
  /** `> out.txt`, `2>&1`, `<< EOF`. */
  readonly redirections: readonly string[];
  readonly findings: readonly Finding[];
}

/** The answers of a shell's worker about a command, by question. Null instead of an answer: the shell can't parse the command. */
export interface Answers {
  readonly parts: readonly Part[];
  /** See `Sandbox.simpleCommands`. */
  readonly simple: readonly (readonly string[])[];
}

export type Asked = {
  readonly [T in keyof Answers]: { readonly type: T; readonly id: number; readonly command: string };
}[keyof Answers];
