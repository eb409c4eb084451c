import { mergeTests } from "@playwright/test";
import { parseDialog } from "../src/dialog/parse.ts";
import { agentRuns } from "./agent-runs.ts";
import type { App } from "./app.ts";
import { isWhole } from "./campaign.ts";
import { openWithWebContainer } from "./open-with-webcontainer.ts";
import { expect, openWithKey, test as withProviders } from "./steps.ts";
import { test as withContainer } from "./webcontainer/fixture.ts";

/** The page dies while a command runs in a WebContainer: its processes end and the page says so, each file is whole or absent, and work continues. */
const test = mergeTests(withProviders, withContainer);
test.use({ serviceWorkers: "allow" });

const lines = 20;
const points = isWhole ? Array.from({ length: lines }, (_, i) => i + 1) : [1, 12];

/** Creates and opens a dialog, so that its output is shown. */
async function dialogOf(app: App, slug: string): Promise<string> {
  const { dialogId } = await app.json<{ dialogId: string }>("POST", "dialog/new", { provider: "claude", slug });
  await app.page.evaluate((id) => location.assign(`#/dialogs/${id}`), dialogId);
  await expect(app.page.getByRole("heading", { name: slug, exact: true })).toBeVisible();
  return dialogId;
}

const command = (folder: string): string =>
  `mkdir ${folder}; for i in $(seq 1 ${lines}); do echo "content $i" > ${folder}/f$i.txt; echo "${folder} line $i."; sleep 0.1; done; sleep 20`;

test("the page is loaded anew at points of a command", { tag: "@long" }, async ({ app, claude, container }) => {
  test.setTimeout(60_000 + points.length * 30_000);
  await openWithWebContainer(app, claude);
  for (const point of points) {
    const folder = `part${point}`;
    const id = await dialogOf(app, folder);
    // Packages and files are loaded by now, so only the command is measured.
    await agentRuns(app, claude, id, ["true"]);
    claude.play({ blocks: [{ call: "run_command", id: `toolu_${folder}`, input: { command: command(folder) } }] });
    void app.ask("PUT", "dialog", { dialogId: id, prompt: "Go.", authorizations: ["run_command"] }).catch(() => undefined);
    await expect(app.page.getByText(`${folder} line ${point}.`)).toBeVisible();
    const before = [...container.containers];
    expect(before).toHaveLength(1);
    await app.page.reload();
    await openWithKey(app, claude);
    // No process continues after its page is gone.
    await expect.poll(() => before.flatMap((one) => one.pids())).toEqual([]);

    const { markdown, status } = await app.json<{ markdown: string; status: string }>("GET", `dialog/${id}`);
    const calls = parseDialog(markdown).sections.flatMap(({ parts }) => parts.flatMap((part) => (part.kind === "call" ? [part.call] : [])));
    expect(calls.map((call) => call.id)).toEqual([`toolu_${id}_0`, `toolu_${folder}`]);
    expect(JSON.stringify(calls[1]?.result)).toContain("interrupted: this may or may not have run");
    expect(status).toBe("waiting");
    const kept = (await app.json<{ path: string }[]>("GET", "deed")).filter(({ path }) => path.startsWith(`${folder}/`));
    for (const { path } of kept) expect((await app.ask("GET", `deed/${path}`)).text).toBe(`content ${/f(\d+)/.exec(path)?.[1]}\n`);

    const next = await dialogOf(app, `${folder}-next`);
    const [seen, made] = await agentRuns(app, claude, next, [`find ${folder} -type f 2>/dev/null | wc -l`, `echo after > ${folder}.txt`]);
    expect(seen).toMatchObject({ success: true, stdout: `${kept.length}\n`, stderr: "" });
    expect(made).toMatchObject({ success: true });
  }
  for (const point of points) expect((await app.ask("GET", `deed/part${point}.txt`)).text).toBe("after\n");
});
