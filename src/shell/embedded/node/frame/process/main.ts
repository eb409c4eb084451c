// Import this first: it captures browser globals that the other modules remove.
import * as natives from "./natives.ts";
import { lexerReady } from "./lexer.ts";
import { setHostCalls } from "./host-calls.ts";
// oxlint-disable-next-line import/no-unassigned-import -- it stores itself on the global object, where it is read just below.
import "../../inside/main.js";
import { askForPorts } from "../../../loopback/over-messages.ts";
import { fileOperations } from "../../operations/files.ts";
import { netOperations } from "../../operations/net.ts";
import { outsideOperations, type Outside } from "../../operations/outside.ts";
import { webOperations } from "../../operations/web.ts";
import { zlibOperations } from "../../operations/zlib.ts";
import { pipeLimit, printLimit, tooMuch, tooMuchPiped } from "../../output.ts";
import { copyOf, type Inside, type Plain } from "../../plain.ts";
import type { NetAnswer } from "../../../../network.ts";
import { type ExecutedInShell, type FromProcess, type StartOfProcess, type ToProcess } from "../messages.ts";
import { awaitNames } from "./awaits.ts";
import { childOperations, type HearsChildren } from "./children.ts";
import { processFiles } from "./files.ts";
import { createLoader, importName, type InsideModules } from "./loader.ts";
import { removeGlobals } from "./remove-globals.ts";
import { createTurns } from "./event-loop.ts";

/** The exports of the runtime inside: see inside/main.js. */
interface RuntimeExports extends InsideModules, HearsChildren {
  readonly unhandledRejection: (reason: unknown, promise: unknown) => void;
  readonly filesChanged: (number: number, json: string) => void;
  readonly signalEvent: (name: string) => void;
  readonly rejectionHandled: (promise: unknown) => void;
  readonly [name: string]: (...args: never[]) => unknown;
}

const key = Symbol.for("vibey.node");
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is ours.
const machine = Reflect.get(globalThis, key) as RuntimeExports;
natives.hearOnce((data) => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the frame sends nothing else.
  void lexerReady.then(() => begin(data as StartOfProcess));
});
removeGlobals();

const inside: Inside = {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the runtime inside answers with plain values.
  call: (name, ...args) => Reflect.apply(machine[name] as () => unknown, machine, args) as Plain,
};

/** The first 1,000 writes are posted immediately. Later ones are batched, because a program that never yields would otherwise flood the port. */
const saidAtOnce = 1_000;
/** Milliseconds, and UTF-16 units or bytes, that may be batched. */
const togetherFor = 4;
const togetherOf = 65_536;

/** The port to the shell. It reports the process's actions in order. */
function createOutput(port: MessagePort, limit: number) {
  let prints = 0;
  let total = 0;
  let kept: { readonly stream: "stdout" | "stderr"; text: string } | null = null;
  let since = 0;

  function flush(): void {
    if (kept === null) return;
    const { stream, text } = kept;
    kept = null;
    port.postMessage({ type: "print", stream, printed: text } satisfies FromProcess);
  }
  function say(message: FromProcess): void {
    flush();
    port.postMessage(message);
  }
  return {
    say,
    flush,
    /** False: it printed too much. */
    print(stream: "stdout" | "stderr", printed: string | Uint8Array): boolean {
      total += printed.length;
      if (total > limit) return false;
      if (typeof printed !== "string" || ++prints <= saidAtOnce) {
        say({ type: "print", stream, printed: typeof printed === "string" ? printed : copyOf(printed) });
        return true;
      }
      if (kept?.stream !== stream) flush();
      const now = natives.performance.now();
      if (kept === null) since = now;
      kept = { stream, text: (kept?.text ?? "") + printed };
      if (now - since > togetherFor || kept.text.length > togetherOf) flush();
      return true;
    },
  };
}

/**
 * Starts the program when the shell's first message arrives. A newly transferred port buffers messages until the other end responds. In Firefox that
 * takes one event-loop turn, and the program may never yield.
 */
function begin(start: StartOfProcess): void {
  start.port.addEventListener("message", () => run(start), { once: true });
  start.port.start();
}

function run({ settings, files: entries, port }: StartOfProcess): void {
  const limit = settings.piped ? pipeLimit : printLimit;
  const voice = createOutput(port, limit);
  let ended = false;

  /** Ends the process. Nothing more of the program may run until the frame removes this worker. */
  function end(code: number, broken: string | null): never {
    if (!ended) voice.say({ type: "ended", code, broken });
    ended = true;
    natives.endProcess();
  }
  const breakOff = (error: unknown): never => end(134, `node: ${error instanceof Error ? error.message : String(error)}`);

  const { files, update, watch } = processFiles(entries, voice.say);
  let lastChange = 0;
  const turns = createTurns(
    {
      call(name, ...args) {
        const answer = inside.call(name, ...args);
        voice.flush();
        return answer;
      },
    },
    breakOff,
  );
  const outside = outsideOf(port, voice.say);
  const ports = askForPorts((message) => voice.say({ type: "ports", message }));
  port.addEventListener("message", ({ data }: MessageEvent<ToProcess>) => {
    if (data.type === "ports") ports.hear(data.message);
    else if (data.type === "files") update(data);
    else if (data.type === "signal") turns.post(() => machine.signalEvent(data.name));
  });
  const loader = createLoader(files, settings.conditions, machine);
  Object.defineProperty(globalThis, importName, { value: loader.importFrom });
  Object.defineProperty(globalThis, awaitNames.keep, { value: machine.kept });
  Object.defineProperty(globalThis, awaitNames.back, { value: machine.back });

  setHostCalls(
    {
      ...fileOperations(files),
      "fs.read": (path: string) => files.read(path).slice(),
      ...webOperations,
      ...zlibOperations(),
      ...outsideOperations(outside, turns, () => inside),
      ...netOperations(ports, turns, () => inside).operations,
      ...loader.operations,
      "files.watch"(on: boolean) {
        watch(
          on
            ? (changes) => {
                const number = ++lastChange;
                turns.post(() => machine.filesChanged(number, JSON.stringify(changes)));
              }
            : null,
        );
        voice.say({ type: "watch", on });
      },
      // A watch that starts now does not report these changes.
      "files.changesSoFar": () => lastChange,
      ...childOperations(port, settings.data, turns, machine, voice.say),
      print(stream: number, printed: string | Uint8Array) {
        if (!voice.print(stream === 2 ? "stderr" : "stdout", printed)) end(134, settings.piped ? tooMuchPiped : tooMuch);
      },
      stdin: () => settings.stdin,
      exit: (code: number) => end(code, null),
      "signal.handle": (signal: string, on: boolean) => voice.say({ type: "handle", signal, on }),
      "test.report": (json: string) => voice.say({ type: "report", json }),
      memory: () => JSON.stringify(memory()),
      gc: () => undefined,
      seed: () => JSON.stringify([...natives.crypto.getRandomValues(new Uint32Array(4))]),
    },
    machine,
  );

  natives.hearRejections(
    (reason, promise) => turns.runSeparately(() => machine.unhandledRejection(reason, promise)),
    (promise) => turns.runSeparately(() => machine.rejectionHandled(promise)),
  );
  natives.hearErrors(breakOff);
  turns.start(() => inside.call("start", settings.start));
}

/** Memory in bytes, as far as the browser tells. */
function memory(): Readonly<Record<string, number>> {
  const told: unknown = Reflect.get(natives.performance, "memory");
  const of = (name: string): number => (typeof told === "object" && told !== null ? Number(Reflect.get(told, name)) || 0 : 0);
  return { mallocSize: of("totalJSHeapSize"), memoryUsedSize: of("usedJSHeapSize"), binaryObjectSize: 0 };
}

/** Access to the network and the shell's commands, by messages. */
function outsideOf(port: MessagePort, say: (message: FromProcess) => void): Outside {
  let lastId = 0;
  const fetches = new Map<number, (answer: NetAnswer) => void>();
  const commands = new Map<number, { readonly done: (done: ExecutedInShell) => void; readonly killed: (error: Error) => void }>();
  port.addEventListener("message", ({ data }: MessageEvent<ToProcess>) => {
    if (data.type === "fetched") {
      fetches.get(data.id)?.(data.answer);
      fetches.delete(data.id);
    } else if (data.type === "executed") {
      const waiting = commands.get(data.id);
      commands.delete(data.id);
      if (data.done === null) waiting?.killed(new Error("killed"));
      else waiting?.done(data.done);
    }
  });
  return {
    fetch: (request, signal) =>
      new Promise((resolve) => {
        const id = ++lastId;
        fetches.set(id, resolve);
        signal.addEventListener("abort", () => say({ type: "kill", id }), { once: true });
        say({ type: "fetch", id, request });
      }),
    exec: (command, { cwd, env, stdin, signal }) =>
      new Promise((done, killed) => {
        const id = ++lastId;
        commands.set(id, { done, killed });
        signal.addEventListener("abort", () => say({ type: "kill", id }), { once: true });
        say({ type: "exec", id, command, cwd, env, stdin });
      }),
  };
}
