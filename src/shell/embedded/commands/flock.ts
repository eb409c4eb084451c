import type { CommonHost } from "../host.ts";
import { stoppable } from "../stoppable.ts";
import { type Answer, type Context, failed, passed, type Run, stdinLatin1 } from "./answer.ts";
import { absolute, statOf, writeOutput } from "./files.ts";

/** The exit code of a call that is stopped while it waits: bash's code for an interrupt. */
const stopped = 130;

/** The locked files, with the end of each lock. */
const held = new Map<string, Promise<void>>();

/**
 * `flock`: a command with a lock file waits for earlier commands that hold the lock. A descriptor (`flock 9`) can't be identified, so it always
 * counts as free: jobs that share one are not kept apart.
 */
export const flock =
  (host: CommonHost): Run =>
  (args, context) =>
    run(args, context, host.signal());

async function run(args: readonly string[], context: Context, signal: AbortSignal): Promise<Answer> {
  let at = 0;
  /** Milliseconds; null: wait without a limit. */
  let patience: number | null = null;
  let conflict = 1;
  for (; at < args.length; at++) {
    const arg = args[at] ?? "";
    if (!arg.startsWith("-")) break;
    if (/^(?:-w|-E|--wait|--timeout|--conflict-exit-code)$/.test(arg)) {
      const value = Number(args[++at] ?? Number.NaN);
      if (!(value >= 0)) return failed("flock", `invalid number for ${arg}`, 64);
      if (/^(?:-E|--conflict)/.test(arg)) conflict = value;
      else patience = value * 1_000;
    } else if (/^(?:--nb|--nonblock)$/.test(arg)) patience = 0;
    else if (/^-[xesnuoFv]+$/.test(arg)) patience = arg.includes("n") ? 0 : patience;
    else if (!/^(?:--exclusive|--shared|--unlock|--close|--no-fork|--verbose)$/.test(arg))
      return failed("flock", `unrecognized option '${arg}'`, 64);
  }
  const [file, ...words] = args.slice(at);
  if (file === undefined) return failed("flock", "not enough arguments", 64);
  if (words.length === 0) return /^\d+$/.test(file) ? {} : failed("flock", `bad file descriptor: '${file}'`, 65);
  if (!context.exec) throw new Error("no commands can be run from here");
  if ((await statOf(context, file)) === null) {
    const why = await writeOutput(context, file, new Uint8Array());
    if (why !== null) return failed("flock", `cannot open lock file ${file}: ${why}`, 66);
  }
  const path = absolute(context, file);
  const over = patience === null || patience === 0 ? null : context.sleep?.(patience).then(() => true);
  if (over === undefined) throw new Error("no commands can wait here");
  const never = new Promise<boolean>(() => undefined);
  for (let before = held.get(path); before !== undefined; before = held.get(path)) {
    if (patience === 0) return { exitCode: conflict };
    const freed = before.then(() => false);
    // oxlint-disable-next-line no-await-in-loop -- another waiting call may get the lock first.
    const isLate = await stoppable(
      () => Promise.race([over ?? never, freed]),
      signal,
      () => null,
    );
    if (isLate === null) return { exitCode: stopped };
    if (isLate) return { exitCode: conflict };
  }
  let free = (): void => undefined;
  held.set(path, new Promise((resolve) => (free = resolve)));
  try {
    const line =
      words[0] === "-c" || words[0] === "--command"
        ? (words[1] ?? "")
        : words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
    return passed(
      await context.exec(line, { cwd: context.cwd, env: Object.fromEntries(context.env), stdin: stdinLatin1(context), stdinKind: "bytes" }),
    );
  } finally {
    held.delete(path);
    free();
  }
}
