import { afterEach, expect, test, vi } from "vitest";
import { soon } from "../../soon.ts";
import type { Heard } from "../../../src/app/model/api/events.ts";
import { live } from "../../live-event.ts";
import type { SandboxAnswer, ServerView } from "../../../src/protocol/index.ts";
import { startServers } from "../../../src/app/container-host/start-servers.ts";
import { createNotices } from "../../../src/app/ui/notices.ts";

afterEach(() => vi.unstubAllGlobals());

/** Follows the servers of an engine. `listen` changes them, and resolves when the follower has seen the change. */
function open(view = (port: number): ServerView => ({ port, url: `https://${port}.example/`, owner: null, since: null })) {
  let ports: readonly number[] = [];
  let reads = 0;
  vi.stubGlobal("fetch", async () => {
    reads++;
    const servers = ports.map(view);
    const answer = { about: "", chosen: "webcontainer", node: "quickjs", computer: { state: "running" }, servers } satisfies SandboxAnswer;
    return Response.json(answer);
  });
  const listeners = new Set<(event: Heard) => void>();
  const tell = (event: Heard) => {
    for (const listener of listeners) listener(event);
  };
  const notices = createNotices();
  const told: (readonly number[])[] = [];
  const shown: number[] = [];
  const opened: ServerView[] = [];
  const stop = startServers({ listeners }, notices, {
    tellServers: (servers) => void told.push(servers.map(({ port }) => port)),
    showServer: (server) => {
      shown.push(server.port);
      opened.push(server);
    },
  });
  return {
    notices,
    told,
    shown,
    opened,
    tell,
    stop,
    listeners,
    reads: () => reads,
    listen: async (...now: number[]) => {
      const before = told.length;
      ports = now;
      tell(live({ type: "sandbox", data: {} }));
      await soon(() => expect(told.length).toBe(before + 1));
    },
    messages: () => notices.list().map(({ message }) => message),
  };
}

test("a new server is told of in one notice, about the newest, which opens it", async () => {
  const { listen, messages, notices, told, shown } = open();
  await listen(5173);
  expect(messages()).toEqual(["Server running on port 5173."]);
  await listen(5173, 8080);
  expect(messages()).toEqual(["Server running on port 8080."]);
  notices.list()[0]?.action?.run();
  expect([shown, messages()]).toEqual([[8080], []]);
  await listen(5173, 8080);
  expect(messages()).toEqual([]);
  expect(told.at(-1)).toEqual([5173, 8080]);
});

test("the notice goes with its server, and comes again with it; other notices stay", async () => {
  const { listen, messages, notices } = open();
  notices.add({ message: "Other" });
  await listen(5173);
  await listen();
  expect(messages()).toEqual(["Other"]);
  await listen(5173);
  expect(messages()).toEqual(["Other", "Server running on port 5173."]);
});

test("servers of another tab are known from the start and after each hello; nothing is asked for after it was stopped", async () => {
  const { tell, reads, stop, listeners } = open();
  expect(reads()).toBe(1);
  tell({ type: "hello" });
  expect(reads()).toBe(2);
  stop();
  expect(listeners.size).toBe(0);
});

test("one of the built-in shell is offered by its address; the same port of another dialog is another server", async () => {
  const { listen, messages, notices, opened } = open((port) => ({
    port: 3000,
    url: null,
    owner: { dialogId: String(port), background: "bg-1", command: "x" },
    since: null,
  }));
  await listen(1);
  expect(messages()).toEqual(["A command started a server."]);
  await listen(1, 2);
  expect(notices.list()[0]?.action?.label).toBe("Open localhost:3000");
  notices.list()[0]?.action?.run();
  expect(opened.map(({ owner }) => owner?.dialogId)).toEqual(["2"]);
});
