import type { FileStat } from "../../fs/files.ts";
import type { Path } from "../../fs/path.ts";
import { batches } from "../batches.ts";
import type { SandboxFiles } from "../sandbox.ts";
import { isDialogPath } from "../../protocol/write-rules.ts";
import type { PutFile, ToShell } from "./protocol.ts";

/** The project's files, and those whose content is sent when it is asked for. */
export interface Listed {
  readonly listed: readonly FileStat[];
  readonly isLate: (stat: FileStat) => boolean;
}

export interface FollowingParts {
  readonly files: SandboxFiles;
  readonly look: () => Promise<Listed>;
  /** The versions that the worker has. */
  readonly given: ReadonlyMap<Path, number>;
  readonly markGiven: (path: Path, version: number | null) => void;
  /** The worker has it without its content again. */
  readonly putBack: (path: Path) => void;
  readonly post: (message: ToShell, transfer: Transferable[]) => void;
  /** How many files, and of how many bytes together, are sent in one message. */
  readonly most: { readonly files: number; readonly bytes: number };
}

/** Sends a worker what changed in the project while its command runs. One `send` at a time. */
export interface Following {
  send(isOwn: (path: Path) => boolean): Promise<void>;
  /** The worker has taken the message with this id. */
  heard(id: number): void;
  /** The command changed this file itself. */
  changed(path: Path): void;
}

/** Bytes of a changed file that is sent whole, since a program that can't wait may have had it all along. */
const mostAtOnce = 16_000_000;
const comesLate = (stat: FileStat, isLate: Listed["isLate"]): boolean => isLate(stat) && stat.size > mostAtOnce;

type Sent = PutFile & { readonly version: number };

export function createFollowing({ files, look, given, markGiven, putBack, post, most }: FollowingParts): Following {
  /** What is on its way, and its version; null: it is gone. What the command changes before it has it was made from what it had. */
  const onItsWay = new Map<Path, number | null>();
  let lastId = 0;
  let resolveLast = (): void => undefined;

  async function sendNow(put: readonly Sent[], drop: readonly Path[]): Promise<void> {
    for (const { path, version } of put) onItsWay.set(path, version);
    for (const path of drop) onItsWay.set(path, null);
    const id = ++lastId;
    const taken = new Promise<void>((resolve) => {
      resolveLast = resolve;
    });
    post(
      { type: "follow", id, put: put.map(({ path, bytes, size, mtime }) => ({ path, bytes, size, mtime })), drop },
      put.flatMap(({ bytes }) => bytes?.buffer ?? []),
    );
    await taken;
    for (const [path, version] of onItsWay) markGiven(path, version);
    onItsWay.clear();
  }

  async function read(batch: readonly FileStat[], { isLate }: Listed): Promise<Sent[]> {
    const whole = batch.filter((stat) => !comesLate(stat, isLate));
    const contents = new Map((await files.readMany(whole.map(({ path }) => path))).map((content, at) => [whole[at]?.path, content]));
    return batch.flatMap((stat): Sent[] => {
      if (comesLate(stat, isLate)) return [{ ...stat, bytes: null }];
      const content = contents.get(stat.path);
      // If it is gone again, that is a change that comes next.
      return content ? [{ ...stat, version: content.version, bytes: content.bytes, size: content.bytes.length }] : [];
    });
  }

  return {
    async send(isOwn) {
      const isKept = (path: Path): boolean => isDialogPath(path) || isOwn(path);
      const project = await look();
      const here = new Set(project.listed.map(({ path }) => path));
      const gone = [...given.keys()].filter((path) => !here.has(path) && !isKept(path));
      const stale = project.listed.filter(({ path, version }) => given.get(path) !== version && !isKept(path));
      if (gone.length > 0) await sendNow([], gone);
      for (const batch of batches(stale, (stat) => (comesLate(stat, project.isLate) ? 0 : stat.size), most)) {
        // The command may have changed one while they were read.
        const put = (await read(batch, project)).filter(({ path }) => !isOwn(path));
        for (const { path, bytes } of put) if (bytes === null) putBack(path);
        if (put.length > 0) await sendNow(put, []);
      }
    },
    heard: (id) => (id === lastId ? resolveLast() : undefined),
    changed: (path) => void onItsWay.delete(path),
  };
}
