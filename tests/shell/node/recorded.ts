import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { isLong } from "../../long.ts";
import type { Printed } from "./machine.ts";
import { inNode } from "./real.ts";

type Files = Readonly<Record<string, string>>;

export const recording = new URL("recorded.json", import.meta.url);
/** Whether this machine has the version of Node whose answers are recorded. */
export const isSameNode = process.version.startsWith("v20.");
const answers: ReadonlyMap<string, Printed> = new Map(Object.entries(JSON.parse(readFileSync(recording, "utf8"))));

/** The name of a command line with its files: 16 hexadecimal digits. */
export const nameOf = (line: string, files: Files): string =>
  createHash("sha256")
    .update(JSON.stringify([line, files]))
    .digest("hex")
    .slice(0, 16);

/** What the real Node prints: from the recording, or in a long run from this machine's Node. Throws if nothing is recorded. */
export async function realRun(line: string, files: Files): Promise<Printed> {
  if (isLong && isSameNode) return inNode(line, files);
  const answer = answers.get(nameOf(line, files));
  if (answer === undefined)
    throw new Error(`Not recorded: ${line}. VIBEY_RECORD=1 npx vitest run --project node tests/shell/node/recorded`);
  return answer;
}
