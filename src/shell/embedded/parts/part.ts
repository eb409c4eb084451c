/** What a command is made of, as the shell that runs it reads it. Plain data: it crosses from the shell's worker to the page. */

/** What a person should know of a part before it is approved. */
export type Finding =
  /** Removes files, or throws changes away. */
  | { readonly kind: "deletes" }
  /** Replaces or creates a file. `path`: as it is written. */
  | { readonly kind: "overwrites"; readonly path: string }
  /** Changes files where they are. */
  | { readonly kind: "edits" }
  /** Names a path that is not in the project. */
  | { readonly kind: "outside"; readonly path: string }
  /** Reaches a host; null: the one that the program has as its own, such as a package registry. */
  | { readonly kind: "reaches"; readonly host: string | null }
  /** Runs text as a program. */
  | { readonly kind: "runs-text" }
  /** Which program it is turns out only when it runs. */
  | { readonly kind: "computed" };

/** How a part follows the one before it: `pipe`: reads what that one prints. `inside`: it is written within that one. */
export type Joint = "first" | "next" | "and" | "or" | "pipe" | "background" | "inside";

/** What is around other parts. */
export type Frame = "if" | "else" | "loop" | "case" | "function" | "subshell" | "group" | "test" | "arithmetic";

export interface Part {
  readonly joint: Joint;
  /** How many parts it is within. */
  readonly depth: number;
  /** Null: a command. */
  readonly frame: Frame | null;
  /** The program, a function's name or a loop's variable; null: there is none. */
  readonly name: string | null;
  /** What it is given, without the marks that quote it; what is computed stands as it is written. */
  readonly words: readonly string[];
  /** `> out.txt`, `2>&1`, `<< EOF`. */
  readonly redirections: readonly string[];
  readonly findings: readonly Finding[];
}

/** What a shell's worker can be asked about a command, and its answers; null: this is no command that the shell can read. */
export interface Answers {
  readonly parts: readonly Part[];
  /** See `Sandbox.simpleCommands`. */
  readonly simple: readonly (readonly string[])[];
}

export type Asked = {
  readonly [T in keyof Answers]: { readonly type: T; readonly id: number; readonly command: string };
}[keyof Answers];
