import { describe, expect, test } from "vitest";
import { memoryFiles } from "../../src/fs/memory.ts";
import type { FromShell, ToShell } from "../../src/shell/embedded/protocol.ts";
import { startShellWorker } from "../../src/shell/embedded/shell-worker.ts";
import type { SandboxChange } from "../../src/shell/sandbox.ts";
import { path } from "../fs/notation.ts";
import { testAssets } from "./assets.ts";
import { loopbackWorker } from "./loopback.ts";
import { dialogName, project, type TestProject } from "./project.ts";

/** A background command with this commit interval, and the changes that it committed. */
function inBackground({ sandbox, files }: TestProject, command: string, commitEveryMs = 60_000) {
  const committed: SandboxChange[] = [];
  const printed: string[] = [];
  const outcome = sandbox.runInBackground?.(command, {
    session: "one",
    timeoutMs: 20_000,
    maxBytes: 10_000,
    signal: new AbortController().signal,
    id: "bg-1",
    onOutput: (output) => void printed.push(output.text),
    commitEveryMs,
    async commitChanges(changes) {
      committed.push(...changes);
      for (const { path: at, bytes, base } of changes)
        await files.commit([bytes === null ? { op: "remove", path: at } : { op: "write", path: at, data: bytes }], {
          durability: "relaxed",
          expect: [{ path: at, version: base }],
        });
    },
  });
  return { committed, printed, outcome };
}

const when = (condition: string): string => `until ${condition}; do sleep 0.01; done`;
const text = ({ bytes }: SandboxChange): string => new TextDecoder().decode(bytes ?? new Uint8Array());

describe("a command in the background", () => {
  test("sees what others change, add, and remove", async () => {
    const made = await project({ createWorker: loopbackWorker, contents: { "src/a": "old\n", "src/b": "b\n" } });
    const { outcome } = inBackground(
      made,
      `cat src/a; ${when("[ -f src/new/c ]")}; ${when("[ ! -e src/b ]")}; cat src/a src/new/c; ls src`,
    );
    await made.put("src/a", "new\n");
    await made.runAndKeep("mkdir src/new; echo c > src/new/c; rm src/b");
    expect((await outcome)?.stdout).toMatch(/^(?:old|new)\nnew\nc\na\nnew\n$/);
    made.sandbox.dispose();
  });

  test("keeps what it wrote and what is not stored, and the change says what it was made from", async () => {
    const made = await project({ createWorker: loopbackWorker });
    const before = await made.put("a", "first\n");
    const { committed, printed, outcome } = inBackground(made, `echo mine > a; echo wrote; ${when("[ -f go ]")}; cat a`);
    await expect.poll(() => printed.join("")).toBe("wrote\n");
    await made.put("a", "theirs\n");
    await made.put("go", "");
    expect((await outcome)?.stdout).toBe("wrote\nmine\n");
    const change = committed.find(({ path: at }) => at === path("a"));
    expect(change).toMatchObject({ base: before });
    made.sandbox.dispose();
  });

  test("sees what others make of a file that it wrote, once that is stored", async () => {
    const made = await project({ createWorker: loopbackWorker });
    const { committed, outcome } = inBackground(made, `echo mine > a; ${when("grep -q theirs a")}; echo more >> a; cat a`, 20);
    await expect.poll(async () => (await made.files.read(path("a"))) !== null).toBe(true);
    const theirs = await made.put("a", "theirs\n");
    expect(await outcome).toMatchObject({ stdout: "theirs\nmore\n", exitCode: 0 });
    expect(committed.map((change) => [text(change), change.base])).toEqual([
      ["mine\n", null],
      ["theirs\nmore\n", theirs],
    ]);
    made.sandbox.dispose();
  });
});

test("a file that a command changes while another version of it is on its way was made from the older one", async () => {
  const files = memoryFiles({ now: () => 0 });
  const put = async (name: string): Promise<number> => {
    const done = await files.commit([{ op: "write", path: path(name), data: name }], { durability: "relaxed" });
    if (!done.ok) throw new Error(done.failure.kind);
    return done.version;
  };
  const events = new EventTarget();
  const posted: ToShell[] = [];
  const say = (data: FromShell): void => void events.dispatchEvent(new MessageEvent("message", { data }));
  const shell = startShellWorker(
    files,
    () => ({
      postMessage: (message) => void posted.push(message),
      terminate: () => undefined,
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an EventTarget does not know which events it will have.
      addEventListener: (type: string, heard: (event: never) => void) => events.addEventListener(type, heard as (event: Event) => void),
    }),
    testAssets,
  );
  const old = await put("a");
  await put("b");
  await put("own");
  await shell.bringUpToDate();
  posted.length = 0;
  await put("a");
  const b = await put("b");
  await put("own");
  await put(dialogName);
  const following = shell.follow((at) => at === path("own"));
  await expect.poll(() => posted.length).toBe(1);
  expect(posted).toMatchObject([{ type: "follow", put: [{ path: "a" }, { path: "b" }], drop: [] }]);
  say({ type: "write", path: path("a"), bytes: new Uint8Array(1) });
  say({ type: "followed", id: 1 });
  await following;
  expect([shell.given(path("a")), shell.given(path("b"))]).toEqual([old, b]);
  shell.terminate();
});
