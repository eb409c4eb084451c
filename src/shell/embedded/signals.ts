import type { Signal } from "./spans.ts";

/** Linux's signals, by number. */
const names =
  " HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM STKFLT CHLD CONT STOP TSTP TTIN TTOU URG XCPU XFSZ VTALRM PROF WINCH IO PWR SYS".split(
    " ",
  );

/** Signals that a process survives by default. */
const harmless = new Set(["CHLD", "CONT", "URG", "WINCH"]);
const stopping = new Set(["STOP", "TSTP", "TTIN", "TTOU"]);

/** Finds a signal by name, with or without SIG, or by number; null: there is no such signal. */
export function signalOf(text: string): Signal | null {
  const name = text.toUpperCase().replace(/^SIG/, "");
  const number = /^\d+$/.test(text) ? Number(text) : names.indexOf(name);
  const found = number === 0 ? "" : (names[number] ?? "");
  return found === "" ? null : { name: `SIG${found}`, number };
}

export function isHarmless({ name }: Signal): boolean {
  return harmless.has(name.slice(3));
}

/** Whether it would stop a process until it is continued. */
export function isStopping({ name }: Signal): boolean {
  return stopping.has(name.slice(3));
}

/** The table that `kill -l` and `trap -l` print. */
export function signalTable(): string {
  const cells = names.slice(1).map((name, i) => `${String(i + 1).padStart(2)}) SIG${name}`);
  const rows: string[] = [];
  for (let at = 0; at < cells.length; at += 5) rows.push(`${cells.slice(at, at + 5).join("\t")}\n`);
  return rows.join("");
}
