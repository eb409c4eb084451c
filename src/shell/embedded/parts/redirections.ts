// What the redirections of a command do.
import { isOutside } from "./findings.ts";
import type { Finding } from "./part.ts";
import { type Command, type Redirection, type Value, valueOf } from "./tokens.ts";

/** Whether the redirection opens something to read. Its number does not matter, because a shell can be told to read `/dev/fd/3`. */
export function opensInput({ operator }: Redirection): boolean {
  return operator.startsWith("<");
}

/** Whether the command gives the shell another input. */
export function replacesInput(node: Command): boolean {
  return (
    node.type === "SimpleCommand" &&
    node.args.length === 0 &&
    node.name !== null &&
    valueOf(node.name).text === "exec" &&
    node.redirections.some(opensInput)
  );
}

/** The text that a command gets as its input, or as the open file that one of its words names; the last one counts. */
export function fedText(redirections: readonly Redirection[], args: readonly Value[]): Value | null {
  const named = args.map(({ text }) => /\/fd\/+(\d+)$/.exec(text)?.[1]).find((number) => number !== undefined);
  const wanted = Number(named ?? 0);
  const fed = redirections.findLast(
    ({ operator, fd, fdVariable }) => operator.startsWith("<<") && fdVariable === undefined && (fd ?? 0) === wanted,
  );
  return fed === undefined ? null : valueOf(fed.target.type === "HereDoc" ? fed.target.content : fed.target);
}

/** Targets of `>&` and `<&` that are not files. */
const streamNumber = /^(?:\d+-?|-)$/;

export function asWritten({ operator, fd, fdVariable, target }: Redirection): string {
  const number = fdVariable === undefined ? (fd ?? "") : `{${fdVariable}}`;
  if (target.type !== "HereDoc") {
    const { text } = valueOf(target);
    return `${number}${operator}${operator.endsWith("&") && streamNumber.test(text) ? "" : " "}${text}`;
  }
  return `${number}${operator} ${target.delimiter}`;
}

export function ofRedirection({ operator, target }: Redirection): Finding[] {
  if (target.type === "HereDoc" || operator === "<<<") return [];
  const path = valueOf(target).text;
  const isNumber = streamNumber.test(path);
  const replaces = [">", ">|", "&>"].includes(operator) || (operator === ">&" && !isNumber);
  const found: Finding[] = [];
  if (replaces && !path.startsWith("/dev/")) found.push({ kind: "overwrites", path });
  if (!isNumber && isOutside(path)) found.push({ kind: "outside", path });
  return found;
}
