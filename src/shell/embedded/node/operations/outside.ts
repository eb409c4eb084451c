import type { NetAnswer, NetRequest } from "../../../network.ts";
import { latin1, toBytes } from "../../encoding.ts";
import type { Ports } from "../../loopback/ports.ts";
import { stoppable } from "../../stoppable.ts";
import { bytes, copyOf, type Inside, number, type Operations, text } from "../plain.ts";

/** Starts asynchronous work. The program does not end before `deliver` was called in a turn of its own. */
export interface AsyncWork {
  begin<T>(run: () => Promise<T>, deliver: (result: T) => void): void;
  /** Keeps the program from ending by itself until the returned function is called, once. */
  hold(): () => void;
  /** Calls `run` in a turn of its own. */
  post(run: () => void): void;
}

/** The result of a shell command. */
export interface Executed {
  readonly stdout: string;
  /** Whether `stdout` has one character per byte. */
  readonly stdoutIsBytes: boolean;
  readonly stderr: string;
  readonly exitCode: number;
}

/** What a program can reach beyond its own memory and the files. */
export interface Outside {
  /** `signal` aborts when the program no longer waits for the answer. */
  fetch(request: NetRequest, signal: AbortSignal): Promise<NetAnswer>;
  /** `stdin` has one character per byte. Soon after `signal` aborts, it rejects or returns what there is. */
  exec(
    command: string,
    options: {
      readonly cwd: string;
      readonly env: Readonly<Record<string, string>>;
      readonly stdin: string;
      readonly signal: AbortSignal;
    },
  ): Promise<Executed>;
  /** The dialog's ports. Missing: a program can't listen here, and can't reach any other. */
  readonly ports?: Ports | undefined;
}

const aborted: NetAnswer = { kind: "failed", why: "the program ended it" };
const killed: Executed = { stdout: "", stdoutIsBytes: false, stderr: "", exitCode: 143 };

export function outsideOperations(outside: Outside, work: AsyncWork, inside: () => Inside): Operations {
  /** The controllers that end running commands, by the number they were started with. */
  const running = new Map<number, AbortController>();
  /** The controllers that cancel requests, by number. */
  const requests = new Map<number, AbortController>();
  const holds = new Map<number, () => void>();
  return {
    fetch: (id, url, method, headers, body, follow) => {
      const listed: unknown = JSON.parse(text(headers));
      const request: NetRequest = {
        url: text(url),
        method: text(method),
        headers: Array.isArray(listed)
          ? listed.map((pair: unknown) => (Array.isArray(pair) ? [String(pair[0]), String(pair[1])] : ["", ""]))
          : [],
        body: body === null ? null : copyOf(body),
        program: "node",
        follow: follow !== false,
      };
      const end = new AbortController();
      requests.set(number(id), end);
      work.begin(
        () =>
          stoppable(
            () => outside.fetch(request, end.signal),
            end.signal,
            () => aborted,
          ),
        (answer) => {
          requests.delete(number(id));
          const told = answer.kind === "answer" ? { ...answer, body: undefined } : answer;
          inside().call("deliver", number(id), JSON.stringify(told), answer.kind === "answer" ? answer.body : null);
        },
      );
    },
    "fetch.abort": (id) => requests.get(number(id))?.abort(),
    exec: (id, command, cwd, env, stdin) => {
      const given: unknown = JSON.parse(text(env));
      const variables: Record<string, string> = {};
      if (typeof given === "object" && given !== null) for (const [name, value] of Object.entries(given)) variables[name] = String(value);
      const end = new AbortController();
      running.set(number(id), end);
      const options = { cwd: text(cwd), env: variables, stdin: latin1(bytes(stdin)), signal: end.signal };
      work.begin(
        async () => {
          try {
            return await outside.exec(text(command), options);
          } catch (error) {
            if (end.signal.aborted) return killed;
            throw error;
          }
        },
        (done) => {
          running.delete(number(id));
          const stdout = done.stdoutIsBytes ? toBytes(done.stdout, "latin1") : new TextEncoder().encode(done.stdout);
          inside().call("deliver", number(id), JSON.stringify({ stderr: done.stderr, exitCode: done.exitCode }), stdout);
        },
      );
    },
    /** Whether that process, port or wait keeps the program from ending. */
    hold: (id, on) => {
      const key = number(id);
      if (on !== true) {
        holds.get(key)?.();
        holds.delete(key);
      } else if (!holds.has(key)) holds.set(key, work.hold());
    },
    "exec.kill": (id) => running.get(number(id))?.abort(),
  };
}
