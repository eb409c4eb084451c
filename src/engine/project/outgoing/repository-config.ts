import { parseConfig } from "../../../shell/embedded/git/store/config.ts";
import { isRefName } from "../../../shell/embedded/git/store/refs.ts";

/**
 * A repository's configuration can make Git start programs: more than a hundred settings do, directly or indirectly, and new versions of Git add
 * more. So the exported file contains only the settings below, and no line of the old file is copied.
 */

type Check = (value: string) => boolean;

const oneOf =
  (...values: readonly string[]): Check =>
  (value) =>
    values.includes(value);
const bool = oneOf("true", "false", "yes", "no", "on", "off", "1", "0");
const text: Check = (value) => value.length <= 200 && /^[^\p{Control}\p{Format}\p{Surrogate}\p{Zl}\p{Zp}]+$/u.test(value);
const branchRef: Check = (value) => value.startsWith("refs/heads/") && isRefName(value);
const branchName: Check = (value) => isRefName(value) && !value.includes('"');
const remoteName: Check = (value) => branchName(value) && !value.includes("/");
/** No name or password, because they are private. No port, and no host that Git could treat as an option. */
const address: Check = (value) => /^https:\/\/[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?:\/[\w.~%+/-]*)?$/i.test(value) && value.length <= 2000;
const fetched: Check = (value) => {
  const [, from = "", to = ""] = /^\+?(refs\/(?:heads|tags)\/[^:]+):(refs\/(?:remotes|tags)\/[^:]+)$/.exec(value) ?? [];
  return [from, to].every((ref) => isRefName(ref.replace(/\*$/, "x")));
};

/** Settings that start nothing and name no file, with their allowed values. */
const harmless: Readonly<Record<string, Check>> = {
  "core.repositoryformatversion": oneOf("0"),
  "core.filemode": bool,
  "core.bare": bool,
  "core.ignorecase": bool,
  "core.symlinks": bool,
  "core.precomposeunicode": bool,
  "core.logallrefupdates": oneOf("true", "false", "always"),
  "core.autocrlf": oneOf("true", "false", "input"),
  "core.eol": oneOf("lf", "crlf", "native"),
  "core.quotepath": bool,
  "color.ui": oneOf("true", "false", "auto", "always", "never"),
  "user.name": text,
  "user.email": text,
  "init.defaultbranch": branchName,
  "push.default": oneOf("nothing", "current", "upstream", "simple", "matching"),
  "pull.rebase": bool,
  "pull.ff": oneOf("true", "false", "only"),
  "fetch.prune": bool,
  "merge.conflictstyle": oneOf("merge", "diff3", "zdiff3"),
};

/** The same for settings of a remote or a branch, with its allowed names. */
const named: Readonly<Record<string, { readonly name: Check; readonly keys: Readonly<Record<string, Check>> }>> = {
  remote: { name: remoteName, keys: { url: address, pushurl: address, fetch: fetched } },
  branch: {
    name: branchName,
    keys: { remote: (value) => value === "." || remoteName(value), merge: branchRef, rebase: bool },
  },
};

/** With these settings, Git reads `info/sparse-checkout` and treats its lines as patterns. */
export const sparseSettings = [
  ["sparseCheckout", "true"],
  ["sparseCheckoutCone", "false"],
] as const;

export interface RebuiltConfig {
  readonly text: string;
  /** The keys that are left out, each once. */
  readonly dropped: readonly string[];
}

export interface ConfigNeeds {
  readonly bare: boolean;
  /** The index or a commit may have links. A zip contains them as files. Git must not create links, which could lead a program to any file. */
  readonly links: boolean;
  /** Git keeps the files named in `info/sparse-checkout` out of the working tree. */
  readonly sparse: boolean;
}

/** Null if the repository's format is unknown. */
export function rebuildConfig(original: string, { bare, links, sparse }: ConfigNeeds): RebuiltConfig | null {
  const dropped = new Set<string>();
  const sections = new Map<string, string[]>([["[core]", []]]);
  const add = (head: string, key: string, value: string) => {
    const lines = sections.get(head) ?? [];
    lines.push(`\t${key} = ${quoted(value)}`);
    sections.set(head, lines);
  };
  const seen = { version: false, bare: false, links: false };
  for (const { key, value } of parseConfig(original.replaceAll("\r\n", "\n"))) {
    const at = { first: key.indexOf("."), last: key.lastIndexOf(".") };
    const [section, setting] = [key.slice(0, at.first), key.slice(at.last + 1)];
    if (section === "extensions" || (key === "core.repositoryformatversion" && value !== "0")) return null;
    if (at.first === at.last) {
      const check = Object.hasOwn(harmless, key) ? harmless[key] : undefined;
      if (key === "core.bare") seen.bare = true;
      if (key === "core.symlinks") seen.links = true;
      if (key === "core.repositoryformatversion") seen.version = true;
      if (!check?.(value)) dropped.add(key);
      else if (key === "core.bare") add("[core]", setting, String(bare));
      else if (key === "core.symlinks" && links) add("[core]", setting, "false");
      else add(`[${section}]`, setting, value);
    } else {
      const name = key.slice(at.first + 1, at.last);
      const kind = Object.hasOwn(named, section) ? named[section] : undefined;
      const check = kind && Object.hasOwn(kind.keys, setting) ? kind.keys[setting] : undefined;
      if (kind?.name(name) && check?.(value)) add(`[${section} "${name}"]`, setting, value);
      else dropped.add(key);
    }
  }
  if (!seen.version) add("[core]", "repositoryformatversion", "0");
  if (!seen.bare) add("[core]", "bare", String(bare));
  if (links && !seen.links) add("[core]", "symlinks", "false");
  if (sparse) for (const [setting, value] of sparseSettings) add("[core]", setting, value);
  const lines = Array.from(sections).flatMap(([head, entries]) => [head, ...entries]);
  return { text: `${lines.join("\n")}\n`, dropped: [...dropped].toSorted() };
}

function quoted(value: string): string {
  const escaped = value.replaceAll("\\", "\\\\").replaceAll('"', '\\"');
  return /^\s|\s$|[#;]/.test(value) ? `"${escaped}"` : escaped;
}
