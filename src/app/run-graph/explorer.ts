import type { FileRef } from "../model/route.ts";

/** What a file of agents is for, by the folder that it is in. */
export type FileKind = "agents" | "memory" | "artifacts";
export const fileKinds: readonly FileKind[] = ["agents", "memory", "artifacts"];

/** The kind of a path of the project; null: it is of none. Vibey keeps its own agents, and their memory, beside the docs. */
export function kindOf(path: string): FileKind | null {
  if (/^vibey\/agent-[^/]+\.md$/i.test(path)) return "agents";
  if (/^vibey\/memory-[^/]+\.md$/i.test(path)) return "memory";
  return fileKinds.find((kind) => path.startsWith(`${kind}/`)) ?? null;
}

export interface ExplorerFile {
  readonly ref: FileRef;
  /** As a path of the project. */
  readonly path: string;
  readonly kind: FileKind;
}

/** The files of agents, in the order of their paths. */
export function explorerFiles(docs: readonly string[], deed: readonly string[]): readonly ExplorerFile[] {
  const all = [
    ...docs.map((name) => ({ ref: { kind: "doc", name } as const, path: `vibey/${name}` })),
    ...deed.map((path) => ({ ref: { kind: "deed", path } as const, path })),
  ];
  return all
    .flatMap((file) => {
      const kind = kindOf(file.path);
      return kind === null ? [] : [{ ...file, kind }];
    })
    .toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

/** Where a file that is dropped goes: Markdown with front matter is an agent, all else an artifact. */
export function placeOfDropped(name: string, text: string): string {
  const isAgent = /\.md$/i.test(name) && /^\uFEFF?---[ \t]*\r?\n[\s\S]*?\r?\n---[ \t]*(?:\r?\n|$)/.test(text);
  const plain = name.replace(/[/\\\0]/g, "-");
  return `${isAgent ? "agents" : "artifacts"}/${plain}`;
}
