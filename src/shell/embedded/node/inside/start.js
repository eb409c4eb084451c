// Starts a program, and does what is left when nothing is pending.
import { startWaiting } from "./child-process.js";
import { host } from "./host.js";
import { activityCount, guard } from "./loop.js";
import { evalModule, loadFile } from "./modules.js";
import process, { setUp, setWarnings } from "./process.js";
import { nameEval } from "./stack.js";
import { openChannel } from "./fork.js";
import { followHandlers } from "./signals.js";
import { setSettings } from "./other-processes.js";
import { testsDone, setUpTests } from "./test.js";
import { excerpt, leave, stop, syntaxPlace, unhandledMode } from "./uncaught.js";
import { inspect } from "./util.js";
import { startClock } from "./web.js";
import { seedRandom } from "./globals.js";

/** The promise of the main module until it settles. */
let mainModule = null;

export function start(settings) {
  setSettings(settings);
  startClock();
  seedRandom();
  setUp(settings);
  setWarnings(settings.warnings);
  unhandledMode(settings.unhandled);
  if (settings.stackTraceLimit !== null) Error.stackTraceLimit = settings.stackTraceLimit;
  if (settings.exposeGc) globalThis.gc = () => void host("gc");
  setUpTests(settings);
  followHandlers(process);
  openChannel(process);
  const path = `${process.cwd() === "/" ? "" : process.cwd()}/`;
  process.argv = [
    process.execPath,
    ...(settings.what === "file" || settings.what === "check"
      ? [absoluteScript(settings.script)]
      : settings.what === "stdin"
        ? ["-"].slice(settings.args.length === 0 ? 1 : 0)
        : settings.thread !== undefined
          ? ["[worker eval]"]
          : []),
    ...settings.args,
  ];
  for (const name of settings.require) preload(name);
  const begin = () => {
    switch (settings.what) {
      case "file":
        return runFile(settings.script);
      case "check":
        return check(settings.script);
      default:
        return runText(settings, path);
    }
  };
  if (settings.import.length === 0) begin();
  else
    (async () => {
      for (const name of settings.import) await host("module.load", host("module.import", name, `${path}[eval]`));
      begin();
    })();
}

const absoluteScript = (script) => (script.startsWith("/") ? script : `${process.cwd()}/${script}`).replace(/\/\.\//g, "/");

function preload(name) {
  const { require } = evalModule(`${process.cwd()}/[eval]`);
  require(name);
}

function main(script) {
  const path = absoluteScript(script);
  try {
    return JSON.parse(host("module.main", path)).path;
  } catch (error) {
    if (error.code !== "MODULE_NOT_FOUND") throw error;
    const message = `Cannot find module '${path}'`;
    host(
      "print",
      2,
      `node:internal/modules/cjs/loader:1210\n  throw err;\n  ^\n\nError: ${message}\n    at node:internal/modules/cjs/loader {\n  code: 'MODULE_NOT_FOUND',\n  requireStack: []\n}\n\nNode.js ${process.version}\n`,
    );
    return stop(1);
  }
}

function runFile(script) {
  const path = main(script);
  process.argv[1] = path;
  const format = extended(() => host("module.format", path));
  if (format !== "module") loadFile(path, undefined, true);
  else awaitMain(host("module.load", host("module.url", path)));
}

/** Only calls `run`: a syntax error names its file in its stack. */
function extended(run) {
  return run();
}

function awaitMain(promise) {
  mainModule = promise;
  promise.then(
    () => {
      mainModule = null;
    },
    (error) => {
      mainModule = null;
      // Thrown outside of the promise, so that it does not count as a rejection.
      process.nextTick(() => {
        throw error;
      });
    },
  );
}

function runText({ what, script, inputType }, folder) {
  const shown = what === "stdin" ? "[stdin]" : "[eval]";
  const path = `${folder}${inputType === "module" ? `${shown}1` : shown}`;
  const typed = host("module.typescript", script, `${folder}x.js`);
  const asModule = inputType === "module" || (inputType === null && what !== "print" && host("module.guess", typed, path) === "module");
  if (asModule) {
    const name = `file://${folder}[eval1]`;
    nameEval(name, name, typed);
    host("module.give", name, typed);
    awaitMain(host("module.load", name));
    return;
  }
  nameEval(path, shown, typed);
  const { module, require } = evalModule(path);
  Object.assign(globalThis, { module, exports: module.exports, require, __filename: shown, __dirname: "." });
  for (const name of ["module", "exports", "require", "__filename", "__dirname"])
    Object.defineProperty(globalThis, name, { enumerable: false });
  for (const name of JSON.parse(host("module.builtins")))
    if (!name.includes("/") && !(name in globalThis))
      Object.defineProperty(globalThis, name, {
        configurable: true,
        get: () => require(name),
        set: (value) => Object.defineProperty(globalThis, name, { value, writable: true, configurable: true }),
      });
  const value = host("module.run", typed, path);
  if (what === "print") process.stdout.write(`${typeof value === "string" ? value : inspect(value)}\n`);
}

function check(script) {
  const path = main(script);
  try {
    const format = host("module.format", path);
    host("module.check", host("module.text", path), path, format === "module");
  } catch (error) {
    host("print", 2, `${excerpt(syntaxPlace(error))}${error.name}: ${error.message}\n\nNode.js ${process.version}\n`);
    stop(1);
  }
}

let quietSince = -1;

/** Called when nothing is pending. True: something is pending again. */
export function finish() {
  if (testsDone() || startWaiting()) return true;
  if (mainModule !== null) {
    if (process.exitCode === undefined) {
      process.emit("exit", 13);
      host(
        "print",
        2,
        `Warning: Detected unsettled top-level await at\n${process.argv[1] ? `file://${process.argv[1]}` : "[eval1]"}\n\n\n`,
      );
      stop(process.exitCode ?? 13);
    }
    leave();
  }
  if (quietSince !== activityCount()) {
    quietSince = activityCount();
    guard(() => process.emit("beforeExit", process.exitCode ?? 0));
    return true;
  }
  leave();
  return false;
}
