import type { Bash, Command } from "just-bash/browser";
import type { Context } from "./commands/answer.ts";
import { inheritProgram } from "./error-places.ts";
import { withExported } from "./exported.ts";
import { functionsOf as functionsIn, withFunctions } from "./exported-functions.ts";
import type { JobOutput } from "./job-output.ts";
import { endShell, shellOf, withBeginner } from "./shell-frames.ts";
import { type Job, type Printed, tell } from "./job.ts";
import { jobCommands } from "./job-commands.ts";
import type { Interpreter } from "./running-script.ts";
import { withoutSavedFiles } from "./saved-streams.ts";
import type { Shells } from "./shells.ts";
import { type Signal, spanOf, withSpan } from "./spans.ts";
import { teedJob } from "./teed-job.ts";
import { insideOf } from "./places.ts";
import type { FunctionDef, Script, Statement } from "./script-nodes.ts";
import { type Before, rewrite } from "./script.ts";
import { attributeSets } from "./local-attributes.ts";

/**
 * `command &`, `wait`, `jobs`, `kill` and `trap` of a shell, which just-bash lacks.
 *
 * - A job runs concurrently with the command that started it, with copies of its variables, arrays, functions, options and descriptors.
 * - What a job prints into a file is there at once, and stays if the job is killed: see `job-output.ts`.
 * - The rest of a job's output is shown when the job is waited for, otherwise at the end of the command.
 * - A job ends with the command that started it, at the latest: first by a TERM signal.
 * - Traps and signals: see `shells.ts`.
 */
export interface Jobs {
  readonly commands: readonly Command[];
  /** Call it before each command. */
  begin(): void;
  /** `read` is called with each script after it was rewritten. */
  attach(bash: Bash, read: (script: Script) => void): void;
  /** Rewrites a script that just-bash has parsed itself, such as that of a file, before it runs. */
  adopt(script: Script): void;
  /** Whether any job still runs. */
  run(): boolean;
  /**
   * Returns the output of jobs that was not waited for. Jobs that still run after `grace` get a TERM signal, and are killed when `toEnd` has settled.
   * `stoppedBefore`: how many jobs were stopped between two of their commands by then.
   */
  finish(grace: Promise<void>, toEnd: () => Promise<void>, stoppedBefore: () => number): Promise<Printed>;
}

/**
 * The maximum number of concurrent jobs of a command. A real machine allows some thousands of processes; here each job takes the memory of a shell.
 */
const mostJobs = 300;

export function createJobs(output: Pick<JobOutput, "begin" | "command">, shells: Shells): Jobs {
  let shell: Bash | null = null;
  let jobs: Job[] = [];
  let running = 0;
  /** Counts commands, because a job of an earlier command may end late. */
  let generation = 0;
  let bodies: Statement[] = [];
  let before: Before = { functions: new Set(), lastStays: false };
  /** All jobs were stopped because there were too many; no more can start. */
  let isFull = false;
  /** The command has ended, and its jobs' time is over. */
  let isOver = false;
  /** Scripts that were rewritten, including nested ones. */
  const changed = new WeakSet<object>();

  function change(script: Script): void {
    const found = rewrite(script, bodies.length, before);
    before = found;
    bodies.push(...found.jobs.map(teedJob));
    changed.add(script);
    for (const inside of insideOf(script).scripts) changed.add(inside);
  }

  /** A job's script is requested as `__vibey_body N`. The parser's result is then replaced by the job's body. */
  const bodyOf = (ast: Script): Statement | null => {
    const [first] = ast.statements;
    const found = /^__vibey_body (\d+)$/.exec(first?.sourceText ?? textOf(first));
    return found ? (bodies[Number(found[1])] ?? null) : null;
  };

  function begin(body: number, interpreter: Interpreter, context: Context): Job {
    const { env: variables, exportedEnv = {}, cwd } = context;
    if (shell === null) throw new Error("a job before its shell");
    const stop = new AbortController();
    const mine = generation;
    const owner = shellOf(interpreter);
    const pid = shells.newPid();
    const span = output.begin(spanOf(context), stop.signal, functionsOf(interpreter));
    let early: Signal | null = null;
    const forked = {
      pid,
      outer: owner,
      interrupt: (signal: Signal) => span.interrupt(signal),
      early: () => early,
      inherit: inheritable(interpreter),
    };
    const env = withSpan(withExported(Object.fromEntries(variables), Object.keys(exportedEnv)), span);
    const work = shell.exec(`__vibey_body ${body}`, {
      env: withFunctions(withBeginner(env, forked), interpreter),
      cwd,
      signal: stop.signal,
      rawScript: true,
    });
    const job: Job = {
      number: (jobs.findLast((each) => each.owner === owner && !each.told)?.number ?? 0) + 1,
      pid,
      text: bodies[body]?.sourceText?.replace(/\s*&\s*$/, "") ?? "",
      owner,
      outcome: null,
      told: false,
      done: work.then(
        ({ stdout, stderr, exitCode }) => end({ stdout, stderr, exitCode }),
        (error: unknown) => end({ stdout: "", stderr: `bash: ${String(error)}\n`, exitCode: 126 }),
      ),
      send: (signal) => void (early ??= signal),
      kill(exitCode) {
        stop.abort();
        end({ stdout: "", stderr: "", exitCode });
      },
    };
    running++;
    return job;

    function end(outcome: NonNullable<Job["outcome"]>): void {
      if (job.outcome !== null) return;
      job.outcome = outcome;
      span.close();
      if (generation === mine) running--;
    }
  }

  function start(body: number, interpreter: Interpreter, context: Context): Job | null {
    if (!isFull && running >= mostJobs) {
      isFull = true;
      for (const job of jobs) job.kill(254);
    }
    if (isFull || isOver) return null;
    const job = begin(body, interpreter, context);
    jobs.push(job);
    return job;
  }

  return {
    commands: [
      output.command,
      ...jobCommands(
        {
          all: () => jobs,
          start,
        },
        shells,
      ),
    ],
    begin() {
      jobs = [];
      running = 0;
      generation++;
      bodies = [];
      before = { functions: new Set(), lastStays: false };
      isFull = false;
      isOver = false;
    },
    adopt(script) {
      if (!changed.has(script)) change(script);
    },
    run: () => running > 0,
    attach(bash, read) {
      shell = bash;
      bash.registerTransformPlugin({
        name: "vibey-jobs",
        transform({ ast }) {
          const body = bodyOf(ast);
          if (body !== null) {
            const job = { ...ast, statements: [body] };
            changed.add(job);
            return { ast: job };
          }
          change(ast);
          read(ast);
          return { ast };
        },
      });
    },
    async finish(grace, toEnd, stoppedBefore) {
      const last = jobs.filter((job) => job.outcome === null);
      if (last.length > 0) await Promise.race([Promise.all(last.map((job) => job.done)), grace]);
      isOver = true;
      const late = jobs.filter((job) => job.outcome === null);
      const stopped = Math.min(jobs.length, late.length + stoppedBefore());
      for (const job of late) {
        const frame = shells.find(job.pid);
        if (frame === null) job.send(terminate);
        else endShell(frame, terminate);
      }
      if (late.length > 0) await Promise.race([Promise.all(late.map((job) => job.done)), toEnd()]);
      let stdout = "";
      let stderr = isFull ? `${tooManyJobs}\n` : "";
      for (const job of jobs) {
        job.kill(143);
        await job.done;
        const printed = tell(job);
        stdout += printed.stdout;
        stderr += printed.stderr;
      }
      if (stopped === 1) stderr += `${jobStopped}\n`;
      if (stopped > 1)
        stderr += `${jobStopped.replace("a background job", `${stopped} background jobs`).replace("was", "were").replace("it end", "them end")}\n`;
      return { stdout, stderr };
    },
  };
}

const terminate: Signal = { name: "SIGTERM", number: 15 };

/** The message about each job that was stopped at the command's end. */
const jobStopped = "vibey: a background job still ran at the end of the command and was stopped; use wait to let it end";

const inherited = [
  "arrays",
  "associativeArrays",
  "options",
  "shoptOptions",
  ...attributeSets,
  "readonlyVars",
  "declaredVars",
  "fileDescriptors",
  "inputFds",
  "fdAliases",
  "closedStandardFds",
  "nextFd",
  "currentSource",
  "sourceStack",
];

/** Copies a shell's current state, except its variables. */
function inheritable(interpreter: Interpreter): (into: object) => void {
  const { state } = interpreter.ctx;
  const copies: Readonly<Record<string, unknown>> = structuredClone(
    Object.fromEntries(
      inherited.map((name) => {
        const value: unknown = Reflect.get(state, name);
        return [name, name === "fileDescriptors" ? withoutSavedFiles(value) : value];
      }),
    ),
  );
  const functions = new Map(functionsIn(interpreter));
  return (into) => {
    Object.assign(into, copies, { functions });
    inheritProgram(state, into);
  };
}

function functionsOf(interpreter: Interpreter): FunctionDef[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- just-bash stores these there.
  return [...functionsIn(interpreter).values()] as FunctionDef[];
}

const tooManyJobs = `bash: fork: Resource temporarily unavailable: more than ${mostJobs} background jobs ran at one time; they were stopped`;

/** The words of a simple statement, separated by blanks; "" for any other statement. */
function textOf(statement: Statement | undefined): string {
  const simple = statement?.pipelines[0]?.commands[0];
  if (simple?.type !== "SimpleCommand" || simple.name === null) return "";
  const words = [simple.name, ...simple.args].map(({ parts }) =>
    parts.map((part) => (part.type === "Literal" ? part.value : "?")).join(""),
  );
  return words.join(" ");
}
