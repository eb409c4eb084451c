import { joinBytes } from "../../../fs/bytes.ts";
import type { Context } from "../commands/answer.ts";
import { toBytes } from "../encoding.ts";
import { deferred } from "../deferred.ts";
import type { ShellHost } from "../host.ts";
import { socketsOf } from "./sockets.ts";

/** Handles a program's requests to the shell. A request is JSON; the answer is a line of JSON, then bytes. The program waits for it. */
export interface Outside {
  ask(request: string): Promise<Uint8Array>;
  /** Delivers a signal: the program's current wait ends. */
  interrupt(signal: number): void;
  /** The next signal to deliver to the program; 0: none. */
  takeSignal(): number;
  /** Ends what the program left running. */
  close(): Promise<void>;
}

/** A shell command that the program started. */
interface Child {
  readonly end: AbortController;
  readonly done: Promise<void>;
  readonly ended: { readonly code: number; readonly stdout: Uint8Array; readonly stderr: Uint8Array } | null;
}

/**
 * `flush`: writes the program's changes to the files before a command runs. `refresh`: makes the command's changes visible to the program afterwards.
 */
interface Files {
  readonly flush: () => void;
  readonly refresh: () => void;
}

/** The maximum number of concurrent commands of a program. */
const mostChildren = 100;

/** Milliseconds that commands left behind by an ended program get to end. */
const patience = 100;

/** Milliseconds after which a program that must stop and ignores its interrupts is ended. */
const stopPatience = 1000;

/** The exit code of a command that was ended. */
const killed = 143;

async function run(request: Asked, host: ShellHost, context: Context, signal: AbortSignal): Promise<NonNullable<Child["ended"]>> {
  if (!context.exec) return { code: 126, stdout: new Uint8Array(), stderr: encode("no command can be run from here\n") };
  // A string can't hold every byte, but a file can.
  const into = request.text("output") === "bytes" ? `/tmp/.python-output-${crypto.randomUUID()}` : null;
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

export function outsideOf(host: ShellHost, context: Context, files: Files): Outside {
  const children = new Map<number, Child>();
  let last = 0;
  let news = deferred<void>();
  /** Ends the program's current wait, which then checks again. */
  function tell(): void {
    news.resolve();
    news = deferred();
  }
  const sockets = socketsOf(host.ports ?? null, tell);
  const signals: number[] = [];
  const running = (): readonly Child[] => [...children.values()].filter(({ ended }) => ended === null);

  function start(request: Asked): Uint8Array {
    if (running().length >= mostChildren)
      return answer({ error: `a program can't have more than ${mostChildren} commands at one time here` });
    files.flush();
    const end = new AbortController();
    const child: { -readonly [name in keyof Child]: Child[name] } = { end, ended: null, done: Promise.resolve() };
    child.done = (async () => {
      try {
        child.ended = await run(request, host, context, end.signal);
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

  /** Waits for a result of `look`. Null: `ms` or the command's time has passed, a signal arrived, or the command must stop. */
  async function until<T>(look: () => T | null, ms: number | null, ends: readonly Promise<void>[] = []): Promise<T | null> {
    const end = ms === null ? Number.POSITIVE_INFINITY : performance.now() + ms;
    for (let isLast = false; ; ) {
      const found = look();
      if (found !== null || isLast || host.stop() !== null) return found;
      const over = new AbortController();
      const signal = AbortSignal.any([over.signal, host.signal()]);
      const left = signals.length > 0 ? 0 : Math.min(Math.max(0, end - performance.now()), host.timeLeft() + 1);
      // oxlint-disable-next-line no-await-in-loop -- each wait is for what the previous one did not bring.
      isLast = await Promise.race([...ends, news.promise, host.sleep(left, signal).then(() => true)]).then((slept) => slept === true);
      over.abort();
      isLast ||= signals.length > 0;
      // Lets commands that wait for messages run, too.
      // oxlint-disable-next-line no-await-in-loop
      await new Promise((resolve) => setTimeout(resolve));
    }
  }

  /** Waits until one of the children has ended or one of the sockets can be read. */
  async function wait(request: Asked): Promise<Uint8Array> {
    const asked = request.numbers("ids").flatMap((id) => {
      const child = children.get(id);
      return child === undefined ? [] : [{ id, child }];
    });
    const ids = request.numbers("sockets");
    files.flush();
    const found = await until(
      () => {
        const child = asked.find((each) => each.child.ended !== null);
        const ready = ids.filter((id) => sockets.isReady(id));
        return child === undefined && ready.length === 0 ? null : { child, ready };
      },
      request.number("ms"),
      asked.map(({ child }) => child.done),
    );
    files.refresh();
    const ready = ids.length === 0 ? {} : { ready: found?.ready ?? [] };
    const ended = found?.child?.child.ended;
    if (found?.child === undefined || ended == null) return answer({ id: 0, ...ready });
    const { code, stdout, stderr } = ended;
    children.delete(found.child.id);
    return joinBytes([answer({ id: found.child.id, code, out: stdout.length, ...ready }), stdout, stderr]);
  }

  async function accept(request: Asked): Promise<Uint8Array> {
    files.flush();
    const id = await until(() => sockets.accept(request.id()), request.number("ms"));
    files.refresh();
    return answer({ id: id ?? 0 });
  }

  /** `beside`: servers; a connection to one of them also ends the wait. */
  async function receive(request: Asked): Promise<Uint8Array> {
    const beside = request.numbers("beside");
    files.flush();
    const found = await until(() => {
      const bytes = sockets.receive(request.id(), request.number("size") ?? 0);
      return bytes ?? beside.find((id) => sockets.isReady(id)) ?? null;
    }, request.number("ms"));
    files.refresh();
    if (typeof found === "number") return answer({ state: "beside", id: found });
    return found === null || found === "reset" ? answer({ state: found ?? "none" }) : joinBytes([answer({ state: "data" }), found]);
  }

  /** When the need to stop was first noticed. */
  let stoppedAt: number | null = null;

  /** A program that computes ends with its worker. A program that waits keeps the worker responsive, and would continue alongside later commands. */
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
      case "listen":
        return answer((await sockets.listen(request.number("port") ?? 0)) ?? { id: 0 });
      case "connect":
        return answer({ id: (await sockets.connect(request.number("port") ?? 0)) ?? 0 });
      case "accept":
        return accept(request);
      case "recv":
        return receive(request);
      case "send":
        return answer({ sent: sockets.send(request.id(), toBytes(atob(request.text("data")), "latin1")) });
      case "shut":
        sockets.shut(request.id());
        return answer({});
      case "close":
        sockets.close(request.id());
        return answer({});
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
        // An error thrown into Python's WebAssembly would end the program without a message.
        return answer({ error: error instanceof Error ? error.message : String(error) });
      }
    },
    interrupt(signal) {
      signals.push(signal);
      tell();
    },
    takeSignal: () => signals.shift() ?? 0,
    async close() {
      sockets.closeAll();
      for (const { end } of children.values()) end.abort();
      if (running().length === 0) return;
      await Promise.race([Promise.all(running().map(({ done }) => done)), host.sleep(patience, host.signal())]);
    },
  };
}

interface Asked {
  /** "" if it is missing. */
  text(name: string): string;
  number(name: string): number | null;
  /** 0 if it is missing. */
  id(): number;
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
    id() {
      const value = given.get("id");
      return typeof value === "number" ? value : 0;
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
