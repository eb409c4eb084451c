import type { Command } from "just-bash/browser";
import { type Answer, failed } from "./commands/answer.ts";
import { command } from "./commands/command.ts";
import { callerOf } from "./callers.ts";
import { type Job, type JobList, tell } from "./job.ts";
import { type Process, processCommands } from "./process-commands.ts";
import { sendToShell, type ShellFrame, shellOf } from "./shell-frames.ts";
import { isStopping, signalOf, signalTable } from "./signals.ts";
import { jobCommand, jobVariable, teedCommand, waitCommand } from "./script.ts";
import type { Shells } from "./shells.ts";
import type { Signal } from "./spans.ts";
import { trap } from "./trap.ts";

const momentMs = 5;

/** `wait`, `jobs`, `kill`, `trap` and similar commands. */
export function jobCommands(list: JobList, shells: Shells): readonly Command[] {
  /** The jobs that a shell knows: its own, and in a subshell also those of the enclosing shells. */
  function known(shell: ShellFrame | null): readonly Job[] {
    const around: (ShellFrame | null)[] = [];
    for (let each = shell; each !== null; each = each.outer) around.push(each);
    return list.all().filter(({ owner }) => around.includes(owner));
  }

  /** Whether a job is the shell's own, or was left behind by a shell that has ended. */
  function isOwn({ owner, pid }: Job, shell: ShellFrame | null): boolean {
    if (owner === shell) return true;
    for (let each = shell; each !== null; each = each.outer) if (each.pid === pid) return false;
    return owner !== null && shells.find(owner.pid) === null;
  }

  function named(name: string, jobs: readonly Job[]): Job | undefined {
    if (/^\d+$/.test(name)) return list.all().find(({ pid }) => String(pid) === name);
    const open = jobs.filter(({ told }) => !told);
    if (/^%[%+]?$/.test(name)) return open.at(-1);
    if (name === "%-") return open.at(-2) ?? open.at(-1);
    if (/^%\d+$/.test(name)) return jobs.findLast(({ number }) => `%${number}` === name);
    return name.startsWith("%?")
      ? open.findLast(({ text }) => text.includes(name.slice(2)))
      : open.findLast(({ text }) => name.startsWith("%") && text.startsWith(name.slice(1)));
  }

  /** Returns whether there is such a process. */
  function send(pid: number, signal: Signal | null): boolean {
    const job = list.all().find((each) => each.pid === pid && each.outcome === null);
    const shell = shells.find(pid);
    if (job === undefined && shell === null) return false;
    if (signal === null) return true;
    if (shell !== null) sendToShell(shell, signal);
    if (signal.number === 9) job?.kill(128 + signal.number);
    else if (shell === null) job?.send(signal);
    return true;
  }

  /** Signals the command's process group: first its jobs, then the shell itself. */
  function sendToAll(signal: Signal | null): void {
    for (const { pid } of list.all()) send(pid, signal);
    const [first] = shells.list();
    if (first !== undefined && signal !== null) sendToShell(first, signal);
  }

  /** The command's shell, other running programs, and jobs. */
  function processes(): readonly Process[] {
    const jobs = list.all().filter(({ outcome }) => outcome === null);
    const own = new Set(jobs.map(({ pid }) => pid));
    const running = shells.list().filter(({ pid, programPid }) => pid === programPid && !own.has(pid));
    return [
      ...running.map(({ pid, outer }) => ({ pid, parent: outer?.programPid ?? 1, text: "bash" })),
      ...jobs.map(({ pid, owner, text }) => ({ pid, parent: owner?.pid ?? 1, text: text === "" ? "bash" : text })),
    ].toSorted((a, b) => a.pid - b.pid);
  }

  return [
    ...processCommands(processes, (pid, signal) => void send(pid, signal)),
    command(jobCommand, async (args, context): Promise<Answer> => {
      const job = list.start(Number(args[0]), callerOf(args), context);
      if (job === null) return { exitCode: 254 };
      await context.assignShellVariable?.(jobVariable, String(job.pid));
      return {};
    }),
    command(waitCommand, async (args, context): Promise<Answer> => {
      const shell = shellOf(callerOf(args));
      const { isNext, variable, names } = waitOptions(args);
      const own = list.all().filter((job) => isOwn(job, shell));
      const found = names.map((name) => named(name, known(shell)));
      const jobs = names.length === 0 ? own : found.flatMap((job) => job ?? []);
      const stderr = names.map((name, i) => (found[i] === undefined ? `bash: wait: ${noJob(name)}\n` : "")).join("");
      const isMissing = names.length > 0 && found.at(-1) === undefined;
      const missing = /^[%\d]/.test(names.at(-1) ?? "%") ? 127 : 1;
      if (jobs.length === 0) return { stderr, exitCode: names.length > 0 || isNext ? missing : 0 };
      const open = isNext ? jobs.filter(({ told }) => !told) : jobs;
      if (open.length === 0) return { stderr, exitCode: 127 };
      const ended: Job[] = [];
      const ends = open.map(async (job) => {
        await job.done;
        ended.push(job);
      });
      const woken = await untilWoken(shell, isNext ? Promise.race(ends) : Promise.all(ends));
      const told = isNext ? ended.slice(0, 1) : ended;
      const printed = told.map((job) => ({ ...tell(job) }));
      const last = isNext ? told[0] : jobs.at(-1);
      if (variable !== null && last !== undefined) await context.assignShellVariable?.(variable, String(last.pid));
      const code = names.length === 0 && !isNext ? 0 : (last?.outcome?.exitCode ?? 127);
      return {
        stdout: printed.map(({ stdout }) => stdout).join(""),
        stderr: stderr + printed.map((each) => each.stderr).join(""),
        exitCode: woken !== null ? 128 + woken.number : isMissing ? missing : code,
      };
    }),
    command(teedCommand, (args) => {
      const options: unknown = Reflect.get(callerOf(args).ctx.state, "options");
      const isWhole = typeof options === "object" && options !== null && Reflect.get(options, "pipefail") === true;
      return { exitCode: isWhole ? Number(args[0]) : 0 };
    }),
    command("jobs", (args) => {
      const running = known(shellOf(callerOf(args))).filter((job) => job.outcome === null);
      const flag = args.find((arg) => arg.startsWith("-")) ?? "";
      const line = (job: Job, i: number): string => {
        const mark = i === running.length - 1 ? "+" : i === running.length - 2 ? "-" : " ";
        const pid = flag.includes("l") ? `${job.pid} ` : " ";
        return `[${job.number}]${mark} ${pid}Running                 ${job.text} &\n`;
      };
      return { stdout: running.map((job, i) => (flag.includes("p") ? `${job.pid}\n` : line(job, i))).join("") };
    }),
    command("kill", async (args, context): Promise<Answer> => {
      const [first = ""] = args;
      if (/^-[lL]$/.test(first)) return listed(args.slice(1));
      let at = 0;
      let wanted = "TERM";
      if (/^-[sn]$/.test(first)) {
        wanted = args[1] ?? "";
        at = 2;
      } else if (/^-[a-z0-9]/i.test(first)) {
        wanted = first.slice(1).replace(/^[sn](?=[A-Z0-9])/, "");
        at = 1;
      }
      const signal = wanted === "0" ? null : signalOf(wanted);
      if (signal === null && wanted !== "0") return failed("bash: kill", `${wanted}: invalid signal specification`);
      if (signal !== null && isStopping(signal))
        return failed("bash: kill", `${wanted}: no job control: a job can't be stopped and continued here`);
      const names = args.slice(args[at] === "--" ? at + 1 : at);
      if (names.length === 0)
        return failed("bash: kill", "usage: kill [-s sigspec | -n signum | -sigspec] pid | jobspec ... or kill -l [sigspec]", 2);
      let stderr = "";
      let isSent = false;
      for (const name of names) {
        const pid = name.startsWith("%")
          ? named(name, known(shellOf(callerOf(args))))?.pid
          : /^-?\d+$/.test(name)
            ? Math.abs(Number(name))
            : null;
        if (pid === null) stderr += `bash: kill: ${name}: arguments must be process or job IDs\n`;
        else if (pid === undefined) stderr += `bash: kill: ${name}: no such job\n`;
        else if (pid === 0) {
          sendToAll(signal);
          isSent = true;
        } else if (send(pid, signal)) isSent = true;
        else stderr += `bash: kill: (${name}) - No such process\n`;
      }
      // Gives what ends at once the time to end.
      if (isSent && signal !== null) await Promise.race([Promise.all(list.all().map(({ done }) => done)), context.sleep?.(momentMs)]);
      return { stderr, exitCode: isSent ? 0 : 1 };
    }),
    command("disown", () => ({})),
    command("fg", () => failed("bash: fg", "no job control")),
    command("bg", () => failed("bash: bg", "no job control")),
    command("trap", (args) => trap(args, shellOf(callerOf(args)))),
  ];
}

/** `variable`: the variable that receives the number of the ended job; null: none. */
function waitOptions(args: readonly string[]): { readonly isNext: boolean; readonly variable: string | null; readonly names: string[] } {
  let [isNext, variable]: [boolean, string | null] = [false, null];
  const names: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? "";
    if (!arg.startsWith("-")) names.push(arg);
    isNext ||= /^-[a-z]*n/.test(arg);
    if (/^-[a-z]*p$/.test(arg)) variable = args[++at] ?? null;
  }
  return { isNext, variable, names };
}

/** A signal that arrives in the meantime ends the wait. */
async function untilWoken(shell: ShellFrame | null, work: Promise<unknown>): Promise<Signal | null> {
  if (shell === null) {
    await work;
    return null;
  }
  const woken = new Promise<Signal>((resolve) => (shell.wake = resolve));
  try {
    return await Promise.race([work.then(() => null), woken]);
  } finally {
    shell.wake = null;
  }
}

function listed(names: readonly string[]): Answer {
  if (names.length === 0) return { stdout: signalTable() };
  let [stdout, stderr] = ["", ""];
  for (const name of names) {
    // An exit code stands for the signal that caused it.
    const signal = signalOf(/^\d+$/.test(name) && Number(name) > 128 ? String(Number(name) - 128) : name);
    if (name === "0") stdout += "EXIT\n";
    else if (signal === null) stderr += `bash: kill: ${name}: invalid signal specification\n`;
    else stdout += /^\d+$/.test(name) ? `${signal.name.slice(3)}\n` : `${signal.number}\n`;
  }
  return { stdout, stderr, exitCode: stderr === "" ? 0 : 1 };
}

/** The error of `wait` for a name that no job has. */
function noJob(name: string): string {
  if (name.startsWith("%")) return `${name}: no such job`;
  return /^\d/.test(name) ? `pid ${name} is not a child of this shell` : `\`${name}': not a pid or valid job spec`;
}
