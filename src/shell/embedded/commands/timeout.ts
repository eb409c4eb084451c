import type { CommonHost } from "../host.ts";
import { signalOf } from "../signals.ts";
import { trapIn } from "../shell-frames.ts";
import { createSpan, runsIn, type Signal, spanOf } from "../spans.ts";
import { type Answer, type Context, failed, passed, type Run, stdinLatin1 } from "./answer.ts";

const help = `Usage: timeout [OPTION]... DURATION COMMAND [ARG]...
Start COMMAND, and end it if it still runs after DURATION.

  -f, --foreground           taken, and of no effect here
  -k, --kill-after=DURATION  also send a KILL signal if COMMAND still runs this long after the first signal (5s if not given; 0: never)
  -p, --preserve-status      exit with the same status as COMMAND, even when it timed out
  -s, --signal=SIGNAL        what to send: a name like HUP or a number (TERM if not given)
  -v, --verbose              say on stderr which signal is sent
      --help                 show this help
      --version              show the version

DURATION is a number with s, m, h or d after it, seconds without; 0 is no limit.
The exit code is 124 when COMMAND timed out, 125 when timeout itself failed, 137 after a KILL signal, else that of COMMAND.
`;

/** GNU's exit codes. */
const timedOut = 124;
const cancelled = 125;

/** Milliseconds that a program may take to end if no limit is given. GNU's timeout would wait forever, and so would the rest of the script. */
const patience = 5_000;
/** The maximum delay of a timer in milliseconds. */
const longest = 2 ** 30;

const kill: Signal = { name: "SIGKILL", number: 9 };
interface Options {
  readonly ms: number;
  /** Milliseconds after the first signal; null: never. */
  readonly killAfter: number | null;
  readonly signal: Signal;
  readonly keepsStatus: boolean;
  readonly isVerbose: boolean;
  /** The command and its arguments. */
  readonly words: readonly string[];
}

/** GNU's `timeout`. The time in which the user is asked does not count. */
export function timeout(host: CommonHost): Run {
  return async (args, context) => {
    const options = parse(args);
    return "words" in options ? run(host, options, context) : options;
  };
}

async function run(host: CommonHost, options: Options, context: Context): Promise<Answer> {
  if (!context.exec) throw new Error("no commands can be run from here");
  const [name = "", ...rest] = options.words;
  const ended = new AbortController();
  const until = options.ms === 0 ? Number.NEGATIVE_INFINITY : host.timeLeft() - options.ms;
  let said = "";
  let isDue = false;
  function send(signal: Signal): void {
    if (options.isVerbose) said += `timeout: sending signal ${signal.name.slice(3)} to command '${name}'\n`;
    isDue = true;
    // A shell that traps the signal continues, without the command that it runs.
    if (trapIn(span, signal)) span.interrupt(signal);
    else span.send(signal);
  }
  const span = createSpan(spanOf(context), () => {
    if (!isDue && host.timeLeft() <= until) send(options.signal);
  });

  async function waitUntil(left: number): Promise<void> {
    // oxlint-disable-next-line no-await-in-loop -- the command's time may have been paused.
    while (!ended.signal.aborted && host.timeLeft() > left) await host.sleep(Math.min(host.timeLeft() - left, longest), ended.signal);
  }
  async function watch(): Promise<void> {
    await waitUntil(until);
    if (ended.signal.aborted) return;
    span.isOver();
    if (!isDue || options.killAfter === null) return;
    await waitUntil(host.timeLeft() - options.killAfter);
    if (!ended.signal.aborted) send(kill);
  }

  if (options.ms > 0) void watch();
  try {
    const result = await context.exec(`'${name.replaceAll("'", "'\\''")}'`, {
      cwd: context.cwd,
      stdin: stdinLatin1(context),
      stdinKind: "bytes",
      args: runsIn(span, rest),
    });
    return { ...passed(result), stderr: said + result.stderr, exitCode: exitCodeOf(result.exitCode) };
  } finally {
    ended.abort();
    span.close();
  }

  function exitCodeOf(own: number): number {
    if (!isDue) return own;
    return options.keepsStatus || own === 128 + kill.number ? own : timedOut;
  }
}

function parse(args: readonly string[]): Options | Answer {
  let killAfter: number | null = patience;
  let signal: Signal = { name: "SIGTERM", number: 15 };
  let keepsStatus = false;
  let isVerbose = false;
  let at = 0;
  for (; at < args.length; at++) {
    const arg = args[at] ?? "";
    if (arg === "--") {
      at += 1;
      break;
    }
    if (!arg.startsWith("-") || arg === "-") break;
    if (arg === "--help") return { stdout: help };
    if (arg === "--version") return { stdout: "timeout (Vibey)\n" };
    const [, letters = "", letter, attached] =
      /^-([fpv]*)(?:([ks])(.*))?$/s.exec(arg) ?? /^--()(kill-after|signal)(?:=(.*))?$/s.exec(arg) ?? longFlag(arg) ?? [];
    if (letters === "" && letter === undefined)
      return wrong(`${arg.startsWith("--") ? "unrecognized option" : "invalid option --"} '${arg.startsWith("--") ? arg : arg.charAt(1)}'`);
    keepsStatus ||= letters.includes("p");
    isVerbose ||= letters.includes("v");
    if (letter === undefined) continue;
    const isAttached = attached !== undefined && (attached !== "" || arg.startsWith("--"));
    const value = isAttached ? attached : args[++at];
    if (value === undefined)
      return wrong(arg.startsWith("--") ? `option '${arg}' requires an argument` : `option requires an argument -- '${letter}'`);
    if (letter.startsWith("k")) {
      const ms = milliseconds(value);
      if (ms === null) return wrong(`invalid time interval '${value}'`);
      killAfter = ms === 0 ? null : ms;
    } else {
      const found = signalOf(value);
      if (found === null) return wrong(`'${value}': invalid signal`);
      signal = found;
    }
  }
  const [duration, ...words] = args.slice(at);
  if (duration === undefined || words.length === 0) return wrong("missing operand");
  const ms = milliseconds(duration);
  return ms === null ? wrong(`invalid time interval '${duration}'`) : { ms, killAfter, signal, keepsStatus, isVerbose, words };
}

function longFlag(arg: string): readonly string[] | null {
  const letter = { "--foreground": "f", "--preserve-status": "p", "--verbose": "v" }[arg];
  return letter === undefined ? null : [arg, letter];
}

function wrong(message: string): Answer {
  return failed("timeout", `${message}\nTry 'timeout --help' for more information.`, cancelled);
}

/** Null: not a duration. */
function milliseconds(text: string): number | null {
  const [, number, unit = "s"] = /^\+?((?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|inf(?:inity)?)([smhd])?$/i.exec(text) ?? [];
  if (number === undefined) return null;
  const each = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }[unit];
  return each === undefined ? null : (/^inf/i.test(number) ? Number.POSITIVE_INFINITY : Number(number)) * each;
}
