import { expect, test } from "vitest";
import { createShellWorker } from "../../../src/shell/create-worker.ts";
import { project } from "../project.ts";
import text from "./recorded.json?raw";
import { environment, sessions } from "./sessions.ts";

const recorded: Readonly<Record<string, readonly { readonly stdout: string; readonly exitCode: number }[]>> = JSON.parse(text);
/** A busy machine takes long to start Python. */
const timeoutMs = 100_000;

/** All sessions run in one real worker, one after the other, so that each meets what earlier tools left in its globals. */
test("every command prints what the real tools print", async () => {
  const { runAndKeep, sandbox } = await project({ createWorker: createShellWorker });
  try {
    await runAndKeep(
      Object.entries(environment)
        .map(([key, value]) => `export ${key}='${value}'`)
        .join("; "),
    );
    for (const [name, commands] of Object.entries(sessions)) {
      for (const [i, command] of commands.entries()) {
        const { stdout, exitCode } = await runAndKeep(command, { timeoutMs });
        expect({ command, stdout: stdout.replaceAll(/^vibey\n/gm, ""), exitCode }).toEqual({ command, ...recorded[name]?.[i] });
      }
      await runAndKeep("cd /project; rm -rf ./* .git .gitconfig 2>/dev/null");
    }
  } finally {
    sandbox.dispose();
  }
});
