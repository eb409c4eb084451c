// This import comes first: see interpreter-errors.ts.
import { learnInterpreterErrors } from "../../embedded/interpreter-errors.ts";
import { getCommandNames } from "just-bash/browser";
import { sharedCommands } from "../../embedded/commands/index.ts";
import { reasonNotHere } from "../../embedded/commands/not-here.ts";
import { learnInterpreter } from "../../embedded/interpreter.ts";
import type { ShellDone } from "../../embedded/protocol.ts";
import { realClock } from "../../embedded/clock.ts";
import { createShell } from "../../embedded/shell.ts";
import type { Printed } from "../../sandbox.ts";
import type { FromScript, ToScript } from "../script-protocol.ts";
import { createDisk } from "./disk/disk.ts";
import { changedFrom, environmentOf } from "./environment.ts";
import { reach } from "./network.ts";
import { createAround as aroundShells } from "../../embedded/around.ts";
import { createAround } from "./programs/around.ts";
import { program } from "./programs/command.ts";
import type { Processes } from "./programs/processes.ts";

export interface Served {
  /** Runs the command, once. Returns the message `done`. */
  run(run: Extract<ToScript, { readonly type: "run" }>): Promise<ShellDone>;
  answered(id: number, answer: Printed): void;
  /** Ends the command and everything it has started. */
  abort(): void;
}

/** What a WebContainer with its own Node lacks, beyond what the shell knows. */
const notHere = new Map([
  ["sqlite3", "there is no SQLite here; use a package of npm, such as sql.js, or node:sqlite where Node has it"],
  ["pip", "Python packages can't be installed here"],
]);

export interface ServeOptions {
  readonly project: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly processes: Processes;
  readonly post: (message: FromScript) => void;
}

/** Creates the shell of this process, ready to run its one command. */
export async function serve({ project, variables, processes, post }: ServeOptions): Promise<Served> {
  const errors = await learnInterpreterErrors();
  await learnInterpreter();
  const { start, programs, forPrograms } = environmentOf(variables, project);
  const disk = createDisk({ project, path: programs, failure: (message, line) => errors.commandFailure(message, line) });
  const stopper = new AbortController();
  const questions = new Map<number, (answer: Printed) => void>();
  const own = new Set<string>(getCommandNames());
  let lastId = 0;
  let maxBytes = 0;

  const shell = createShell(
    disk,
    errors,
    realClock,
    {
      fetch: (request) => reach(request, stopper.signal),
      show: (output) => post({ type: "output", output }),
      background: (operands) =>
        new Promise((resolve) => {
          questions.set(++lastId, resolve);
          post({ type: "background", id: lastId, operands });
        }),
    },
    {
      project,
      env: start,
      reasonNotHere: (name) => notHere.get(name) ?? reasonNotHere(name),
      commands(host) {
        const commands = sharedCommands(host);
        for (const { name } of commands) own.add(name);
        return [...commands, program(host, { processes, maxBytes: () => maxBytes, forPrograms })];
      },
      around: createAround(programs, (name) => own.has(name), aroundShells(disk)),
    },
  );

  async function safely(given: Extract<ToScript, { readonly type: "run" }>): Promise<ShellDone> {
    try {
      return await shell.run({ ...given, signal: stopper.signal });
    } catch (error) {
      // An internal error of the interpreter, which just-bash throws instead of printing.
      const stderr = `bash: internal error: ${String(error)}\n`;
      const { aborted } = stopper.signal;
      return { type: "done", stdout: "", stderr, exitCode: 126, limit: null, aborted, folder: given.folder, env: given.env };
    }
  }

  return {
    async run(given) {
      ({ maxBytes } = given);
      post({ type: "started" });
      const done = await safely(given);
      processes.endAll();
      return { ...done, env: changedFrom(start, done.env) };
    },
    answered(id, answer) {
      questions.get(id)?.(answer);
      questions.delete(id);
    },
    abort: () => stopper.abort(),
  };
}
