import type { Answer, Run } from "../commands/answer.ts";
import { absolute } from "../commands/files.ts";
import type { ShellHost } from "../host.ts";
import { pythonFolder } from "../python/version.ts";
import { environmentIn, environmentOf } from "./environment.ts";
import { PipError } from "./failure.ts";
import { check, list, show, sorted } from "./inspect.ts";
import { install, uninstall } from "./install.ts";
import { parsePipCall } from "./options.ts";
import type { Pip } from "./run.ts";

/** The version of pip whose messages are used. */
const pipVersion = "25.3";

const help = `
Usage:
  pip <command> [options]

Commands:
  install                     Install packages.
  uninstall                   Uninstall packages.
  freeze                      Output installed packages in requirements format.
  list                        List installed packages.
  show                        Show information about installed packages.
  check                       Verify installed packages have compatible dependencies.
  help                        Show help for commands.

Packages are wheels of pure Python, and come to .venv of the project, which python3 looks into.
`;

const absent: Readonly<Record<string, string>> = {
  download: "a package is fetched when it is installed",
  wheel: "wheels can't be built here",
  build: "wheels can't be built here",
  search: "the index offers no search",
  cache: "nothing is cached",
  config: "there are no settings; use --index-url",
  index: "use pip install with a version to see which there are",
  hash: "use sha256sum",
  lock: "use pip freeze",
  debug: "it is not part of Vibey's pip",
  inspect: "use pip list",
};

/** `pip`: installs pure Python packages from an index into a virtual environment of the project. */
export const pip =
  (host: ShellHost): Run =>
  async (args, context): Promise<Answer> => {
    const out: string[] = [];
    const err: string[] = [];
    try {
      const call = parsePipCall(args);
      await host.files.load(undefined, (path) => path.includes(".dist-info/") || /\.(?:txt|in)$/.test(path));
      const target = call.values.get("target")?.[0];
      const environment =
        target === undefined
          ? environmentOf(host.files, context.exportedEnv ?? {})
          : environmentIn(host.files, absolute(context, target), absolute(context, target));
      const isQuiet = call.flags.has("quiet") && call.command.endsWith("install");
      const exitCode = await run({
        call,
        host,
        context,
        environment,
        out: (line) => void (isQuiet || out.push(line)),
        warn: (line) => void err.push(line),
      });
      return { stdout: text(out), stderr: text(err), exitCode };
    } catch (error) {
      if (!(error instanceof PipError)) throw error;
      return { stdout: text(out), stderr: text([...err, ...error.lines.map((line) => `ERROR: ${line}`)]), exitCode: 1 };
    }
  };

const text = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");

async function run(one: Pip): Promise<number> {
  const { call, environment, out } = one;
  if (call.flags.has("version") && call.command === "") {
    out(`pip ${pipVersion} from ${environment.site}/pip (python ${pythonFolder.slice("python".length)})`);
    return 0;
  }
  switch (call.command) {
    case "":
    case "help":
      out(help);
      return 0;
    case "install":
      return install(one);
    case "uninstall":
      return uninstall(one);
    case "freeze":
      for (const { name, version } of sorted(one)) out(`${name}==${version}`);
      return 0;
    case "list":
      return list(one);
    case "show":
      return show(one);
    case "check":
      return check(one);
    default: {
      const why = absent[call.command];
      throw new PipError(why === undefined ? `unknown command "${call.command}"` : `pip ${call.command} is not here: ${why}`);
    }
  }
}
