import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { isLong } from "../../long.ts";
import { loopbackWorker } from "../loopback.ts";
import { environment } from "../mixed/sessions.ts";
import { project } from "../project.ts";
import { anyTime, readTranscript, writeTranscript } from "./transcript.ts";

/** Sessions of agents. `VIBEY_RECORD=1` records the answers of this machine's real tools again. */
const folder = new URL("sessions/", import.meta.url);
/** Two of these start Python about thirty times each; one reads many files again and again. */
const long: ReadonlySet<string> = new Set(isLong ? [] : ["11-flask-like-service.txt", "18-many-files.txt", "19-python-packaging.txt"]);
const names = readdirSync(folder).filter((name) => name.endsWith(".txt"));
const only = process.env["VIBEY_TRANSCRIPT"];
const chosen = names.filter((name) => (only === undefined ? !long.has(name) : new RegExp(only).test(name)));

test.each(chosen)("%s: each command answers as the real tools do", { timeout: 600_000 }, async (name) => {
  const file = new URL(name, folder);
  const text = readFileSync(file, "utf8");
  let steps = readTranscript(text);
  if (process.env["VIBEY_RECORD"] === "1") {
    steps = (await import("./real.ts")).inBash(steps.map(({ command }) => command));
    writeFileSync(file, writeTranscript(/^# .*/.exec(text)?.[0] ?? "", steps));
  }
  const { runAndKeep, sandbox } = await project({ createWorker: loopbackWorker });
  try {
    await runAndKeep(
      Object.entries({ ...environment, PYTHONDONTWRITEBYTECODE: "1" })
        .map(([key, value]) => `export ${key}='${value}'`)
        .join("; "),
    );
    const ours: typeof steps = [];
    for (const { command } of steps) {
      const { stdout, stderr, exitCode } = await runAndKeep(command, { timeoutMs: 100_000 });
      ours.push({ command, stdout, stderr, exitCode });
    }
    expect(anyTime(writeTranscript("", ours))).toBe(anyTime(writeTranscript("", steps)));
  } finally {
    sandbox.dispose();
  }
});

test("there are at least twenty sessions", () => {
  expect(names.length).toBeGreaterThanOrEqual(20);
});
