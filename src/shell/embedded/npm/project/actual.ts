import type { SyncFiles } from "../../sync-files.ts";
import { isRecord, textOf } from "../manifest.ts";
import { readJson } from "./json-file.ts";
import type { LockEntry } from "./lock-file.ts";

/** The current content of node_modules: each package's package.json by its location, with the origin from npm's own list. */
export function readActual(files: SyncFiles, project: string): Map<string, LockEntry> {
  const found = new Map<string, LockEntry>();
  const hidden = hiddenEntries(files, project);

  function look(folder: string, above: string): void {
    if (files.stat(folder)?.kind !== "folder") return;
    for (const { name, kind } of files.list(folder)) {
      if (kind !== "folder" || name.startsWith(".")) continue;
      if (!name.startsWith("@")) one(`${folder}/${name}`, `${above}node_modules/${name}`);
      else
        for (const inner of files.list(`${folder}/${name}`))
          if (inner.kind === "folder") one(`${folder}/${name}/${inner.name}`, `${above}node_modules/${name}/${inner.name}`);
    }
  }

  function one(folder: string, location: string): void {
    const file = readJson(files, `${folder}/package.json`);
    if (file === null) return;
    const listed = hidden.get(location);
    const same = listed !== undefined && listed["version"] === file.value["version"];
    found.set(location, {
      ...file.value,
      resolved: same ? textOf(listed["resolved"]) : undefined,
      integrity: same ? textOf(listed["integrity"]) : undefined,
      inBundle: same && listed["inBundle"] === true,
    });
    look(`${folder}/node_modules`, `${location}/`);
  }

  look(`${project}/node_modules`, "");
  return found;
}

function hiddenEntries(files: SyncFiles, project: string): ReadonlyMap<string, LockEntry> {
  const packages = readJson(files, `${project}/node_modules/.package-lock.json`)?.value["packages"];
  if (!isRecord(packages)) return new Map();
  return new Map(Object.entries(packages).flatMap(([location, entry]) => (isRecord(entry) ? [[location, entry] as const] : [])));
}
