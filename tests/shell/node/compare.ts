import type { Case } from "./cases.ts";
import type { Printed } from "./machine.ts";

/** The command line and files of a case. */
export function prepared(one: Case): { readonly run: string; readonly files: Readonly<Record<string, string>> } {
  if (typeof one !== "string") return one;
  if (/^(node|echo|printf) /.test(one)) return { run: one, files: {} };
  const name = /^\s*(import|export)\b[^(]|\bawait import\(/m.test(one) && !/^const .*require\(/.test(one) ? "main.mjs" : "main.js";
  return { run: `node ${name}`, files: { [name]: one } };
}

/** The output without stacks and times, which differ from machine to machine. */
export function comparable({ stdout, stderr, exitCode }: Printed): Printed {
  const plain = (text: string): string =>
    text
      .replaceAll(/\n\s+at .*/g, "")
      .replaceAll(/\(?\d+(\.\d+)?ms\)?/g, "(ms)")
      .replaceAll(/duration_ms:? [\d.]+/g, "duration_ms")
      .replaceAll(/node:\d+/g, "node:PID");
  return { stdout: plain(stdout), stderr: plain(stderr), exitCode };
}
