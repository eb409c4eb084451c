import type { FileRef } from "../model/route.ts";

/** What an agent's file is for, by its folder. */
export type FileKind = "agents" | "memory" | "artifacts";
export const fileKinds: readonly FileKind[] = ["agents", "memory", "artifacts"];

/** The kind of a path in the project; null: none. Vibey keeps its own agents and their memory beside the docs. */
export function kindOf(path: string): FileKind | null {
  if (/^vibey\/agent-[^/]+\.md$/i.test(path)) return "agents";
  if (/^vibey\/memory-[^/]+\.md$/i.test(path)) return "memory";
  return fileKinds.find((kind) => path.startsWith(`${kind}/`)) ?? null;
}

export interface ExplorerFile {
  readonly ref: FileRef;
  /** The path in the project. */
  readonly path: string;
  readonly kind: FileKind;
}

/** The agents' files, in the order of their paths. */
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

/**
 * Where a file goes that was dropped alone or in a folder. Files in a folder agents, memory or artifacts stay in a folder of that name. Otherwise,
 * Markdown with front matter is an agent, and everything else is an artifact. null: the file or its folder is hidden.
 */
export function placeOfDropped(path: string, text: string): string | null {
  const parts = path
    .split("/")
    .filter(Boolean)
    .map((part) => part.replace(/[\\\0]/g, "-"));
  if (parts.length === 0 || parts.some((part) => part.startsWith("."))) return null;
  const folder = parts.slice(0, -1).findIndex((part) => fileKinds.some((kind) => kind === part));
  if (folder >= 0) return parts.slice(folder).join("/");
  const isAgent = /\.md$/i.test(path) && /^\uFEFF?---[ \t]*\r?\n[\s\S]*?\r?\n---[ \t]*(?:\r?\n|$)/.test(text);
  return isAgent ? `agents/${parts.at(-1) ?? ""}` : `artifacts/${parts.join("/")}`;
}
