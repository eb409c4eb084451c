import type { FileRef, Route } from "../model/route.ts";

/** A file of the project, by its path. */
export function fileOf(path: string): FileRef {
  const name = /^vibey\/([^/]+)$/.exec(path)?.[1];
  return name === undefined ? { kind: "deed", path } : { kind: "doc", name };
}

/** The route that opens the file. */
export const fileRoute = (path: string): Route => ({ tab: "docs", file: fileOf(path) });
