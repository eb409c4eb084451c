import type { Route } from "../model/route.ts";

/** Where a file of the project opens, by its path. */
export function fileRoute(path: string): Route {
  const name = /^vibey\/([^/]+)$/.exec(path)?.[1];
  return { tab: "docs", file: name === undefined ? { kind: "deed", path } : { kind: "doc", name } };
}
