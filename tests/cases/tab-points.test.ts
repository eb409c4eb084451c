import { expect, onTestFinished, test } from "vitest";
import { portFetch } from "../../src/protocol/port/fetch-over-port.ts";
import type { ToEngine } from "../../src/protocol/port/messages.ts";
import { openTab } from "../../src/engine/tabs/tab.ts";
import type { TabsWorld } from "../../src/engine/tabs/world.ts";
import { memoryStore } from "../../src/fs/memory.ts";
import { type FakeWorker, fakeOrigin } from "../engine/tabs/origin.ts";
import { startWire, type WireName, wireNames } from "../stand-in/wire.ts";
import { type Acknowledged, type Ask, hear, human } from "./human.ts";
import { came, isWhole, wholeMs } from "./whole.ts";
import { engineOn, holds, projectOn } from "./points.ts";

/*
 * The scenario of points.test.ts, for a user whose tab doesn't have the engine. Each call goes from the page through a port to its worker, and from
 * there through a channel to the leading worker; the answer takes the same way back. At the n-th message, n = 1, 2, 3 …, a tab is
 * closed: the leading one, so that the user's own worker becomes the engine, or the user's, who opens another one.
 */

interface Page {
  readonly worker: FakeWorker;
  readonly ask: Ask;
  close(): void;
}

async function run(name: WireName, whose: "leader" | "relay", n: number): Promise<{ readonly passed: boolean }> {
  const wire = await startWire(name);
  onTestFinished(() => wire.close());
  const project = projectOn(wire, memoryStore());
  const origin = fakeOrigin(() => 0);
  const pages: Page[] = [];
  function open(): Page {
    const worker = origin.worker();
    // An ended worker does nothing more and says nothing more.
    const around = <T>(really: () => Promise<T>): Promise<T> => (worker.ended ? new Promise<T>(() => undefined) : really());
    const world: TabsWorld = {
      ...worker.world,
      channel(...given) {
        const channel = worker.world.channel(...given);
        return { ...channel, post: (message) => (worker.ended ? undefined : channel.post(message)) };
      },
    };
    const { port1, port2 } = new MessageChannel();
    const tab = openTab({
      world,
      name: "project",
      start: async (keys) => (await engineOn(project, { commit: around, read: around, fetch: around, run: around }, keys)).fetch,
      tell: () => undefined,
      end: () => worker.end(),
    });
    const toWorker = tab.connect((message) => {
      if (!worker.ended) port2.postMessage(message);
    });
    port2.addEventListener("message", ({ data }: MessageEvent<ToEngine>) => worker.message(() => toWorker(data)));
    port2.start();
    const fetch = portFetch(port1);
    const page: Page = {
      worker,
      ask: (method, path, body) =>
        fetch(new Request(`http://page${path}`, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }), path),
      close() {
        worker.end();
        fetch.close(new Error("the page was closed"));
        port2.close();
      },
    };
    pages.push(page);
    return page;
  }

  const leader = open();
  await origin.settle();
  let mine = open();
  let messages = 0;
  const state = { over: false };
  const moving = (async () => {
    while (!state.over) {
      const moved = await origin.step();
      if (!moved) await new Promise((resolve) => setImmediate(resolve));
      else if ((messages += 1) === n) (whose === "leader" ? leader : mine).close();
    }
  })();

  const acknowledged: Acknowledged = { prompts: [], decisions: [] };
  const begin = async (): Promise<Ask> => {
    // By then everything on its way has arrived, as for a user who reads the page first.
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    if (mine.worker.ended) mine = open();
    await hear(project, mine.ask).catch((error: unknown) => project.told.push(String(error)));
    return mine.worker.ended ? begin() : mine.ask;
  };
  await human(project, await begin(), acknowledged, begin);
  const left = holds(project, acknowledged);
  expect(project.reported).toEqual([]);
  expect(origin.reported).toEqual([]);
  const passed = messages < n;
  if (!passed && !left.tells && project.told.length === 0) expect(left.words).toBe(await unbroken(name));
  state.over = true;
  await moving;
  for (const page of pages) page.close();
  words.set(name, passed ? left.words : (words.get(name) ?? ""));
  return { passed };
}

/** The files' content without a fault. */
const words = new Map<WireName, string>();
async function unbroken(name: WireName): Promise<string> {
  if (!words.get(name)) await run(name, "leader", Infinity);
  return words.get(name) ?? "";
}

/** `npm test` covers some of the messages on one wire; `npm run chaos` covers every message on every wire. */
for (const whose of ["leader", "relay"] as const) {
  const [every, names] = isWhole ? [1, wireNames] : [23, [wireNames[whose === "leader" ? 0 : 1] ?? "messages"]];
  test.each(names)(`the ${whose}'s tab is closed at each message [%s]`, { timeout: wholeMs }, async (name) => {
    for (let n = 1; ; n += every) {
      const { passed } = await run(name, whose, n).catch((error: unknown) => {
        throw new Error(`message ${n}`, { cause: error });
      });
      if (!passed) {
        came(1);
        continue;
      }
      expect(n).toBeGreaterThan(60);
      break;
    }
  });
}
