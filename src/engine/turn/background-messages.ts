import type { Printed } from "../../shell/sandbox.ts";
import type { Background } from "./background-model.ts";

const usage = `usage: background                       list the commands that run, or ran, in the background
       background read <id>             print what it has printed since the last read
       background wait <id> [<seconds>] wait for its end (10 s, if nothing else is said)
       background stop <id>             stop it
`;

/** In seconds. */
const usualWait = 10;
/** In milliseconds. A timer with a longer delay fires at once. */
const maxWaitMs = 2 ** 31 - 1;

/** The output of the shell command `background` for these commands of one dialog. `started`: how many the dialog has ever started. */
export async function answerBackground(
  known: readonly Background[],
  started: number,
  operands: readonly string[],
  signal: AbortSignal,
): Promise<Printed> {
  const [verb, id = "", seconds = String(usualWait)] = operands;
  if (verb === undefined || verb === "list") {
    const lines = known.map((background) => `${background.id}  ${stateOf(background)}  ${background.command.replaceAll("\n", "\\n")}\n`);
    return printed(lines.join(""));
  }
  if (verb === "--help") return printed(usage);
  if (!["read", "wait", "stop"].includes(verb)) return failed(`${verb}: no such operation\n${usage}`, 2);
  const found = known.find((background) => background.id === id);
  if (!found) return failed(unknown(id, started), 1);
  switch (verb) {
    case "read":
      return { stdout: found.log.take(), stderr: `[${id} ${stateOf(found)}]\n`, exitCode: 0 };
    case "stop": {
      if (found.outcome !== null) return failed(`${id} ${stateOf(found)}`, 1);
      found.stop.abort();
      await before(found.ended, signal, null);
      return printed(`${id} ${stateOf(found)}\n`);
    }
    default: {
      if (!/^\d+(\.\d+)?$/.test(seconds)) return failed(`wait: '${seconds}' is no number of seconds\n${usage}`, 2);
      await before(found.ended, signal, Math.min(Number(seconds) * 1000, maxWaitMs));
      return { ...printed(`${id} ${stateOf(found)}\n`), exitCode: found.outcome === null ? 1 : 0 };
    }
  }
}

/** `runs`, `ended with exit code 0`, … */
export function stateOf({ outcome }: Pick<Background, "outcome">): string {
  if (outcome === null) return "runs";
  if (outcome.aborted) return "was stopped";
  if (outcome.limit === "time") return `was stopped after ${Math.round(outcome.ms / 1000)} s, the time limit in the background`;
  return `ended with exit code ${outcome.exitCode}`;
}

function unknown(id: string, started: number): string {
  const number = /^bg-([1-9]\d*)$/.exec(id)?.[1];
  if (number !== undefined && Number(number) <= started) return `${id} is gone: the page was closed or reloaded since it was started`;
  return id === "" ? `which one?\n${usage}` : `${id}: no such command in the background of this dialog`;
}

function printed(stdout: string): Printed {
  return { stdout, stderr: "", exitCode: 0 };
}

function failed(why: string, exitCode: number): Printed {
  return { stdout: "", stderr: `background: ${why}${why.endsWith("\n") ? "" : "\n"}`, exitCode };
}

/** Settles when the promise does, when the signal aborts, or after `ms`. */
async function before(promise: Promise<void>, signal: AbortSignal, ms: number | null): Promise<void> {
  if (signal.aborted) return;
  const over = new AbortController();
  const aborted = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true, signal: over.signal }));
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    if (ms !== null) timer = setTimeout(resolve, ms);
  });
  await Promise.race([promise, aborted, late]);
  clearTimeout(timer);
  over.abort();
}
