import { parsePath } from "../../../../fs/path.ts";
import { projectFolder } from "../../protocol.ts";
import type { SyncFiles } from "../../sync-files.ts";
import { NpmError } from "../failure.ts";
import type { PackageFiles } from "../registry/archive.ts";

/** Checks all paths before anything is written, so that nothing is left half done. */
export function checkPaths(folder: string, name: string, files: PackageFiles): void {
  if (!`${folder}/`.startsWith(`${projectFolder}/`)) return;
  for (const path of files.keys()) {
    const parsed = parsePath(`${folder.slice(projectFolder.length + 1)}/${path}`);
    if (!parsed.ok) throw new NpmError("EINVAL", `${name}: the project can't hold the file ${JSON.stringify(path)}: ${parsed.failure.why}`);
  }
}

/** Replaces the files in a package's folder; the packages inside it stay. */
export function writePackage(files: SyncFiles, folder: string, content: PackageFiles): void {
  clearPackage(files, folder);
  files.makeFolder(folder, true);
  const made = new Set([""]);
  for (const [path, bytes] of content) {
    const above = path.slice(0, Math.max(0, path.lastIndexOf("/")));
    if (!made.has(above)) files.makeFolder(`${folder}/${above}`, true);
    made.add(above);
    files.write(`${folder}/${path}`, bytes);
  }
}

function clearPackage(files: SyncFiles, folder: string): void {
  const there = files.stat(folder);
  if (there === null) return;
  if (there.kind === "file") return files.unlink(folder);
  for (const { name, kind } of files.list(folder)) {
    if (kind === "file") files.unlink(`${folder}/${name}`);
    else if (name !== "node_modules") files.removeFolder(`${folder}/${name}`, true);
  }
}

/** Removes a package with everything inside it, and the folder of its scope if that becomes empty. */
export function removePackage(files: SyncFiles, folder: string): void {
  if (files.stat(folder)?.kind === "folder") files.removeFolder(folder, true);
  const above = folder.slice(0, folder.lastIndexOf("/"));
  if (/\/(?:@[^/]*|node_modules)$/.test(above) && files.stat(above)?.kind === "folder" && files.list(above).length === 0)
    files.removeFolder(above, true);
}
