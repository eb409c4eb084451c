import type { Import, WasmImports } from "./gate.ts";

/** WASI's number of the time of day; the others count from when the program began. */
const timeOfDay = 0;

/** How far a clock may be ahead of the browser's, in nanoseconds. */
const mostAhead = 1_000_000n;

/**
 * Two looks at a clock never give the same time, as on a machine of one's own: a browser's clock stands for up to a millisecond, and programs divide by what
 * they measured. `memory`: Python's, which moves as it grows.
 */
export function useGoingClocks({ env }: WasmImports, memory: () => ArrayBufferLike): void {
  const { ["clock_time_get"]: original = missing } = env;
  const last = new Map<number, bigint>();
  function get(clock: number, precision: unknown, at: number): unknown {
    const failed: unknown = Reflect.apply(original, undefined, [clock, precision, at]);
    if (failed !== 0) return failed;
    const view = new DataView(memory(), at >>> 0);
    const now = view.getBigInt64(0, true);
    // A number of seconds has no room for less than 240 ns since 1970.
    const next = (last.get(clock) ?? 0n) + (clock === timeOfDay ? 300n : 100n);
    const given = now >= next || next - now > mostAhead ? now : next;
    last.set(clock, given);
    view.setBigInt64(0, given, true);
    return 0;
  }
  // Emscripten keeps a function's signature with it.
  const going: Import = Object.assign(get, original);
  env["clock_time_get"] = going;
}

function missing(): never {
  throw new Error("Python has no clock");
}
