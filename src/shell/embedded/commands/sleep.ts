import type { CommonHost } from "../host.ts";
import { failed, type Run } from "./answer.ts";

const units: Readonly<Record<string, number>> = { "": 1_000, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
/** The maximum delay of a timer in milliseconds. */
const longest = 2 ** 30;

/** GNU's `sleep`. Unlike just-bash's, it ends at once when it is killed. */
export function sleep(host: CommonHost): Run {
  return async (args, context) => {
    const words = args[0] === "--" ? args.slice(1) : args;
    if (words.length === 0) return failed("sleep", "missing operand\nTry 'sleep --help' for more information.");
    let ms = 0;
    for (const word of words) {
      const [, number, unit = ""] = /^\+?(\d+\.?\d*(?:e[-+]?\d+)?|\.\d+|inf(?:inity)?)([smhd]?)$/i.exec(word) ?? [];
      if (number === undefined) return failed("sleep", `invalid time interval '${word}'\nTry 'sleep --help' for more information.`);
      ms += /^inf/i.test(number) ? Number.POSITIVE_INFINITY : Number(number) * (units[unit] ?? 0);
    }
    const ended = new AbortController();
    const end = (): void => ended.abort();
    const signals = [host.signal(), ...(context.signal ? [context.signal] : [])];
    for (const signal of signals) signal.addEventListener("abort", end);
    if (signals.some(({ aborted }) => aborted)) end();
    try {
      await host.sleep(Math.min(ms, longest), ended.signal);
    } finally {
      for (const signal of signals) signal.removeEventListener("abort", end);
    }
    return {};
  };
}
