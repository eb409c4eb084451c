import { readdirSync, readFileSync } from "node:fs";

/** Finds processes of this machine that belong together, by an inherited variable and by descent. Needs Linux: it reads /proc. */

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    // The process has ended by now, or belongs to another user.
    if (["ENOENT", "ESRCH", "EACCES", "EPERM"].includes((error as NodeJS.ErrnoException).code ?? "")) return "";
    throw error;
  }
}

interface Seen {
  readonly pid: number;
  readonly parent: number;
  readonly isMarked: boolean;
}

function look(pid: number, mark: string): Seen[] {
  // The name, in parentheses, may contain any characters.
  const [state, parent] = textOf(`/proc/${pid}/stat`).split(") ").at(-1)?.split(" ") ?? [];
  if (state === undefined || state === "Z" || parent === undefined) return [];
  return [{ pid, parent: Number(parent), isMarked: textOf(`/proc/${pid}/environ`).split("\0").includes(mark) }];
}

/** The living processes that have the variable (`NAME=value`), and all their descendants. */
export function processesWith(mark: string): number[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const seen = pids.flatMap((pid) => look(Number(pid), mark));
  const found = new Set(seen.flatMap(({ pid, isMarked }) => (isMarked ? [pid] : [])));
  for (let size = -1; size !== found.size; ) {
    size = found.size;
    for (const { pid, parent } of seen) if (found.has(parent)) found.add(pid);
  }
  return [...found];
}

export function killNow(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, "SIGKILL");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  }
}
