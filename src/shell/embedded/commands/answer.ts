import type { Command, ResolvedCommandContext } from "just-bash/browser";
import { fromBytes, toBytes } from "../encoding.ts";

export type Context = ResolvedCommandContext;

/** The result of a command; bytes are passed on unchanged. Missing fields: no output, and exit code 0. */
export interface Answer {
  readonly stdout?: string | Uint8Array;
  readonly stderr?: string;
  readonly exitCode?: number;
}

/** One of our commands. If it throws, the command fails with exit code 1 and the error's message; the script continues. */
export type Run = (args: readonly string[], context: Context) => Promise<Answer> | Answer;

/** A failure with a message in the usual form `name: message`. */
export function failed(name: string, message: string, exitCode = 1): Answer {
  return { stderr: `${name}: ${message}\n`, exitCode };
}

export function stdinBytes(context: Context): Uint8Array {
  return toBytes(stdinLatin1(context), "latin1");
}

export function stdinText(context: Context): string {
  return fromBytes(stdinBytes(context), undefined);
}

/** One character per byte. */
export function stdinLatin1(context: Context): string {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- just-bash brands a plain string, and in a browser exports no way back.
  return context.stdin as unknown as string;
}

/** Calls just-bash's own command of the same name with other arguments. */
export async function original(context: Context, args: readonly string[]): ReturnType<Command["execute"]> {
  if (!context.origCommand) throw new Error("this command wraps one of just-bash's own");
  return context.origCommand([...args]);
}

/** Converts the result of a just-bash command. */
export function passed(result: Awaited<ReturnType<Command["execute"]>>): Answer {
  const bytes = result.stdoutKind === "bytes" || result.stdoutEncoding === "binary";
  return { ...result, stdout: bytes ? toBytes(result.stdout, "latin1") : result.stdout };
}
