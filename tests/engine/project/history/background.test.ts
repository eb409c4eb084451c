import { expect, test } from "vitest";
import type { BackgroundOptions, StoreLate } from "../../../../src/shell/sandbox.ts";
import { path } from "../../../fs/notation.ts";
import { call, ended, say } from "../../harness.ts";
import { project } from "./project.ts";

const welcome = [{ name: "doc-main.md", content: "> Authorized: run_command\n\n# A game\n" }];
const made = (name: string) => [{ path: path(name), bytes: new TextEncoder().encode("built\n"), base: null }];

async function withCommand() {
  const jobs: BackgroundOptions[] = [];
  const late: StoreLate[] = [];
  const p = await project([[call("a", "run_command", { command: "npm run watch", background: true }), ended], say("It runs.")], {
    welcome,
    runInBackground: (_command, options) => new Promise(() => jobs.push(options)),
    storeLateBy: (store) => late.push(store),
  });
  await p.history();
  await p.frames(await p.ask("POST", "/dialog", { provider: "claude", slug: "game", prompt: "Go" }));
  const { id } = await p.dialog();
  return { p, id, jobs, late };
}

test("what a command in the background changes is by the dialog that started it, also after its turn", async () => {
  const { p, id, jobs } = await withCommand();
  await jobs[0]?.commitChanges(made("out.txt"));
  expect(await p.newest()).toMatchObject({ summary: "added out.txt", by: { kind: "agent", dialogId: id } });
  expect(await p.lines(`?dialog=${id}`)).toEqual(["agent: added out.txt"]);
  expect(p.reported).toEqual([]);
});

test("what is found after its end is by the dialog, too, where it is known; else by Vibey", async () => {
  const { p, id, late } = await withCommand();
  await late[0]?.(made("one.txt"), id);
  await late[0]?.(made("two.txt"), null);
  expect(await p.lines("?limit=2")).toEqual(["vibey: added two.txt", "agent: added one.txt"]);
  expect(await p.lines(`?dialog=${id}`)).toEqual(["agent: added one.txt"]);
  expect(p.reported).toEqual([]);
});
