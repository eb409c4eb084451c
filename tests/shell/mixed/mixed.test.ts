import { readFile, writeFile } from "node:fs/promises";
import { afterAll, expect, test } from "vitest";
import { loopbackWorker } from "../loopback.ts";
import { project } from "../project.ts";
import type { Answer } from "./real.ts";
import { environment, sessions } from "./sessions.ts";

const file = new URL("recorded.json", import.meta.url);
const isRecording = process.env["VIBEY_RECORD"] === "1";
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a file of our own.
const recorded = isRecording ? {} : (JSON.parse(await readFile(file, "utf8")) as Record<string, Answer[]>);

test.each(Object.entries(sessions))(
  "%s: in one worker, each command prints what the real tools print",
  { timeout: 600_000 },
  async (name, commands) => {
    if (isRecording) recorded[name] = (await import("./real.ts")).inBash(commands);
    const { runAndKeep, sandbox } = await project({ createWorker: loopbackWorker });
    try {
      const exports = Object.entries(environment).map(([key, value]) => `export ${key}='${value}'`);
      await runAndKeep(exports.join("; "));
      const ours: (Answer & { readonly command: string })[] = [];
      for (const command of commands) {
        const { stdout, exitCode } = await runAndKeep(command, { timeoutMs: 100_000 });
        ours.push({ command, stdout: withoutDocs(stdout), exitCode });
      }
      expect(ours).toEqual(commands.map((command, i) => ({ command, ...recorded[name]?.[i] })));
    } finally {
      sandbox.dispose();
    }
  },
);

/** The folder of docs and dialogs exists in every project. */
function withoutDocs(stdout: string): string {
  return stdout.replaceAll(/^vibey\n/gm, "");
}

afterAll(async () => {
  if (isRecording) await writeFile(file, `${JSON.stringify(recorded, null, 1)}\n`);
});
