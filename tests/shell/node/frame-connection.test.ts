import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openProgramFrame } from "../../../src/shell/embedded/node/frame/frame-connection.ts";
import type { FromFrame, ProcessSettings, ToFrame } from "../../../src/shell/embedded/node/frame/messages.ts";
import { createShellFiles } from "../../../src/shell/embedded/shell-files.ts";

const settings: ProcessSettings = { start: "{}", conditions: [], stdin: new Uint8Array(), piped: false, data: null };

beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] }));
afterEach(() => void vi.useRealTimers());

/** The other end of the connection, like public/program/index.html: it answers pings as long as its process lives. */
async function openFrame() {
  const { port1, port2 } = new MessageChannel();
  let lives = true;
  let answered = 0;
  const say = (message: FromFrame): void => port2.postMessage(message);
  port2.addEventListener("message", ({ data }: MessageEvent<ToFrame>) => {
    if (data.type !== "ping" || !lives) return;
    answered++;
    say({ type: "pong" });
  });
  port2.start();
  say({ type: "ready" });
  const files = createShellFiles({
    refusal: () => null,
    record: () => undefined,
    fetch: async () => null,
    now: () => 0,
    failure: (message) => new Error(message),
  });
  return {
    frame: await openProgramFrame(port1, ""),
    files: files.now,
    crash: () => void (lives = false),
    answered: () => answered,
    close: () => port2.close(),
  };
}

test("a frame whose process has crashed ends what runs in it, and is not used again", async () => {
  const { frame, files, crash, answered, close } = await openFrame();
  const ended: string[] = [];
  frame.start(files, settings, (why) => ended.push(why));
  for (let i = 1; i <= 10; i++) {
    vi.advanceTimersByTime(2_000);
    await vi.waitFor(() => expect(answered()).toBe(i));
  }
  expect([ended, frame.isAlive()]).toEqual([[], true]);
  crash();
  vi.advanceTimersByTime(14_000);
  expect([ended, frame.isAlive()]).toEqual([["the browser ended it; it may have taken too much memory"], false]);
  close();
});

test("programs that start together, while the frame has not answered yet, are no sign of a crash", async () => {
  const { frame, files, close } = await openFrame();
  const ended: string[] = [];
  for (let i = 0; i < 20; i++) frame.start(files, settings, (why) => ended.push(why));
  expect([ended, frame.isAlive()]).toEqual([[], true]);
  close();
});

test("one that was silent when its last program ended makes place for another", async () => {
  const { frame, files, crash, close } = await openFrame();
  crash();
  const program = frame.start(files, settings, () => undefined);
  vi.advanceTimersByTime(4_000);
  expect(frame.isAlive()).toBe(true);
  program.end();
  expect(frame.isAlive()).toBe(false);
  close();
});
