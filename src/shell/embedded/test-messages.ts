import { isOutput } from "./traps.ts";

const comparing = new Set(["-eq", "-ne", "-lt", "-le", "-gt", "-ge"]);
const integer = /^\s*[-+]?\d+\s*$/;

/** Wraps a call of `test` or `[`. Prints bash's messages about wrong words. just-bash prints none for some, and says `test` for both commands. */
export async function withReason(name: string, words: readonly unknown[], work: Promise<unknown>): Promise<unknown> {
  const result = await work;
  if (!isOutput(result) || Reflect.get(result, "exitCode") === 0) return result;
  const given = (name === "[" ? words.slice(0, -1) : words).map(String);
  const reason = result.stderr === "" ? reasonOf(given) : result.stderr.replace(/^(?:test|\[): /, "").trimEnd();
  if (reason === null) return result;
  const isOperator = given.length === 3 && reason === "too many arguments";
  const plain = isOperator ? `${given[1] ?? ""}: binary operator expected` : reason;
  return { ...result, stderr: `bash: ${name}: ${plain}\n`, exitCode: 2, internalOutputAccounting: undefined };
}

/** Null: there is nothing to report. */
function reasonOf(words: readonly string[]): string | null {
  const [first = "", operator = "", last = ""] = words[0] === "!" ? words.slice(1) : words;
  const count = words.length - (words[0] === "!" ? 1 : 0);
  if (count === 2 && !/^(?:-\w|!)$/.test(first)) return `${first}: unary operator expected`;
  if (count !== 3 || !comparing.has(operator)) return null;
  const wrong = [first, last].find((operand) => !integer.test(operand));
  return wrong === undefined ? null : `${wrong}: integer expression expected`;
}
