import { MOST_COMMAND_SECONDS } from "../../dialog/ids.ts";
import { isMeantAsPattern, type Pattern, parsePattern, patternSubject } from "../../dialog/pattern.ts";
import { readSchedule } from "../../dialog/schedule.ts";
import { outsideReadTools } from "../../protocol/outside.ts";
import { costLimitWords, readCostLimit } from "../cost/money.ts";
import * as t from "../texts/laws.ts";
import { type LimitName, limitWords } from "../texts/limits.ts";

export interface AuthorityLine {
  readonly line: string;
  /** What the line allows or limits, in words. */
  readonly meaning: string;
}

const allowed: ReadonlyMap<string, string> = new Map([
  ["run_command", t.mayRunCommands],
  ["write_file", t.mayWriteFiles],
  ["edit_file", t.mayEditFiles],
  ["launch_agent", t.mayLaunchAgents],
  ["vfs_read", t.mayReadFiles],
  ["vfs_list", t.mayReadFiles],
  ["signal_parent", t.maySignalParent],
]);

const law = /^> (Authorized|Authorized outside|Outside(?= imported)|Revoked|Limit|Schedule)( imported)?: ([^\n]*)$/;
const outsideTools: ReadonlySet<string> = new Set(outsideReadTools);

/** Whether a line of doc-main.md gives agents a permission or limits them, or did so in the project it was imported from. */
export const isLaw = (line: string) => line.startsWith("> ") && law.test(line);

/** The lines of doc-main.md that give agents permissions or limit them, in order, each with its meaning. Names must match exactly. */
export function authorityLines(text: string): AuthorityLine[] {
  const found = text.split("\n").flatMap((line) => {
    const [, key, imported, value] = law.exec(line) ?? [];
    return key === undefined || value === undefined ? [] : [{ line, key, imported: imported !== undefined, value }];
  });
  const limits = found.map(({ key, imported, value }) => (key === "Limit" && !imported ? limit(value) : null));
  return found.map(({ line, key, imported, value }, index) => {
    if (imported) return { line, meaning: key === "Outside" ? t.importedOutside : t.imported };
    if (key === "Authorized outside") return { line, meaning: outsideTools.has(value) ? t.outsideMayRead(value) : t.outsideAsks };
    if (key === "Schedule") return { line, meaning: scheduleWords(value) };
    if (key !== "Limit") return { line, meaning: leave(key, value) };
    const own = limits[index];
    if (own == null) return { line, meaning: /^\s*cost\b/.test(value) ? t.unknownCost : t.unknownLimit };
    const overruled = limits.slice(index + 1).some((later) => later?.name === own.name);
    return { line, meaning: overruled ? t.overruledLimit : own.words };
  });
}

interface OwnLimit {
  readonly name: LimitName | "cost";
  readonly words: string;
}

function limit(value: string): OwnLimit | null {
  const cost = readCostLimit(value.trim());
  if (cost !== null) return { name: "cost", words: costLimitWords(cost.nanos, cost.period) };
  const counted = countedLimit(value);
  return counted && { name: counted.name, words: limitWords(counted.name, counted.value) };
}

/** A name, one space and a whole number, parsed as the engine does. */
function countedLimit(value: string): { readonly name: LimitName; readonly value: number } | null {
  const [, name, digits] = /^(agents|depth|launches|requests|command) (\d{1,15})$/.exec(value.trim()) ?? [];
  if (name === "command") return commandLimit(Number(digits));
  return name === "agents" || name === "depth" || name === "launches" || name === "requests" ? { name, value: Number(digits) } : null;
}

/** Zero seconds isn't a limit that anyone means, and more than an hour counts as an hour. */
function commandLimit(seconds: number): { readonly name: LimitName; readonly value: number } | null {
  return seconds === 0 ? null : { name: "command", value: Math.min(seconds, MOST_COMMAND_SECONDS) };
}

function patternWords(pattern: Pattern, value: string): string {
  if (pattern.kind === "writes") return t.mayWriteUnder(pattern.folder);
  return pattern.open ? t.mayRunLike(pattern.words.join(" ")) : t.mayRunExactly(patternSubject(value));
}

function leave(key: string, value: string): string {
  const pattern = parsePattern(value);
  if (pattern !== null) return key === "Authorized" ? patternWords(pattern, value) : t.takenBack(patternSubject(value));
  if (isMeantAsPattern(value)) return t.unknownPattern;
  const words = allowed.get(value);
  if (words === undefined) {
    if (allowed.has(value.trim())) return t.strangeSpaces;
    return value.split(/[\s,;]+/).filter((name) => allowed.has(name)).length > 1 ? t.oneToolALine : t.noSuchTool(value);
  }
  return key === "Authorized" ? words : t.takenBack(value);
}

function scheduleWords(value: string): string {
  const read = readSchedule(value);
  if (!read.ok) return t.unreadSchedule(read.why);
  const { slug, when } = read.schedule;
  return when.kind === "every" ? t.startsEvery(slug, when.minutes) : t.startsAfter(slug, when.messages);
}
