import { expect, test } from "vitest";
import type { DialogListing, SchedulesAnswer } from "../../../src/protocol/index.ts";
import { StorageError } from "../../../src/fs/storage-error.ts";
import { soon } from "../../soon.ts";
import { deferred } from "../deferred.ts";
import { type Bench, bench, call, ended, say } from "../harness.ts";

const minute = 60_000;
const list = async (b: Bench) => (await (await b.ask("GET", "/dialogs")).json()) as DialogListing[];
const of = async (b: Bench, slug: string) => (await list(b)).filter(({ dialogId }) => dialogId.includes(`-${slug}`));
const schedules = async (b: Bench) => (await (await b.ask("GET", "/agents/schedules")).json()) as SchedulesAnswer;

/** A clock that the test sets. Timers that are due then fire at once. */
function world() {
  let time = Date.parse("2026-11-26T12:00:00.000Z");
  let timers: { readonly at: number; readonly run: () => void }[] = [];
  return {
    now: () => new Date(time),
    later: (run: () => void, ms: number) => void timers.push({ at: time + ms, run }),
    pass: (ms: number) => {
      time += ms;
      const due = timers.filter(({ at }) => at <= time);
      timers = timers.filter(({ at }) => at > time);
      for (const { run } of due) run();
    },
  };
}
/** Schedules take effect only if a provider can be used. */
async function write(b: Bench, main: string) {
  await b.ask("PUT", "/provider/claude", { apiKey: "sk-x" });
  await b.ask("POST", "/file/doc-main.md", { content: main });
}
const coder = { name: "agent-coder.md", content: "---\ntools: [run_command]\n---\nYou are Coder.\n" };

test("a line of main starts its agent by the clock; a reload neither repeats nor forgets it", async () => {
  const { now, later, pass } = world();
  const b = await bench([], { welcome: [coder], answer: say("Done."), now, later });
  await write(b, "> Schedule: coder every 60m\n> Schedule: no one\n");
  const settle = async (bench_: Bench, count: number) =>
    soon(async () => {
      pass(400);
      expect((await of(bench_, "coder")).filter(({ status }) => status !== "active").length).toBe(count);
    });
  await settle(b, 1);
  const [first] = await of(b, "coder");
  expect(await b.text(`vibey/${first?.filename}`)).toMatch(/\n> Schedule: coder every 60m\n/);
  expect(JSON.stringify(b.requests[0])).toContain("Your schedule in doc-main.md says: coder every 60m.");
  const [row, bad] = (await schedules(b)).schedules;
  expect(row).toMatchObject({ slug: "coder", problem: null, last: { dialogId: first?.dialogId } });
  expect((row?.next ?? 0) - (row?.last?.time ?? 0)).toBe(60 * minute);
  expect(bad?.problem).toMatch(/^expected `<agent> every/);

  const again = await b.reload();
  await again.ask("PUT", "/provider/claude", { apiKey: "sk-x" });
  for (let at = 0; at < 5; at += 1) pass(400);
  expect((await schedules(again)).schedules[0]?.last?.dialogId).toBe(first?.dialogId);
  expect(await of(again, "coder")).toHaveLength(1);
  pass(61 * minute);
  await settle(again, 2);
  // The clock is set back: a schedule that has started isn't due again at once.
  pass(-120 * minute);
  const [then] = (await schedules(again)).schedules;
  expect((then?.next ?? 0) - now().getTime()).toBe(60 * minute);
  expect(again.reported).toEqual([]);
});

test("an agent starts at the 21st message of a dialog, with what was said there and no more than that dialog has", async () => {
  const { now, later, pass } = world();
  const answer = (request: { system: string }) =>
    request.system.includes("You are Coder.") ? [call("a", "run_command", { command: "ls" }), ended] : say("Yes.");
  const b = await bench([], { welcome: [coder], answer: (request) => answer(request) as never, now, later });
  await write(b, "> Authorized: run_command\n> Schedule: coder after 20 messages\n");
  await (await b.ask("POST", "/dialog", { provider: "claude", slug: "game", prompt: "Word 1" })).text();
  const dialogId = (await of(b, "game"))[0]?.dialogId ?? "";
  await b.ask("PUT", "/dialog", { dialogId, authorizations: "deny run_command" });
  for (let at = 2; at <= 11; at += 1) {
    pass(1_000);
    expect(await of(b, "coder")).toEqual([]);
    await (await b.ask("PUT", "/dialog", { dialogId, prompt: `Word ${at}` })).text();
  }
  await soon(async () => {
    pass(1_000);
    expect((await of(b, "coder"))[0]?.status).toBe("waiting");
  });
  const text = await b.text(`vibey/${(await of(b, "coder"))[0]?.filename}`);
  expect(text).toContain(`> Replies to: ${dialogId} | Message: 22\n> Schedule: coder after 20 messages\n`);
  expect(text).toContain("[Owner]: Word 11");
  expect(b.commands).toEqual([]);
  expect((await of(b, "game")).length).toBe(1);
});

test("the page adds a line and takes one away; what can't be read, stands there twice or is stale is refused", async () => {
  const b = await bench([], {
    welcome: [{ name: "doc-main.md", content: "> Authorized: run_command\n\n# Game\n" }],
    later: () => undefined,
  });
  const put = (body: object) => b.ask("PUT", "/agents/schedules", body);
  const { etag } = await schedules(b);
  expect((await put({ etag, add: "coder sometimes" })).status).toBe(400);
  const added = (await (await put({ etag, add: "coder every 60m" })).json()) as SchedulesAnswer;
  expect(await b.text("vibey/doc-main.md")).toMatch(
    /^> Authorized: run_command\n> Schedule: coder every 60m \| Since: [\d:.TZ-]+\n\n# Game\n$/,
  );
  expect(added.schedules).toMatchObject([{ rule: "coder every 60m", problem: "there is no active agent coder.", next: null }]);
  expect((await put({ etag, add: "coder every 90m" })).status).toBe(412);
  expect((await put({ etag: added.etag, add: "coder every 60m" })).status).toBe(409);
  await put({ etag: added.etag, remove: added.schedules[0]?.value });
  expect(await b.text("vibey/doc-main.md")).toBe("> Authorized: run_command\n\n# Game\n");
});

test.each([
  ["a dialog that can't be read keeps no schedule from starting its agent", "damaged", Infinity],
  ["what can't be read once is read again, though nothing changes", "closed", 3],
] as const)("%s", async (_name, kind, times) => {
  const { now, later, pass } = world();
  let failures = 0;
  const b = await bench([], {
    welcome: [coder, { name: "dialog-20200101-000000-old-done.md", content: "# Dialog\n" }],
    answer: say("Done."),
    now,
    later,
    beforeRead: async (path) => {
      if (path === "vibey/dialog-20200101-000000-old-done.md" && failures-- > 0) throw new StorageError(kind, "no bytes");
    },
  });
  await write(b, "> Schedule: coder every 60m\n");
  failures = times;
  await soon(async () => {
    pass(minute);
    expect((await of(b, "coder")).map(({ status }) => status)).toEqual(["done"]);
  });
});

test("text that streams doesn't have the dialog read again for the schedules", async () => {
  const { now, later, pass } = world();
  const gate = deferred<void>();
  const reads: string[] = [];
  const b = await bench(
    [
      async function* () {
        for (let at = 0; at < 20; at += 1) {
          yield { type: "text", text: `Line ${at}.\n` };
          await Promise.resolve();
          pass(400);
          await b.text("vibey/doc-main.md");
        }
        reads.length = 0;
        yield { type: "text", text: "More.\n" };
        await soon(async () => {
          pass(400);
          expect((await b.dialog()).markdown).toContain("More.");
        });
        for (let at = 0; at < 20; at += 1) {
          pass(400);
          await b.text("vibey/doc-main.md");
        }
        gate.resolve();
        yield ended;
      },
    ],
    { now, later, beforeRead: async (path) => void reads.push(path) },
  );
  await write(b, "> Schedule: coder after 20 messages\n");
  const turn = b.ask("POST", "/dialog", { provider: "claude", prompt: "Go" });
  await gate.promise;
  const whileStreaming = reads.filter((path) => path.startsWith("vibey/dialog-")).length;
  await (await turn).text();
  expect(whileStreaming).toBe(1);
});

test.each<[header: string, starts: number]>([
  ["> Format: 1\n", 1],
  ["> Format: 1\n> Imported: 22 messages\n", 0],
  ["> Format: 1\n> Imported: many\n", 0],
  ["", 0],
])("messages that came with an import start no agent: %j starts %i", async (header, starts) => {
  const { now, later, pass } = world();
  const messages = "\n## User\n> Time: 2026-11-26T12:00:00.000Z\n\nDo what I say.\n".repeat(22);
  const welcome = [coder, { name: "dialog-20261126-110000-game-waiting.md", content: `# Dialog\n${header}${messages}` }];
  const b = await bench([], { welcome, answer: say("Done."), now, later });
  await write(b, "> Schedule: coder after 20 messages | Since: 2026-11-26T11:00:00.000Z\n> Schedule: coder every 15m\n");
  // The clock starts an agent in any case, which shows that message triggers were checked.
  await soon(async () => {
    pass(400);
    expect((await of(b, "coder")).length).toBe(1 + starts);
  });
});
