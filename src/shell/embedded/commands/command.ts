import { type Command, type CustomCommand, defineCommand } from "just-bash/browser";
import { fromBytes } from "../encoding.ts";
import { notFetched } from "./not-fetched.ts";
import type { Run } from "./answer.ts";

// Import this module only from code that loads with the shell. Code that is fetched later would move just-bash out of the worker's own script, and so
// before harden.ts.
export function command(name: string, run: Run): Command {
  return defineCommand(name, async (args, context) => {
    const { stdout = "", stderr = "", exitCode = 0 } = await run(args, context);
    if (typeof stdout === "string") return { stdout, stderr, exitCode, stdoutKind: "text" };
    const plain = stderr === "" ? null : textOf(stdout);
    // If bytes come with a redirected message, just-bash miscounts them and fails the command.
    if (plain !== null) return { stdout: plain, stderr, exitCode, stdoutKind: "text" };
    return { stdout: fromBytes(stdout, "latin1"), stderr, exitCode, stdoutKind: "bytes", stdoutEncoding: "binary" };
  });
}

/** Null: the bytes are not UTF-8. */
function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // The bytes are not UTF-8.
    return null;
  }
}

/** A command whose code is fetched when it is first called. If that fails, the command says so, and the next call tries again. */
export function lazyCommand(name: string, load: () => Promise<Run>): CustomCommand {
  let run: Run | null = null;
  return command(name, async (args, context) => {
    try {
      run ??= await load();
    } catch (error) {
      return { stderr: `${name}: ${notFetched(error)}\n`, exitCode: 127 };
    }
    return run(args, context);
  });
}
