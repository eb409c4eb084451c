import { namePattern } from "../../glob-pattern.ts";
import type { SyncFiles } from "../../sync-files.ts";
import { NpmError } from "../failure.ts";
import { isRecord, listOf, readManifest } from "../manifest.ts";
import { readJson } from "./json-file.ts";

export interface Workspace {
  readonly name: string;
  /** Absolute. */
  readonly folder: string;
}

const inside = (folder: string, name: string): string => `${folder === "/" ? "" : folder}/${name}`;

const parentOf = (path: string): string => path.slice(0, Math.max(1, path.lastIndexOf("/")));

/** The project whose workspace `folder` is; `folder` itself if there is none. */
export function workspaceRoot(files: SyncFiles, folder: string): string {
  for (let above = folder; above !== "/"; ) {
    above = parentOf(above);
    if (files.stat(inside(above, "package.json")) === null || !isReadable(files, above)) continue;
    if (listWorkspaces(files, above).some((each) => each.folder === folder)) return above;
  }
  return folder;
}

/** npm ignores a package.json above the project that it can't parse. */
function isReadable(files: SyncFiles, folder: string): boolean {
  try {
    readJson(files, inside(folder, "package.json"));
    return true;
  } catch (error) {
    if (error instanceof NpmError && error.code === "EJSONPARSE") return false;
    throw error;
  }
}

/** The workspaces that the package.json in `root` lists, in npm's order. */
export function listWorkspaces(files: SyncFiles, root: string): readonly Workspace[] {
  const listed = readJson(files, inside(root, "package.json"))?.value["workspaces"];
  const value = isRecord(listed) ? listed["packages"] : listed;
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new NpmError("EWORKSPACESCONFIG", "workspaces config expects an Array");
  const all = listOf(value).map((text) => ({
    negative: (/^!*/.exec(text)?.[0].length ?? 0) % 2 === 1,
    text: text
      .replace(/^!+/, "")
      .replace(/^\.?\/+/, "")
      .replace(/\/+$/, ""),
  }));
  // A negative pattern no longer applies to a folder that a later pattern names.
  const negatives = all.filter(({ negative, text }, i) => negative && !all.slice(i).some((each) => !each.negative && each.text === text));
  const left = new Set(negatives.flatMap(({ text }) => foldersOf(files, root, text)));
  const folders = new Set(all.flatMap(({ negative, text }) => (negative ? [] : foldersOf(files, root, text))));
  const found = new Map<string, string>();
  for (const folder of folders) {
    const own = left.has(folder) ? null : readJson(files, inside(folder, "package.json"));
    if (own === null) continue;
    const name = readManifest(own.value).name ?? folder.slice(folder.lastIndexOf("/") + 1);
    const other = found.get(name);
    if (other !== undefined)
      throw new NpmError("EDUPLICATEWORKSPACE", [
        "must not have multiple workspaces with the same name",
        `package '${name}' has conflicts in the following paths:`,
        `    ${other}`,
        `    ${folder}`,
      ]);
    found.set(name, folder);
  }
  return [...found].map(([name, folder]) => ({ name, folder }));
}

/** The folders below `root` that a pattern matches, sorted. */
function foldersOf(files: SyncFiles, root: string, pattern: string): string[] {
  const found = new Set<string>();
  const childrenOf = (folder: string): string[] =>
    files.stat(folder)?.kind === "folder"
      ? files.list(folder).flatMap(({ name, kind }) => (kind === "folder" && name !== "node_modules" ? [name] : []))
      : [];
  const look = (folder: string, [first, ...rest]: readonly string[]): void => {
    if (first === undefined) {
      found.add(folder);
    } else if (first === "**") {
      look(folder, rest);
      for (const name of childrenOf(folder)) if (!name.startsWith(".")) look(inside(folder, name), [first, ...rest]);
    } else {
      const { literal, matches } = namePattern(first, { ignoresCase: false, dots: false, groups: true });
      for (const name of childrenOf(folder)) if (name === literal || matches(name)) look(inside(folder, name), rest);
    }
  };
  for (const each of choices(pattern)) look(root, each.split("/"));
  return [...found].toSorted((a, b) => a.localeCompare(b, "en"));
}

/** The patterns of `{a,b}/*`: `a/*` and `b/*`. */
function choices(pattern: string): string[] {
  const [, before = "", inner, after = ""] = /^(.*)\{([^{}]*,[^{}]*)\}(.*)$/.exec(pattern) ?? [];
  return inner === undefined ? [pattern] : inner.split(",").flatMap((each) => choices(before + each + after));
}
