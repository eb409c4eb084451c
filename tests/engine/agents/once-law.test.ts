import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { DialogAnswer, DialogListing, StatusAnswer } from "../../../src/protocol/index.ts";
import { lawRuns } from "../../law-runs.ts";
import { saysDone } from "../../../src/dialog/mentions/done.ts";
import { memoryStore, type MemoryStore } from "../../../src/fs/memory.ts";
import type { ProviderRequest } from "../../../src/engine/providers/provider.ts";
import { type Bench, bench, type BenchOptions, ended, type Reply } from "../harness.ts";

/*
 * The law: wherever and however often the power fails, each answer, each step of a sequence or of turns, and each summary is there once in the
 * end. The test repeats only the user's own clicks, and only if they had no effect.
 */

const names = ["Coder", "Critic", "Third"] as const;
const welcome = [
  { name: "doc-main.md", content: "# A game\n" },
  ...names.map((name) => ({ name: `agent-${name.toLowerCase()}.md`, content: `---\ntools: []\n---\nYou are ${name}.\n` })),
];

interface Case {
  readonly how: "all" | "sequence" | "turns" | "side";
  readonly agents: number;
  /** The texts of the discussion's replies, in order. */
  readonly texts: readonly string[];
  /** The number of commits before each power failure, and whether the last commit is stored. */
  readonly kills: readonly { readonly after: number; readonly stored: boolean }[];
}
const anyCase: fc.Arbitrary<Case> = fc.record({
  how: fc.constantFrom("all", "sequence", "turns", "turns", "side"),
  agents: fc.integer({ min: 2, max: 3 }),
  texts: fc.array(fc.constantFrom("Yes.", "No.", "Fine. DONE", "`DONE`", "DONE"), { minLength: 10, maxLength: 10 }),
  kills: fc.array(fc.record({ after: fc.integer({ min: 1, max: 30 }), stored: fc.boolean() }), { maxLength: 4 }),
});

const who = ({ system }: ProviderRequest): string => /You are (\w+)\./.exec(system)?.[1] ?? "Vibe";
/** The number of replies that an agent is told about. Its answer depends on nothing else, however often it is asked. */
const repliesBefore = ({ dialog }: ProviderRequest): number => {
  const [part] = dialog.sections[0]?.parts ?? [];
  return part?.kind === "text" ? (part.text.match(/^\[(?:\w+ \(AI\)|you, earlier)\]: /gm) ?? []).length : 0;
};

const tick = () => new Promise((resolve) => setImmediate(resolve));
const json = async <T>(answer: Promise<Response>) => (await (await answer).json()) as T;
const read = (b: Bench, id: string) => json<DialogAnswer>(b.ask("GET", `/dialog/${id}`));
const list = (b: Bench) => json<DialogListing[]>(b.ask("GET", "/dialogs?facts=all"));
const said = ({ messages }: DialogAnswer): string[] =>
  messages.map(({ role, from, parts, system }) => {
    const text = parts.flatMap((part) => (part.kind === "text" ? [part.text] : [])).join("|");
    return `${from?.kind === "agent" ? from.agent : role}: ${system ?? text}`;
  });

const interrupted = /^(\w+): \1 couldn't respond\. The response was interrupted\.$/i;
/** Leaves out the notes about responses that a power failure interrupted, and checks that each reply is there once. */
function answersIn(view: DialogAnswer): string[] {
  const replies = view.messages.flatMap(({ from }) => (from?.kind === "agent" ? [JSON.stringify(from)] : []));
  expect(new Set(replies).size).toBe(replies.length);
  return said(view).filter((line) => !interrupted.test(line));
}

/** Acts as the user until everything is there: asks once and continues what was interrupted. */
async function drive(b: Bench, { how, agents }: Case): Promise<{ readonly room: DialogAnswer; readonly side: DialogAnswer | null }> {
  const made = (await list(b)).find(({ dialogId }) => dialogId.endsWith("-game"))?.dialogId;
  const id = made ?? (await json<StatusAnswer>(b.ask("POST", "/dialog/new", { provider: "claude", slug: "game" }))).dialogId;
  const prompt =
    how === "side"
      ? "A note."
      : `${names
          .slice(0, agents)
          .map((name) => `@${name.toLowerCase()}`)
          .join(" ")} go`;
  if ((await read(b, id)).messages.length === 0) {
    const mentions = how === "side" ? { mentions: [] } : {};
    await (
      await b.ask("PUT", "/dialog", { dialogId: id, prompt, ...mentions, ...(how === "all" || how === "side" ? {} : { order: how }) })
    ).text();
  }
  for (let rounds = 0; rounds < 3_000; rounds += 1) {
    for (let turns = 0; turns < 5; turns += 1) await tick();
    const known = await json<DialogListing[]>(b.ask("GET", "/dialogs"));
    if (known.some(({ status, activity }) => status === "active" || activity !== null)) continue;
    const all = await list(b);
    for (const { dialogId } of all) {
      const { messages, repliesTo } = await read(b, dialogId);
      // Continue an answer that broke off, or a message that no one has begun to answer.
      if ((repliesTo !== null || dialogId === id) && messages.at(-1)?.stop != null)
        await (await b.ask("PUT", "/dialog", { dialogId, prompt: "Go on." })).text();
    }
    const room = await read(b, id);
    const sideId = all.find(({ side }) => side?.dialogId === id)?.dialogId;
    if (how === "all" || how === "sequence") {
      if (room.messages.filter(({ system }) => system === undefined).length === agents + 1) return { room, side: null };
    } else if (how === "side") {
      if (room.messages.length === 1) await (await b.ask("PUT", "/dialog", { dialogId: id, prompt: "Go on." })).text();
      else if (sideId === undefined) await b.ask("POST", `/dialog/${id}/fork`, { message: 1, side: true, topic: "Colour" });
      else {
        const side = await read(b, sideId);
        if (side.messages.length === 1) await b.ask("PUT", "/dialog", { dialogId: sideId, prompt });
        else if (side.messages.length === 2) await b.ask("POST", `/dialog/${sideId}/resolve`);
        else if (side.status === "done") return { room, side };
      }
    } else if (sideId !== undefined) {
      const side = await read(b, sideId);
      if (side.status === "done") return { room, side };
    }
  }
  throw new Error("it never came to be");
}

/** Checks that everything missing arrives when the engine starts: opening every dialog then adds nothing. */
async function bringsAllAtStart(options: BenchOptions): Promise<void> {
  const b = await bench([], options);
  const quiet = async (): Promise<Record<string, string>> => {
    for (let rounds = 0; ; rounds += 1) {
      if (rounds === 300) throw new Error("it never rested");
      for (let turns = 0; turns < 10; turns += 1) await tick();
      const known = await json<DialogListing[]>(b.ask("GET", "/dialogs"));
      if (known.some(({ status, activity }) => status === "active" || activity !== null)) continue;
      return Object.fromEntries(
        await Promise.all(known.map(async ({ dialogId, filename }) => [dialogId, filename + (await b.text(`vibey/${filename}`))] as const)),
      );
    }
  };
  const before = await quiet();
  for (const id of Object.keys(before)) await read(b, id);
  expect(await quiet()).toEqual(before);
}

async function run(one: Case): Promise<{ room: DialogAnswer; side: DialogAnswer | null; all: readonly DialogListing[]; kills: number }> {
  const store: MemoryStore = memoryStore();
  const answer: Reply = (request) => {
    const name = who(request);
    const text = name === "Vibe" ? "CONCLUSION: yes." : one.how === "turns" ? (one.texts[repliesBefore(request)] ?? "") : `${name}'s.`;
    return [{ type: "text", text }, ended];
  };
  const options: BenchOptions = {
    store,
    welcome,
    answer,
    later: (then, ms) => void (ms < 60_000 && setImmediate(then)),
  };
  let kills = 0;
  for (const { after, stored } of one.kills) {
    let commits = 0;
    let off = (): void => undefined;
    const isOff = new Promise<"off">((resolve) => {
      off = () => resolve("off");
    });
    const aroundCommit: NonNullable<BenchOptions["aroundCommit"]> = async (commit) => {
      commits += 1;
      if (commits < after) return commit();
      if (commits === after && stored) await commit();
      off();
      return new Promise(() => undefined);
    };
    const end = await Promise.race([bench([], { ...options, aroundCommit }).then((b) => drive(b, one)), isOff]);
    if (end !== "off") break;
    kills += 1;
    await bringsAllAtStart(options);
  }
  const b = await bench([], options);
  const done = await drive(b, one);
  // Nothing more arrives by itself or after another start.
  const again = await bench([], options);
  for (const { dialogId } of await list(again)) await read(again, dialogId);
  for (let turns = 0; turns < 20; turns += 1) await tick();
  expect(
    [await read(again, done.room.dialogId), done.side && (await read(again, done.side.dialogId))].map((view) => view && said(view)),
  ).toEqual([done.room, done.side].map((view) => view && said(view)));
  expect([...b.reported, ...again.reported]).toEqual([]);
  return { ...done, all: await list(again), kills };
}

test("law: wherever the power goes, each reply and each summary comes once", async () => {
  let kills = 0;
  await fc.assert(
    fc.asyncProperty(anyCase, async (one) => {
      const { room, side, all, kills: now } = await run(one);
      kills += now;
      const agents = names.slice(0, one.agents).map((name) => name.toLowerCase());
      const own = answersIn(room).filter((line) => line !== "user: Go on." && !line.startsWith("assistant: "));
      if (one.how === "all" || one.how === "sequence") {
        const replies = agents.map((slug) => `${slug}: ${slug.charAt(0).toUpperCase()}${slug.slice(1)}'s.`);
        expect(one.how === "all" ? own.slice(1).toSorted() : own.slice(1)).toEqual(replies);
        expect(all.length).toBe(1 + agents.length);
        return;
      }
      expect(own.slice(1)).toEqual(["vibe: CONCLUSION: yes."]);
      const end = one.texts.findIndex(saysDone);
      const turns = one.texts.slice(0, end < 0 ? 10 : end + 1).map((text, nth) => `${agents[nth % agents.length] ?? ""}: ${text}`);
      const words = side === null ? [] : answersIn(side);
      expect(words.slice(1)).toEqual([
        ...(one.how === "turns" ? turns : ["user: A note."]),
        "user: Resolve this fork.",
        "vibe: CONCLUSION: yes.",
      ]);
      expect(all.length).toBe(3 + (one.how === "turns" ? turns.length : 0));
    }),
    lawRuns(60, 500),
  );
  // Many of the random moments come after the last commit, so the power doesn't fail at all.
  expect(kills).toBeGreaterThan(5);
});
