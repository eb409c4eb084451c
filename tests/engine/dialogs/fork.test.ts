// A dialog forked at a message, and a dialog in which a message is resent after an edit.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { DialogAnswer, DialogListing, Frame, StatusAnswer } from "../../../src/protocol/index.ts";
import { agent } from "../../../src/fs/actor.ts";
import { eventsOf } from "../../../src/dialog/events/events-of.ts";
import { forkedDialog, forkLines, forkSlug, refusedFork } from "../../../src/engine/dialogs/fork.ts";
import { readForkedFrom } from "../../../src/engine/dialogs/fork-point.ts";
import { authorized } from "../../../src/dialog/authority.ts";
import { commandSecondsOf, networkOf } from "../../../src/dialog/consent.ts";
import { dialogCalls, isSettled, newDialog } from "../../../src/dialog/edit.ts";
import type { Dialog } from "../../../src/dialog/model.ts";
import { parseDialog } from "../../../src/dialog/parse.ts";
import { serialiseDialog } from "../../../src/dialog/serialise.ts";
import { isLost, isRunnable, isUndecided, lastCalls } from "../../../src/engine/turn/machine/queries.ts";
import { claudeRequest } from "../../../src/engine/providers/claude/request.ts";
import { chatRequest } from "../../../src/engine/providers/openai/chat-request.ts";
import { responsesRequest } from "../../../src/engine/providers/openai/responses-request.ts";
import { dialogs } from "../prompt/any-dialog.ts";
import { realModels as claudeModels, refusedBody } from "../../stand-in/claude-rules.ts";
import { refusedChat } from "../../stand-in/openai-chat-rules.ts";
import { refusedResponses } from "../../stand-in/openai-responses-rules.ts";
import { realModels } from "../../stand-in/openai-rule.ts";
import { type Bench, bench, call, ended, say } from "../harness.ts";

const ls = (id: string) => call(id, "run_command", { command: "ls" });
const start = async (b: Bench, prompt = "First") => {
  await b.frames(await b.ask("POST", "/dialog", { provider: "claude", slug: "game", prompt }));
  return (await b.dialog()).id;
};
const more = async (b: Bench, dialogId: string, prompt: string) => b.frames(await b.ask("PUT", "/dialog", { dialogId, prompt }));
const view = async (b: Bench, id: string) => (await (await b.ask("GET", `/dialog/${id}`)).json()) as DialogAnswer;
const fork = (b: Bench, id: string, body: object) => b.ask("POST", `/dialog/${id}/fork`, body);
const forked = async (b: Bench, id: string, message: number) =>
  view(b, ((await (await fork(b, id, { message })).json()) as StatusAnswer).dialogId);
const count = async (b: Bench) => ((await (await b.ask("GET", "/dialogs")).json()) as DialogListing[]).length;
const said = (dialog: DialogAnswer) =>
  dialog.messages.map(({ parts }) => parts.flatMap((part) => (part.kind === "text" ? [part.text] : [])).join());

describe("a fork", () => {
  test("has the messages up to the one named, waits, and says where it is from; the old dialog stays byte for byte", async () => {
    const b = await bench([say("One."), say("Two.")]);
    const id = await start(b);
    await more(b, id, "Second");
    const old = await view(b, id);
    const answer = await fork(b, id, { message: 2 });
    const { dialogId, status, filename } = (await answer.json()) as StatusAnswer;
    expect([answer.status, status, filename]).toEqual([200, "waiting", `dialog-${dialogId}-waiting.md`]);
    expect(dialogId).toMatch(/-game-fork$/);
    const fresh = await view(b, dialogId);
    expect(said(fresh)).toEqual(["First", "One."]);
    expect(fresh).toMatchObject({ forkedFrom: { dialogId: id, message: 2, edited: false }, launchedBy: null, notes: [] });
    expect(fresh.markdown).toContain(`\n> Forked from: ${id} | Message: 2\n`);
    expect((await view(b, id)).markdown).toBe(old.markdown);
    expect(b.requests).toHaveLength(2);
    b.replies = [say("Other two.")];
    await more(b, dialogId, "Second, otherwise");
    expect(said(await view(b, dialogId))).toEqual(["First", "One.", "Second, otherwise", "Other two."]);
    expect((await view(b, id)).markdown).toBe(old.markdown);
    expect(b.reported).toEqual([]);
  });

  test("of a dialog that an agent launched: its first message is the agent's, in a fork of the fork too, until it is said anew", () => {
    const parent = "20261121-201000-lead";
    const launched = parseDialog(
      `# Dialog\n> Format: 1\n> Provider: claude\n> Model: m\n> Launched by: ${parent}\n\n## User\n> Time: 2026-11-21T20:11:00.000Z | 2026-11-21T20:11:00.000Z\n\nDo it.\n`,
    );
    const again = (dialog: Dialog, edited: boolean) => {
      const point = { dialog, message: 1, edited, dialogId: "20261121-201100-game" };
      const { dialog: begun } = newDialog([{ key: "Provider", value: "claude" }, ...forkLines(point)]);
      return forkedDialog(begun, point, "2026-11-22T10:00:00.000Z", { check: () => null, requestsPerTurn: 10 });
    };
    const by = (dialog: Dialog) =>
      eventsOf(dialog, "20261121-202000-fork").flatMap(({ type, actor }) => (type === "message" ? [actor] : []));
    const forkOnce = again(launched, false);
    expect(by(forkOnce)).toEqual([agent(parent)]);
    expect(by(again(forkOnce, false))).toEqual([agent(parent)]);
    expect(serialiseDialog(again(launched, true))).not.toContain("Prompt by");
  });

  test("with a prompt says that message anew, and is answered at once", async () => {
    const b = await bench([say("One."), say("Two."), say("Better.")]);
    const id = await start(b);
    await more(b, id, "Second");
    const old = await view(b, id);
    const frames: Frame[] = await b.frames(await fork(b, id, { message: 3, prompt: "Second, better", model: "model-2" }));
    expect(frames.map(({ type }) => type)).toEqual(["dialog", "chunk", "done"]);
    const dialogId = frames[0]?.type === "dialog" ? frames[0].dialogId : "";
    const fresh = await view(b, dialogId);
    expect(said(fresh)).toEqual(["First", "One.", "Second, better", "Better."]);
    expect(fresh).toMatchObject({ forkedFrom: { dialogId: id, message: 3, edited: true }, model: "model-2", status: "done" });
    expect(fresh.markdown).toContain(`\n> Forked from: ${id} | Message: 3 | Edited\n`);
    expect(fresh.messages[1]?.parts).toEqual(old.messages[1]?.parts);
    expect((await view(b, id)).markdown).toBe(old.markdown);
  });

  test("the first message said anew makes a dialog that holds nothing else", async () => {
    const b = await bench([say("One."), say("Other.")]);
    const id = await start(b);
    const [first] = await b.frames(await fork(b, id, { message: 1, prompt: "Otherwise" }));
    expect(said(await view(b, first?.type === "dialog" ? first.dialogId : ""))).toEqual(["Otherwise", "Other."]);
  });

  test("is allowed what doc-main.md allows now; what the human allowed in the old one is offered and counts for nothing", async () => {
    const b = await bench([say("One."), say("Two."), [ls("a"), ended]]);
    await b.ask("POST", "/file/doc-main.md", { content: "> Authorized: edit_file\n" });
    const id = await start(b);
    await b.ask("PUT", "/dialog", {
      dialogId: id,
      authorizations: ["run_command"],
      network: [{ host: "one.example", allow: true }],
      limits: { command: 900 },
    });
    await more(b, id, "Second");
    await b.ask("POST", "/file/doc-main.md", { content: "> Authorized: write_file\n" });
    const fresh = await forked(b, id, 4);
    expect(fresh.authorized).toEqual(["write_file"]);
    expect(fresh.network).toEqual({ allowed: [], refused: [], hosts: [] });
    expect(fresh.commandSeconds).not.toBe(900);
    expect(fresh.imported).toEqual({
      tools: ["run_command"],
      allowed: ["one.example"],
      refused: [],
      hosts: [{ host: "one.example", word: "any method" }],
      commandSeconds: 900,
    });
    await more(b, fresh.dialogId, "Third");
    expect(b.commands).toEqual([]);
    expect((await view(b, fresh.dialogId)).status).toBe("waiting");
  });

  test("runs no call by itself: what waits in the old one waits in the fork, and each is decided on its own", async () => {
    const b = await bench([[ls("a"), ended], say("Seen in the fork."), say("Seen.")]);
    const id = await start(b);
    const fresh = await forked(b, id, 2);
    expect(fresh.status).toBe("waiting");
    expect(fresh.messages[1]?.parts).toMatchObject([{ kind: "call", call: { id: "a", state: "pending" } }]);
    expect(b.commands).toEqual([]);
    await b.frames(await b.ask("PUT", "/dialog", { dialogId: fresh.dialogId, decisions: "a: approve" }));
    expect(b.commands).toEqual(["ls"]);
    expect((await view(b, id)).messages[1]?.parts).toMatchObject([{ call: { state: "pending" } }]);
    await b.frames(await b.ask("PUT", "/dialog", { dialogId: id, decisions: "a: approve" }));
    expect(b.commands).toEqual(["ls", "ls"]);
  });

  test("takes along what has ended of an active dialog, and refuses what is being written", async () => {
    const seen: number[] = [];
    const b: Bench = await bench([
      say("One."),
      async function* () {
        const { id } = await b.dialog();
        for (const message of [4, 3, 2]) seen.push((await fork(b, id, { message })).status);
        yield ended;
      },
    ]);
    const id = await start(b);
    await more(b, id, "Second");
    expect(seen).toEqual([409, 200, 200]);
    expect(await count(b)).toBe(3);
  });

  test.each([
    ["no message", {}, 400, "message"],
    ["message 0", { message: 0 }, 400, "the first is 1"],
    ["message 1.5", { message: 1.5 }, 400, "the first is 1"],
    ["a message past the end", { message: 3 }, 400, "expected 1 to 2"],
    ["the agent's message, said anew", { message: 2, prompt: "No" }, 400, "a user message"],
    ["an empty prompt", { message: 1, prompt: " " }, 400, "prompt"],
    ["an unknown provider", { message: 1, prompt: "Hi", provider: "acme" }, 400, "provider"],
  ])("with %s is refused, and nothing is made", async (_what, body, status, words) => {
    const b = await bench([say("One.")]);
    const id = await start(b);
    const answer = await fork(b, id, body);
    expect([answer.status, await answer.text()]).toEqual([status, expect.stringContaining(words)]);
    expect(await count(b)).toBe(1);
  });

  test("of a dialog that is not there, or that only a later Vibey can write, is refused", async () => {
    const b = await bench();
    expect((await fork(b, "20260101-000000-none", { message: 1 })).status).toBe(404);
    await b.ask("POST", "/file/dialog-20260101-000000-later-done.md", { content: "# Dialog\n> Format: 3\n\n## User\n\nHi\n" });
    expect((await fork(b, "20260101-000000-later", { message: 1 })).status).toBe(409);
  });

  test("of an earlier Vibey's file is one of now", async () => {
    const b = await bench([say("Here.")]);
    const name = "dialog-20260101-000000-old-done.md";
    const content =
      "# Dialog\n\n> Provider: claude | Model: model-1\n> Authorized: run_command\n\n\n## User\n\n\nHello\n\n\n## Assistant\n\nHi.\n";
    await b.ask("POST", `/file/${name}`, { content });
    const fresh = await forked(b, "20260101-000000-old", 2);
    expect([said(fresh), fresh.authorized, fresh.provider]).toEqual([["Hello", "Hi."], [], "claude"]);
    await more(b, fresh.dialogId, "Go on");
    expect(said(await view(b, fresh.dialogId))).toEqual(["Hello", "Hi.", "Go on", "Here."]);
  });
});

test("forks are numbered on, whatever they are forked from", () => {
  const taken = new Set(["game"]);
  const next = (slug: string) => {
    const made = forkSlug(slug, taken);
    taken.add(made);
    return made;
  };
  expect([next("game"), next("game"), next("game-fork-2"), next("a".repeat(40))]).toEqual([
    "game-fork",
    "game-fork-2",
    "game-fork-3",
    `${"a".repeat(35)}-fork`,
  ]);
});

test.each([
  ["20261121-201100-game | Message: 3", { dialogId: "20261121-201100-game", message: 3, edited: false, side: false }],
  ["20261121-201100-game | Message: 3 | Edited", { dialogId: "20261121-201100-game", message: 3, edited: true, side: false }],
  ["20261121-201100-game | Message: 3 | Side", { dialogId: "20261121-201100-game", message: 3, edited: false, side: true }],
  ["20261121-201100-game | Message: 3 | Edited | Side", null],
  ["20261121-201100-game", null],
  ["../x | Message: 3", null],
  ["20261121-201100-game | Message: 3 | Other", null],
])("the line %j is read", (line, expected) => {
  expect(readForkedFrom(line)).toEqual(expected);
});

describe("laws", () => {
  const options = { check: () => null, requestsPerTurn: 10 };
  const time = "2026-11-22T10:00:00.000Z";
  const { dialog: empty } = newDialog([
    { key: "Provider", value: "claude" },
    { key: "Model", value: "model-1" },
    { key: "Forked from", value: "20261121-201100-game | Message: 1" },
    { key: "Authorized", value: "write_file" },
  ]);
  /** Every possible fork of any dialog that a file can contain. */
  const forks = fc
    .tuple(dialogs, fc.nat(8), fc.boolean())
    .map(([dialog, message, edited]) => ({
      dialog: parseDialog(serialiseDialog({ ...dialog, format: dialog.format === 3 ? 1 : dialog.format })),
      message,
      edited,
    }))
    .filter((one) => refusedFork(one.dialog, one) === null || refusedFork(one.dialog, one)?.kind === "active");
  const law = (holds: (fork: Dialog, old: Dialog, edited: boolean) => void) =>
    fc.assert(
      fc.property(forks, ({ dialog, message, edited }) => {
        const before = serialiseDialog(dialog);
        holds(forkedDialog(empty, { dialog, message, edited, dialogId: "20261121-201100-game" }, time, options), dialog, edited);
        expect(serialiseDialog(dialog)).toBe(before);
      }),
      { numRuns: 300 },
    );

  test("its file reads as it is", () => {
    law((fresh) => expect(serialiseDialog(parseDialog(serialiseDialog(fresh)))).toBe(serialiseDialog(fresh)));
  });

  test("nothing that was allowed in the old dialog is allowed in it", () => {
    law((fresh) => {
      expect([...authorized(fresh)]).toEqual(["write_file"]);
      expect([networkOf(fresh).size, commandSecondsOf(fresh)]).toEqual([0, null]);
    });
  });

  test("no call of it runs by itself, and none stands between the human's new words and their answer", () => {
    law((fresh, _old, edited) => {
      expect(dialogCalls(fresh).filter((one) => isLost(one) || isRunnable(one))).toEqual([]);
      if (edited) expect(lastCalls(fresh).filter((one) => isUndecided(one) || !isSettled(one))).toEqual([]);
    });
  });

  test("every wire takes it", () => {
    const shape = { tokensField: "max_completion_tokens", tokens: 64_000, role: "developer" } as const;
    law((dialog) => {
      const asking = (model: string) => ({ dialog, model, system: "You are an agent.", tools: [], tokensSoFar: null, maxTokens: null });
      const claude = JSON.stringify(claudeRequest(asking("claude-sonnet-5-5"), 64_000));
      expect(refusedBody(claude, { models: claudeModels })).toBeNull();
      expect(refusedChat(JSON.stringify(chatRequest(asking("gpt-5.5"), shape)), { models: realModels })).toBeNull();
      expect(refusedResponses(JSON.stringify(responsesRequest(asking("gpt-6.1-sol"), 64_000, [])), { models: realModels })).toBeNull();
    });
  });
});
