import { agentPath } from "../../protocol/write-rules.ts";
import { allowingLines, type Grants, grantsOf, type Subject, withPatternWord } from "../../dialog/grants.ts";
import type { Call } from "../../dialog/model.ts";
import { commandPattern, isPlainStep, isPlainWord, writesPattern } from "../../dialog/pattern.ts";
import { limits } from "../../protocol/limits.ts";
import { whatRuns } from "../project/outgoing/runs-itself.ts";
import type { Sandbox } from "../../shell/sandbox.ts";
import { isBackground } from "../turn/tools/run-command.ts";

/** Ways to allow calls like this one, the suggested one first. Each is the values of the lines to add. */
export type PatternChoices = readonly (readonly string[])[];

/**
 * The subjects that patterns can match in these calls, by call id. No pattern covers a call that is missing:
 *
 * - a background command, a command with an unknown field, or one that is more than plain commands (see `Sandbox.simpleCommands`);
 * - a file in `vibey/`, or in a folder or with a name that begins with a dot; a file that runs by itself or by a common command when the project
 *   is exported (see `whatRuns`); `package.json`; and names with characters other than ASCII letters, digits and `_ . @ + -`.
 */
export async function subjectsOf(calls: readonly Call[], sandbox: Pick<Sandbox, "simpleCommands">): Promise<ReadonlyMap<string, Subject>> {
  const subjects = new Map<string, Subject>();
  for (const call of calls) {
    const subject = call.name === "run_command" ? await commandOf(call, sandbox) : writeOf(call);
    if (subject !== null) subjects.set(call.id, subject);
  }
  return subjects;
}

const commandFields: ReadonlySet<string> = new Set(["command", "background"]);

async function commandOf({ input }: Call, { simpleCommands }: Pick<Sandbox, "simpleCommands">): Promise<Subject | null> {
  const { command } = input;
  if (typeof command !== "string" || command.length > limits.patternCommand || isBackground(input)) return null;
  if (!Object.keys(input).every((field) => commandFields.has(field))) return null;
  const commands = (await simpleCommands?.(command)) ?? null;
  return commands === null || commands.length > limits.patternCommands ? null : { kind: "command", commands };
}

function writeOf({ name, input }: Call): Subject | null {
  if (name !== "write_file" && name !== "edit_file") return null;
  const target = typeof input["path"] === "string" ? agentPath(input["path"]) : null;
  if (!target?.ok) return null;
  const { path } = target;
  const steps = path.split("/");
  if (!steps.every(isPlainStep) || steps.at(-1)?.toLowerCase() === "package.json" || whatRuns(path) !== null) return null;
  return { kind: "write", path };
}

/**
 * The choices to offer for a pending call. Each choice covers the call. Later choices are narrower: for a command, first any arguments after its
 * leading words, last exactly this command. For a file, its folder comes first.
 */
export function suggestPatterns(subject: Subject): PatternChoices {
  const offered = subject.kind === "write" ? foldersOf(subject.path) : commandsOf(subject.commands);
  const choices = new Map<string, readonly string[]>();
  for (const choice of offered) {
    const values = [...new Set(choice.filter((value) => value !== null))];
    if (covers(values, subject)) choices.set(values.join("\n"), values);
  }
  return [...choices.values()];
}

function covers(values: readonly string[], subject: Subject): boolean {
  const last = values.reduce(
    (before: Parameters<typeof withPatternWord>[0], value) => withPatternWord(before, value, true, "this dialog"),
    null,
  );
  const granted: Grants = grantsOf(last);
  return allowingLines(granted, subject) !== null;
}

type Offered = readonly (string | null)[];

/** The nearest folder first. */
function foldersOf(path: string): Offered[] {
  const choices: Offered[] = [];
  for (let slash = path.lastIndexOf("/"); slash > 0; slash = path.lastIndexOf("/", slash - 1))
    choices.push([writesPattern(path.slice(0, slash + 1))]);
  return choices;
}

function commandsOf(commands: readonly (readonly string[])[]): Offered[] {
  const leading = (most: number) =>
    commands.map((words) => {
      const count = leadingWords(words, most);
      return mayBeOpen(words, count) ? commandPattern(words.slice(0, count), true) : commandPattern(words, false);
    });
  return [leading(2), leading(3), commands.map((words) => commandPattern(words, false))];
}

/** These commands only read, whatever their arguments, so their name alone may be suggested. */
const onlyRead: ReadonlySet<string> = new Set(["cat", "echo", "grep", "head", "ls", "pwd", "tail", "wc"]);
/** With other arguments, these commands may delete, replace or send anything. */
const exactOnly: ReadonlySet<string> = new Set(
  "rm rmdir unlink shred truncate mv cp ln dd tee install chmod chown curl wget ssh scp rsync npx bunx".split(" "),
);
const openInGit: ReadonlySet<string> = new Set(["add", "commit", "diff", "log", "show", "status"]);

/** Whether to suggest a pattern with a star. Other patterns can still be written in doc-main.md. */
function mayBeOpen([program = "", verb = ""]: readonly string[], count: number): boolean {
  if (program === "git") return count > 1 && openInGit.has(verb);
  return !exactOnly.has(program) && (count > 1 || onlyRead.has(program));
}

/** How many words a pattern begins with: the program and its subcommand, up to the first option. */
function leadingWords(words: readonly string[], most: number): number {
  const option = words.findIndex((word, at) => at > 0 && (word.startsWith("-") || !isPlainWord(word)));
  return Math.min(most, option < 0 ? words.length : option);
}
