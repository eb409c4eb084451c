import { valid } from "@renovatebot/pep440";
import { PipError } from "./failure.ts";

/** A package's own description (METADATA): only the headers. */
export interface Metadata {
  readonly name: string;
  readonly version: string;
  readonly summary: string;
  readonly homePage: string;
  readonly license: string;
  readonly author: string;
  /** The requirements, unchanged. */
  readonly requires: readonly string[];
}

/** @throws PipError if the name or the version is missing */
export function parseMetadata(text: string, from: string): Metadata {
  const headers = new Map<string, string[]>();
  let last: string[] | null = null;
  for (const line of text.split(/\r?\n/)) {
    if (line === "") break;
    const found = /^([A-Za-z0-9-]+):\s?(.*)$/.exec(line);
    if (found === null) {
      // A long value continues on indented lines.
      const before = last?.pop();
      if (before !== undefined) last?.push(`${before}\n${line.trim()}`);
      continue;
    }
    const [, name = "", value = ""] = found;
    last = headers.get(name.toLowerCase()) ?? [];
    headers.set(name.toLowerCase(), last);
    last.push(value.trim());
  }
  const first = (name: string): string => headers.get(name)?.[0] ?? "";
  if (first("name") === "" || valid(first("version")) === null) throw new PipError(`${from} has no METADATA with a name and a version`);
  const links = (headers.get("project-url") ?? []).flatMap(
    (link) => /^(?:homepage|home-page|source|repository)\s*,\s*(.*)$/i.exec(link)?.[1] ?? [],
  );
  return {
    name: first("name"),
    version: first("version"),
    summary: first("summary"),
    homePage: first("home-page") || (links[0] ?? ""),
    license: first("license-expression") || (first("license").split("\n")[0] ?? ""),
    author: first("author") || first("author-email"),
    requires: headers.get("requires-dist") ?? [],
  };
}
