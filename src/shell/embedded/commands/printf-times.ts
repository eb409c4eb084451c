import { zoneOf } from "../zone.ts";
import type { Context } from "./answer.ts";
import { timeText } from "./time-text.ts";

/** printf's `%(format)T`. just-bash would use the browser's zone, so such a field becomes a `%s` with the text as its argument. */
export function withTimes(
  args: readonly string[],
  formatAt: number,
  { exportedEnv }: Pick<Context, "exportedEnv">,
): { readonly args: readonly string[]; readonly wrong: string } {
  const format = args[formatAt] ?? "";
  if (!/%[-\d.*]*\([^)]*\)T/.test(format)) return { args, wrong: "" };
  const zone = zoneOf(exportedEnv?.["TZ"]);
  /** The time format of each argument; null: not a time. */
  const uses: (string | null)[] = [];
  const plain = format.replaceAll(/%(?:%|([-+ #0'\d.*]*)(?:\(([^)]*)\)T|[A-Za-z]))/g, (whole, flags?: string, time?: string) => {
    if (flags === undefined) return whole;
    uses.push(
      ...flags
        .replaceAll(/[^*]/g, "")
        .split("")
        .map(() => null),
    );
    uses.push(time === undefined ? null : time === "" ? "%X" : time);
    return time === undefined ? whole : `%${flags}s`;
  });
  const values = args.slice(formatAt + 1);
  const last = uses.findLastIndex((use) => use !== null) + 1;
  const rounds = Math.max(1, Math.ceil(values.length / uses.length));
  for (let at = values.length; at < (rounds - 1) * uses.length + last; at++) values.push("");
  let wrong = "";
  const shown = values.map((value, i) => {
    const use = uses[i % uses.length] ?? null;
    if (use === null) return value;
    if (!/^-?\d*$/.test(value)) wrong += `bash: printf: ${value}: invalid number\n`;
    const seconds = value === "" ? -1 : Number.parseInt(value, 10) || 0;
    return timeText(use, seconds === -1 || seconds === -2 ? new Date() : new Date(seconds * 1000), zone);
  });
  return { args: [...args.slice(0, formatAt), plain, ...shown], wrong };
}
