import { joinBytes } from "../../../fs/bytes.ts";
import type { Context } from "../commands/answer.ts";
import { toBytes } from "../encoding.ts";
import type { ShellHost } from "../host.ts";

/** What a program asks of the shell, as JSON, and what it is answered: a line of JSON, then bytes. The program waits for it. */
export interface Outside {
  ask(request: string): Promise<Uint8Array>;
  /** Ends what the program left running. */
  close(): Promise<void>;
}

/** A command of the shell that the program started. */
interface Child {
  readonly end: AbortController;
  readonly done: Promise<void>;
  readonly ended: { readonly code: number; readonly stdout: Uint8Array; readonly stderr: Uint8Array } | null;
}

/** `flush`: before a command runs, the files have what the program wrote. `refresh`: after it, the program sees what the command wrote. */
interface Files {
  readonly flush: () => void;
  readonly refresh: () => void;
}

/** Commands of one program that run at one time. */
const mostChildren = 100;

/** What a program that has ended leaves running is given so long to end. Milliseconds. */
const patience = 100;

/** A program that has to stop, and takes no notice of its interrupts, is ended after so long. Milliseconds. */
const stopPatience = 1000;

/** The exit code of a command that was ended. */
const killed = 143;

export function outsideOf(host: ShellHost, context: Context, files: Files): Outside {
  const children = new Map<number, Child>();
  let last = 0;
  const running = (): readonly Child[] => [...children.values()].filter(({ ended }) => ended === null);

  async function run(request: Asked, signal: AbortSignal): Promise<NonNullable<Child["ended"]>> {
    if (!context.exec) return { code: 126, stdout: new Uint8Array(), stderr: encode("no command can be run from here\n") };
    // A text can't hold every byte; a file can.
    const into = request.text("output") === "bytes" ? `/tmp/.python-output-${++last}-${crypto.randomUUID().slice(0, 8)}` : null;
    const command = request.text("command").replace(/(?: 2>&1)?$/, (joined) => (into === null ? joined : ` > ${into}${joined}`));
    try {
      const done = await context.exec(command, {
        cwd: request.text("cwd"),
        env: request.variables(),
        replaceEnv: true,
        stdin: atob(request.text("input")),
        stdinKind: "bytes",
        signal: AbortSignal.any([signal, host.signal()]),
      });
      if (signal.aborted) return { code: killed, stdout: new Uint8Array(), stderr: new Uint8Array() };
      if (into !== null && host.files.stat(into) !== null)
        return { code: done.exitCode, stdout: host.files.read(into).slice(), stderr: encode(done.stderr) };
      const isBytes = done.stdoutKind === "bytes" || done.stdoutEncoding === "binary";
      return { code: done.exitCode, stdout: isBytes ? toBytes(done.stdout, "latin1") : encode(done.stdout), stderr: encode(done.stderr) };
    } catch (error) {
      if (!signal.aborted && host.stop() === null) throw error;
      return { code: killed, stdout: new Uint8Array(), stderr: new Uint8Array() };
    } finally {
      if (into !== null && host.files.stat(into) !== null) host.files.unlink(into);
    }
  }

  function start(request: Asked): Uint8Array {
    if (running().length >= mostChildren)
      return answer({ error: `a program can't have more than ${mostChildren} commands at one time here` });
    files.flush();
    const end = new AbortController();
    const child: { -readonly [name in keyof Child]: Child[name] } = { end, ended: null, done: Promise.resolve() };
    child.done = (async () => {
      try {
        child.ended = await run(request, end.signal);
      } catch (error) {
        child.ended = {
          code: 126,
          stdout: new Uint8Array(),
          stderr: encode(`${error instanceof Error ? error.message : String(error)}\n`),
        };
      }
    })();
    const id = ++last;
    children.set(id, child);
    return answer({ id });
  }

  /** Until one of the children has ended, that many milliseconds have passed, or the command has to stop. */
  async function wait(request: Asked): Promise<Uint8Array> {
    const asked = request.numbers("ids").flatMap((id) => {
      const child = children.get(id);
      return child === undefined ? [] : [{ id, child }];
    });
    files.flush();
    const over = new AbortController();
    const ms = request.number("ms");
    await Promise.race([
      ...asked.map(({ child }) => child.done),
      host.sleep(Math.min(ms ?? Number.MAX_SAFE_INTEGER, host.timeLeft() + 1), AbortSignal.any([over.signal, host.signal()])),
    ]);
    over.abort();
    // A command that waits for messages has its turn, too.
    await new Promise((resolve) => setTimeout(resolve));
    const first = asked.find(({ child }) => child.ended !== null);
    if (first?.child.ended == null) return answer({ id: 0 });
    const { code, stdout, stderr } = first.child.ended;
    files.refresh();
    children.delete(first.id);
    return joinBytes([answer({ id: first.id, code, out: stdout.length }), stdout, stderr]);
  }

  /** When it was first seen that the program has to stop. */
  let stoppedAt: number | null = null;

  /** A program that computes is ended with its worker. One that waits lets the worker answer, and would continue beside later commands. */
  function endIfStopped(): void {
    if (host.stop() === null) return;
    stoppedAt ??= performance.now();
    if (performance.now() - stoppedAt > stopPatience) throw new Error("the program did not stop when it had to");
  }

  async function answerTo(request: Asked): Promise<Uint8Array> {
    switch (request.text("op")) {
      case "start":
        return start(request);
      case "wait":
        return wait(request);
      case "kill":
        for (const id of request.numbers("ids")) children.get(id)?.end.abort();
        return answer({});
      default:
        return answer({ error: "the shell does not know what was asked" });
    }
  }

  return {
    async ask(text) {
      endIfStopped();
      try {
        return await answerTo(readAsked(text));
      } catch (error) {
        // Thrown into Python's WebAssembly, it would end the program without a word of its own.
        return answer({ error: error instanceof Error ? error.message : String(error) });
      }
    },
    async close() {
      for (const { end } of children.values()) end.abort();
      if (running().length === 0) return;
      await Promise.race([Promise.all(running().map(({ done }) => done)), host.sleep(patience, host.signal())]);
    },
  };
}

interface Asked {
  /** "" where there is none. */
  text(name: string): string;
  number(name: string): number | null;
  numbers(name: string): readonly number[];
  variables(): Record<string, string>;
}

function readAsked(text: string): Asked {
  const all: unknown = JSON.parse(text);
  const given = new Map<string, unknown>(typeof all === "object" && all !== null ? Object.entries(all) : []);
  return {
    text(name) {
      const value = given.get(name);
      return typeof value === "string" ? value : "";
    },
    number(name) {
      const value = given.get(name);
      return typeof value === "number" ? value : null;
    },
    numbers(name) {
      const value = given.get(name);
      return Array.isArray(value) ? value.filter((each) => typeof each === "number") : [];
    },
    variables() {
      const value = given.get("env");
      return Object.fromEntries(
        Object.entries(typeof value === "object" && value !== null ? value : {}).flatMap(([name, one]) =>
          /^[A-Za-z_]\w*$/.test(name) ? [[name, String(one)]] : [],
        ),
      );
    },
  };
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function answer(told: object): Uint8Array {
  return encode(`${JSON.stringify(told)}\n`);
}
