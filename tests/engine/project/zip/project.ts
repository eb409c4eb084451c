import { human } from "../../../../src/fs/actor.ts";
import type { ZipContents, ZipTaken } from "../../../../src/protocol/index.ts";
import type { NewProject } from "../../../../src/engine/project/zip/new-project.ts";
import { joinBytes } from "../../../../src/fs/bytes.ts";
import { type HistoryMemory, historyMemory, memoryHistoryStore } from "../../../../src/fs/history/memory-store.ts";
import { memoryFiles, memoryStore, type MemoryStore } from "../../../../src/fs/memory.ts";
import { type ZipEntry, zipStream } from "../../../../src/fs/zip/write.ts";
import { path } from "../../../fs/notation.ts";
import type { Bench } from "../../harness.ts";
import { project, type Project, type ProjectOptions } from "../history/project.ts";

/** A project created by an import, and its state. */
export interface Made {
  readonly store: MemoryStore;
  readonly memory: HistoryMemory;
  closed: boolean;
  discarded: boolean;
}

export interface ZipProject extends Project {
  /** The projects created by imports, in order. */
  readonly made: Made[];
}

/** The time at which imports create projects, in milliseconds since 1970. */
export const takenAt = Date.UTC(2026, 10, 22);

/** A project with a history that can create other projects. */
export async function zipProject(options: ProjectOptions = {}): Promise<ZipProject> {
  const made: Made[] = [];
  const newProject = async (): Promise<NewProject> => {
    const one: Made = { store: memoryStore(), memory: historyMemory(), closed: false, discarded: false };
    made.push(one);
    return {
      id: `made${made.length}`,
      files: memoryFiles({ now: () => takenAt, store: one.store }),
      history: memoryHistoryStore(one.memory),
      close: async () => void (one.closed = true),
      discard: async () => void (one.discarded = true),
    };
  };
  return Object.assign(await project([], { newProject, ...options }), { made });
}

/** All files of a store, with their bytes as latin1 text, so that no byte is lost. */
export function contents({ names, pieces }: MemoryStore): Record<string, string> {
  const entries = Array.from(names.values(), ({ path: name, id }) => {
    const bytes = joinBytes([...(pieces.get(id)?.values() ?? [])]);
    return [name, Buffer.from(bytes).toString("latin1")] as const;
  });
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Writes any files into a store. */
export async function fill(store: MemoryStore, all: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
  const changes = Object.entries(all).map(([name, data]) => ({ op: "write", path: path(name), data }) as const);
  const done = await memoryFiles({ now: () => 0, store }).commit(changes, { durability: "strict", by: human });
  if (!done.ok) throw new Error(done.failure.kind);
}

export async function exported(b: Bench, scope = "all"): Promise<Uint8Array<ArrayBuffer>> {
  const answer = await b.ask("GET", `/project.zip?scope=${scope}`);
  if (!answer.ok) throw new Error(await answer.text());
  return new Uint8Array(await answer.arrayBuffer());
}

export function send(b: Bench, zip: Uint8Array, query = "", signal?: AbortSignal): Promise<Response> {
  const body = new Uint8Array(zip);
  return b.engine.fetch(new Request(`http://engine/project.zip${query}`, { method: "POST", body, ...(signal ? { signal } : {}) }));
}

export async function looked(b: Bench, zip: Uint8Array): Promise<ZipContents> {
  const answer = await send(b, zip);
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as ZipContents;
}

export async function taken(b: Bench, zip: Uint8Array, query: string): Promise<ZipTaken> {
  const answer = await send(b, zip, query);
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  return (await answer.json()) as ZipTaken;
}

/** A zip of these files, as another program would write it. */
export async function zipOf(all: Readonly<Record<string, string | Uint8Array>>): Promise<Uint8Array> {
  const entries = Object.entries(all).map(([name, data]): ZipEntry => {
    const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
    return { path: name, mtime: 0, read: async () => bytes };
  });
  const pieces: Uint8Array[] = [];
  const reader = zipStream(entries).getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) pieces.push(next.value);
  return joinBytes(pieces);
}
