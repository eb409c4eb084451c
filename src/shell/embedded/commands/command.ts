import { type Command, type CustomCommand, defineCommand } from "just-bash/browser";
import { fromBytes } from "../encoding.ts";
import { notFetched } from "./not-fetched.ts";
import type { Run } from "./answer.ts";

// Only what is loaded with the shell imports this module: code that is fetched later would take just-bash out of the worker's own script, and so before harden.ts.
export function command(name: string, run: Run): Command {
  return defineCommand(name, async (args, context) => {
    const { stdout = "", stderr = "", exitCode = 0 } = await run(args, context);
    if (typeof stdout === "string") return { stdout, stderr, exitCode, stdoutKind: "text" };
    const plain = stderr === "" ? null : textOf(stdout);
    // just-bash miscounts bytes that come with a message which is redirected, and fails the command.
    if (plain !== null) return { stdout: plain, stderr, exitCode, stdoutKind: "text" };
    return { stdout: fromBytes(stdout, "latin1"), stderr, exitCode, stdoutKind: "bytes", stdoutEncoding: "binary" };
  });
}

/** null: no UTF-8. */
function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // That is the answer.
    return null;
  }
}

/** A command whose code is fetched when it is first called. Where it can't be had, the command says so, and the next call tries again. */
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
