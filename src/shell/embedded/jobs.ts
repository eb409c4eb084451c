import type { Bash, Command } from "just-bash/browser";
import { type Answer, type Context, failed } from "./commands/answer.ts";
import { command } from "./commands/command.ts";
import { withExported } from "./exported.ts";
import type { JobOutput } from "./job-output.ts";
import { spanOf, withSpan } from "./spans.ts";
import { insideOf } from "./places.ts";
import {
  defining,
  type FunctionDef,
  jobCommand,
  jobVariable,
  leaveCommand,
  rewrite,
  trapVariable,
  type Script,
  type Statement,
  waitCommand,
} from "./script.ts";

interface Job {
  readonly number: number;
  readonly pid: number;
  readonly stop: AbortController;
  readonly done: Promise<void>;
  /** null while it runs. */
  outcome: { readonly stdout: string; readonly stderr: string; readonly exitCode: number } | null;
  /** Its output was printed, or it was killed. */
  told: boolean;
}

export interface Printed {
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * `command &`, `wait`, `jobs`, `kill` and `trap … EXIT` of one shell, which just-bash does not have.
 *
 * - A job runs beside the command that started it, with copies of its variables and the functions of its script, without its arrays.
 * - What a job prints into a file is there at once, and stays when it is killed: see `job-output.ts`.
 * - What else a job printed is shown when it is waited for, else at the end of the command.
 * - A job ends with the command that started it, at the latest.
 * - An EXIT trap runs at the end of the shell that it was set in: see `traps.ts`.
 */
export interface Jobs {
  readonly commands: readonly Command[];
  /** Before a command. */
  begin(): void;
  /** `read` is called with each script once it is changed. */
  attach(bash: Bash, read: (script: Script) => void): void;
  /** A script that just-bash read by itself, such as a file's, is changed before it runs. */
  adopt(script: Script): void;
  /** One of them still runs. */
  run(): boolean;
  /** The variables at the last `exit`, in whatever part of the command; null: there was none. */
  left(): Readonly<Record<string, string>> | null;
  /** What jobs printed that no one waited for; those that still run are stopped after `grace`. */
  finish(grace: Promise<void>): Promise<Printed>;
}

/** Process numbers start here, as on a machine that has been up for a while. */
const firstPid = 100;

export function createJobs(output: Pick<JobOutput, "begin" | "command">): Jobs {
  let shell: Bash | null = null;
  let jobs: Job[] = [];
  let bodies: Statement[] = [];
  let functions: FunctionDef[] = [];
  let left: Readonly<Record<string, string>> | null = null;
  /** Scripts that were changed, those inside of others included. */
  const changed = new WeakSet<object>();

  function change(script: Script): void {
    const found = rewrite(script, bodies.length);
    bodies.push(...found.jobs);
    functions.push(...found.functions);
    changed.add(script);
    for (const inside of insideOf(script).scripts) changed.add(inside);
  }

  /** A job's own script is asked for by this text, which the parser's answer is then exchanged for. */
  const bodyOf = (ast: Script): Statement | null => {
    const [first] = ast.statements;
    const found = /^__vibey_body (\d+)$/.exec(first?.sourceText ?? textOf(first));
    return found ? (bodies[Number(found[1])] ?? null) : null;
  };

  function start(body: number, context: Context): Job {
    const { env: variables, exportedEnv = {}, cwd } = context;
    if (shell === null) throw new Error("a job before its shell");
    const stop = new AbortController();
    const env = withSpan(
      withExported(Object.fromEntries(variables), Object.keys(exportedEnv)),
      output.begin(spanOf(context), stop.signal, functions),
    );
    const running = shell.exec(`__vibey_body ${body}`, { env, cwd, signal: stop.signal, rawScript: true });
    const number = jobs.length + 1;
    const job: Job = {
      number,
      pid: firstPid + number,
      stop,
      outcome: null,
      told: false,
      done: running.then(
        ({ stdout, stderr, exitCode }) => void (job.outcome ??= { stdout, stderr, exitCode }),
        (error: unknown) => void (job.outcome ??= { stdout: "", stderr: `bash: ${String(error)}\n`, exitCode: 126 }),
      ),
    };
    jobs.push(job);
    return job;
  }

  function tell(job: Job): Printed {
    if (job.told || job.outcome === null) return { stdout: "", stderr: "" };
    job.told = true;
    return job.outcome;
  }

  const named = (name: string): Job | undefined =>
    jobs.find((job) => name === String(job.pid) || name === `%${job.number}` || (/^%[%+]$/.test(name) && job === jobs.at(-1)));

  const commands = [
    output.command,
    command(jobCommand, async (args, context) => {
      const job = start(Number(args[0]), context);
      await context.assignShellVariable?.(jobVariable, String(job.pid));
      return {};
    }),
    command(waitCommand, async (args) => {
      const names = args.filter((arg) => !arg.startsWith("-"));
      const unknown = names.find((name) => !named(name));
      if (unknown !== undefined) return failed("bash: wait", `pid ${unknown} is not a child of this shell`, 127);
      const waited =
        names.length > 0
          ? names.flatMap((name) => named(name) ?? [])
          : args.includes("-n")
            ? jobs.filter((job) => !job.told).slice(0, 1)
            : jobs;
      let stdout = "";
      let stderr = "";
      for (const job of await inOrderOfEnd(waited)) {
        const printed = tell(job);
        stdout += printed.stdout;
        stderr += printed.stderr;
      }
      return { stdout, stderr, exitCode: names.length > 0 || args.includes("-n") ? (waited.at(-1)?.outcome?.exitCode ?? 127) : 0 };
    }),
    command(leaveCommand, (args, context) => {
      left = Object.fromEntries(context.env);
      return { exitCode: args[0] === "same" ? Number(context.env.get("?") ?? 0) : 0 };
    }),
    command("jobs", (args) => {
      const running = jobs.filter((job) => job.outcome === null);
      return { stdout: running.map((job) => (args.includes("-p") ? `${job.pid}\n` : `[${job.number}]   Running\n`)).join("") };
    }),
    command("kill", (args): Answer => {
      if (args[0] === "-l") return { stdout: "HUP INT QUIT KILL TERM\n" };
      const test = args[0] === "-0";
      const names = args.filter((arg, i) => !/^-([0-9A-Z]+|s)$/.test(arg) && args[i - 1] !== "-s");
      if (names.length === 0)
        return failed("bash: kill", "usage: kill [-s sigspec | -n signum | -sigspec] pid | jobspec ... or kill -l [sigspec]", 2);
      let stderr = "";
      for (const name of names) {
        const job = named(name);
        if (!job || job.outcome !== null)
          stderr += name.startsWith("%") ? `bash: kill: ${name}: no such job\n` : `bash: kill: (${name}) - No such process\n`;
        else if (!test) {
          job.stop.abort();
          job.told = true;
          job.outcome = { stdout: "", stderr: "", exitCode: args.some((arg) => /^-(9|KILL|SIGKILL)$/.test(arg)) ? 137 : 143 };
        }
      }
      return { stderr, exitCode: stderr === "" ? 0 : 1 };
    }),
    command("disown", () => ({})),
    command("fg", () => failed("bash: fg", "no job control")),
    command("bg", () => failed("bash: bg", "no job control")),
    command("trap", async (args, context): Promise<Answer> => {
      const [handler, ...signals] = args[0] === "--" ? args.slice(1) : args;
      if (handler === undefined || handler === "-p") return { stdout: printedTrap(context.env.get(trapVariable)) };
      if (handler === "-l") return { stdout: "1) SIGHUP 2) SIGINT 3) SIGQUIT 9) SIGKILL 15) SIGTERM\n" };
      const names = signals.length === 0 ? [handler] : signals;
      for (const name of names) {
        if (/^(ERR|DEBUG|RETURN)$/.test(name)) return failed("bash: trap", `${name} is not supported here; EXIT is`);
        if (!/^(SIG)?(EXIT|HUP|INT|QUIT|TERM|USR1|USR2|PIPE|CHLD|ALRM|WINCH|TSTP|CONT)$|^\d+$/i.test(name))
          return failed("bash: trap", `${name}: invalid signal specification`);
      }
      if (!names.some((name) => /^(EXIT|0)$/i.test(name))) return {};
      if (!context.assignShellVariable) throw new Error("a trap outside of a shell");
      await context.assignShellVariable(trapVariable, signals.length === 0 || handler === "-" ? "" : handler);
      return {};
    }),
  ];

  return {
    commands,
    begin() {
      jobs = [];
      bodies = [];
      functions = [];
      left = null;
    },
    adopt(script) {
      if (!changed.has(script)) change(script);
    },
    left: () => left,
    run: () => jobs.some((job) => job.outcome === null),
    attach(bash, read) {
      shell = bash;
      bash.registerTransformPlugin({
        name: "vibey-jobs",
        transform({ ast }) {
          const body = bodyOf(ast);
          if (body !== null) {
            const job = { ...ast, statements: [...functions.map(defining), body] };
            changed.add(job);
            return { ast: job };
          }
          change(ast);
          read(ast);
          return { ast };
        },
      });
    },
    async finish(grace) {
      const running = jobs.filter((job) => job.outcome === null);
      if (running.length > 0) await Promise.race([Promise.all(running.map((job) => job.done)), grace]);
      let stdout = "";
      let stderr = "";
      for (const job of jobs) {
        const stopped = job.outcome === null;
        job.stop.abort();
        await job.done;
        const printed = tell(job);
        stdout += printed.stdout;
        if (stopped) stderr += `${jobStopped}\n`;
        else stderr += printed.stderr;
      }
      return { stdout, stderr };
    },
  };
}

/** The jobs once all of them have ended, the first to end first: so they printed. */
async function inOrderOfEnd(jobs: readonly Job[]): Promise<readonly Job[]> {
  const ended: Job[] = [];
  await Promise.all(
    jobs.map(async (job) => {
      await job.done;
      ended.push(job);
    }),
  );
  return ended;
}

function printedTrap(handler: string | undefined): string {
  return handler === undefined || handler === "" ? "" : `trap -- '${handler.replaceAll("'", "'\\''")}' EXIT\n`;
}

/** What the result of a command says of each job that was stopped at its end. */
export const jobStopped = "vibey: a background job still ran at the end of the command and was stopped; use wait to let it end";

/** The words of a simple statement, one blank between them; empty for any other. */
function textOf(statement: Statement | undefined): string {
  const simple = statement?.pipelines[0]?.commands[0];
  if (simple?.type !== "SimpleCommand" || simple.name === null) return "";
  const words = [simple.name, ...simple.args].map(({ parts }) =>
    parts.map((part) => (part.type === "Literal" ? part.value : "?")).join(""),
  );
  return words.join(" ");
}
