import { init } from "cjs-module-lexer";
import { type Answer, type Context, failed, type Run, stdinBytes } from "../commands/answer.ts";
import type { ShellHost } from "../host.ts";
import { help } from "./help.ts";
import { joinPath } from "./modules/paths.ts";
import { parseArguments } from "./options.ts";
import type { Outside } from "./operations/outside.ts";
import { type Ended, type Program, runProgram } from "./program.ts";
import { badOption, environment, nodeOptions } from "./start-settings.ts";
import { runTests, testFiles } from "./test-run.ts";
import { nodeVersion } from "./version.ts";

/** For `c8` and similar programs, which wait for files that V8 would write. */
const noCoverage =
  "node: V8's own coverage can't be had here (NODE_V8_COVERAGE); use istanbul's: jest --coverage, or vitest with @vitest/coverage-istanbul\n";

/** Node as a shell command: runs JavaScript and TypeScript on the browser's own engine, or on QuickJS. */
export function node(host: ShellHost): Run {
  return async (args, context) => {
    const start = host.programStarts?.begin();
    try {
      return await runNode(host, args, context, () => start?.begun());
    } finally {
      start?.ended();
    }
  };
}

async function runNode(host: ShellHost, args: readonly string[], context: Context, begun: () => void): Promise<Answer> {
  const before = nodeOptions(context.exportedEnv);
  const parsed = parseArguments([...before, ...args], before.length);
  if (parsed.kind === "bad") return failed("node", parsed.message, badOption);
  const { invocation } = parsed;
  if (invocation.what === "version") return { stdout: `${nodeVersion}\n` };
  if (invocation.what === "help") return { stdout: help };
  const stdin = stdinBytes(context);
  if (invocation.what === "stdin" && stdin.length === 0 && args.length === 0)
    return failed("node", "there is no terminal here for an interactive session; give a file, -e, or a script on stdin", badOption);
  const env = environment(host.files, context.cwd, context.exportedEnv ?? {}, invocation);
  if (typeof env === "string") return failed("node", env, badOption);
  await init();
  await host.files.load();
  const { run, engine, remark } = await chooseEngine(host);
  // The output of --test is put together from its files.
  const live = invocation.what === "test" ? null : host.terminal(context);
  const program = (start: object, report?: (json: string) => void): Program => ({
    host,
    begun,
    conditions: invocation.conditions,
    stdin: invocation.what === "stdin" ? new Uint8Array() : stdin,
    start: JSON.stringify({
      ...invocation,
      version: nodeVersion,
      engine,
      cwd: context.cwd,
      env,
      testChild: report !== undefined,
      ...start,
    }),
    outside: outsideOf(host, context),
    ...(live ? { live } : {}),
    ...(report ? { report } : {}),
  });
  if (invocation.what !== "test") {
    const ended = await run(program(invocation.what === "stdin" ? { script: new TextDecoder().decode(stdin) } : {}));
    return { ...ended, stderr: remark + (env["NODE_V8_COVERAGE"] ? noCoverage : "") + ended.stderr };
  }
  const { found, missing } = testFiles(host.files, context.cwd, invocation.args);
  if (missing !== null) return { stderr: `Could not find '${joinPath(context.cwd, missing)}'\n`, exitCode: 1 };
  return runTests(found, {
    cwd: context.cwd,
    reporter: invocation.reporter,
    now: () => performance.now(),
    stopped: () => host.stop() !== null,
    runFile: (path, report) => run(program({ what: "file", script: path, args: [] }, report)),
  });
}

interface Engine {
  readonly run: (program: Program) => Promise<Ended>;
  readonly engine: "quickjs" | "browser";
  /** A line for stderr, or "". */
  readonly remark: string;
}

/** Chooses the browser's own engine, in a frame of the dialog, or QuickJS if that engine is turned off or no frame is possible. */
async function chooseEngine(host: ShellHost): Promise<Engine> {
  const quickjs = { run: runProgram, engine: "quickjs", remark: "" } as const;
  try {
    const frame = (await host.programs?.()) ?? null;
    if (frame === null) return quickjs;
    const { runInFrame } = await import("./frame/run.ts");
    return { run: (program) => runInFrame(program, frame), engine: "browser", remark: "" };
  } catch (error) {
    if (host.stop() !== null) return quickjs;
    const why = error instanceof Error ? error.message : String(error);
    return { ...quickjs, remark: `node: the browser's own engine can't be had: ${why}. This ran on QuickJS\n` };
  }
}

function outsideOf(host: ShellHost, context: Context): Outside {
  return {
    fetch: (request, signal) => host.fetch(request, { signal }),
    ports: host.ports,
    async exec(command, options) {
      if (!context.exec) return { stdout: "", stdoutIsBytes: false, stderr: "no command can be run from here\n", exitCode: 126 };
      // The environment that a program gives another one also applies to everything that the other one starts.
      const names = Object.keys(options.env).filter((name) => /^[A-Za-z_]\w*$/.test(name));
      const done = await context.exec(names.length === 0 ? command : `export ${names.join(" ")}; ${command}`, {
        ...options,
        env: { ...options.env },
        replaceEnv: true,
        stdinKind: "bytes",
        signal: AbortSignal.any([options.signal, host.signal()]),
      });
      const stdoutIsBytes = done.stdoutKind === "bytes" || done.stdoutEncoding === "binary";
      return { stdout: done.stdout, stdoutIsBytes, stderr: done.stderr, exitCode: done.exitCode };
    },
  };
}
