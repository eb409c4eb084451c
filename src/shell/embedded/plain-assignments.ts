import { type Interpreter, traces } from "./running-script.ts";
import { isNode } from "./script-nodes.ts";
import { isOutput } from "./traps.ts";

/** Commands such as `x=1`, without a substitution whose exit code they would have. */
const plain = new WeakSet<object>();

/** Called for each node of a parsed script, before its arithmetic is changed. */
export function noteAssignments(node: Readonly<Record<string, unknown>>): void {
  if (node["type"] !== "SimpleCommand" || node["name"] !== null || !Array.isArray(node["redirections"])) return;
  if (node["redirections"].length === 0 && !hasSubstitution(node["assignments"]) && !isOurs(node["assignments"])) plain.add(node);
}

/** Whether it sets a variable of ours, which leaves `$?` to the command that it was put before. */
function isOurs(assignments: unknown): boolean {
  return Array.isArray(assignments) && assignments.some((each) => isNode(each) && String(each["name"]).startsWith("__vibey_"));
}

function hasSubstitution(node: unknown): boolean {
  if (Array.isArray(node)) return node.some(hasSubstitution);
  if (!isNode(node)) return false;
  return node["type"] === "CommandSubstitution" || node["type"] === "ArithCommandSubst" || Object.values(node).some(hasSubstitution);
}

/** Gives such a command the exit code 0. just-bash gives it that of the previous command. */
export function withSuccess(interpreter: Interpreter, node: object, result: Promise<unknown>): Promise<unknown> {
  if (!plain.has(node) || Reflect.get(interpreter.ctx.state, "lastExitCode") === 0) return result;
  return succeeding(interpreter, result);
}

async function succeeding(interpreter: Interpreter, result: Promise<unknown>): Promise<unknown> {
  const done = await result;
  // A failed assignment says why.
  return isOutput(done) && (done.stderr === "" || traces(interpreter)) ? { ...done, exitCode: 0 } : done;
}
