/** About 5 ms of a page's most common work: creating objects and looking up keys in maps. */
function work(): number {
  const seen = new Map<string, number>();
  for (let n = 0; n < 50_000; n += 1) seen.set(`k${n % 5_000}`, n);
  return Array.from({ length: 50_000 }, (_, n) => ({ n })).length + seen.size;
}

function timed(): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

let least = Infinity;

/**
 * How many times slower the processor is now than at its best in this run. If other processes share the core, a task takes two or three times as
 * much processor time, and no other measure in the browser can tell that from a slow task.
 */
export function slowness(): number {
  const took = Array.from({ length: 31 }, timed).toSorted((a, b) => a - b);
  least = Math.min(least, took[0] ?? Infinity);
  return Math.max(1, (took[15] ?? least) / least);
}
