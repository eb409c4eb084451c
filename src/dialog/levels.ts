import { docAuthority, docRevoked } from "./doc-authority.ts";
import { isToolName } from "./ids.ts";
import { isPattern, toolsOf } from "./pattern.ts";

/** How much agents do without asking, according to the lines of doc-main.md. An agent's file can only narrow it. */
export const levels = [0, 1, 2, 3] as const;
export type Level = (typeof levels)[number];

/**
 * The tools that each level adds to the previous ones. The tools of level 1 need no line if an agent's file lists them. `vfs_delete` belongs to no
 * level.
 */
export const levelTools: readonly (readonly string[])[] = [
  [],
  ["vfs_read", "vfs_list", "signal_parent"],
  ["write_file", "edit_file", "run_command"],
  ["launch_agent"],
];
/** Tools that only read, or send a message to the agent that started this one. */
export const unaskedTools: ReadonlySet<string> = new Set(levelTools[1]);

const LINE = /^> (Authorized|Revoked): (.*)$/;
/** Lets agents outside Vibey read without asking. */
const OUTSIDE = /^> Authorized outside:/;

/**
 * doc-main.md with the lines of a level. Lines that allow more are removed, including patterns. Missing lines are added after the last authority
 * line, or at the end. Everything else stays.
 */
export function withLevel(text: string, level: Level): string {
  const free = new Set(levelTools.slice(0, level + 1).flat());
  const kept = text.split("\n").filter((line) => {
    if (OUTSIDE.test(line)) return free.size > 0;
    const [, key, value = ""] = LINE.exec(line) ?? [];
    const isWord = isToolName(value) || isPattern(value);
    if (key === "Authorized") return !isWord || toolsOf(value).every((tool) => free.has(tool));
    return key !== "Revoked" || !free.has(value);
  });
  const has = kept.join("\n");
  const allowed = new Set(docAuthority(has).flatMap((line) => LINE.exec(line)?.[2] ?? []));
  const revoked = docRevoked(has);
  const missing = [
    ...[...free].filter((tool) => !unaskedTools.has(tool) && !allowed.has(tool)).map((tool) => `> Authorized: ${tool}`),
    ...[...unaskedTools].filter((tool) => !free.has(tool) && !revoked.has(tool)).map((tool) => `> Revoked: ${tool}`),
  ];
  if (missing.length === 0) return has;
  const last = kept.findLastIndex((line) => docAuthority(line).length > 0);
  if (last >= 0) return kept.toSpliced(last + 1, 0, ...missing).join("\n");
  const gap = has === "" || has.endsWith("\n\n") ? "" : has.endsWith("\n") ? "\n" : "\n\n";
  return `${has}${gap}${missing.join("\n")}\n`;
}

/** The lines that a level removes and adds, in order. */
export function levelLines(text: string, level: Level): { readonly removes: readonly string[]; readonly adds: readonly string[] } {
  const [before, after] = [text, withLevel(text, level)].map((one) => docAuthority(one));
  const without = (all: readonly string[] = [], others: readonly string[] = []) => all.filter((line) => !others.includes(line));
  return { removes: without(before, after), adds: without(after, before) };
}

/** The level that the lines represent. Null if they match none. */
export const levelOf = (text: string): Level | null => levels.find((level) => withLevel(text, level) === text) ?? null;
