import { failedStatement, givenUpStatement, lineOf, runsScript } from "./fatal-errors.ts";
import { type Method, methodOf } from "./find-interpreter.ts";
import type { Interpreter } from "./running-script.ts";
import { literal, type Script } from "./script-nodes.ts";
import { setCommandVariable } from "./trap-context.ts";
import { appendOutput, isOutput } from "./traps.ts";
import { watcherOf } from "./watcher.ts";

/** Runs an ERR trap where `set -e` would end a shell, once for each failed command. */
export function watchFailures(prototype: object): void {
  const executeStatement = methodOf(prototype, "executeStatement");
  const told = new WeakSet<object>();
  /** Shells that `set -e` is about to end and whose trap has run. */
  const ending = new WeakSet<Interpreter>();
  /** Whether a command within this one has failed and ended it. */
  const hasEnded = (interpreter: Interpreter, node: unknown): boolean => {
    if (!ending.delete(interpreter)) return false;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- just-bash runs it as a statement.
    const command = (node as Script["statements"][number]).pipelines.at(-1)?.commands.at(-1);
    return command?.type === "SimpleCommand" && runsScript.has(literal(command.name) ?? "");
  };
  const statement: Method = async function (...args) {
    const watcher = watcherOf(this);
    const [node] = args;
    let result: unknown;
    ending.delete(this);
    setCommandVariable(this, node);
    const givenUp = givenUpStatement(this, node);
    if (givenUp !== null) return givenUp;
    try {
      result = await Reflect.apply(executeStatement, this, args);
    } catch (error) {
      const failed = failedStatement(this, node, error);
      if (failed !== null) return failed;
      if (!(error instanceof Error) || error.name !== "ErrexitError" || told.has(error) || watcher?.trapsErrors(this) !== true) throw error;
      told.add(error);
      const isTold = hasEnded(this, node);
      ending.add(this);
      if (isTold) throw error;
      const said = await watcher.failed(this, Number(Reflect.get(error, "exitCode")));
      if (said !== null && isOutput(error)) appendOutput(error, said);
      ending.add(this);
      throw error;
    }
    if (watcher?.trapsErrors(this) !== true || !isOutput(result) || !fails(this, node, result) || hasEnded(this, node)) return result;
    // A function that was called may have set another line.
    Reflect.set(this.ctx.state, "currentLine", lineOf(node) ?? Reflect.get(this.ctx.state, "currentLine"));
    const said = await watcher.failed(this, Number(Reflect.get(result, "exitCode")));
    if (said === null) return result;
    const answer = { ...result };
    appendOutput(answer, said);
    return answer;
  };
  Object.assign(prototype, { executeStatement: statement });
}

const failing = new Set(["SimpleCommand", "Subshell", "ArithmeticCommand", "ConditionalCommand"]);

function fails({ ctx: { state } }: Interpreter, node: unknown, result: object): boolean {
  if (Reflect.get(result, "exitCode") === 0 || Reflect.get(state, "inCondition") === true || Reflect.get(state, "errexitSafe") === true)
    return false;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- just-bash runs it as a statement.
  const commands = (node as Script["statements"][number]).pipelines.at(-1)?.commands ?? [];
  return commands.length > 1 || failing.has(commands[0]?.type ?? "");
}
