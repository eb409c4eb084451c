import type { Answer, Context, Run } from "../commands/answer.ts";
import type { ShellHost } from "../host.ts";
import { exec } from "./commands/exec.ts";
import { ci, install, prune, uninstall, update } from "./commands/install.ts";
import { list } from "./commands/list.ts";
import { config, init, pkg, version } from "./commands/package.ts";
import { runAll } from "./commands/run-all.ts";
import { run } from "./commands/run.ts";
import { outdated, view } from "./commands/view.ts";
import { parseCall } from "./config.ts";
import { absent, errorText, NpmError } from "./failure.ts";
import { createNpm, type Npm, type NpmResult } from "./npm.ts";
import { npmVersion } from "./registry/pick.ts";

type Subcommand = (npm: Npm) => Promise<number> | number;

const script =
  (name: string): Subcommand =>
  (npm) =>
    runAll(npm, name, [...npm.call.operands, ...npm.call.rest]);

const say =
  (text: (npm: Npm) => string): Subcommand =>
  (npm) => {
    npm.out(text(npm));
    return 0;
  };

const inside = (npm: Npm, name: string): string => `${npm.prefix === "/" ? "" : npm.prefix}/${name}`;

const commands: readonly (readonly [names: string, run: Subcommand])[] = [
  ["install i in ins inst insta instal isnt isnta isntal add", install],
  ["ci clean-install ic install-clean", ci],
  ["uninstall un unlink remove rm r", uninstall],
  ["update up upgrade udpate", update],
  ["prune", prune],
  ["ls list la ll", list],
  ["view info show v", view],
  ["outdated", outdated],
  ["run run-script rum urn", (npm) => runAll(npm, npm.call.operands[0], [...npm.call.operands.slice(1), ...npm.call.rest])],
  ["test t tst", script("test")],
  ["start", script("start")],
  ["stop", script("stop")],
  ["restart", script("restart")],
  ["exec x", (npm) => exec(npm, [...npm.call.operands, ...(npm.call.rest[0] === "--" ? npm.call.rest.slice(1) : npm.call.rest)])],
  ["init create innit", init],
  ["pkg", pkg],
  ["version verison", version],
  ["config c", config],
  ["get", (npm) => config({ ...npm, call: { ...npm.call, operands: ["get", ...npm.call.operands] } })],
  ["root", say((npm) => inside(npm, "node_modules"))],
  ["prefix", say((npm) => npm.prefix)],
  ["bin", say((npm) => inside(npm, "node_modules/.bin"))],
  ["help", say(() => help)],
  ["install-test it", async (npm) => (await install(npm)) || run(npm, "test", [])],
];

/** The commands that also run in workspaces. */
const scriptCommands: ReadonlySet<Subcommand> = new Set(
  commands.flatMap(([names, subcommand]) => (/^(?:run|test|start|stop|restart)\b/.test(names) ? [subcommand] : [])),
);

const byName = new Map(commands.flatMap(([names, subcommand]) => names.split(" ").map((name) => [name, subcommand] as const)));

const reasons: readonly (readonly [names: string, why: string])[] = [
  ["publish unpublish pack deprecate dist-tag owner access team org star unstar stars stage", "packages can't be published from here"],
  ["login logout adduser whoami token profile hook trust", "no account of a registry is used here"],
  ["audit fund sbom doctor ping search diff", "it needs services of the registry that are not used here"],
  ["link ln", "there are no links here"],
  ["rebuild install-scripts", "install scripts are not run here"],
  ["dedupe ddp find-dupes shrinkwrap", "use npm install, which places packages as npm does"],
  ["explain why query edit explore docs home bugs repo issues cache completion set undeprecate", "it is not part of Vibey's npm"],
];

const whyNot = new Map(reasons.flatMap(([names, why]) => names.split(" ").map((name) => [name, why] as const)));

const listed =
  "ci, config, exec, init, install, ls, outdated, pkg, prefix, prune, root, run, start, stop, test, uninstall, update, version, view";

const help = `npm <command>

Usage:

npm install        install all the dependencies in your project
npm install <foo>  add the <foo> dependency to your project
npm test           run this project's tests
npm run <foo>      run the script named <foo>

All commands:

    ${listed}

npm@${npmVersion} (Vibey)`;

/** The files that npm reads, of the project and of every package. `reify` reads the packages' programs. */
const ownFiles = /\/(?:package\.json|package-lock\.json|\.package-lock\.json|npm-shrinkwrap\.json|\.npmrc)$/;

/** npm as a shell command. */
export const runNpm =
  (host: ShellHost): Run =>
  (args, context) => {
    // Options after the command that `npm exec` runs belong to that command.
    const execAt = args.findIndex((arg) => !arg.startsWith("-"));
    const stops = args[execAt] === "exec" || args[execAt] === "x" ? 2 : Number.POSITIVE_INFINITY;
    return answer(host, context, args, dispatch, stops);
  };

/** npx as a shell command. */
export const runNpx =
  (host: ShellHost): Run =>
  (args, context) =>
    answer(
      host,
      context,
      args,
      (each) => {
        if (each.config.flag("version") && each.call.operands.length === 0) return say(() => npmVersion)(each);
        if (each.inWorkspaces) return absent("npx is not here for workspaces; run it in the workspace's folder.");
        return exec(each, [...each.call.operands, ...each.call.rest]);
      },
      1,
    );

async function answer(host: ShellHost, context: Context, args: readonly string[], work: Subcommand, stopAt?: number): Promise<Answer> {
  const result: NpmResult = { stdout: "", stderr: "" };
  await host.files.load(undefined, (path) => ownFiles.test(path));
  try {
    const exitCode = await work(createNpm(host, context, parseCall(args, stopAt), result));
    return { ...result, exitCode };
  } catch (error) {
    if (!(error instanceof NpmError)) throw error;
    return { stdout: result.stdout, stderr: result.stderr + errorText(error), exitCode: error.exitCode };
  }
}

function dispatch(npm: Npm): Promise<number> | number {
  const [name, ...operands] = npm.call.operands;
  if (npm.config.flag("version") && name === undefined) return say(() => npmVersion)(npm);
  if (name === undefined || npm.config.flag("help")) {
    npm.out(help);
    return name === undefined && !npm.config.flag("help") ? 1 : 0;
  }
  const found = byName.get(name);
  if (found && npm.inWorkspaces && !scriptCommands.has(found))
    return absent(`npm ${name} is not here for workspaces, because there are no links; npm run and npm test are.`);
  if (found) return found({ ...npm, call: { ...npm.call, operands } });
  const why = whyNot.get(name);
  if (why !== undefined) return absent(`npm ${name} is not here: ${why}.`);
  npm.out(`Unknown command: "${name}"\n\nTo see a list of supported npm commands, run:\n  npm help`);
  return 1;
}
