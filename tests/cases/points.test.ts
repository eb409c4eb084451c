import { expect, test } from "vitest";
import type { Engine } from "../../src/engine/engine.ts";
import type { RunOutcome } from "../../src/shell/sandbox.ts";
import type { CommitResult } from "../../src/fs/files.ts";
import { memoryFiles, type MemoryStore, memoryStore } from "../../src/fs/memory.ts";
import { StorageError } from "../../src/fs/storage-error.ts";
import { startWire, type WireName, wireNames } from "../stand-in/wire.ts";
import { type Acknowledged, asking, hear, human } from "./human.ts";
import { came, isWhole, wholeMs } from "./whole.ts";
import { type Around, engineOn, holds, projectOn } from "./points.ts";

/*
 * One scenario of three turns: a prompt, streamed text, a command, a new file, a change to it and a launched agent, all of them approved, and
 * another prompt. It runs with a fault at its first commit, its second, its third … until there are no more, and likewise at its fetches, reads
 * and commands. After each fault a user continues with what the screens offer. Then:
 *
 * - each file is whole, and everything acknowledged is in it, once;
 * - nothing ran twice, and nothing ran without permission;
 * - the user was told, or everything is as it would be without the fault;
 * - the dialog came to its end, and the wire refused no request.
 */

/** A fault at the n-th point; everything before and after it works. */
type Point = (n: number, store: MemoryStore) => { readonly around: Around; readonly reached: () => boolean };

/** Counts calls and injects the fault into the n-th, and into `length` calls in all. */
function at<T>(n: number, fault: (really: () => Promise<T>) => Promise<T>, length = 1) {
  let count = 0;
  return {
    around: (really: () => Promise<T>): Promise<T> => {
      count += 1;
      return count >= n && count < n + length ? fault(really) : really();
    },
    reached: () => count >= n,
  };
}

const commits =
  (fault: (really: () => Promise<CommitResult>, store: MemoryStore) => Promise<CommitResult>, length = 1): Point =>
  (n, store) => {
    // Skip the project's first commit: it creates the docs, and without them there is no project.
    const { around, reached } = at(n + 1, (really: () => Promise<CommitResult>) => fault(really, store), length);
    return { around: { commit: around }, reached };
  };
const fetches =
  (fault: (really: () => Promise<Response>) => Promise<Response>): Point =>
  (n) => {
    const { around, reached } = at(n, fault);
    return { around: { fetch: around }, reached };
  };
const runs =
  (fault: (really: () => Promise<RunOutcome>) => Promise<RunOutcome>): Point =>
  (n) => {
    const { around, reached } = at(n, fault);
    return { around: { run: around }, reached };
  };
const reads =
  (length: number): Point =>
  (n) => {
    let count = 0;
    return {
      around: {
        read(really) {
          count += 1;
          return count >= n && count < n + length ? Promise.reject(new StorageError("broken", "the disk said no")) : really();
        },
      },
      reached: () => count >= n,
    };
  };

const failing = (failure: Extract<CommitResult, { ok: false }>["failure"], length = 1) =>
  commits(async () => ({ ok: false, failure }), length);
const json = (status: number, body: object) => fetches(async () => Response.json(body, { status }));

/** Delivers the first half of an answer; then the network fails. */
async function halfOf(really: () => Promise<Response>): Promise<Response> {
  const response = await really();
  const body = await response.text();
  const pieces = [body.slice(0, body.length / 2)];
  const half = new ReadableStream<Uint8Array>({
    pull(controller) {
      const next = pieces.shift();
      if (next === undefined) controller.error(new TypeError("network error"));
      else controller.enqueue(new TextEncoder().encode(next));
    },
  });
  return new Response(half, { status: response.status, headers: response.headers });
}

const kinds: Readonly<Record<string, Point>> = {
  "commit: the storage is full": failing({ kind: "full", message: "no room" }),
  "commit: the storage is broken": failing({ kind: "broken", message: "the disk said no" }),
  "commit: the storage is broken for three commits": failing({ kind: "broken", message: "the disk said no" }, 3),
  "commit: another tab has become the engine": commits((really, store) =>
    memoryFiles({ now: () => 0, store })
      .lead()
      .then(really),
  ),
  "commit: the storage throws": commits(() => Promise.reject(new StorageError("broken", "the disk said no"))),
  "read: the storage throws": reads(1),
  "read: the storage throws three times": reads(3),
  "fetch: no network": fetches(() => Promise.reject(new TypeError("Failed to fetch"))),
  "fetch: the answer is lost": fetches(async (really) => {
    await really();
    throw new TypeError("Failed to fetch");
  }),
  "fetch: the connection is cut": fetches(halfOf),
  "fetch: nothing in the answer": fetches(async () => new Response("", { headers: { "content-type": "text/event-stream" } })),
  "fetch: overloaded": json(503, { error: { message: "overloaded", type: "overloaded_error" } }),
  "fetch: refused": json(400, { error: { message: "no", type: "invalid_request_error" } }),
  "command: the sandbox throws": runs(() => Promise.reject(new Error("the sandbox is gone"))),
  "command: stopped by a limit": runs(async (really) => ({ ...(await really()), limit: "time", changes: [] })),
};

interface Ran {
  readonly passed: boolean;
  readonly words: string;
}

async function run(name: WireName, kind: string, point: Point, n: number): Promise<Ran> {
  const wire = await startWire(name);
  const project = projectOn(wire, memoryStore());
  const { around, reached } = point(n, project.store);
  const acknowledged: Acknowledged = { prompts: [], decisions: [] };
  const begin = async () => {
    const engine = await started(() => engineOn(project, around));
    const ask = asking(engine.fetch);
    await hear(project, ask);
    return ask;
  };
  /** An engine that can't start reports that to its page, and the user reloads. */
  async function started(start: () => Promise<Engine>): Promise<Engine> {
    try {
      return await start();
    } catch (error) {
      project.told.push(String(error));
      return started(start);
    }
  }
  const ask = await begin();
  // If the engine has ended, the page gets another one; otherwise it stays.
  await human(project, ask, acknowledged, async () => (/tab/.test(kind) ? begin() : ask));
  const left = holds(project, acknowledged);
  await wire.close();
  if (n !== Infinity) {
    const { words } = await (unbroken[name] ??= run(name, kind, point, Infinity));
    if (left.words !== words) expect([left.tells, project.told.length > 0]).not.toEqual([false, false]);
  }
  return { passed: !reached(), words: left.words };
}

/** The results without a fault. */
const unbroken: Partial<Record<WireName, Promise<Ran>>> = {};

/** `npm test` runs every third point on one wire, and all points of fetches; `npm run chaos` runs every point on every wire. */
for (const [row, [kind, point]] of Object.entries(kinds).entries()) {
  const all = isWhole || kind.startsWith("fetch");
  const [every, names] = all ? [1, wireNames] : [3, [wireNames[row % 3] ?? "messages"]];
  test.each(names)(`${kind}, at each point [%s]`, { timeout: wholeMs }, async (name) => {
    for (let n = 1 + (row % every); ; n += every) {
      const ran = await run(name, kind, point, n).catch((error: unknown) => {
        throw new Error(`point ${n}`, { cause: error });
      });
      if (!ran.passed) {
        came(1);
        continue;
      }
      expect(n).toBeGreaterThan(kind.startsWith("command") ? 1 : 4);
      break;
    }
  });
}
