import type { Interpreter } from "./running-script.ts";
import { type Command, literal, single, word, type Word } from "./script-nodes.ts";

/**
 * `select name in words; do …; done`, which just-bash's parser rejects. It is parsed as `while __vibey_select name in words; do …; done`, after a
 * command that marks the beginning of the loop.
 */
export const selectCommand = "__vibey_select";
const beginCommand = "__vibey_select_begin";

type While = Extract<Command, { readonly type: "While" }>;

/** The command that runs instead of the loop; null: it is an ordinary `while` loop. `all`: the words of a `select` that names none. */
export function selectLoop(loop: While, all: Word): Command | null {
  const command = loop.condition[0]?.pipelines[0]?.commands[0];
  if (command?.type !== "SimpleCommand" || literal(command.name) !== selectCommand) return null;
  if (command.args.length === 1) command.args.push(word("in"), all);
  const begin: Command = { type: "SimpleCommand", assignments: [], name: word(beginCommand), args: [], redirections: [] };
  return { type: "Group", body: [single(begin), single({ ...loop, redirections: [] })], redirections: loop.redirections };
}

/** Interpreters that are about to run a loop that has not shown its menu yet. */
const beginning = new WeakSet<Interpreter>();

interface Result {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** Shows the menu, and reads a line from the loop's input with `read`. */
export async function choose(
  interpreter: Interpreter,
  name: string,
  words: readonly unknown[],
  read: () => Promise<unknown>,
): Promise<Result> {
  if (name === beginCommand) {
    beginning.add(interpreter);
    return { stdout: "", stderr: "", exitCode: 0 };
  }
  const [variable = "", , ...choices] = words.map(String);
  const variables: unknown = Reflect.get(interpreter.ctx.state, "env");
  if (!(variables instanceof Map)) throw new Error("just-bash keeps its variables elsewhere: was it updated?");
  let stderr = "";
  let shows = beginning.delete(interpreter) || variables.get("REPLY") === "";
  while (choices.length > 0) {
    stderr += `${shows ? menuOf(choices) : ""}${String(variables.get("PS3") ?? "#? ")}`;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- just-bash returns this for every call.
    const { exitCode } = (await read()) as Result;
    if (exitCode !== 0) return { stdout: "\n", stderr, exitCode };
    const reply = String(variables.get("REPLY") ?? "");
    shows = reply === "";
    if (shows) continue;
    variables.set(variable, /^\d+$/.test(reply) ? (choices[Number(reply) - 1] ?? "") : "");
    return { stdout: "", stderr, exitCode: 0 };
  }
  return { stdout: "", stderr, exitCode: 1 };
}

/** Characters. */
const lineWidth = 80;
const tabWidth = 8;

/** The menu, in columns as in bash. */
function menuOf(choices: readonly string[]): string {
  const digits = String(choices.length).length;
  const width = Math.max(...choices.map((choice) => choice.length)) + digits + 4;
  const most = Math.max(1, Math.floor(lineWidth / width));
  const high = Math.ceil(choices.length / most);
  const columns = Math.ceil(choices.length / high);
  const rows = high === 1 ? columns : high;
  let menu = "";
  for (let row = 0; row < rows; row++) {
    for (let at = row, start = 0; at < choices.length; at += rows, start += width) {
      const entry = `${String(at + 1).padStart(start === 0 ? String(rows).length : digits)}) ${choices[at] ?? ""}`;
      menu += entry + (at + rows < choices.length ? blanks(start + entry.length, start + width) : "");
    }
    menu += "\n";
  }
  return menu;
}

/** Fills the space between two columns, with tabs where they fit. */
function blanks(from: number, to: number): string {
  let text = "";
  for (let at = from; at < to; ) {
    const isTab = Math.floor(to / tabWidth) > Math.floor(at / tabWidth);
    text += isTab ? "\t" : " ";
    at += isTab ? tabWidth - (at % tabWidth) : 1;
  }
  return text;
}
