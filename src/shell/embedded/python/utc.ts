import type { Import, WasmImports } from "./gate.ts";

/** The byte offsets of the fields in the C library's `struct tm`. */
const at = { seconds: 0, minutes: 4, hours: 8, day: 12, month: 16, year: 20, weekday: 24, yearDay: 28, summer: 32, offset: 36 };

/**
 * Makes local time UTC, as in the rest of the shell; Emscripten uses the browser's zone. `memory`: Python's memory, which is replaced when it grows.
 */
export function useUtc({ env }: WasmImports, memory: () => ArrayBufferLike): void {
  function write(tm: number, time: Date): void {
    const view = new DataView(memory(), tm);
    const set = (where: number, value: number): void => view.setInt32(where, value, true);
    set(at.seconds, time.getUTCSeconds());
    set(at.minutes, time.getUTCMinutes());
    set(at.hours, time.getUTCHours());
    set(at.day, time.getUTCDate());
    set(at.month, time.getUTCMonth());
    set(at.year, time.getUTCFullYear() - 1900);
    set(at.weekday, time.getUTCDay());
    const start = new Date(time);
    start.setUTCMonth(0, 1);
    set(at.yearDay, (time.getTime() - start.getTime()) / 86_400_000);
    set(at.summer, 0);
    set(at.offset, 0);
  }

  function localTime(seconds: bigint, tm: number): void {
    write(tm >>> 0, new Date(Number(seconds) * 1000));
  }

  /** Seconds since 1970; -1: no such time. Values that are too large, such as the 32nd day, are normalized. */
  function timeOf(tm: number): bigint {
    const view = new DataView(memory(), tm >>> 0);
    const get = (where: number): number => view.getInt32(where, true);
    const time = new Date(0);
    time.setUTCFullYear(get(at.year) + 1900, get(at.month), get(at.day));
    time.setUTCHours(get(at.hours), get(at.minutes), get(at.seconds));
    if (Number.isNaN(time.getTime())) return -1n;
    write(tm >>> 0, time);
    return BigInt(time.getTime() / 1000);
  }

  function setZone(offset: number, hasSummer: number, standardName: number, summerName: number): void {
    const view = new DataView(memory());
    view.setInt32(offset >>> 0, 0, true);
    view.setInt32(hasSummer >>> 0, 0, true);
    for (const name of [standardName, summerName]) new Uint8Array(memory()).set(new TextEncoder().encode("UTC\0"), name >>> 0);
  }

  // Emscripten stores a function's signature on it.
  const replaced: Readonly<Record<string, Import>> = {
    ["_localtime_js"]: Object.assign(localTime, { sig: "vjp" }),
    ["_mktime_js"]: Object.assign(timeOf, { sig: "jp" }),
    ["_tzset_js"]: Object.assign(setZone, { sig: "vpppp" }),
  };
  Object.assign(env, replaced);
}
