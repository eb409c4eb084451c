import { readdirSync, readFileSync } from "node:fs";

/** An environment variable that everything a program starts inherits. It tells which program a process belongs to. */
export const markVariable = "VIBEY_PROGRAM";

/**
 * The ids of the processes whose mark begins with `mark`, and of their descendants. The mark also finds a process that leads a group of its own or
 * whose parent has ended. Empty if the system has no readable /proc.
 */
export function markedProcesses(mark: string): readonly number[] {
  const found = new Set<number>();
  const below = new Map<number, number[]>();
  for (const name of entriesOf("/proc")) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    if (`\0${textOf(`/proc/${name}/environ`)}`.includes(`\0${markVariable}=${mark}`)) found.add(pid);
    // The state and the parent come after the name, which may contain blanks and brackets.
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
    // The folder does not exist.
    return [];
  }
}

/** Empty: the process has ended, or belongs to someone else. */
function textOf(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    // The file can't be read.
    return "";
  }
}
