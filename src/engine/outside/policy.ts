import type { JsonObject } from "../../dialog/model.ts";
import { outsideReadTools } from "../../protocol/outside.ts";

/** A read-only tool of outside agents: its fields with paths, its fields with patterns of file names, and its other allowed fields. */
interface ReadTool {
  readonly paths: readonly string[];
  readonly patterns: readonly string[];
  readonly others: readonly string[];
  /** The tool requires a path. Otherwise, a missing path means the working directory. */
  readonly needsPath: boolean;
}

const read: ReadTool = { paths: ["file_path", "filePath", "path"], patterns: [], others: ["offset", "limit", "pages"], needsPath: true };
const find: ReadTool = { paths: ["path"], patterns: ["pattern"], others: ["limit"], needsPath: false };
const search: ReadTool = {
  paths: ["path"],
  patterns: ["glob", "include"],
  others: ["pattern", "output_mode", "-A", "-B", "-C", "-n", "-i", "type", "head_limit", "multiline", "offset"],
  needsPath: false,
};
const list: ReadTool = { paths: ["path"], patterns: [], others: ["ignore"], needsPath: false };

/** No shell, no tool that writes, no tool of a plug-in. */
const byName: Readonly<Record<(typeof outsideReadTools)[number], ReadTool>> = {
  Read: read,
  Glob: find,
  Grep: search,
  LS: list,
  read,
  glob: find,
  grep: search,
  list,
};
const readTools: ReadonlyMap<string, ReadTool> = new Map(outsideReadTools.map((name) => [name, byName[name]]));

/** The record's working directory, and the agent's current one, against which omitted and relative paths are resolved. */
export interface Folders {
  readonly cwd: string | null;
  /** Missing: the agent doesn't say. */
  readonly agentCwd: string | undefined;
}

/**
 * Whether a line `> Authorized outside: <tool>` of the record covers this call: the tool must be read-only, and its paths must be plain and
 * inside the record's working directory. The user is asked about all other calls.
 */
export function isCovered(tool: string, input: JsonObject, { cwd, agentCwd }: Folders, authorized: ReadonlySet<string>): boolean {
  const known = readTools.get(tool);
  if (!known || !authorized.has(tool) || cwd === null || !isPlainFolder(cwd)) return false;
  if (agentCwd !== undefined && !(isPlainFolder(agentCwd) && isUnder(agentCwd, cwd))) return false;
  let named = 0;
  for (const [field, value] of Object.entries(input)) {
    if (known.paths.includes(field)) {
      if (typeof value !== "string" || !isUnder(value, cwd)) return false;
      named += 1;
    } else if (known.patterns.includes(field)) {
      if (typeof value !== "string" || !isRelativePattern(value)) return false;
    } else if (!known.others.includes(field)) return false;
  }
  return named === 1 || (named === 0 && !known.needsPath);
}

/** Whether this is an absolute path of plain segments. A link in the path can't be detected. */
const isPlainFolder = (cwd: string): boolean => cwd.startsWith("/") && cwd.length > 1 && cwd.length < 300 && isPlain(cwd.slice(1));

function isUnder(path: string, cwd: string): boolean {
  if (!path.startsWith("/")) return isPlain(path);
  const folder = cwd.endsWith("/") ? cwd.slice(0, -1) : cwd;
  return path === folder || (path.startsWith(`${folder}/`) && isPlain(path.slice(folder.length + 1)));
}

/** Whether no segment is empty, `.` or `..`, or contains `~` or another character that a shell, a pattern or a reader could misread. */
function isPlain(path: string): boolean {
  return path
    .split("/")
    .every((step, at, all) => (step === "" ? at === all.length - 1 && at > 0 : STEP.test(step) && step !== "." && step !== ".."));
}

const STEP = /^[A-Za-z0-9_.@+ -]+$/;

/** Brace alternatives that can't form a path outside the folder: none is empty or contains a dot, a slash, or nested braces. */
const ALTERNATIVES = /\{[A-Za-z0-9_@+*?-]+(?:,[A-Za-z0-9_@+*?-]+)*\}/g;

function isRelativePattern(pattern: string): boolean {
  const plain = pattern.replaceAll(ALTERNATIVES, "x");
  return /^[A-Za-z0-9_.@+*?,/ -]+$/.test(plain) && !plain.startsWith("/") && !plain.split("/").includes("..");
}
