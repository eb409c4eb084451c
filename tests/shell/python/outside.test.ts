import { afterEach, expect, test, vi } from "vitest";
import type { Context } from "../../../src/shell/embedded/commands/answer.ts";
import { createPorts, type Ports } from "../../../src/shell/embedded/loopback/ports.ts";
import type { ShellHost } from "../../../src/shell/embedded/host.ts";
import { type Outside, outsideOf } from "../../../src/shell/embedded/python/outside.ts";

afterEach(() => void vi.restoreAllMocks());

const files = { flush: () => undefined, refresh: () => undefined };

interface State {
  stops: boolean;
  readonly sleep?: ShellHost["sleep"];
  readonly ports?: Ports;
}

function outside(state: State, refresh = files.refresh): Outside {
  const signal = new AbortController().signal;
  const host = {
    signal: () => signal,
    stop: () => (state.stops ? "aborted" : null),
    timeLeft: () => 1000,
    sleep: state.sleep ?? ((ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, Math.min(ms, 50)))),
    files: { stat: () => null },
    ports: state.ports ?? createPorts(),
  };
  const exec: Context["exec"] = (command, { signal: end } = { cwd: "/project" }) =>
    new Promise((resolve) => {
      const done = { stdout: "out", stderr: "", exitCode: 3, env: {} };
      if (command === "ends") resolve(done);
      end?.addEventListener("abort", () => resolve(done));
    });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only these parts are used here.
  return outsideOf(host as unknown as ShellHost, { exec } as unknown as Context, { ...files, refresh });
}

async function ask(from: Outside, request: object): Promise<string> {
  return new TextDecoder().decode(await from.ask(JSON.stringify(request)));
}

const start = (command: string): object => ({ op: "start", command, cwd: "/project", env: {}, input: "" });

test("a command is started, waited for, and forgotten", async () => {
  const from = outside({ stops: false });
  const { id } = JSON.parse(await ask(from, start("ends")));
  expect(await ask(from, { op: "wait", ids: [id] })).toBe(`{"id":${id},"code":3,"out":3}\nout`);
  expect(await ask(from, { op: "wait", ids: [id], ms: 1 })).toBe('{"id":0}\n');
});

test("a program can't have more than 100 commands at one time, and its end ends them", async () => {
  const from = outside({ stops: false });
  for (let i = 0; i < 100; i++) expect(JSON.parse(await ask(from, start("runs")))).toHaveProperty("id");
  expect(JSON.parse(await ask(from, start("runs")))).toEqual({ error: "a program can't have more than 100 commands at one time here" });
  await from.close();
  await ask(from, { op: "wait", ids: [] });
  expect(JSON.parse(await ask(from, start("runs")))).toHaveProperty("id");
});

test("what fails is an answer", async () => {
  const from = outside({ stops: false }, () => {
    throw new Error("no space");
  });
  expect(await ask(from, { op: "unknown" })).toBe('{"error":"the shell does not know what was asked"}\n');
  expect(JSON.parse(new TextDecoder().decode(await from.ask("ls")))).toEqual({ error: expect.stringContaining("JSON") });
  const { id } = JSON.parse(await ask(from, start("ends")));
  expect(await ask(from, { op: "wait", ids: [id] })).toBe('{"error":"no space"}\n');
});

test("a program that has to stop, and waits again and again, is ended", async () => {
  const state = { stops: false };
  const from = outside(state);
  const now = vi.spyOn(performance, "now").mockReturnValue(5000);
  await ask(from, { op: "wait", ids: [], ms: 1 });
  state.stops = true;
  await ask(from, { op: "wait", ids: [], ms: 1 });
  now.mockReturnValue(6001);
  await expect(from.ask(JSON.stringify({ op: "wait", ids: [], ms: 1 }))).rejects.toThrow("did not stop");
});

test("a socket listens, is connected to, and brings what the other one sends, to its end", async () => {
  const from = outside({ stops: false });
  const asked = async (request: object): Promise<Record<string, unknown>> => JSON.parse((await ask(from, request)).split("\n")[0] ?? "");
  const server = await asked({ op: "listen", port: 5000 });
  expect(server).toEqual({ id: expect.any(Number), port: 5000 });
  expect(await asked({ op: "listen", port: 5000 })).toEqual({ id: 0 });
  expect(await asked({ op: "accept", id: server["id"], ms: 0 })).toEqual({ id: 0 });
  const { id: near } = await asked({ op: "connect", port: 5000 });
  expect(await asked({ op: "wait", ids: [], sockets: [server["id"]] })).toEqual({ id: 0, ready: [server["id"]] });
  const { id: far } = await asked({ op: "accept", id: server["id"] });
  expect(await asked({ op: "send", id: near, data: btoa("hello") })).toEqual({ sent: true });
  expect(await ask(from, { op: "recv", id: far, size: 3 })).toBe('{"state":"data"}\nhel');
  expect(await ask(from, { op: "recv", id: far, size: 9 })).toBe('{"state":"data"}\nlo');
  expect(await asked({ op: "recv", id: far, size: 9, ms: 0 })).toEqual({ state: "none" });
  await asked({ op: "close", id: near });
  expect(await ask(from, { op: "recv", id: far, size: 9 })).toBe('{"state":"data"}\n');
  expect(await asked({ op: "send", id: far, data: "" })).toEqual({ sent: false });
  expect(await asked({ op: "connect", port: 5001 })).toEqual({ id: 0 });
  await from.close();
  expect(await asked({ op: "listen", port: 5002 })).toEqual({ id: 0 });
});

/** Ends only by its signal, so no wait ends by time. */
const endlessly: ShellHost["sleep"] = (_ms, signal) =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });

test("a signal ends what the program waits for", async () => {
  const from = outside({ stops: false, sleep: endlessly });
  const waits = ask(from, { op: "accept", id: JSON.parse(await ask(from, { op: "listen", port: 0 })).id });
  from.interrupt(15);
  expect(await waits).toBe('{"id":0}\n');
  expect([from.takeSignal(), from.takeSignal()]).toEqual([15, 0]);
});

test("a connection that brings more than 64 MB with what is unread on all others is reset, and what is read or closed makes room", async () => {
  const ports = createPorts();
  const from = outside({ stops: false, ports });
  const asked = async (request: object): Promise<Record<string, unknown>> => JSON.parse((await ask(from, request)).split("\n")[0] ?? "");
  const { id: server } = await asked({ op: "listen", port: 5000 });
  let closed = 0;
  async function connection(): Promise<readonly [id: unknown, send: (millions: number) => Promise<void>]> {
    const end = await ports.connect(5000, { data: () => undefined, end: () => undefined, close: () => void closed++ });
    const { id } = await asked({ op: "accept", id: server });
    return [id, async (millions) => end?.send(new Uint8Array(millions * 1_000_000))];
  }
  const [[one, toOne], [two, toTwo], [three, toThree]] = [await connection(), await connection(), await connection()];
  await toOne(40);
  await toTwo(24);
  await toThree(1);
  await expect.poll(() => closed).toBe(1);
  expect(await asked({ op: "recv", id: three, size: 1 })).toEqual({ state: "reset" });
  expect(await asked({ op: "send", id: three, data: "" })).toEqual({ sent: false });
  expect((await from.ask(JSON.stringify({ op: "recv", id: one, size: 40_000_000 }))).length).toBeGreaterThan(40_000_000);
  await asked({ op: "close", id: two });
  await toOne(64);
  expect(await asked({ op: "recv", id: one, size: 1 })).toEqual({ state: "data" });
  await toOne(1);
  expect(await asked({ op: "recv", id: one, size: 1 })).toEqual({ state: "reset" });
  expect(closed).toBe(3);
});
