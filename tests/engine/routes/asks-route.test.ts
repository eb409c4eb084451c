import { expect, test } from "vitest";
import type { AsksAnswer, DialogAnswer, DialogListing } from "../../../src/protocol/index.ts";
import { bench, call, ended, say, stopped } from "../harness.ts";

const asks = async (b: Awaited<ReturnType<typeof bench>>, id: string) =>
  (await (await b.ask("GET", `/dialog/${id}/asks`)).json()) as AsksAnswer;

test("what a dialog asks for, with the hashes that an approval names, and nothing else of it", async () => {
  const b = await bench([
    [call("a", "run_command", { command: "ls" }), call("b", "write_file", { path: "x", content: "y" }), ended],
    say("Done."),
  ]);
  await b.frames(await b.ask("POST", "/dialog", { provider: "claude", prompt: "Go" }));
  const { id } = await b.dialog();
  const told = await asks(b, id);
  const whole = (await (await b.ask("GET", `/dialog/${id}`)).json()) as DialogAnswer;
  const shown = whole.messages.flatMap(({ parts }) => parts.flatMap((part) => (part.kind === "call" ? [part.call] : [])));
  expect(told).toEqual({ dialogId: id, provider: "claude", calls: shown, cut: false, question: null, stop: null });
  const hashes = Object.fromEntries(told.calls.map(({ id: one, hash }) => [one, hash]));
  await b.frames(await b.ask("PUT", "/dialog", { dialogId: id, decisions: "a: approve\nb: deny", hashes, prompt: "Not that one." }));
  expect([b.commands, (await asks(b, id)).calls]).toEqual([["ls"], []]);
});

test("a question, a stop and a cut answer are told; a dialog that is not there is not", async () => {
  const b = await bench([
    say("Hm.\n\n> Waiting: Which colour?"),
    [call("a", "run_command", { command: "ls" }), stopped({ kind: "max_tokens" })],
  ]);
  await b.frames(await b.ask("POST", "/dialog", { provider: "claude", prompt: "Go" }));
  const { id } = await b.dialog();
  expect(await asks(b, id)).toMatchObject({ question: "Which colour?", calls: [], stop: null });
  await b.frames(await b.ask("PUT", "/dialog", { dialogId: id, prompt: "Red." }));
  expect(await asks(b, id)).toMatchObject({ question: null, calls: [{ id: "a" }], cut: true, stop: "max_tokens" });
  expect((await b.ask("GET", "/dialog/20260101-000000-none/asks")).status).toBe(404);
});

test("all dialogs are looked into where that is asked, and the newest else", async () => {
  const b = await bench([]);
  const content = "# Dialog\n> Format: 1\n> Provider: claude | Model: m\n> Launched by: 20260101-000000-boss\n\n## User\n\nGo\n";
  for (let n = 0; n < 130; n += 1)
    await b.ask(
      "POST",
      `/file/dialog-20260101-00${String(Math.floor(n / 60)).padStart(2, "0")}${String(n % 60).padStart(2, "0")}-d-done.md`,
      { content },
    );
  const again = await b.reload();
  const known = async (facts: string) =>
    ((await (await again.ask("GET", `/dialogs?facts=${facts}`)).json()) as DialogListing[]).filter(({ launchedBy }) => launchedBy != null)
      .length;
  expect([await known("1"), await known("all")]).toEqual([100, 130]);
});
