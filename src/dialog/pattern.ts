/**
 * The lines of authority that allow a part of what a tool can do, by their value. The grammar is closed; what does not fit it to the letter grants nothing.
 *
 *     > Authorized: command npm test        exactly this command
 *     > Authorized: command npm test *      this command, alone or with any further arguments
 *     > Authorized: writes under src/       write_file and edit_file in this folder and below
 *
 * - Words are separated by one space and hold ASCII letters, digits and `_ . / : = @ % + , -` alone. The first one, the program, holds letters, digits and `_ . / + -` and begins with no sign.
 * - `*` stands once, as the last word, behind at least one other.
 * - A folder ends in `/`. Its steps hold letters, digits and `_ . @ + -`; none begins or ends with a dot, and none is `vibey` or `node_modules`.
 * - A program that runs other programs, or changes what later words of a script mean, is in no pattern; see `neverByPattern`.
 * - No value is a tool's name, because each has a space: Vibey up to 0.9.0 reads nothing in such a line.
 */

/** UTF-16 units of a value. */
export const LONGEST_PATTERN = 150;

const COMMAND = "command ";
const WRITES = "writes under ";
const WORD = /^[A-Za-z0-9_./:=@%+,-]+$/;
const PROGRAM = /^[A-Za-z0-9_./][A-Za-z0-9_./+-]*$/;
const STEP = /^[A-Za-z0-9_@+-](?:[A-Za-z0-9_.@+-]*[A-Za-z0-9_@+-])?$/;
const ANY = "*";

/**
 * Programs that run what they are given as a program, and commands of the shell that change what the words after them do. No pattern
 * names one, and no command that has one in it is covered.
 */
const neverByPattern: ReadonlySet<string> = new Set(
  [
    // Shells, and what runs text or files as their script.
    "sh bash dash zsh ksh ash fish csh tcsh rbash busybox toybox eval source . exec command builtin coproc alias unalias trap enable hash",
    // Programs that run another one.
    "xargs env timeout nice nohup sudo doas su time stdbuf setsid ionice taskset chroot unshare flock watch parallel script expect unbuffer entr find background",
    // What later commands of the same script, or of the dialog, depend on.
    "cd pushd popd dirs export declare typeset local readonly set unset shopt read mapfile readarray getopts let printf umask ulimit",
    // The rest of the shell's own words.
    "test [ [[ exit return break continue shift logout suspend wait jobs fg bg disown kill bind complete compgen compopt caller fc history times",
  ].flatMap((names) => names.split(" ")),
);

export type Pattern =
  | {
      readonly kind: "command";
      readonly words: readonly string[];
      /** Further arguments may follow. */
      readonly open: boolean;
    }
  /** It ends in a slash. */
  | { readonly kind: "writes"; readonly folder: string };

/** What the value of an `Authorized` or `Revoked` line says; null: it is no pattern. */
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

/** A text that was meant as a pattern, whether it is one or not. */
export function isMeantAsPattern(value: string): boolean {
  return /^\s*(?:command|writes)\s/i.test(value);
}

/** The value of the line for a command; null: no pattern says it. */
export function commandPattern(words: readonly string[], open: boolean): string | null {
  return checked(`${COMMAND}${words.join(" ")}${open ? ` ${ANY}` : ""}`);
}

/** The value of the line for a folder, which ends in a slash; null: no pattern says it. */
export function writesPattern(folder: string): string | null {
  return checked(`${WRITES}${folder}`);
}

/** What a pattern is about, without the words before it: `npm test *`, `src/`. */
export function patternSubject(value: string): string {
  return value.startsWith(WRITES) ? value.slice(WRITES.length) : value.slice(COMMAND.length);
}

/** The tools whose calls a pattern can allow. Who takes back one of them takes back the pattern. */
export function toolsOfPattern({ kind }: Pattern): readonly string[] {
  return kind === "command" ? ["run_command"] : ["write_file", "edit_file"];
}

/** A word that means itself in every shell, and that a pattern can hold. */
export function isPlainWord(word: string): boolean {
  return WORD.test(word);
}

/** Whether commands of this program can be covered: its last step is no name of `neverByPattern`. */
export function isProgram(word: string): boolean {
  return PROGRAM.test(word) && !neverByPattern.has(word.slice(word.lastIndexOf("/") + 1).toLowerCase());
}

/** A folder's step, or a file's name, that a pattern for folders can have to do with. */
export function isPlainStep(step: string): boolean {
  return STEP.test(step) && !/^(?:vibey|node_modules)$/i.test(step);
}

function isFolder(text: string): boolean {
  return text.endsWith("/") && text.slice(0, -1).split("/").every(isPlainStep);
}

function checked(value: string): string | null {
  return isPattern(value) ? value : null;
}

/** The tools that the value of a line of authority is about. */
export function toolsOf(value: string): readonly string[] {
  const pattern = parsePattern(value);
  if (pattern === null) return [value];
  return pattern.kind === "command" ? ["run_command"] : ["write_file", "edit_file"];
}
