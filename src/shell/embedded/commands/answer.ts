import type { Command, ResolvedCommandContext } from "just-bash/browser";
import { fromBytes, toBytes } from "../encoding.ts";

export type Context = ResolvedCommandContext;

/** What a command printed; bytes are passed on as they are. Missing: nothing, and 0. */
export interface Answer {
  readonly stdout?: string | Uint8Array;
  readonly stderr?: string;
  readonly exitCode?: number;
}

/** A command of ours. What it throws fails the command with exit code 1 and its message; the script continues. */
export type Run = (args: readonly string[], context: Context) => Promise<Answer> | Answer;

/** What failed: `name: message`, as every command says it. */
export function failed(name: string, message: string, exitCode = 1): Answer {
  return { stderr: `${name}: ${message}\n`, exitCode };
}

export function stdinBytes(context: Context): Uint8Array {
  return toBytes(stdinLatin1(context), "latin1");
}

export function stdinText(context: Context): string {
  return fromBytes(stdinBytes(context), undefined);
}

/** One character a byte. */
export function stdinLatin1(context: Context): string {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- just-bash brands a plain string, and exports no way back in a browser.
  return context.stdin as unknown as string;
}

/** just-bash's own command of the same name, with other arguments. */
export async function original(context: Context, args: readonly string[]): ReturnType<Command["execute"]> {
  if (!context.origCommand) throw new Error("this command wraps one of just-bash's own");
  return context.origCommand([...args]);
}

/** The result of one of just-bash's own commands as an answer of ours. */
export function passed(result: Awaited<ReturnType<Command["execute"]>>): Answer {
  const bytes = result.stdoutKind === "bytes" || result.stdoutEncoding === "binary";
  return { ...result, stdout: bytes ? toBytes(result.stdout, "latin1") : result.stdout };
}
