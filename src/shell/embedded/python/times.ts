import type { Import, WasmImports } from "./gate.ts";

/** WASI's number of the real-time clock; the other clocks count from the program's start. */
const timeOfDay = 0;

/** How far a clock may be ahead of the browser's, in nanoseconds. */
const mostAhead = 1_000_000n;

/**
 * Makes sure that two reads of a clock never give the same time, as on a real machine: a browser's clock stands still for up to a millisecond, and
 * programs divide by measured times. `memory`: Python's memory, which is replaced when it grows.
 */
export function useGoingClocks({ env }: WasmImports, memory: () => ArrayBufferLike): void {
  const { ["clock_time_get"]: original = missing } = env;
  const last = new Map<number, bigint>();
  function get(clock: number, precision: unknown, at: number): unknown {
    const failed: unknown = Reflect.apply(original, undefined, [clock, precision, at]);
    if (failed !== 0) return failed;
    const view = new DataView(memory(), at >>> 0);
    const now = view.getBigInt64(0, true);
    // A float of seconds since 1970 can't resolve less than 240 ns.
    const next = (last.get(clock) ?? 0n) + (clock === timeOfDay ? 300n : 100n);
    const given = now >= next || next - now > mostAhead ? now : next;
    last.set(clock, given);
    view.setBigInt64(0, given, true);
    return 0;
  }
  // Emscripten stores a function's signature on it.
  const going: Import = Object.assign(get, original);
  env["clock_time_get"] = going;
}

function missing(): never {
  throw new Error("Python has no clock");
}
