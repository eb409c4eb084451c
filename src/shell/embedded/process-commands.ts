import type { Command } from "just-bash/browser";
import { type Answer, failed } from "./commands/answer.ts";
import { command } from "./commands/command.ts";
import { signalOf } from "./signals.ts";
import type { Signal } from "./spans.ts";

/** A shell or a job, as `ps` shows it. */
export interface Process {
  readonly pid: number;
  readonly parent: number;
  /** The command line. */
  readonly text: string;
}

/** `ps`, `pgrep`, `pkill` and `killall` for the command's own shells and jobs. */
export function processCommands(all: () => readonly Process[], send: (pid: number, signal: Signal) => void): readonly Command[] {
  return [
    command("ps", (args) => ps(args, all())),
    command("pgrep", (args) => find("pgrep", args, all(), send)),
    command("pkill", (args) => find("pkill", args, all(), send)),
    command("killall", (args) => find("killall", args, all(), send)),
  ];
}

/** The program's name: the first word that is not an assignment, without its folder. */
function nameOf({ text }: Process): string {
  const word = text.split(/\s+/).find((each) => !/^\w+=/.test(each)) ?? "";
  return word.slice(word.lastIndexOf("/") + 1).replace(/^[({]$/, "bash");
}

const columns: Readonly<Record<string, readonly [title: string, width: number, value: (process: Process) => string]>> = {
  pid: ["PID", 7, ({ pid }) => String(pid)],
  ppid: ["PPID", 7, ({ parent }) => String(parent)],
  user: ["USER", -8, () => "user"],
  comm: ["COMMAND", -15, nameOf],
  cmd: ["CMD", -1, ({ text }) => text],
  args: ["COMMAND", -1, ({ text }) => text],
  command: ["COMMAND", -1, ({ text }) => text],
  tty: ["TT", -8, () => "?"],
  stat: ["STAT", -4, () => "S"],
  time: ["TIME", 8, () => "00:00:00"],
  etime: ["ELAPSED", 11, () => "00:00"],
  pcpu: ["%CPU", 4, () => "0.0"],
  "%cpu": ["%CPU", 4, () => "0.0"],
  pmem: ["%MEM", 4, () => "0.0"],
  "%mem": ["%MEM", 4, () => "0.0"],
  rss: ["RSS", 5, () => "0"],
  vsz: ["VSZ", 6, () => "0"],
};

function ps(args: readonly string[], all: readonly Process[]): Answer {
  const line = args.join(" ");
  const wanted = [...line.matchAll(/(?:-p|--pid)[ =]*([\d, ]+)/g)].flatMap(([, pids = ""]) =>
    pids.split(/[ ,]+/).filter((pid) => pid !== ""),
  );
  const shown = wanted.length === 0 ? all : all.filter(({ pid }) => wanted.includes(String(pid)));
  const own = /(?:-o|--format|-[a-zA-Z]*o)[ =]*([\w%=, ]+)/.exec(line)?.[1];
  const exitCode = shown.length === 0 ? 1 : 0;
  if (own !== undefined) {
    const names = own.split(/[ ,]+/).filter((name) => name !== "" && !/^\d+$/.test(name));
    const untitled = names.every((name) => name.endsWith("="));
    const found = names.map((name) => columns[name.replace(/=$/, "")]);
    if (found.includes(undefined)) return failed("ps", `unknown user-defined format specifier "${names[found.indexOf(undefined)] ?? ""}"`);
    const chosen = found.filter((each) => each !== undefined);
    const row = (values: readonly string[]): string =>
      `${values
        .map((value, i) => ((chosen[i]?.[1] ?? 0) > 0 ? value.padStart(chosen[i]?.[1] ?? 0) : value.padEnd(-(chosen[i]?.[1] ?? 0))))
        .join(" ")
        .trimEnd()}\n`;
    const rows = shown.map((process) => row(chosen.map(([, , value]) => value(process))));
    return { stdout: (untitled ? "" : row(chosen.map(([title]) => title))) + rows.join(""), exitCode };
  }
  const pad = (value: number, width: number): string => String(value).padStart(width);
  if (/^-?[a-z]*u/.test(line)) {
    const title = "USER         PID %CPU %MEM    VSZ   RSS TTY      STAT START   TIME COMMAND\n";
    return {
      stdout:
        title +
        shown.map(({ pid, text }) => `user     ${pad(pid, 7)}  0.0  0.0      0     0 ?        S    00:00   0:00 ${text}\n`).join(""),
      exitCode,
    };
  }
  if (/-[a-zA-Z]*f/.test(line)) {
    const title = "UID          PID    PPID  C STIME TTY          TIME CMD\n";
    return {
      stdout:
        title +
        shown.map(({ pid, parent, text }) => `user     ${pad(pid, 7)} ${pad(parent, 7)}  0 00:00 ?        00:00:00 ${text}\n`).join(""),
      exitCode,
    };
  }
  return {
    stdout: `    PID TTY          TIME CMD\n${shown.map((process) => `${pad(process.pid, 7)} ?        00:00:00 ${nameOf(process)}\n`).join("")}`,
    exitCode,
  };
}

function find(name: string, args: readonly string[], all: readonly Process[], send: (pid: number, signal: Signal) => void): Answer {
  let signal: Signal | null = signalOf("TERM");
  const flags = new Set<string>();
  const patterns: string[] = [];
  let parents: readonly string[] | null = null;
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? "";
    const [, given] = /^(?:--signal[= ]?|-s|-)(.*)$/.exec(arg) ?? [];
    if (/^(?:-s|--signal)$/.test(arg)) signal = signalOf(args[++at] ?? "");
    else if (/^(?:-u|-U)$/.test(arg)) at++;
    else if (arg === "-P") parents = (args[++at] ?? "").split(",");
    else if (name !== "pgrep" && given !== undefined && signalOf(given) !== null) signal = signalOf(given);
    else if (arg.startsWith("-") && arg !== "--" && !/^-[fxnocilaq]+$/.test(arg))
      return failed(name, `the option ${arg} is not supported here`, 2);
    else if (/^-[a-z]+$/.test(arg)) for (const letter of arg.slice(1)) flags.add(letter);
    else if (arg !== "--") patterns.push(arg);
  }
  if (signal === null) return failed(name, "unknown signal", 2);
  const [pattern = parents === null ? undefined : ""] = patterns;
  if (pattern === undefined)
    return failed(
      name,
      name === "killall" ? "no process selection criteria" : "no matching criteria specified",
      name === "killall" ? 1 : 2,
    );
  if (name !== "killall" && !isPattern(pattern)) return failed(name, `'${pattern}' is no pattern`, 2);
  let found = all.filter((process) => {
    if (parents?.includes(String(process.parent)) === false) return false;
    const text = flags.has("f") ? process.text : nameOf(process);
    if (name === "killall") return patterns.includes(text);
    return flags.has("x") ? new RegExp(`^(?:${pattern})$`).test(text) : new RegExp(pattern, flags.has("i") ? "i" : "").test(text);
  });
  if (flags.has("n")) found = found.slice(-1);
  if (flags.has("o")) found = found.slice(0, 1);
  if (found.length === 0)
    return {
      stdout: flags.has("c") ? "0\n" : "",
      stderr: name === "killall" && !flags.has("q") ? `${pattern}: no process found\n` : "",
      exitCode: 1,
    };
  if (name !== "pgrep") {
    for (const { pid } of found) send(pid, signal);
    return {};
  }
  if (flags.has("c")) return { stdout: `${found.length}\n` };
  const line = (process: Process): string =>
    `${process.pid}${flags.has("a") ? ` ${process.text}` : flags.has("l") ? ` ${nameOf(process)}` : ""}\n`;
  return { stdout: found.map(line).join("") };
}

function isPattern(text: string): boolean {
  try {
    return new RegExp(text) instanceof RegExp;
  } catch {
    return false;
  }
}
