import { readdirSync, readFileSync } from "node:fs";
import { environment } from "../tests/shell/mixed/sessions.ts";
import { anyTime, readTranscript, writeTranscript } from "../tests/shell/transcripts/transcript.ts";
import { agentRuns } from "./agent-runs.ts";
import { expect, newDialog, openWithKey, test } from "./steps.ts";

/** Whole sessions of agents in dialogs of the app: each command answers what the real tools of a machine answered. */

const folder = new URL("../tests/shell/transcripts/sessions/", import.meta.url);
/** Two short ones run with every change. */
const short = /^(?:05|16)-/;

/** The project holds the dialog itself, in which `grep -r` finds what it looks for. */
const withoutDialog = (text: string): string => text.replaceAll(/^ {2}\.\/vibey\/dialog-.*\n/gm, "");

for (const name of readdirSync(folder).filter((each) => each.endsWith(".txt"))) {
  test(`an agent's session answers as the real tools do: ${name}`, { tag: short.test(name) ? [] : "@long" }, async ({ app, claude }) => {
    test.setTimeout(600_000);
    await openWithKey(app, claude);
    const id = await newDialog(app, "session");
    expect((await app.ask("PUT", "dialog", { dialogId: id, limits: { command: 100 } })).status).toBe(200);
    const set = Object.entries({ ...environment, PYTHONDONTWRITEBYTECODE: "1" }).map(([key, value]) => `export ${key}='${value}'`);
    const steps = readTranscript(readFileSync(new URL(name, folder), "utf8"));
    const results = await agentRuns(app, claude, id, [set.join("; "), ...steps.map(({ command }) => command)]);
    const ours = results
      .slice(1)
      .map(({ stdout, stderr, exitCode = 0 }, i) => ({ command: steps[i]?.command ?? "", stdout, stderr, exitCode }));
    expect(withoutDialog(anyTime(writeTranscript("", ours)))).toBe(anyTime(writeTranscript("", steps)));
  });
}
