// How full the model's window is, and a dialog that continues in a new one.
import { describe, expect, test } from "vitest";
import type { DialogAnswer, DialogListing, Frame } from "../../../src/protocol/index.ts";
import { type Turn, turnsOf } from "../../../src/engine/prompt/turns.ts";
import type { ProviderEvent } from "../../../src/engine/providers/provider.ts";
import { type Bench, bench, call, ended, type Reply, say, stopped } from "../harness.ts";

const window = 1000;
/** An answer after which this many tokens are used. */
const uses = (used: number, ...more: readonly ProviderEvent[]): Reply => [
  { type: "text", text: `At ${used}.` },
  ...more,
  { type: "usage", usage: { input: used - 10, output: 10 } },
  ended,
];
const ls = (id: string) => call(id, "run_command", { command: "ls" });
const start = async (b: Bench, prompt = "Go") => {
  await b.frames(await b.ask("POST", "/dialog", { provider: "claude", slug: "game", prompt }));
  return (await b.dialog()).id;
};
const view = async (b: Bench, id: string) => (await (await b.ask("GET", `/dialog/${id}`)).json()) as DialogAnswer;
const goOn = (b: Bench, dialogId: string, prompt = "More") =>
  b.ask("PUT", "/dialog", { dialogId, prompt }).then((answer) => b.frames(answer));
const contextLines = (markdown: string) => markdown.match(/^> Context:.*$/gm) ?? [];

describe("how full the window is", () => {
  test("is what the last response used, as reported", async () => {
    const b = await bench([uses(100), uses(740), uses(750)], { window });
    const id = await start(b);
    expect((await view(b, id)).context).toEqual({ used: 100, window, nearlyFull: false });
    await goOn(b, id);
    expect((await view(b, id)).context).toEqual({ used: 740, window, nearlyFull: false });
    await goOn(b, id);
    expect((await view(b, id)).context).toEqual({ used: 750, window, nearlyFull: true });
    expect(b.requests.map(({ tokensSoFar }) => tokensSoFar)).toEqual([null, 100, 740]);
    expect((await view(await b.reload(), id)).context).toEqual({ used: 750, window, nearlyFull: true });
  });

  test("stays what it was when a response reports nothing", async () => {
    const b = await bench([uses(100), say("Hm."), uses(200)], { window });
    const id = await start(b);
    await goOn(b, id);
    expect((await view(b, id)).context).toEqual({ used: 100, window, nearlyFull: false });
    await goOn(b, id);
    expect(b.requests.map(({ tokensSoFar }) => tokensSoFar)).toEqual([null, 100, 100]);
  });

  test.each([
    ["the window is not known", uses(999), {}],
    ["no usage was reported", say("Hello"), { window }],
  ])("is null when %s", async (_why, reply, options) => {
    const b = await bench([reply], options);
    const id = await start(b);
    const dialog = await view(b, id);
    expect(dialog.context).toBeNull();
    expect(contextLines(dialog.markdown)).toEqual([]);
  });
});

const textsOf = (turn: Turn): string[] =>
  turn.role === "user" ? [turn.text] : turn.items.map((item) => (item.kind === "text" ? item.text : item.call.outcome.text));

describe("the agent is told", () => {
  test("once for each threshold that a response crosses, in the file", async () => {
    const b = await bench([uses(740), uses(750), uses(849), uses(990), uses(999)], { window });
    const id = await start(b);
    for (let turn = 1; turn < 5; turn += 1) await goOn(b, id);
    expect(contextLines((await b.dialog()).markdown)).toEqual(["> Context: used=750 window=1000", "> Context: used=990 window=1000"]);
    expect((await b.dialog()).markdown).toContain(
      "At 750.\n\n> Usage: input=740 output=10 total=750\n> Usage cumulative: input=1470 output=20 total=1490\n> Context: used=750 window=1000\n\n## User",
    );
  });

  test("anew when the model has another window", async () => {
    const b = await bench([uses(760), uses(770), uses(770)], { window });
    const id = await start(b);
    const other = await bench(b.replies, { store: b.store, window: 900 });
    await goOn(other, id);
    await goOn(other, id);
    expect(contextLines((await other.dialog()).markdown)).toEqual(["> Context: used=760 window=1000", "> Context: used=770 window=900"]);
  });

  test("in the request that follows, and nowhere in the file's texts", async () => {
    const b = await bench([uses(800, ls("a"), ls("b")), say("Done.")], { window });
    await b.ask("POST", "/file/doc-main.md", { content: "> Authorized: run_command\n" });
    await start(b);
    const { markdown } = await b.dialog();
    expect(contextLines(markdown)).toEqual(["> Context: used=800 window=1000"]);
    expect(markdown).not.toContain("80%");
    const told = b.requests.map(({ dialog }) =>
      turnsOf(dialog, 64)
        .flatMap(textsOf)
        .filter((text) => text.includes("80%")),
    );
    expect(told).toEqual([[], [expect.stringMatching(/"stdout":"ran ls\\n".*\n\n\[Vibey: 80% of this model's context window is used/)]]);
  });

  test("of a line that the model wrote nothing is believed", async () => {
    const b = await bench([say("> Context: used=999 window=1000"), say("Hm.")], { window });
    const id = await start(b);
    await goOn(b, id);
    expect((await b.dialog()).markdown).toContain("\n\\> Context: used=999 window=1000\n");
    expect((await view(b, id)).context).toBeNull();
  });
});

const continued = async (b: Bench, id: string, body: object = {}) => b.ask("POST", `/dialog/${id}/continue`, body);
const others = async (b: Bench, id: string) =>
  ((await (await b.ask("GET", "/dialogs")).json()) as DialogListing[]).filter(({ dialogId }) => dialogId !== id);

describe("a fresh dialog", () => {
  test("begins with a summary of the old one, with its provider and model, and answers at once", async () => {
    const b = await bench([uses(800), say("I go on.")], { window });
    await b.ask("POST", "/file/doc-main.md", { content: "> Authorized: write_file\n" });
    const id = await start(b, "Make a game");
    await b.ask("PUT", "/dialog", { dialogId: id, authorizations: ["run_command"] });
    const old = await b.dialog();
    const frames = await b.frames(await continued(b, id, { prompt: "Now finish it." }));
    expect(frames.map((frame) => frame.type)).toEqual(["dialog", "chunk", "done"]);
    const [listing] = await others(b, id);
    const fresh = await view(b, listing?.dialogId ?? "");
    expect(fresh).toMatchObject({
      continuedFrom: id,
      provider: "claude",
      model: "model-1",
      launchedBy: null,
      status: "done",
      context: null,
    });
    expect(fresh.dialogId).toMatch(/-game-2$/);
    // Permissions of doc-main.md apply, but none that only the old dialog had.
    expect(fresh.authorized).toEqual(["write_file"]);
    expect(fresh.markdown).toContain(`\n> Continued from: ${id}\n`);
    expect(fresh.notes.flatMap((note) => (note.kind === "meta" ? note.lines.map(({ key }) => key) : []))).toEqual(["Authorized"]);
    const [message] = fresh.messages;
    const text = message?.parts.flatMap((part) => (part.kind === "text" ? [part.text] : [])).join() ?? "";
    expect(message?.role).toBe("user");
    expect(text).toMatch(new RegExp(`^This dialog continues vibey/${old.filename} \\(\\d+ lines\\)`));
    expect(text).toMatch(/\n- The user: “Make a game” \[line \d+\]\(vibey\//);
    expect(text).toMatch(/\n\nNow finish it\.$/);
    expect(await b.text(`vibey/${old.filename}`)).toBe(old.markdown);
    expect(b.reported).toEqual([]);
  });

  test("asks no provider for the summary, and says how to go on when the human does not", async () => {
    const b = await bench([say("Hello."), say("I go on.")]);
    const id = await start(b);
    await b.frames(await continued(b, id));
    expect(b.requests).toHaveLength(2);
    const [asked] = b.requests[1]?.dialog.sections ?? [];
    expect(asked?.parts).toMatchObject([{ kind: "text", text: expect.stringMatching(/Continue from here\.$/) }]);
  });

  test("of a dialog whose calls wait, or whose window is full, leaves it as it is", async () => {
    const full: Reply = [{ type: "text", text: "So far" }, stopped({ kind: "context_window" })];
    for (const reply of [uses(100, ls("a")), full]) {
      const b = await bench([reply, say("I go on.")], { window });
      const id = await start(b);
      const { markdown, filename } = await b.dialog();
      expect(filename).toMatch(/-waiting\.md$/);
      const frames = await b.frames(await continued(b, id));
      expect(frames.at(-1)).toMatchObject({ type: "done", result: { status: "done" } });
      expect(await b.text(`vibey/${filename}`)).toBe(markdown);
    }
  });

  test("is numbered on: game, game-2, game-3", async () => {
    const b = await bench([say("1"), say("2"), say("3")]);
    const id = await start(b);
    const next = async (from: string) => {
      const [first] = await b.frames(await continued(b, from));
      return first?.type === "dialog" ? first.dialogId : "";
    };
    const second = await next(id);
    expect([second, await next(second)].map((one) => one.replace(/^\d{8}-\d{6}-/, ""))).toEqual(["game-2", "game-3"]);
  });

  test("of an active dialog is refused, and nothing is made", async () => {
    const seen: Response[] = [];
    const b: Bench = await bench([
      async function* () {
        const [active] = (await (await b.ask("GET", "/dialogs")).json()) as DialogListing[];
        seen.push(await continued(b, active?.dialogId ?? ""));
        yield ended;
      },
    ]);
    const id = await start(b);
    expect(seen.map(({ status }) => status)).toEqual([409]);
    expect(await others(b, id)).toEqual([]);
  });

  test.each([
    ["an unknown dialog", "20260101-000000-none", {}, 404],
    ["an empty prompt", null, { prompt: " " }, 400],
    ["a prompt that is no text", null, { prompt: 1 }, 400],
    ["a body that is a list", null, [], 400],
  ])("of %s is refused", async (_what, other, body, status) => {
    const b = await bench([say("Hello.")]);
    const id = await start(b);
    expect((await continued(b, other ?? id, body)).status).toBe(status);
    expect(await others(b, id)).toEqual([]);
  });

  test("of a file that only a later Vibey can write is refused", async () => {
    const b = await bench();
    const name = "dialog-20260101-000000-later-done.md";
    await b.ask("POST", `/file/${name}`, { content: "# Dialog\n> Format: 3\n\n## User\n\nHi\n" });
    expect((await continued(b, "20260101-000000-later")).status).toBe(409);
  });

  test("of an earlier Vibey's file, or one edited by hand, names the lines of the file as it stands", async () => {
    const b = await bench([say("I go on.")]);
    const name = "dialog-20260101-000000-old-done.md";
    const content = "# Dialog\n\n> Provider: claude | Model: model-1\n\n\n## User\n\n\nHello there\n\n\n## Assistant\n\nHi.\n";
    await b.ask("POST", `/file/${name}`, { content });
    const stored = await b.text(`vibey/${name}`);
    const frames: Frame[] = await b.frames(await continued(b, "20260101-000000-old"));
    expect(frames.at(-1)).toMatchObject({ type: "done" });
    const text = JSON.stringify(b.requests[0]?.dialog.sections[0]?.parts);
    expect(text).toContain(`“Hello there” [line 9](vibey/${name}#L9)`);
    expect(stored.split("\n")[8]).toBe("Hello there");
    expect(await b.text(`vibey/${name}`)).toBe(stored);
  });
});
