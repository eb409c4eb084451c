import { expect, test } from "vitest";
import { systemTimers } from "../../../src/engine/providers/deps.ts";
import { beginApart, embeddedSandbox, mostCommands } from "../../../src/shell/embedded/embedded.ts";
import type { Files } from "../../../src/fs/files.ts";
import { testAssets } from "../../shell/assets.ts";
import { loopbackWorker } from "../../shell/loopback.ts";
import { deferred } from "../deferred.ts";
import { call } from "../harness.ts";
import { type Crew, crew } from "./crew.ts";

const gate = "vibey/dialog-20260101-000000-gate-done.md";

interface World {
  readonly c: Crew;
  /** The number of commands that wait at the gate: they have begun, and none continues. */
  readonly atGate: () => number;
  open(): void;
  /** The agent runs this command and then passes the gate. */
  run(name: string, command: string): Promise<void>;
}

/**
 * Agents whose commands run in the built-in shell. A command that reads `gate` waits there, because a dialog's content is fetched when it
 * is read.
 */
async function world(contents: Readonly<Record<string, string>> = {}): Promise<World> {
  const opened = deferred<void>();
  let waiting = 0;
  const sandbox = (files: Files) =>
    embeddedSandbox({
      files: {
        list: () => files.list(),
        read: (at) => files.read(at),
        async readMany(paths) {
          if (paths.some((at) => at === gate)) {
            waiting += 1;
            await opened.promise;
          }
          return files.readMany(paths);
        },
      },
      createWorker: loopbackWorker,
      // Don't wait between the starts of two commands.
      timers: { ...systemTimers, after: (ms, then) => systemTimers.after(ms === beginApart ? 0 : ms, then) },
      assets: testAssets,
    });
  const c = await crew(["agents 20", "> Authorized: run_command"], { sandbox });
  await c.b.ask("POST", `/file/${gate.slice("vibey/".length)}`, { content: "# Dialog\n> Format: 1\n" });
  for (const [name, content] of Object.entries(contents)) await c.b.ask("PUT", `/deed/${name}`, content);
  return {
    c,
    atGate: () => waiting,
    open: () => opened.resolve(),
    async run(name, command) {
      c.reply(name, call("1", "run_command", { command: `${command}; cat ${gate} > /dev/null` }));
      c.reply(name, { type: "text", text: "Done." });
      await c.begin(name);
    },
  };
}

const begun = /^Started: /m;

async function resultOf(c: Crew, name: string): Promise<unknown> {
  const { messages } = await c.dialog(name);
  return messages.flatMap(({ parts }) => parts.flatMap((part) => (part.kind === "call" ? [part.call.result] : [])))[0];
}

test("commands of several dialogs run at one time, as many as may; the next one is not claimed before it begins", async () => {
  const w = await world();
  const names = Array.from({ length: mostCommands + 1 }, (_, nth) => `agent-${nth}`);
  for (const name of names.slice(0, -1)) await w.run(name, `echo ${name} > ${name}.txt`);
  await expect.poll(w.atGate).toBe(mostCommands);
  const last = names.at(-1) ?? "";
  await w.run(last, `echo ${last} > ${last}.txt`);
  await expect.poll(async () => (await w.c.dialog(last)).output?.progress).toContain("Waiting for its turn");
  expect((await w.c.dialog(last)).markdown).not.toMatch(begun);
  for (const name of names.slice(0, -1)) expect((await w.c.dialog(name)).markdown).toMatch(begun);
  w.open();
  await w.c.is("|");
  for (const name of names) expect(await w.c.b.text(`${name}.txt`)).toBe(`${name}\n`);
  expect((await w.c.dialog(last)).markdown).toMatch(begun);
  expect(w.c.b.reported).toEqual([]);
});

test("a stop ends the command that waits at once, and the one that runs, and touches no other", async () => {
  const w = await world();
  const names = Array.from({ length: mostCommands + 2 }, (_, nth) => `agent-${nth}`);
  for (const name of names) await w.run(name, `echo x > ${name}.txt`);
  await expect.poll(w.atGate).toBe(mostCommands);
  const [running = "", ...others] = names;
  const waiting = others.at(-1) ?? "";
  await w.c.put(waiting, { status: "waiting" });
  expect(await resultOf(w.c, waiting)).toEqual({ success: false, error: "stopped by the user before it ran" });
  expect((await w.c.dialog(waiting)).markdown).not.toMatch(begun);
  await w.c.put(running, { status: "waiting" });
  // Its slot is free: the other waiting command begins.
  await expect.poll(w.atGate).toBe(mostCommands + 1);
  w.open();
  await w.c.is("|");
  expect(await resultOf(w.c, running)).toMatchObject({ success: false, error: "stopped before it ended" });
  for (const name of others.slice(0, -1)) expect(await resultOf(w.c, name)).toMatchObject({ success: true });
  await expect(w.c.b.text(`${waiting}.txt`)).rejects.toThrow("no file");
  expect(w.c.b.reported).toEqual([]);
});

test.each<[string, string, readonly [string, string], Readonly<Record<string, string>>, readonly string[]]>([
  [
    "other lines: both stay in the file",
    "one\ntwo\nthree\nfour\nfive\n",
    ["sed -i s/one/ONE/ all.txt", "sed -i s/five/FIVE/ all.txt"],
    { "all.txt": "ONE\ntwo\nthree\nfour\nFIVE\n" },
    ["someone else also changed all.txt; both changes were merged"],
  ],
  [
    "the same line: the first stays, the second stands beside it",
    "one\n",
    ["sed -i s/one/1/ all.txt", "sed -i s/one/1/ all.txt; echo more >> all.txt; sed -i s/1/I/ all.txt"],
    {},
    ["someone else changed all.txt, so their version was kept; this command's version is in all.conflict-1.txt"],
  ],
  [
    "a file that both made",
    "",
    ["echo a > new.txt", "echo b > new.txt"],
    {},
    ["someone else changed new.txt, so their version was kept; this command's version is in new.conflict-1.txt"],
  ],
])("two commands at one time change %s, and the later one is told", async (_, content, commands, expected, notes) => {
  const w = await world({ "all.txt": content });
  await w.run("a", commands[0]);
  await w.run("b", commands[1]);
  await expect.poll(w.atGate).toBe(2);
  w.open();
  await w.c.is("|");
  for (const [name, text] of Object.entries(expected)) expect(await w.c.b.text(name)).toBe(text);
  const told = [await resultOf(w.c, "a"), await resultOf(w.c, "b")].flatMap((result) => (result as { notes?: string[] }).notes ?? []);
  expect(told).toEqual(notes);
  expect(w.c.b.reported).toEqual([]);
});
