import { lstat, open, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { eventsOfLine, readSession, type VibeSession } from "./vibe-log.ts";

export interface VibeOptions {
  /** Where Vibe writes its sessions: a folder for each. */
  readonly folder: string;
  /** Where the bridge takes events, such as `http://127.0.0.1:4003/event`. */
  readonly url: string;
  /** The agent key; null: none is needed. */
  readonly key: string | null;
  readonly now: () => number;
  /** Resolves after so many milliseconds, or once the signal is aborted. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly say: (line: string) => void;
}

/** Milliseconds between two looks, and before an event is sent again. */
const times = { look: 500, again: 2_000 } as const;
/** Sessions that changed in this time are told from their beginning when the bridge starts, as many at most. */
const fresh = { ms: 86_400_000, sessions: 20 } as const;
/** Bytes that are read at a time. */
const piece = 4_000_000;

interface Followed {
  readonly session: VibeSession;
  offset: number;
  lines: number;
}

/** Follows the sessions of Mistral Vibe until it is stopped: what they write is told as events, each once. It only reads. */
export async function followVibe(options: VibeOptions, signal: AbortSignal): Promise<void> {
  const { folder, now, pause, say } = options;
  const began = now();
  const followed = new Map<string, Followed>();
  const isFailing = { is: false };
  while (!signal.aborted) {
    try {
      for (const { name, mtime, size } of await sessionsIn(folder, began, followed)) await follow(name, mtime, size);
      isFailing.is = false;
    } catch (error) {
      // The folder may come back.
      if (!isFailing.is) say(`--vibe: ${folder} can't be read (${error instanceof Error ? error.message : String(error)}). Trying again.`);
      isFailing.is = true;
    }
    await pause(times.look, signal);
  }

  async function follow(name: string, mtime: number, size: number): Promise<void> {
    const known = followed.get(name) ?? { session: await sessionOf(folder, name), offset: 0, lines: 0 };
    followed.set(name, known);
    // It was written again: its lines are named by their places, so none is told twice.
    if (size < known.offset) [known.offset, known.lines] = [0, 0];
    while (known.offset < size && !signal.aborted) {
      const { text, bytes } = await linesFrom(join(folder, name, "messages.jsonl"), known.offset);
      if (bytes === 0) return;
      for (const line of text.split("\n").slice(0, -1)) {
        for (const event of eventsOfLine(line, known.lines, known.session, mtime)) await send(event);
        if (signal.aborted) return;
        known.lines += 1;
      }
      known.offset += bytes;
    }
  }

  /** Until it is taken, or refused for good. What may have been taken is sent again: it has a name. */
  async function send(event: object): Promise<void> {
    while (!signal.aborted) {
      const status = await post(options, event, signal);
      if (status !== null && status < 500 && status !== 429 && status !== 401) return;
      if (status === 401) say("--vibe: the agent key is none, or was revoked. Trying again.");
      await pause(times.again, signal);
    }
  }
}

async function post({ url, key }: VibeOptions, event: object, signal: AbortSignal): Promise<number | null> {
  const headers = { "content-type": "application/json", ...(key === null ? {} : { "x-agent-key": key }) };
  try {
    const answer = await fetch(url, { method: "POST", body: JSON.stringify(event), headers, signal });
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    // No answer: it may have been taken.
    return null;
  }
}

/** Those that are followed or changed, the newest ones; no link among them. */
async function sessionsIn(folder: string, began: number, followed: ReadonlyMap<string, Followed>) {
  const found: { name: string; mtime: number; size: number }[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const stat = await lstat(join(folder, entry.name, "messages.jsonl")).catch(() => null);
    if (stat?.isFile() === true && stat.mtimeMs > began - fresh.ms)
      found.push({ name: entry.name, mtime: Math.floor(stat.mtimeMs), size: stat.size });
  }
  const newest = found.toSorted((one, other) => other.mtime - one.mtime);
  return newest.filter(({ name, mtime }, at) => at < fresh.sessions || mtime > began || followed.has(name));
}

async function sessionOf(folder: string, name: string): Promise<VibeSession> {
  const meta = await readFile(join(folder, name, "meta.json"), "utf8").catch(() => "");
  return readSession(meta, name);
}

/** Whole lines from there on. `bytes`: how many they have; 0: there is none yet, or one that is too long to be read. */
async function linesFrom(file: string, offset: number): Promise<{ readonly text: string; readonly bytes: number }> {
  const handle = await open(file, "r");
  try {
    const buffer = Buffer.alloc(piece);
    const { bytesRead } = await handle.read(buffer, 0, piece, offset);
    const bytes = buffer.lastIndexOf(10, bytesRead - 1) + 1;
    return { text: buffer.toString("utf8", 0, bytes), bytes };
  } finally {
    await handle.close();
  }
}
