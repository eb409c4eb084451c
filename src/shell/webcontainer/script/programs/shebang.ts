import { closeSync, openSync, readSync } from "node:fs";
import { basename } from "node:path";

/** How a file runs: in this shell, as input of another program, or by itself. */
export type FileKind =
  /** `marked`: its first line says that it is a shell script. */
  | { readonly kind: "script"; readonly marked: boolean }
  | { readonly kind: "with"; readonly program: string; readonly args: readonly string[] }
  | { readonly kind: "program" };

/** Bytes read to determine a file's kind. */
const looked = 512;
export const shellNames = new Set(["sh", "bash", "dash", "ash", "zsh", "ksh"]);

export function fileKind(path: string): FileKind {
  const head = Buffer.alloc(looked);
  const file = openSync(path, "r");
  try {
    const length = readSync(file, head, 0, looked, 0);
    return kindOf(head.subarray(0, length));
  } finally {
    closeSync(file);
  }
}

/** `head`: the file's first bytes. */
export function kindOf(head: Uint8Array): FileKind {
  const text = Buffer.from(head).toString("latin1");
  if (!text.startsWith("#!")) return text.includes("\0") ? { kind: "program" } : { kind: "script", marked: false };
  const [line = ""] = text.slice(2).split("\n");
  let words = line.trim().split(/\s+/);
  if (basename(words[0] ?? "") === "env") {
    words = words.slice(1);
    if (words[0] === "-S") words = words.slice(1);
  }
  // A program's path on one WebContainer says little about another one, so only the name counts.
  const [program = "", ...args] = words;
  const name = basename(program);
  return name === "" || shellNames.has(name) ? { kind: "script", marked: true } : { kind: "with", program: name, args };
}
