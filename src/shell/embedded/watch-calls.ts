import { setCaller } from "./callers.ts";
import { isInScript, placeCall, placeOf } from "./error-places.ts";
import { functionsOf } from "./exported-functions.ts";
import { aroundEval } from "./fatal-errors.ts";
import { type Method, methodOf } from "./find-interpreter.ts";
import { namesInput, withInputFile } from "./input-file.ts";
import { hideAttributes } from "./local-attributes.ts";
import { aroundMapfile } from "./mapfile.ts";
import { declares, evalWords, mended, ownAnswer, withoutSourced } from "./own-commands.ts";
import { forgetEndedLocals } from "./patch-interpreter.ts";
import { withInput } from "./read-text.ts";
import type { Interpreter } from "./running-script.ts";
import { changesShell, computedCommand, ownShellOf } from "./script.ts";
import { scriptWords } from "./script-words.ts";
import { choose, selectCommand } from "./select-loop.ts";
import { aroundCall } from "./shared-input.ts";
import { noteOptions } from "./shell-frames.ts";
import { aroundFile, aroundShell, aroundSource, calledAs } from "./sources.ts";
import { type Call, type CallResult, type CallWays, watcherOf } from "./watcher.ts";

/** Puts the watchers around every call of a command by name, and of a file. */
export function watchCalls(prototype: object): void {
  const runCommand = methodOf(prototype, "runCommand");
  const executeUserScript = methodOf(prototype, "executeUserScript");
  const call: Method = function (...args) {
    const [name, words, quoted, stdin] = args;
    const watcher = watcherOf(this);
    const around = (called: unknown, run: () => Promise<unknown>): Promise<unknown> =>
      watcher !== null && (typeof called === "string" || (typeof called === "object" && called !== null))
        ? watcher.call(this, called, run)
        : run();
    if (name === computedCommand && Array.isArray(words)) {
      const [how, first, ...others] = words.map(String);
      const exitCode = how?.startsWith("1") === true ? Number(Reflect.get(this.ctx.state, "lastExitCode")) : 0;
      if (first === undefined) return Promise.resolve({ stdout: "", stderr: "", exitCode });
      const functions: unknown = Reflect.get(this.ctx.state, "functions");
      if (how?.endsWith("p") === true && (changesShell(first) || (functions instanceof Map && functions.has(first)))) {
        const shell = ownShellOf(first, others);
        return around(shell, () => Reflect.apply(methodOf(prototype, "executeCommand"), this, [shell, stdin]));
      }
      return Reflect.apply(call, this, [first, others, Array.isArray(quoted) ? quoted.slice(2) : quoted, ...args.slice(3)]);
    }
    const plain = (): Promise<unknown> => Reflect.apply(callNow, this, args);
    if (typeof name !== "string") return around(name, plain);
    const now = Array.isArray(words) ? mended(this, name, words, plain, (own) => Reflect.apply(callNow, this, args.with(1, own))) : plain;
    const named = name.includes("/") ? () => aroundFile(this, name, now) : now;
    const place = isInScript(this) && !functionsOf(this).has(name) ? placeOf(this, undefined) : null;
    return around(name, place === null ? named : () => placeCall(place, name, named()));
  };
  const reading = (interpreter: Interpreter, given: readonly unknown[]): Promise<unknown> => {
    const [name, words, , stdin] = given;
    const run = (): Promise<unknown> => Reflect.apply(runCommand, interpreter, given);
    const names = Array.isArray(words) && words.some(namesInput) && !functionsOf(interpreter).has(String(name));
    return names ? withInputFile(interpreter, stdin, false, run) : run();
  };
  const callNow: Method = function (...given) {
    const around = watcherOf(this)?.around;
    const args = given[0] === "local" && declares(this, given[1]) ? given.toSpliced(0, 1, "declare") : given;
    const [name, words, quoted, stdin, skipsFunctions = false, , ...rest] = args;
    if (typeof words === "object" && words !== null) setCaller(words, this);
    if (name === "set" && Array.isArray(words)) noteOptions(this, words);
    if (name === "unset" && Array.isArray(words)) forgetEndedLocals(this, words);
    if ((name === "local" || name === "declare" || name === "typeset") && Array.isArray(words)) hideAttributes(this, words);
    const answer = Array.isArray(words) ? ownAnswer(this, name, words, skipsFunctions === true) : null;
    if (answer !== null) return Promise.resolve(answer);
    if (typeof name === "string" && name.startsWith(selectCommand) && Array.isArray(words))
      return choose(this, name, words, () =>
        aroundCall(this, ["read", [], [], ...args.slice(3)], (changed) => Reflect.apply(runCommand, this, changed)),
      );
    const run = (changing: readonly unknown[]): Promise<unknown> =>
      aroundMapfile(this, changing, (read) =>
        aroundCall(this, read, (changed) =>
          aroundEval(name, () =>
            aroundSource(
              this,
              name,
              words,
              () => withInput(this, withoutSourced(name, words, changed), (ready) => reading(this, ready)),
              changed[3],
            ),
          ),
        ),
      );
    if (!around || typeof name !== "string") return run(args);
    const readable = name === "eval" && Array.isArray(words) ? evalWords(words) : scriptWords(name, words);
    // The sixth argument limits the search to the shell's own commands.
    const alone = [name, readable, quoted, stdin, skipsFunctions, true, ...rest];
    const go = (own: boolean): Promise<unknown> => run(own ? alone : readable === words ? args : args.with(1, readable));
    return around.command(callOf(this, name, words, stdin), waysOf(this, stdin, go));
  };
  const file: Method = function (...args) {
    const around = watcherOf(this)?.around;
    const [path, words, stdin] = args;
    const go = (): Promise<unknown> => Reflect.apply(executeUserScript, this, args);
    return around && typeof path === "string" ? around.file(callOf(this, path, words, stdin), waysOf(this, stdin, go)) : go();
  };
  function waysOf(interpreter: Interpreter, stdin: unknown, go: (own: boolean) => Promise<unknown>): CallWays {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- just-bash returns this for every call.
    const result = (work: Promise<unknown>): Promise<CallResult> => work as Promise<CallResult>;
    return {
      go: (own) => result(go(own)),
      command: (name, args) =>
        result(
          aroundSource(interpreter, name, args, () =>
            Reflect.apply(runCommand, interpreter, [name, scriptWords(name, args), [], stdin, true, true]),
          ),
        ),
      text: (shell, path, source, args) =>
        result(
          aroundShell(interpreter, path, path, () =>
            Reflect.apply(runCommand, interpreter, [shell, scriptWords(shell, ["-c", source, path, ...args]), [], stdin, true, true]),
          ),
        ),
      file: (path, args) => result(Reflect.apply(file, interpreter, [path, args, stdin])),
    };
  }
  Object.assign(prototype, { runCommand: call, executeUserScript: file });
}

function callOf(interpreter: Interpreter, name: string, words: unknown, stdin: unknown): Call {
  const args = Array.isArray(words) ? words.map(String) : [];
  return { interpreter, name, calledAs: calledAs(interpreter, name), args, stdin: typeof stdin === "string" ? stdin : "" };
}
