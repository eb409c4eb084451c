import { expect, test } from "vitest";
import type { DialogAnswer, DialogListing } from "../../../src/protocol/index.ts";
import { parseDialog } from "../../../src/dialog/parse.ts";
import { serialiseDialog } from "../../../src/dialog/serialise.ts";
import { memoryKeys } from "../../../src/engine/vault/keys.ts";
import { memoryStore } from "../../../src/fs/memory.ts";
import { deferred } from "../deferred.ts";
import { type Bench, bench, type BenchOptions, call, ended, outcome, type Reply, say } from "../harness.ts";
import { docMain, firstWord, launch, nameOf } from "./crew.ts";

const hands = ["one", "two", "three"];
const everybody = ["lead", ...hands];

/** One agent launches three. All four look around, write a file of their own and a shared one, and report that. */
function script(name: string, nth: number): Reply {
  const text = { type: "text", text: `I am ${name}, ` } as const;
  const replies = [
    ...(name === "lead" ? [[text, ...hands.map((hand) => launch(`to-${hand}`, hand)), ended]] : []),
    [text, call(`${name}-ls`, "run_command", { command: `ls ${name}` }), ended],
    [
      text,
      call(`${name}-own`, "write_file", { path: `${name}.txt`, content: name }),
      call(`${name}-all`, "write_file", { path: "all.txt", content: name }),
      ended,
    ],
  ];
  return replies[nth] ?? say("Done.");
}

function project(commands: string[], limit: string): Omit<BenchOptions, "aroundCommit"> {
  const asked = new Map<string, number>();
  return {
    welcome: [
      {
        name: "doc-main.md",
        content: docMain([limit, ...["run_command", "write_file", "launch_agent"].map((one) => `> Authorized: ${one}`)]),
      },
    ],
    later: (then) => void setTimeout(then, 1),
    run: async (command) => {
      commands.push(command);
      return outcome("index.html\n");
    },
    async *answer(request, signal) {
      const name = firstWord(request);
      const nth = asked.get(name) ?? 0;
      asked.set(name, nth + 1);
      const reply = script(name, nth);
      yield* typeof reply === "function" ? reply(request, signal) : reply;
    },
  };
}

async function listing(b: Bench): Promise<DialogListing[]> {
  return (await (await b.ask("GET", "/dialogs")).json()) as DialogListing[];
}

async function atRest(b: Bench): Promise<void> {
  for (;;) {
    if ((await listing(b)).every(({ status }) => status !== "active")) return;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

/** The power fails at the n-th commit: the commit is stored or not, and nothing happens after it. */
async function untilPowerGoes(n: number, stored: boolean, limit: string) {
  const store = memoryStore();
  const commands: string[] = [];
  const off = deferred<"off">();
  let commits = 0;
  const run = async () => {
    const b = await bench([], {
      ...project(commands, limit),
      store,
      async aroundCommit(commit) {
        commits += 1;
        if (commits < n) return commit();
        if (commits === n && stored) await commit();
        off.resolve("off");
        return new Promise(() => undefined);
      },
    });
    await b.ask("POST", "/dialog", { provider: "claude", slug: "lead", prompt: "lead" });
    await atRest(b);
    expect(b.reported).toEqual([]);
    return "passed" as const;
  };
  return { store, commands, passed: (await Promise.race([run(), off.promise])) === "passed" };
}

async function holds(b: Bench, commands: readonly string[], commit: string): Promise<void> {
  const all = await listing(b);
  const names = all.map(({ dialogId }) => nameOf(dialogId));
  expect([commit, names.toSorted()]).toEqual([commit, everybody.filter((name) => names.includes(name)).toSorted()]);
  for (const name of everybody) expect(commands.filter((command) => command === `ls ${name}`).length, commit).toBeLessThanOrEqual(1);
  for (const { dialogId, filename, status } of all) {
    expect([commit, status]).not.toEqual([commit, "active"]);
    const text = await b.text(`vibey/${filename}`);
    const dialog = parseDialog(text);
    expect([commit, dialog.format, serialiseDialog(dialog)]).toEqual([commit, 1, text]);
    const calls = dialog.sections.flatMap(({ parts }) => parts.flatMap((part) => (part.kind === "call" ? [part.call] : [])));
    for (const each of calls) if (each.started !== null) expect([commit, each.id, each.result]).not.toEqual([commit, each.id, undefined]);
    // A launch and its dialog belong together: neither exists without the other.
    const launched = calls
      .filter(({ name, result }) => name === "launch_agent" && result !== undefined)
      .map(({ id }) => id.replace("to-", ""));
    if (nameOf(dialogId) === "lead")
      expect([commit, launched.toSorted()]).toEqual([commit, names.filter((name) => name !== "lead").toSorted()]);
  }
}

test.each([
  ["agents 4", true, 1],
  ["agents 2", false, 4],
])(
  "four agents (%s), the power goes at the n-th commit (stored: %s, every %i): one file each, whole, nothing ran twice, and all go on",
  async (limit, stored, every) => {
    for (let n = 1; ; n += every) {
      const { store, commands, passed } = await untilPowerGoes(n, stored, limit);
      const keys = memoryKeys();
      keys.set("claude", "sk-1", "https://api.example");
      const b = await bench([], { ...project(commands, limit), store, keys, answer: say("I go on.") });
      // Queued agents continue by themselves.
      await atRest(b);
      await holds(b, commands, `commit ${n}`);
      for (const { dialogId, status } of await listing(b)) {
        if (status === "done") continue;
        await (await b.ask("PUT", "/dialog", { dialogId, prompt: "Go on.", decisions: await pending(b, dialogId) })).text();
      }
      await atRest(b);
      await holds(b, commands, `after commit ${n}`);
      expect((await listing(b)).map(({ status }) => status)).toEqual((await listing(b)).map(() => "done"));
      expect(b.reported).toEqual([]);
      if (passed) {
        expect(n).toBeGreaterThan(24);
        expect(commands.toSorted()).toEqual(everybody.map((name) => `ls ${name}`).toSorted());
        return;
      }
    }
  },
);

async function pending(b: Bench, dialogId: string): Promise<string> {
  const { messages } = (await (await b.ask("GET", `/dialog/${dialogId}`)).json()) as DialogAnswer;
  const calls = messages.flatMap(({ parts }) => parts.flatMap((part) => (part.kind === "call" ? [part.call] : [])));
  return calls.flatMap(({ id, state }) => (state === "pending" ? [`${id}: deny`] : [])).join("\n");
}
