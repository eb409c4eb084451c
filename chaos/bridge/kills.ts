import type { SessionFrame } from "../../src/protocol/index.ts";
import { randomFrom } from "../random.ts";
import { openBridgeProcess } from "./bridge-process.ts";
import { follow } from "./follow.ts";
import { openPage } from "./page.ts";
import { createAsk, detailOf, runProgram, type Told } from "./program.ts";
import { openProxy } from "./proxy.ts";

export interface BridgeKills {
  readonly times: number;
  readonly seed: number;
  /** The path of the bridge, built as one script for Node. */
  readonly script: string;
  /** The number of programs that work at the same time. */
  readonly programs?: number;
  readonly progress?: (line: string) => void;
}

export interface BridgeReport {
  readonly kills: Readonly<Record<Kind, number>>;
  /** Counts: acknowledged messages and approvals, commands that ran, calls that were made, events that were followed. */
  readonly messages: number;
  readonly approvals: number;
  readonly commands: number;
  readonly calls: number;
  readonly events: number;
  /** Broken promises; empty if everything held. */
  readonly broken: readonly string[];
}

const kinds = ["page", "line", "program", "bridge"] as const;
type Kind = (typeof kinds)[number];

/** A recognizable key, so that a leak is found wherever it appears. */
const psk = "CANARY-bridge-campaign-key";

/**
 * Kills the bridge, the page and the connections of both while programs send messages and approve calls. Each program sends unanswered requests
 * again. Everything acknowledged must be in the files, once and in order, and no command may have begun twice.
 */
export async function runBridgeKills({ times, seed, script, programs = 3, progress }: BridgeKills): Promise<BridgeReport> {
  const random = randomFrom(seed);
  const bridge = await openBridgeProcess(script, psk);
  const [toPage, toPrograms] = [await openProxy(() => bridge.port()), await openProxy(() => bridge.port())];
  const page = await openPage(toPage.port, psk);
  const { ask, tries, answered } = createAsk(toPrograms.port, psk);
  let isOver = false;
  const sessions = Array.from({ length: programs }, (_, at) => `20260101-00000${at}-program-${at}`);
  const working = Promise.all(sessions.map((session) => runProgram(ask, session, () => isOver)));
  const followers = sessions.map((session) => follow(`ws://127.0.0.1:${toPrograms.port}/ws/events/${session}?psk=${psk}`));
  const kills: Record<Kind, number> = { page: 0, line: 0, program: 0, bridge: 0 };
  const murder: Readonly<Record<Kind, () => Promise<void>>> = {
    page: () => page.kill(),
    line: async () => toPage.cut(),
    program: async () => toPrograms.cut(),
    bridge: () => bridge.kill(),
  };
  const all = (async () => {
    for (let n = 0; n < times; n += 1) {
      // Wait for some answers before the next kill, or no program would make progress.
      for (let left = random.whole(1, 8); left > 0; left -= 1) await answered();
      await new Promise((resolve) => setTimeout(resolve, random.whole(0, 20)));
      const kind = kinds[random.whole(0, kinds.length - 1)] ?? "line";
      await murder[kind]();
      kills[kind] += 1;
      if ((n + 1) % 100 === 0) progress?.(`${n + 1} kills`);
    }
    isOver = true;
  })();
  try {
    await Promise.race([all, working]);
    await all;
    const told = await working;
    const broken: string[] = [];
    for (const one of told)
      broken.push(...(await checkSession(one, (path) => page.engine().text(path), (await detailOf(ask, one.session)).backlog)));
    for (const [at, follower] of followers.entries()) {
      const session = sessions[at] ?? "";
      const { backlog } = await detailOf(ask, session);
      await follower.until(backlog.at(-1)?.id ?? "");
      broken.push(...checkFollowed(session, follower.frames(), backlog));
    }
    const twice = page.commands.filter((command, at) => page.commands.indexOf(command) !== at);
    if (twice.length > 0) broken.push(`ran twice: ${twice.join(", ")}`);
    if (bridge.said().includes(psk)) broken.push("the bridge has said its key");
    for (const error of page.engine().reported) broken.push(`reported: ${String(error)}`);
    const sum = (count: (one: Told) => number) => told.reduce((total, one) => total + count(one), 0);
    return {
      kills,
      messages: sum((one) => one.messages.length),
      approvals: sum((one) => one.approved.length),
      commands: page.commands.length,
      calls: tries(),
      events: followers.reduce((total, each) => total + each.frames().length, 0),
      broken,
    };
  } finally {
    isOver = true;
    for (const follower of followers) follower.leave();
    toPage.close();
    toPrograms.close();
    bridge.close();
  }
}

async function checkSession(
  { session, messages, approved }: Told,
  read: (path: string) => Promise<string>,
  backlog: readonly SessionFrame[],
): Promise<string[]> {
  const broken: string[] = [];
  const text = await textOf(session, read);
  if (text === null) return [`${session}: its file is gone`];
  const said = [...text.matchAll(/^(?:Begin|Do \S+)$/gm)].map(([line]) => line);
  if (said.join("|") !== messages.join("|")) broken.push(`${session}: acknowledged ${messages.join("|")}, stored ${said.join("|")}`);
  if (text.includes(psk)) broken.push(`${session}: the key stands in its file`);
  const decided = text.split("\n").filter((line) => line.startsWith("Decision: approved")).length;
  if (decided < approved.length) broken.push(`${session}: ${approved.length} approvals were acknowledged, ${decided} are stored`);
  if (JSON.stringify(backlog).includes(psk)) broken.push(`${session}: the key stands in an event`);
  return broken;
}

async function textOf(session: string, read: (path: string) => Promise<string>): Promise<string | null> {
  for (const status of ["waiting", "active", "done"]) {
    try {
      return await read(`vibey/dialog-${session}-${status}.md`);
    } catch (error) {
      // The file isn't found while its dialog's status changes: its name contains the status.
      if (!(error instanceof Error && error.message.startsWith("no file"))) throw error;
    }
  }
  return null;
}

/** Checks that each event arrived once, and that all events of the backlog arrived. */
function checkFollowed(session: string, frames: readonly SessionFrame[], backlog: readonly SessionFrame[]): string[] {
  const ids = frames.map(({ id }) => id);
  const twice = ids.filter((id, at) => ids.indexOf(id) !== at);
  const missing = backlog.filter(({ id }) => !ids.includes(id));
  return [
    ...(twice.length > 0 ? [`${session}: ${twice.length} events were followed twice`] : []),
    ...(missing.length > 0
      ? [`${session}: ${missing.length} events were not followed: ${missing.map(({ type, id }) => `${type} ${id}`).join(", ")}`]
      : []),
  ];
}
