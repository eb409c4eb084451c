import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { rm } from "node:fs/promises";
import { breathe } from "../breathe.ts";
import type { Guard } from "./guard.ts";
import type { OwnFiles } from "./own-files.ts";

/** What the operations that remove, move and copy whole folders need from the disk. Paths are absolute and normalized. */
interface ChangesOptions {
  readonly own: OwnFiles;
  readonly guard: Guard;
  /** Receives refused changes. */
  readonly refused: string[];
  readonly fail: (code: string, what: string) => never;
  /** Fails, and adds the change to `refused`. */
  readonly refuse: (code: string, what: string) => never;
  readonly mustAllow: (path: string, follows?: boolean) => void;
  readonly mustNotBeOwn: (path: string) => void;
  readonly readNow: (path: string) => Uint8Array;
  readonly writeNow: (path: string, bytes: Uint8Array, append: boolean) => void;
}

export interface Changes {
  readonly removeNow: (path: string, recursive: boolean) => Promise<void>;
  readonly moveNow: (from: string, to: string) => Promise<void>;
  readonly copyNow: (from: string, to: string, recursive: boolean) => Promise<void>;
}

/** Operations on folders with their contents. Removal leaves what may not be changed; the other operations are done or refused as a whole. */
export function createChanges({ own, guard, refused, fail, refuse, mustAllow, mustNotBeOwn, readNow, writeNow }: ChangesOptions): Changes {
  async function removeNow(path: string, recursive: boolean): Promise<void> {
    mustNotBeOwn(path);
    if (!lstatSync(path).isDirectory()) {
      mustAllow(path, false);
      return unlinkSync(path);
    }
    if (guard.isAbove(path)) refuse("EBUSY", `${path} stays: the project is in it`);
    mustAllow(path, false);
    if (!recursive) return guard.stays(path) ? refuse("EBUSY", `'${path}' stays`) : rmdirSync(path);
    if (!guard.mayHold(path)) return rm(path, { recursive: true });
    const stayed = await removeAllowed(path);
    if (stayed !== null) fail("EROFS", stayed);
  }

  /** Removes what may be removed. Returns why something stayed, or null. */
  async function removeAllowed(folder: string): Promise<string | null> {
    let stayed: string | null = null;
    for (const name of readdirSync(folder)) {
      const path = `${folder}/${name}`;
      const refusal = guard.refusal(path, false);
      if (refusal !== null) {
        refused.push(refusal.why);
        stayed = refusal.why;
      } else if (!lstatSync(path).isDirectory()) unlinkSync(path);
      else if (guard.mayHold(path)) stayed = (await removeAllowed(path)) ?? stayed;
      else await rm(path, { recursive: true });
    }
    if (stayed === null && !guard.stays(folder) && readdirSync(folder).length === 0) rmdirSync(folder);
    return stayed;
  }

  /** All or nothing: every file of the folder must be allowed to move away from `from` and to `to`. */
  function mustAllowMove(from: string, to: string): void {
    mustAllow(from, false);
    mustAllow(to, false);
    if (!lstatSync(from).isDirectory()) return;
    if (guard.stays(from)) refuse("EBUSY", `'${from}' stays where it is`);
    if (!guard.mayHold(from) && !guard.mayHold(to)) return;
    for (const entry of readdirSync(from, { withFileTypes: true })) {
      const [left, arrives] = [`${from}/${entry.name}`, `${to}/${entry.name}`];
      if (entry.isDirectory()) mustAllowMove(left, arrives);
      else {
        mustAllow(left, false);
        mustAllow(arrives, false);
      }
    }
  }

  async function moveNow(from: string, to: string): Promise<void> {
    if (from === to) return;
    if (to.startsWith(`${from}/`)) fail("EINVAL", `cannot move '${from}' into itself, '${to}'`);
    mustAllowMove(from, to);
    try {
      renameSync(from, to);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EXDEV")) throw error;
      await copyNow(from, to, true);
      await rm(from, { recursive: true });
    }
  }

  async function copyNow(from: string, to: string, recursive: boolean): Promise<void> {
    await breathe();
    const node = own.find(from);
    if (node !== "container" || own.isDevice(to)) return writeNow(to, readNow(from), false);
    const stat = recursive ? lstatSync(from) : statSync(from);
    if (stat.isSymbolicLink()) {
      mustAllow(to, false);
      return symlinkSync(readlinkSync(from), to);
    }
    if (!stat.isDirectory()) {
      mustAllow(to);
      // An existing file keeps its mode.
      return existsSync(to) ? writeFileSync(to, readFileSync(from)) : copyFileSync(from, to);
    }
    if (!recursive) fail("EISDIR", `is a directory, cp '${from}'`);
    if (to === from || to.startsWith(`${from}/`)) fail("EINVAL", `cannot copy '${from}' into itself, '${to}'`);
    mustAllow(to);
    mkdirSync(to, { recursive: true });
    for (const name of readdirSync(from)) await copyNow(`${from}/${name}`, `${to}/${name}`, true);
  }

  return { removeNow, moveNow, copyNow };
}
