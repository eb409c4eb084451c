import { describe, expect, test } from "vitest";
import type { DialogAnswer } from "../../../src/protocol/index.ts";
import type { BackgroundOptions, Printed, RunOptions, RunOutcome, StoreLate } from "../../../src/shell/sandbox.ts";
import { path } from "../../fs/notation.ts";
import { bench, type Bench, type BenchOptions, call, ended, outcome, type Reply, say } from "../harness.ts";

/** A background command, controlled by the test. */
interface Job {
  readonly command: string;
  readonly options: BackgroundOptions;
  readonly end: (outcome: RunOutcome) => void;
}

interface Wired extends Bench {
  readonly jobs: Job[];
  readonly id: string;
  /** The output of the shell's command `background` for a command of the dialog. */
  background(operands: string): Promise<Printed>;
  view(): Promise<DialogAnswer>;
}

const inBackground = (id: string, command: string): Reply => [call(id, "run_command", { command, background: true }), ended];

async function wired(replies: readonly Reply[], options: BenchOptions = {}): Promise<Wired> {
  const jobs: Job[] = [];
  const asked: { operands: string; answer: (printed: Printed) => void }[] = [];
  const b = await bench(replies, {
    runInBackground: (command, besideOptions) =>
      new Promise((resolve) => {
        jobs.push({ command, options: besideOptions, end: resolve });
        besideOptions.signal.addEventListener("abort", () => resolve({ ...outcome(""), aborted: true, exitCode: 130 }));
      }),
    run: async (_command, signal, { background }: RunOptions) => {
      const next = asked.shift();
      if (next)
        next.answer((await background?.(next.operands.split(" ").filter(Boolean), signal)) ?? { stdout: "", stderr: "", exitCode: 9 });
      return outcome("");
    },
    ...options,
  });
  const { dialogId } = (await (await b.ask("POST", "/dialog/new", { provider: "claude" })).json()) as { dialogId: string };
  let calls = 0;
  return Object.assign(b, {
    jobs,
    id: dialogId,
    view: async () => (await (await b.ask("GET", `/dialog/${dialogId}`)).json()) as DialogAnswer,
    async background(operands: string) {
      const answered = new Promise<Printed>((resolve) => asked.push({ operands, answer: resolve }));
      b.replies = [[call(`ask-${++calls}`, "run_command", { command: `background ${operands}` }), ended], say("ok")];
      await go(b, dialogId);
      return answered;
    },
  });
}

async function go(b: Bench, dialogId: string): Promise<string> {
  return (await b.ask("PUT", "/dialog", { dialogId, prompt: "go", authorizations: ["run_command"] })).text();
}

const results = (view: DialogAnswer) =>
  view.messages.flatMap(({ parts }) => parts.flatMap((part) => (part.kind === "call" ? [part.call.result] : [])));

describe("a command in the background", () => {
  test("is answered when it has started; what it prints is read in pieces", async () => {
    const b = await wired([inBackground("c1", "npm run build"), say("started")]);
    await go(b, b.id);
    const view = await b.view();
    expect(results(view)[0]).toMatchObject({ success: true, background: "bg-1", message: expect.stringContaining("background read bg-1") });
    expect(view.background).toEqual([
      { id: "bg-1", command: "npm run build", started: expect.stringMatching(/^2026-/), state: "running", exitCode: null },
    ]);
    const [job] = b.jobs;
    expect(job?.options).toMatchObject({ session: b.id, timeoutMs: 600_000, maxBytes: 1_000_000, commitEveryMs: 2000 });
    job?.options.onOutput?.({ stream: "stdout", text: "one\n" });
    expect(await b.background("read bg-1")).toEqual({ stdout: "one\n", stderr: "[bg-1 runs]\n", exitCode: 0 });
    expect(await b.background("read bg-1")).toMatchObject({ stdout: "" });
    job?.options.onOutput?.({ stream: "stderr", text: "two\n" });
    job?.end({ ...outcome("one\nlast\n"), stderr: "two\n", exitCode: 3 });
    expect(await b.background("wait bg-1")).toEqual({ stdout: "bg-1 ended with exit code 3\n", stderr: "", exitCode: 0 });
    expect(await b.background("read bg-1")).toEqual({ stdout: "two\nlast\n", stderr: "[bg-1 ended with exit code 3]\n", exitCode: 0 });
    expect((await b.view()).background).toMatchObject([{ id: "bg-1", state: "ended", exitCode: 3 }]);
    expect((await b.background("")).stdout).toBe("bg-1  ended with exit code 3  npm run build\n");
    expect(b.reported).toEqual([]);
  });

  test("has its changes stored while it runs, by the same rules as any command's", async () => {
    const b = await wired([inBackground("c1", "x"), say("started")]);
    await go(b, b.id);
    const [job] = b.jobs;
    const bytes = new TextEncoder().encode("built\n");
    await job?.options.commitChanges([
      { path: path("out.txt"), bytes, base: null },
      { path: path("vibey/dialog-20260101-000000-x-done.md"), bytes, base: null },
    ]);
    expect(await b.text("out.txt")).toBe("built\n");
    expect((await b.background("read bg-1")).stdout).toMatch(/^vibey: not kept: .*dialog/);
    expect(b.reported).toEqual([]);
  });

  test("that is no more there: what is found of it is stored all the same, by the same rules", async () => {
    let store: StoreLate | null = null;
    const b = await wired([], { storeLateBy: (next) => void (store = next) });
    const bytes = new TextEncoder().encode("built\n");
    const own = path("vibey/dialog-20260101-000000-x-done.md");
    const stored = store as StoreLate | null;
    await stored?.(
      [
        { path: path("out.txt"), bytes, base: null },
        { path: own, bytes, base: null },
      ],
      null,
    );
    expect(await b.text("out.txt")).toBe("built\n");
    await expect(b.text(own)).rejects.toThrow("no file");
    expect(b.reported).toEqual([]);
  });

  test("is one of two at most in the whole project", async () => {
    const b = await wired([
      [...["1", "2", "3"].map((id) => call(id, "run_command", { command: id, background: true })), ended],
      say("started"),
    ]);
    await go(b, b.id);
    expect(results(await b.view())).toMatchObject([
      { background: "bg-1" },
      { background: "bg-2" },
      {
        success: false,
        error: expect.stringContaining(
          "2 commands are already running in the background, which is the limit (bg-1 of this dialog, bg-2 of this dialog)",
        ),
      },
    ]);
    b.jobs[0]?.end(outcome(""));
    b.replies = [inBackground("4", "four"), say("ok")];
    await go(b, b.id);
    expect(results(await b.view()).at(-1)).toMatchObject({ background: "bg-4" });
  });

  test("can be stopped: by the agent, by the human, with its dialog, with all", async () => {
    const b = await wired([[...["1", "2"].map((id) => call(id, "run_command", { command: id, background: true })), ended], say("started")]);
    await go(b, b.id);
    expect(await b.background("stop bg-1")).toEqual({ stdout: "bg-1 was stopped\n", stderr: "", exitCode: 0 });
    expect(await b.background("stop bg-1")).toEqual({ stdout: "", stderr: "background: bg-1 was stopped\n", exitCode: 1 });
    const stop = (body: Record<string, unknown>) => b.ask("PUT", "/dialog", { dialogId: b.id, ...body });
    expect((await stop({ stopBackground: "bg-1" })).status).toBe(409);
    expect((await stop({ stopBackground: "bg-2", prompt: "x" })).status).toBe(400);
    expect((await stop({ stopBackground: "bg-2" })).status).toBe(200);
    const states = async () => (await b.view()).background.map(({ id, state, exitCode }) => `${id} ${state} ${exitCode}`);
    await expect.poll(states).toEqual(["bg-1 stopped 130", "bg-2 stopped 130"]);
    b.replies = [inBackground("3", "three"), say("ok")];
    await go(b, b.id);
    await stop({ status: "done" });
    await expect.poll(states).toContain("bg-3 stopped 130");
    b.replies = [inBackground("4", "four"), say("ok")];
    await go(b, b.id);
    await b.ask("PUT", "/dialogs", { status: "waiting" });
    await expect.poll(states).toContain("bg-4 stopped 130");
  });

  test("is gone with its engine, and its id is not used again", async () => {
    const b = await wired([inBackground("c1", "x"), say("started")]);
    await go(b, b.id);
    const again = await bench([], {
      store: b.store,
      runInBackground: () => new Promise(() => undefined),
      run: async (_command, signal, { background }) => {
        const of = async (...operands: string[]) => (await background?.(operands, signal))?.stderr ?? "";
        return outcome(`${await of("read", "bg-1")}${await of("read", "bg-2")}`);
      },
    });
    again.replies = [[call("c2", "run_command", { command: "background read bg-1" }), ended], inBackground("c3", "y"), say("ok")];
    await go(again, b.id);
    const view = (await (await again.ask("GET", `/dialog/${b.id}`)).json()) as DialogAnswer;
    expect(results(view).slice(1)).toMatchObject([
      {
        stdout:
          "background: bg-1 is gone: the page was closed or reloaded since it was started\n" +
          "background: bg-2: no such command in the background of this dialog\n",
      },
      { background: "bg-2" },
    ]);
  });

  test("is told to the human when it ends", async () => {
    const b = await wired([inBackground("c1", "make"), say("started")]);
    const events = (await b.ask("GET", "/events")).body?.pipeThrough(new TextDecoderStream()).getReader();
    let heard = "";
    void (async () => {
      for (let next = await events?.read(); next && !next.done; next = await events?.read()) heard += next.value;
    })();
    await go(b, b.id);
    b.jobs[0]?.end(outcome(""));
    await expect.poll(() => heard).toContain('"kind":"background","message":"bg-1 ended with exit code 0: make"');
  });

  test("is refused where the sandbox has no such thing, and by an input that is none", async () => {
    const b = await bench([
      [
        call("1", "run_command", { command: "x", background: true }),
        call("2", "run_command", { command: "x", background: "yes" }),
        call("3", "run_command", { command: "x", background: false }),
        ended,
      ],
      say("ok"),
    ]);
    const { dialogId } = (await (await b.ask("POST", "/dialog/new", { provider: "claude" })).json()) as { dialogId: string };
    await go(b, dialogId);
    const view = (await (await b.ask("GET", `/dialog/${dialogId}`)).json()) as DialogAnswer;
    expect(results(view)).toMatchObject([
      { success: false, error: expect.stringContaining("can't run in the background here") },
      { success: false, error: "background: expected true or false" },
      { success: true, stdout: "ran x\n" },
    ]);
  });
});

describe("what it answers to what it does not know", () => {
  test.each([
    ["read", 1, /which one\?\nusage/],
    ["read bg-7", 1, /bg-7: no such command/],
    ["fly bg-1", 2, /fly: no such operation\nusage/],
    ["wait bg-1 long", 2, /'long' is no number/],
  ])("%s", async (operands, exitCode, stderr) => {
    const b = await wired([inBackground("c1", "x"), say("started")]);
    await go(b, b.id);
    expect(await b.background(operands)).toMatchObject({ exitCode, stderr: expect.stringMatching(stderr) });
  });

  test("a wait has an end of its own", async () => {
    const b = await wired([inBackground("c1", "x"), say("started")]);
    await go(b, b.id);
    expect(await b.background("wait bg-1 0.01")).toEqual({ stdout: "bg-1 runs\n", stderr: "", exitCode: 1 });
  });
});
