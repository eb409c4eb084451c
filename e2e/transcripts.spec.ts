import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { environment } from "../tests/shell/mixed/sessions.ts";
import { inBash } from "../tests/shell/transcripts/real.ts";
import { anyTime, readTranscript, type Step, writeTranscript } from "../tests/shell/transcripts/transcript.ts";
import type { ClaudeStandIn } from "../tests/stand-in/claude.ts";
import { agentRuns } from "./agent-runs.ts";
import type { App } from "./app.ts";
import { allowHost, type Packages, startIndex, startRegistry } from "./registry.ts";
import { expect, newDialog, openWithKey, test } from "./steps.ts";

/** Complete agent sessions in dialogs of the app: each command answers what the real tools on a machine answered. */

const folder = new URL("../tests/shell/transcripts/sessions/", import.meta.url);
/** A short session, which always runs. */
const short = /^16-/;

/** Removes the dialog's own file from results: it is part of the project, and `grep -r` finds its search text in it. */
const withoutDialog = (text: string): string => text.replaceAll(/^ {2}\.\/vibey\/dialog-.*\n/gm, "");

/** Runs the session in a dialog. `packages`: the server from which its installs fetch packages. */
async function replay(
  { app, claude }: { app: App; claude: ClaudeStandIn },
  steps: readonly Step[],
  settings: Readonly<Record<string, string>>,
  packages: Packages | null = null,
): Promise<void> {
  await openWithKey(app, claude);
  const id = await newDialog(app, "session");
  expect((await app.ask("PUT", "dialog", { dialogId: id, limits: { command: 100 } })).status).toBe(200);
  const set = Object.entries({ ...environment, PYTHONDONTWRITEBYTECODE: "1", ...settings }).map(
    ([key, value]) => `export ${key}='${value}'`,
  );
  const [results] = await Promise.all([
    agentRuns(app, claude, id, [set.join("; "), ...steps.map(({ command }) => command)]),
    packages && allowHost(app, id, packages.host),
  ]);
  const ours = results
    .slice(1)
    .map(({ stdout, stderr, exitCode = 0 }, i) => ({ command: steps[i]?.command ?? "", stdout, stderr, exitCode }));
  expect(withoutDialog(anyTime(writeTranscript("", ours)))).toBe(anyTime(writeTranscript("", steps)));
}

for (const name of readdirSync(folder).filter((each) => each.endsWith(".txt"))) {
  test(`an agent's session answers as the real tools do: ${name}`, { tag: short.test(name) ? [] : "@long" }, async ({ app, claude }) => {
    test.setTimeout(600_000);
    await replay({ app, claude }, readTranscript(readFileSync(new URL(name, folder), "utf8")), {});
  });
}

/**
 * Sessions that install packages. They run only in the browser, because their packages need its engine. `VIBEY_RECORD=1` asks the real
 * tools again.
 */
const withPackages = new URL("packages/", folder);
for (const name of readdirSync(withPackages)) {
  test(`an agent's session with packages answers as the real tools do: ${name}`, { tag: "@long" }, async ({ app, claude }) => {
    test.setTimeout(900_000);
    const file = new URL(name, withPackages);
    const text = readFileSync(file, "utf8");
    let steps = readTranscript(text);
    if (process.env["VIBEY_RECORD"] === "1") {
      steps = inBash(steps.map(({ command }) => command));
      writeFileSync(file, writeTranscript(/^# .*/.exec(text)?.[0] ?? "", steps));
    }
    const wanted = /pip install .*?(\S+==\S+)/.exec(text)?.[1];
    const packages = await (wanted === undefined ? startRegistry() : startIndex(wanted));
    test.skip(packages === null, "there is no network");
    if (packages === null) return;
    const at = `http://${packages.host}/`;
    await replay({ app, claude }, steps, { PIP_INDEX_URL: `${at}simple`, npm_config_registry: at }, packages);
    packages.server.close();
  });
}
