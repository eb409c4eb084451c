import { expect, test } from "vitest";
import type { LimitsAnswer } from "../../src/protocol/index.ts";
import type { ProviderEvent } from "../../src/engine/providers/provider.ts";
import type { CommitResult } from "../../src/fs/files.ts";
import { memoryStore } from "../../src/fs/memory.ts";
import { dialogCalls } from "../../src/dialog/edit.ts";
import { parseDialog } from "../../src/dialog/parse.ts";
import { isUndecided } from "../../src/engine/turn/machine/queries.ts";
import { type Bench, bench, type BenchOptions, call, ended, outcome, say } from "./harness.ts";

const failures: Record<string, CommitResult> = {
  full: { ok: false, failure: { kind: "full", message: "no room" } },
  broken: { ok: false, failure: { kind: "broken", message: "the disk said no" } },
};

const script = () => [
  [
    { type: "text", text: "First I look, " } as const,
    call("a", "run_command", { command: "ls" }),
    call("b", "write_file", { path: "x.txt", content: "x\n" }),
    call("c", "launch_agent", { provider: "claude", model: "m", prompt: "Help" }),
    ended,
  ],
  say("Done."),
  say("Done."),
];

/** Every acknowledgement must hold: what was acknowledged is in the file. */
async function scenario(b: Bench, acknowledged: string[]): Promise<void> {
  const first = await b.ask("POST", "/dialog", { provider: "claude", slug: "boss", prompt: "Please go" });
  if (first.status === 200) acknowledged.push("Please go");
  await first.text();
  const id = (await listing(b)).find(({ dialogId }) => dialogId.endsWith("boss"))?.dialogId;
  if (id === undefined) return;
  const second = await b.ask("PUT", "/dialog", { dialogId: id, decisions: "a: approve\nb: approve\nc: approve" });
  if (second.status === 200 && second.headers.get("content-type") === "text/event-stream") acknowledged.push("Decision: approved");
  await second.text();
}

async function listing(b: Bench) {
  return (await (await b.ask("GET", "/dialogs")).json()) as { dialogId: string; filename: string; status: string }[];
}

test.each(["full", "broken"])(
  "storage is %s at the n-th commit, n = 1, 2, 3 …: nothing acknowledged is lost, nothing hangs, nothing runs twice",
  async (kind) => {
    for (let n = 2; ; n += 1) {
      let commits = 0;
      let over = false;
      let isRetried = false;
      const commands: string[] = [];
      const acknowledged: string[] = [];
      const b = await bench(script(), {
        store: memoryStore(),
        run: async (command) => {
          commands.push(command);
          return outcome("index.html\n");
        },
        aroundCommit: async (commit, { index }) => {
          // A failed commit is retried without the entry of its events; that fails, too.
          if (isRetried && index === undefined) isRetried = false;
          else commits += 1;
          const failure = failures[kind];
          if (commits !== n || !failure || over) return commit();
          isRetried = kind === "broken" && index !== undefined;
          return failure;
        },
      });
      await scenario(b, acknowledged);
      await expect.poll(async () => (await listing(b)).every(({ status }) => status !== "active"), { message: `commit ${n}` }).toBe(true);
      over = true;
      const passed = commits < n;
      const all = await listing(b);
      const boss = all.find(({ dialogId }) => dialogId.endsWith("boss"));
      if (boss) {
        const text = await b.text(`vibey/${boss.filename}`);
        expect(parseDialog(text).format).toBe(1);
        for (const line of acknowledged) expect(text, `commit ${n}`).toContain(line);
        const undecided = dialogCalls(parseDialog(text))
          .filter(isUndecided)
          .map(({ id }) => `${id}: deny`)
          .join("\n");
        b.replies = [say("On."), say("On."), say("On.")];
        const next = await b.ask("PUT", "/dialog", {
          dialogId: boss.dialogId,
          ...(undecided === "" ? {} : { decisions: undecided }),
          prompt: "And on",
        });
        expect(next.status, `commit ${n}: ${next.status === 200 ? "" : await next.clone().text()}`).toBe(200);
        await next.text();
      } else expect(acknowledged).toEqual([]);
      expect(commands.length).toBeLessThanOrEqual(1);
      expect(all.filter(({ dialogId }) => !dialogId.endsWith("boss")).length).toBeLessThanOrEqual(1);
      expect(b.reported).toEqual([]);
      if (passed) {
        expect(n).toBeGreaterThan(8);
        break;
      }
    }
  },
);

test("a file that can neither be written nor read again: whoever waits for the turn's end hears of it", async () => {
  let broken = false;
  const options: BenchOptions = {
    get damaged() {
      return broken ? "vibey/dialog-20261121-201101-a-active.md" : "";
    },
    aroundCommit: async (commit) => (broken ? { ok: false, failure: { kind: "broken", message: "the disk said no" } } : commit()),
  };
  const reply = async function* (): AsyncIterable<ProviderEvent> {
    yield { type: "text", text: "So far" };
    broken = true;
    yield ended;
  };
  const b = await bench([reply], options);
  const frames = await b.frames(await b.ask("POST", "/dialog", { provider: "claude", slug: "a", prompt: "Go" }));
  expect(frames.slice(-2)).toMatchObject([{ type: "error" }, { type: "done", result: { interrupted: true } }]);
  const line = (await (await b.ask("GET", "/limits")).json()) as LimitsAnswer;
  expect([line.running, line.queued]).toEqual([[], []]);
});
