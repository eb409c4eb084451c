import type { FileStat } from "../../fs/files.ts";
import type { Path } from "../../fs/path.ts";
import { batches } from "../batches.ts";
import type { SandboxFiles } from "../sandbox.ts";
import { isDialogPath } from "../../protocol/write-rules.ts";
import type { PutFile, ToShell } from "./protocol.ts";

/** The project's files, and which of them are sent without their content until it is requested. */
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
  /** Records that the worker again has the file without its content. */
  readonly putBack: (path: Path) => void;
  readonly post: (message: ToShell, transfer: Transferable[]) => void;
  /** How many files and how many bytes are sent in one message. */
  readonly most: { readonly files: number; readonly bytes: number };
}

/** Sends a worker what changes in the project while its command runs. Call `send` one at a time. */
export interface Following {
  send(isOwn: (path: Path) => boolean): Promise<void>;
  /** The worker has applied the message with this id. */
  heard(id: number): void;
  /** The command changed this file itself. */
  changed(path: Path): void;
}

/** Bytes up to which a changed file is sent with its content, because a program that can't wait may have had its content all along. */
const mostAtOnce = 16_000_000;
const comesLate = (stat: FileStat, isLate: Listed["isLate"]): boolean => isLate(stat) && stat.size > mostAtOnce;

type Sent = PutFile & { readonly version: number };

export function createFollowing({ files, look, given, markGiven, putBack, post, most }: FollowingParts): Following {
  /**
   * The files on their way, with their versions; null: removed. If the command changes one before it has arrived, the change is based on what the
   * command had.
   */
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
      // If the file is gone again, the next change covers that.
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
        // The command may have changed one of them while they were read.
        const put = (await read(batch, project)).filter(({ path }) => !isOwn(path));
        for (const { path, bytes } of put) if (bytes === null) putBack(path);
        if (put.length > 0) await sendNow(put, []);
      }
    },
    heard: (id) => (id === lastId ? resolveLast() : undefined),
    changed: (path) => void onItsWay.delete(path),
  };
}
