import { readdirSync, readFileSync } from "node:fs";

/** A variable that everything that a program starts has from it, whatever else it changes: it tells whose a process is. */
export const markVariable = "VIBEY_PROGRAM";

/**
 * The numbers of the processes whose mark begins so, and of those below them. One that leads a group of its own is found by that, and one whose parent has
 * ended. Empty where the system has no /proc to read.
 */
export function markedProcesses(mark: string): readonly number[] {
  const found = new Set<number>();
  const below = new Map<number, number[]>();
  for (const name of entriesOf("/proc")) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    if (`\0${textOf(`/proc/${name}/environ`)}`.includes(`\0${markVariable}=${mark}`)) found.add(pid);
    // After the name, which may have blanks and brackets: its state, its parent.
    const parent = Number(/.*\) \S+ (\d+)/s.exec(textOf(`/proc/${name}/stat`))?.[1]);
    below.set(parent, [...(below.get(parent) ?? []), pid]);
  }
  for (const pid of found) for (const child of below.get(pid) ?? []) found.add(child);
  return [...found];
}

function entriesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // There is none: that is the answer.
    return [];
  }
}

/** Empty: the process is gone, or someone else's. */
function textOf(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    // That is the answer.
    return "";
  }
}
