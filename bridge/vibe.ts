import { lstat, open, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { eventsOfLine, readSession, type VibeSession } from "./vibe-log.ts";

export interface VibeOptions {
  /** The folder in which Vibe writes its sessions, each in a folder of its own. */
  readonly folder: string;
  /** The bridge's address for events, such as `http://127.0.0.1:4003/event`. */
  readonly url: string;
  /** The agent key. Null: none is needed. */
  readonly key: string | null;
  readonly now: () => number;
  /** Resolves after `ms`, or when the signal aborts. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly say: (line: string) => void;
}

/** Milliseconds between two looks at the folder, and before an event is sent again. */
const times = { look: 500, again: 2_000 } as const;
/** When the bridge starts, sessions that changed within `ms` are reported from their beginning, but at most `sessions` of them. */
const fresh = { ms: 86_400_000, sessions: 20 } as const;
/** The most bytes that are read at a time. A line with this many bytes or more is left out. */
const piece = 4_000_000;
/** Milliseconds to wait for a session's id, because `meta.json` may be written after the messages. */
const namelessMs = 10_000;

const lineFeed = 10;
/** Statuses that a retry would get again, unless the answer has `Retry-After`: an adapter throws, or a record is full. */
const finalFailures: ReadonlySet<number> = new Set([500, 507]);

interface Followed {
  readonly session: VibeSession;
  offset: number;
  lines: number;
  /** The bytes at `offset` are the rest of a line that is too long. */
  isSkipping: boolean;
}

/** Follows the sessions of Mistral Vibe until the signal aborts, and reports what they write as events, each once. Only reads their files. */
export async function followVibe(options: VibeOptions, signal: AbortSignal): Promise<void> {
  const { folder, now, pause, say } = options;
  const began = now();
  const followed = new Map<string, Followed>();
  /** What can't be read: the folder, or a session in it. Each is reported once until it can be read again. */
  const failing = new Set<string>();
  /** Statuses of refusals that were reported. */
  const said = new Set<number>();
  while (!signal.aborted) {
    const found = (await attempt(folder, () => sessionsIn(folder, began, followed))) ?? [];
    for (const session of found) await attempt(join(folder, session.name), () => follow(session));
    await pause(times.look, signal);
  }

  /** Null: it failed, and may succeed the next time. One unreadable session must not stop the others from being followed. */
  async function attempt<T>(what: string, work: () => Promise<T>): Promise<T | null> {
    try {
      const done = await work();
      failing.delete(what);
      return done;
    } catch (error) {
      if (!failing.has(what))
        say(`--vibe: ${what} can't be read (${error instanceof Error ? error.message : String(error)}). Trying again.`);
      failing.add(what);
      return null;
    }
  }

  async function follow({ name, mtime, born, size }: Found): Promise<void> {
    let known = followed.get(name);
    if (!known) {
      const session = await sessionOf(folder, name);
      if (session.id === name && now() - born < namelessMs) return;
      known = { session, offset: 0, lines: 0, isSkipping: false };
      followed.set(name, known);
    }
    // The file was rewritten. The ids of events come from the lines' positions, so no line is reported twice.
    if (size < known.offset) [known.offset, known.lines, known.isSkipping] = [0, 0, false];
    while (known.offset < size && !signal.aborted) {
      const bytes = await read(join(folder, name, "messages.jsonl"), known.offset, Math.min(piece, size - known.offset));
      if (bytes.length === 0) return;
      if (known.isSkipping) {
        const end = bytes.indexOf(lineFeed);
        known.offset += end < 0 ? bytes.length : end + 1;
        if (end >= 0) [known.lines, known.isSkipping] = [known.lines + 1, false];
        continue;
      }
      const whole = bytes.lastIndexOf(lineFeed) + 1;
      if (whole === 0) {
        // The rest of the line may still be written.
        if (bytes.length < piece) return;
        say(`--vibe: a line of ${name} is longer than ${piece} bytes. It is left out.`);
        known.offset += bytes.length;
        known.isSkipping = true;
        continue;
      }
      for (const line of bytes.toString("utf8", 0, whole).split("\n").slice(0, -1)) {
        for (const event of eventsOfLine(line, known.lines, known.session, mtime)) await send(event);
        if (signal.aborted) return;
        known.lines += 1;
      }
      known.offset += whole;
    }
  }

  /** Sends an event until it is accepted or finally refused. Sending it twice is harmless, because it has an id. */
  async function send(event: object): Promise<void> {
    while (!signal.aborted) {
      const { status, again } = await post(options, event, signal);
      const isFinal = status !== null && (status < 500 ? status !== 401 && status !== 429 : finalFailures.has(status) && !again);
      if (status !== null && (status === 401 || (isFinal && status >= 400)) && !said.has(status)) {
        said.add(status);
        say(
          status === 401
            ? "--vibe: the agent key is missing or was revoked. Trying again."
            : `--vibe: an event was refused with status ${status}. It is left out, and so are others that are refused with it.`,
        );
      }
      if (isFinal) return;
      await pause(times.again, signal);
    }
  }
}

/** `again`: the answer has `Retry-After`, or there was none. */
async function post(
  { url, key }: VibeOptions,
  event: object,
  signal: AbortSignal,
): Promise<{ readonly status: number | null; readonly again: boolean }> {
  const headers = { "content-type": "application/json", ...(key === null ? {} : { "x-agent-key": key }) };
  try {
    const answer = await fetch(url, { method: "POST", body: JSON.stringify(event), headers, signal });
    await answer.arrayBuffer();
    return { status: answer.status, again: answer.headers.has("retry-after") };
  } catch {
    // No answer: the event may have been accepted.
    return { status: null, again: true };
  }
}

interface Found {
  readonly name: string;
  readonly mtime: number;
  /** When the file of messages was created, in milliseconds since 1970. */
  readonly born: number;
  readonly size: number;
}

/** The newest recent sessions, and those that are followed or have changed since the start. Without symbolic links. */
async function sessionsIn(folder: string, began: number, followed: ReadonlyMap<string, Followed>) {
  const found: Found[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const stat = await lstat(join(folder, entry.name, "messages.jsonl")).catch(() => null);
    if (stat?.isFile() === true && stat.mtimeMs > began - fresh.ms)
      found.push({ name: entry.name, mtime: Math.floor(stat.mtimeMs), born: stat.birthtimeMs, size: stat.size });
  }
  const newest = found.toSorted((one, other) => other.mtime - one.mtime);
  return newest.filter(({ name, mtime }, at) => at < fresh.sessions || mtime > began || followed.has(name));
}

async function sessionOf(folder: string, name: string): Promise<VibeSession> {
  const meta = await readFile(join(folder, name, "meta.json"), "utf8").catch(() => "");
  return readSession(meta, name);
}

/** Reads at most `most` bytes from `offset`. Empty: there are none. */
async function read(file: string, offset: number, most: number): Promise<Buffer> {
  const handle = await open(file, "r");
  try {
    const buffer = Buffer.alloc(most);
    const { bytesRead } = await handle.read(buffer, 0, most, offset);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
