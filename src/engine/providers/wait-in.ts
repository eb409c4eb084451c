import { isObject } from "../prompt/json.ts";

const msOf: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** One number with its unit. A duration has one or more: `2 minutes`, `1m30.5s`. */
const part = /(\d{1,9}(?:\.\d{1,9})?) ?(milliseconds?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|h)(?![a-z])/;
const asked = new RegExp(`\\b(?:try again|retry|wait)(?: again)?(?: in| after| for)?(?: about)? ((?:${part.source}[ ,]{0,2})+)`, "i");

/** The milliseconds that an error's body asks to wait. Null if it doesn't ask. `said`: its text. */
export function waitIn(body: unknown, said: string | null): number | null {
  return detailOf(body) ?? (said === null ? null : duration(asked.exec(said)?.[1] ?? ""));
}

/** Google's format: `retryDelay: "29s"` among the details. */
function detailOf(body: unknown): number | null {
  const whole: unknown = Array.isArray(body) && body.length === 1 ? body[0] : body;
  const error: unknown = isObject(whole) ? (whole["error"] ?? whole) : null;
  const details: unknown = isObject(error) ? error["details"] : null;
  if (!Array.isArray(details)) return null;
  for (const detail of details) {
    const delay: unknown = isObject(detail) ? detail["retryDelay"] : null;
    const ms = typeof delay === "string" ? duration(delay) : null;
    if (ms !== null) return ms;
  }
  return null;
}

function duration(text: string): number | null {
  let ms = 0;
  for (const [, value = "", unit = ""] of text.toLowerCase().matchAll(new RegExp(part, "g")))
    ms += Number(value) * (msOf[short(unit)] ?? 0);
  return ms > 0 ? Math.ceil(ms) : null;
}

function short(unit: string): string {
  return unit === "ms" || unit.startsWith("milli") ? "ms" : unit.slice(0, 1);
}
