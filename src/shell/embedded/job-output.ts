import type { Command, IFileSystem } from "just-bash/browser";
import { command } from "./commands/command.ts";
import { joinBytes } from "../../fs/bytes.ts";
import { toBytes } from "./encoding.ts";
import { toBytesOf, toText } from "./stray-bytes.ts";
import { createFileSink, type FileSink } from "./file-sink.ts";
import { spanOfScript } from "./in-span.ts";
import type { RunCommand } from "./watcher.ts";
import { type Goal, intoFiles, type IntoFiles } from "./into-files.ts";
import type { CommandNode, Stream } from "./places.ts";
import { type Interpreter, traces } from "./running-script.ts";
import { type FunctionDef, single, type Script } from "./script-nodes.ts";
import { defining, openCommand } from "./script.ts";
import { withSavedBody } from "./saved-streams.ts";
import { createSpan, type OwnSpan, type Span, spanOf } from "./spans.ts";
import { createTerminal, type Print, type Terminal } from "./terminal.ts";

/**
 * Writes a job's output into files while the job prints it. just-bash writes a redirection's file when the command has ended, and not at all if it
 * was killed. Here a job's command runs without its redirections, and a terminal of its own writes what it shows to the files.
 */
export interface JobOutput {
  readonly command: Command;
  /**
   * Begins a job. The job gets its own span, by which each of its commands is recognized. After `ended` aborts, its output no longer counts.
   * `functions`: those defined before.
   */
  begin(outer: Span | null, ended: AbortSignal, functions: readonly FunctionDef[]): OwnSpan;
  /** Whether the script is a job's, or one that a job runs. */
  isIn(interpreter: Interpreter): boolean;
  /** Like `command` and `script` of `Watcher`, for the commands and scripts of jobs. */
  run(interpreter: Interpreter, node: object, run: RunCommand): Promise<unknown>;
  script(interpreter: Interpreter, script: object, run: () => Promise<unknown>, isFile: boolean): Promise<unknown>;
  /** Like `early` of `Terminal`, for a command in this span; undefined: it belongs to no job. */
  early(span: Span | null): Print | null | undefined;
}

interface Job {
  readonly functions: readonly FunctionDef[];
  readonly ended: AbortSignal;
  /** The terminal of the running command that prints into a file; null if there is none. */
  terminal: Terminal | null;
  /** The interpreters whose scripts the terminal has read. */
  interpreters: WeakSet<Interpreter>;
  /** The files that `openCommand` was told about. */
  opened: readonly string[] | null;
}

type Opened =
  | { readonly kind: "left" }
  | { readonly kind: "failed"; readonly result: unknown }
  | { readonly kind: "open"; readonly sinks: readonly (FileSink | null)[] };

const openedBy = ({ opened }: Job): readonly string[] | null => opened;

export function createJobOutput(files: IFileSystem): JobOutput {
  const jobs = new WeakMap<Span, Job>();

  function jobOf(span: Span | null): Job | null {
    for (let each = span; each !== null; each = each.outer) {
      const job = jobs.get(each);
      if (job) return job;
    }
    return null;
  }

  /** `left`: just-bash must open and write the files itself. `failed`: they can't be opened; the result says why. */
  async function open(job: Job, { open: node, files: count }: IntoFiles, run: RunCommand): Promise<Opened> {
    job.opened = null;
    const result = await run(node);
    const opened = openedBy(job);
    if (opened === null) return { kind: "failed", result };
    if (opened.length !== count || opened.some((path) => path.startsWith("/dev/") && path !== "/dev/null")) return { kind: "left" };
    const sink = async (path: string): Promise<FileSink | null> =>
      path === "/dev/null" ? null : createFileSink(files, path, (await files.stat(path)).size, job.ended);
    return { kind: "open", sinks: await Promise.all(opened.map(sink)) };
  }

  function redirected(job: Job, interpreter: Interpreter, into: IntoFiles, run: RunCommand): Promise<unknown> {
    const changed = streams.filter((stream) => into[stream] !== stream);
    return withSavedBody(interpreter, changed, () => writing(job, interpreter, into, run));
  }

  async function writing(job: Job, interpreter: Interpreter, into: IntoFiles, run: RunCommand): Promise<unknown> {
    const opened = await open(job, into, run);
    if (opened.kind === "left") return run();
    if (opened.kind === "failed") return opened.result;
    const { sinks } = opened;
    const before = { terminal: job.terminal, interpreters: job.interpreters };
    const terminal = createTerminal(() => false);
    terminal.begin((stream, text) => {
      const goal = into[stream];
      if (typeof goal === "number") sinks[goal]?.print(stream, text);
    });
    terminal.read({ type: "Script", statements: [...job.functions.map(defining), single(into.bare)] });
    Object.assign(job, { terminal, interpreters: new WeakSet([interpreter]) });
    try {
      const result = await terminal.watcher.command(interpreter, into.bare, () => run(into.bare));
      const rest = await written(result, into, sinks);
      return typeof result === "object" ? { ...result, ...rest, internalOutputAccounting: undefined } : result;
    } catch (error) {
      // An error that ends a script, such as that of `exit`, carries the earlier output.
      const rest = await written(error, into, sinks);
      if (error instanceof Error && "stdout" in error) Object.assign(error, rest);
      if (error instanceof Error && "internalOutputAccounting" in error) error.internalOutputAccounting = { stdout: 0, stderr: 0 };
      throw error;
    } finally {
      terminal.end();
      Object.assign(job, before);
    }
  }

  return {
    command: command(openCommand, (args, context) => {
      const job = jobOf(spanOf(context));
      if (job !== null) job.opened = args.map((arg) => context.fs.resolvePath(context.cwd, arg));
      return {};
    }),
    begin(outer, ended, functions) {
      const span = createSpan(outer, () => undefined);
      jobs.set(span, { functions, ended, terminal: null, interpreters: new WeakSet(), opened: null });
      return span;
    },
    isIn: (interpreter) => jobOf(spanOfScript(interpreter)) !== null,
    run(interpreter, node, run) {
      const job = jobOf(spanOfScript(interpreter));
      if (job === null) return run();
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- just-bash runs it as a command.
      const whole = node as CommandNode;
      // `set -x` would show how the files are opened.
      const into = traces(interpreter) ? null : intoFiles(whole);
      const work = into === null ? () => run() : () => redirected(job, interpreter, into, run);
      return job.terminal === null ? work() : job.terminal.watcher.command(interpreter, node, work);
    },
    script(interpreter, script, run, isFile) {
      const job = jobOf(spanOfScript(interpreter));
      if (job === null || job.terminal === null) return run();
      if (!job.interpreters.has(interpreter)) {
        job.interpreters.add(interpreter);
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- just-bash runs it as a script.
        job.terminal.read(script as Script);
      }
      return job.terminal.watcher.script(interpreter, script, run, isFile);
    },
    early(span) {
      const job = jobOf(span);
      return job === null ? undefined : (job.terminal?.early() ?? null);
    },
  };
}

/** Writes the part of a result that goes to the files, or of an error that ended the command, and returns the rest. */
async function written(ended: unknown, into: IntoFiles, sinks: readonly (FileSink | null)[]): Promise<Rest> {
  const given = { stdout: textOf(ended, "stdout"), stderr: textOf(ended, "stderr") };
  const isBytes = fieldOf(ended, "stdoutKind") === "bytes" || fieldOf(ended, "stdoutEncoding") === "binary";
  const bytes = { stdout: isBytes ? toBytes(given.stdout, "latin1") : toBytesOf(given.stdout), stderr: toBytesOf(given.stderr) };
  const to = (goal: Goal): Stream[] => streams.filter((stream) => into[stream] === goal);
  for (const [i, sink] of sinks.entries()) await sink?.finish(to(i).map((stream) => [stream, bytes[stream]]));
  const text = (goal: Stream): string => toText(joinBytes(to(goal).map((stream) => bytes[stream])));
  if (into.stdout === "stdout" && into.stderr !== "stdout") return { stdout: given.stdout, stderr: text("stderr") };
  return { stdout: text("stdout"), stderr: text("stderr"), stdoutKind: "text", stdoutEncoding: undefined };
}

const streams = ["stdout", "stderr"] as const;

interface Rest {
  readonly stdout: string;
  readonly stderr: string;
  readonly stdoutKind?: "text";
  readonly stdoutEncoding?: undefined;
}

const fieldOf = (of: unknown, name: string): unknown => (typeof of === "object" && of !== null ? Reflect.get(of, name) : undefined);

function textOf(ended: unknown, stream: Stream): string {
  const text = fieldOf(ended, stream);
  return typeof text === "string" ? text : "";
}
