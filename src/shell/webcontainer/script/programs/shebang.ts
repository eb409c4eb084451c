import { closeSync, openSync, readSync } from "node:fs";
import { basename } from "node:path";

/** How a file is run: by this shell, by another program that is given it, or by itself. */
export type FileKind =
  /** `marked`: its first line says that it is one. */
  | { readonly kind: "script"; readonly marked: boolean }
  | { readonly kind: "with"; readonly program: string; readonly args: readonly string[] }
  | { readonly kind: "program" };

/** Bytes that tell what a file is. */
const looked = 512;
const shells = new Set(["sh", "bash", "dash", "ash", "zsh", "ksh"]);

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

/** `head`: a file's first bytes. */
export function kindOf(head: Uint8Array): FileKind {
  const text = Buffer.from(head).toString("latin1");
  if (!text.startsWith("#!")) return text.includes("\0") ? { kind: "program" } : { kind: "script", marked: false };
  const [line = ""] = text.slice(2).split("\n");
  let words = line.trim().split(/\s+/);
  if (basename(words[0] ?? "") === "env") {
    words = words.slice(1);
    if (words[0] === "-S") words = words.slice(1);
  }
  // Where a program lies on one WebContainer says little about another: its name is looked for.
  const [program = "", ...args] = words;
  const name = basename(program);
  return name === "" || shells.has(name) ? { kind: "script", marked: true } : { kind: "with", program: name, args };
}
