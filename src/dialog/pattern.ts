/**
 * Authority lines that allow only part of what a tool can do. This file reads their values. The grammar is closed: a value that doesn't match it
 * exactly grants nothing.
 *
 *     > Authorized: command npm test        exactly this command
 *     > Authorized: command npm test *      this command, alone or with any further arguments
 *     > Authorized: writes under src/       write_file and edit_file in this folder and below
 *
 * - Words are separated by one space and hold only ASCII letters, digits and `_ . / : = @ % + , -`. The first word, the program, holds only letters,
 *   digits and `_ . / + -`, and doesn't begin with `+` or `-`.
 * - `*` appears once, as the last word, after at least one other word.
 * - A folder ends in `/`. Its steps hold letters, digits and `_ . @ + -`. No step begins or ends with a dot, and no step is `vibey` or
 *   `node_modules`.
 * - A program that runs other programs, or changes what later words of a script mean, is in no pattern. See `neverByPattern`.
 * - Every value has a space, so none is a tool's name: Vibey up to 0.9.0 ignores these lines.
 */

/** In UTF-16 code units. */
export const LONGEST_PATTERN = 150;

const COMMAND = "command ";
const WRITES = "writes under ";
const WORD = /^[A-Za-z0-9_./:=@%+,-]+$/;
const PROGRAM = /^[A-Za-z0-9_./][A-Za-z0-9_./+-]*$/;
const STEP = /^[A-Za-z0-9_@+-](?:[A-Za-z0-9_.@+-]*[A-Za-z0-9_@+-])?$/;
const ANY = "*";

/**
 * Programs that run their arguments as a program, and shell commands that change what the following words do. No pattern names one, and no pattern
 * covers a command that contains one.
 */
const neverByPattern: ReadonlySet<string> = new Set(
  [
    // Shells, and programs that run text or files as a shell script.
    "sh bash dash zsh ksh ash fish csh tcsh rbash busybox toybox eval source . exec command builtin coproc alias unalias trap enable hash",
    // Programs that run another program.
    "xargs env timeout nice nohup sudo doas su time stdbuf setsid ionice taskset chroot unshare flock watch parallel script expect unbuffer entr find background",
    // Commands that affect later commands of the same script or dialog.
    "cd pushd popd dirs export declare typeset local readonly set unset shopt read mapfile readarray getopts let printf umask ulimit",
    // The shell's other built-in words.
    "test [ [[ exit return break continue shift logout suspend wait jobs fg bg disown kill bind complete compgen compopt caller fc history times",
  ].flatMap((names) => names.split(" ")),
);

export type Pattern =
  | {
      readonly kind: "command";
      readonly words: readonly string[];
      /** Whether further arguments may follow. */
      readonly open: boolean;
    }
  /** The folder ends in a slash. */
  | { readonly kind: "writes"; readonly folder: string };

/** Parses the value of an `Authorized` or `Revoked` line. Null if it is not a pattern. */
export function parsePattern(value: string): Pattern | null {
  if (value.length > LONGEST_PATTERN) return null;
  if (value.startsWith(WRITES)) {
    const folder = value.slice(WRITES.length);
    return isFolder(folder) ? { kind: "writes", folder } : null;
  }
  if (!value.startsWith(COMMAND)) return null;
  const all = value.slice(COMMAND.length).split(" ");
  const open = all.length > 1 && all.at(-1) === ANY;
  const words = open ? all.slice(0, -1) : all;
  return words.every(isPlainWord) && isProgram(words[0] ?? "") ? { kind: "command", words, open } : null;
}

export function isPattern(value: string): boolean {
  return parsePattern(value) !== null;
}

/** Whether a text was meant as a pattern, valid or not. */
export function isMeantAsPattern(value: string): boolean {
  return /^\s*(?:command|writes)\s/i.test(value);
}

/** The value of the line for a command. Null if no pattern can express it. */
export function commandPattern(words: readonly string[], open: boolean): string | null {
  return checked(`${COMMAND}${words.join(" ")}${open ? ` ${ANY}` : ""}`);
}

/** The value of the line for a folder, which ends in a slash. Null if no pattern can express it. */
export function writesPattern(folder: string): string | null {
  return checked(`${WRITES}${folder}`);
}

/** The subject of a pattern, without its leading words: `npm test *`, `src/`. */
export function patternSubject(value: string): string {
  return value.startsWith(WRITES) ? value.slice(WRITES.length) : value.slice(COMMAND.length);
}

/** The tools whose calls a pattern can allow. Revoking one of these tools revokes the pattern. */
export function toolsOfPattern({ kind }: Pattern): readonly string[] {
  return kind === "command" ? ["run_command"] : ["write_file", "edit_file"];
}

/** Whether a word means itself in every shell, so that a pattern can hold it. */
export function isPlainWord(word: string): boolean {
  return WORD.test(word);
}

/** Whether a pattern can cover commands of this program: the last step of its path is not in `neverByPattern`. */
export function isProgram(word: string): boolean {
  return PROGRAM.test(word) && !neverByPattern.has(word.slice(word.lastIndexOf("/") + 1).toLowerCase());
}

/** Whether a step of a path, a folder's or a file's name, can match a pattern for folders. */
export function isPlainStep(step: string): boolean {
  return STEP.test(step) && !/^(?:vibey|node_modules)$/i.test(step);
}

function isFolder(text: string): boolean {
  return text.endsWith("/") && text.slice(0, -1).split("/").every(isPlainStep);
}

function checked(value: string): string | null {
  return isPattern(value) ? value : null;
}

/** The tools that the value of an authority line applies to. */
export function toolsOf(value: string): readonly string[] {
  const pattern = parsePattern(value);
  if (pattern === null) return [value];
  return pattern.kind === "command" ? ["run_command"] : ["write_file", "edit_file"];
}
