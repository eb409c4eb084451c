import { type Answer, failed } from "./commands/answer.ts";
import type { ShellFrame } from "./shell-frames.ts";
import { signalOf, signalTable } from "./signals.ts";

/** bash's `trap` in a shell. */
export function trap(args: readonly string[], shell: ShellFrame | null): Answer {
  if (shell === null) throw new Error("a trap outside of a shell");
  const [first = "", ...rest] = args[0] === "--" ? args.slice(1) : args;
  if (first === "-l") return { stdout: signalTable() };
  if (args.length === 0 || first === "-p") return printed(shell, rest);
  if (/^-[^lp]/.test(first)) return failed("bash: trap", `${first.slice(0, 2)}: invalid option`, 2);
  // A single operand is a signal whose trap is removed. So are all operands after a number.
  const takesAway = rest.length === 0 || /^\d+$/.test(first);
  const handler = takesAway ? "-" : first;
  const names: string[] = [];
  let wrong = "";
  for (const given of rest.length === 0 || (takesAway && nameOf(first) !== null) ? [first, ...rest] : rest) {
    if (/^(DEBUG|RETURN)$/i.test(given))
      return failed("bash: trap", `${given} is not supported here; use set -x, or an echo where you need it`);
    const name = nameOf(given);
    if (name === null) wrong += `bash: trap: ${given}: invalid signal specification\n`;
    else names.push(name);
  }
  shell.told = null;
  for (const name of names) {
    if (handler === "-") shell.traps.delete(name);
    else shell.traps.set(name, handler);
  }
  return wrong === "" ? {} : { stderr: wrong, exitCode: 1 };
}

/** Null: there is no such signal. */
function nameOf(given: string): string | null {
  if (/^(?:EXIT|0)$/i.test(given)) return "EXIT";
  return /^ERR$/i.test(given) ? "ERR" : (signalOf(given)?.name.slice(3) ?? null);
}

function printed(shell: ShellFrame, asked: readonly string[]): Answer {
  const wanted = asked.map(nameOf);
  const order = (name: string): number => (name === "EXIT" ? 0 : name === "ERR" ? 100 : (signalOf(name)?.number ?? 0));
  const lines = [...(shell.told ?? shell.traps)]
    .filter(([name]) => asked.length === 0 || wanted.includes(name))
    .toSorted(([a], [b]) => order(a) - order(b))
    .map(([name, handler]) => `trap -- '${handler.replaceAll("'", "'\\''")}' ${name === "EXIT" || name === "ERR" ? "" : "SIG"}${name}\n`);
  return { stdout: lines.join("") };
}
