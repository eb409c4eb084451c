import type { SyncFiles } from "../sync-files.ts";
import { joinPath } from "./modules/paths.ts";
import type { Ended } from "./program.ts";

/** The results of one file's tests, as the runtime inside reports them. */
interface Report {
  readonly counts: Record<string, number>;
  readonly failures: readonly string[];
}

const code = /\.[cm]?[jt]s$/;
const named = /^(test|test-.+|.+[.\-_]test)\.[cm]?[jt]s$/;

/** The files that `node --test` runs: the named ones, else files below the working directory that are named like tests or are in a folder `test`. */
export function testFiles(
  files: SyncFiles,
  cwd: string,
  patterns: readonly string[],
): { readonly found: readonly string[]; readonly missing: string | null } {
  const found = new Set<string>();
  const search = (folder: string, inTest: boolean): void => {
    for (const { name, kind } of files.list(folder)) {
      const path = joinPath(folder, name);
      if (kind === "folder") {
        if (name !== "node_modules" && !name.startsWith(".")) search(path, inTest || name === "test");
      } else if (code.test(name) && !name.endsWith(".d.ts") && (inTest || named.test(name))) found.add(path);
    }
  };
  if (patterns.length === 0) search(cwd, false);
  for (const pattern of patterns) {
    const path = joinPath(cwd, pattern);
    const stat = files.stat(path);
    if (stat?.kind === "file") found.add(path);
    else if (stat?.kind === "folder") search(path, /(^|\/)test$/.test(path));
    else {
      const before = found.size;
      if (/[*?{[]/.test(pattern)) for (const file of below(files, cwd)) if (globPattern(path).test(file)) found.add(file);
      if (found.size === before) return { found: [], missing: pattern };
    }
  }
  return { found: [...found].toSorted(), missing: null };
}

function* below(files: SyncFiles, folder: string): Generator<string> {
  for (const { name, kind } of files.list(folder)) {
    const path = joinPath(folder, name);
    if (kind === "file") yield path;
    else if (name !== "node_modules" && !name.startsWith(".")) yield* below(files, path);
  }
}

function globPattern(glob: string): RegExp {
  const text = glob.replaceAll(/\*\*\/|\*\*|[*?{},]|[.+^$()|[\]\\]/g, (part) => {
    if (part === "**/") return "(?:.*/)?";
    if (part === "**") return ".*";
    if (part === "*") return "[^/]*";
    if (part === "?") return "[^/]";
    if (part === "{") return "(?:";
    if (part === "}") return ")";
    if (part === ",") return "|";
    return `\\${part}`;
  });
  return new RegExp(`^${text}$`);
}

export interface TestRun {
  readonly cwd: string;
  readonly reporter: "spec" | "tap";
  readonly now: () => number;
  /** Runs one file in its own machine; `report` receives its results. */
  readonly runFile: (path: string, report: (json: string) => void) => Promise<Ended>;
  readonly stopped: () => boolean;
}

/** Runs the files one after another and combines their output. */
export async function runTests(paths: readonly string[], { cwd, reporter, now, runFile, stopped }: TestRun): Promise<Ended> {
  const total: Record<string, number> = { tests: 0, suites: 0, pass: 0, fail: 0, cancelled: 0, skipped: 0, todo: 0 };
  const failures: string[] = [];
  const start = now();
  let stdout = reporter === "tap" ? "TAP version 13\n" : "";
  let stderr = "";
  let ok = true;
  const add = (name: string, count: number): void => void (total[name] = (total[name] ?? 0) + count);
  /** The number of top-level tests so far. TAP numbers them across all files. */
  let outermost = 0;
  const numbered = (text: string): string =>
    text.replaceAll(/^((?:not )?ok) \d+ (?=- )/gm, (_, result: string) => `${result} ${++outermost} `);
  for (const path of paths) {
    if (stopped()) break;
    const began = now();
    const reports: Report[] = [];
    const ended = await runFile(path, (json) => reports.push(parseReport(json)));
    const ms = Number((now() - began).toFixed(6));
    const printed = typeof ended.stdout === "string" ? ended.stdout : new TextDecoder().decode(ended.stdout);
    stdout += reporter === "tap" ? numbered(printed) : printed;
    stderr += ended.stderr;
    if (ended.exitCode !== 0) ok = false;
    for (const report of reports) {
      for (const [name, count] of Object.entries(report.counts)) add(name, count);
      failures.push(...report.failures);
    }
    // A file without tests counts as one test, and so does a file that ended in the middle of its tests.
    if (reports.length > 0) continue;
    const name = path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path;
    add("tests", 1);
    add(ended.exitCode === 0 ? "pass" : "fail", 1);
    if (reporter === "tap") stdout += `# Subtest: ${name}\n${ended.exitCode === 0 ? "ok" : "not ok"} ${++outermost} - ${name}\n`;
    else if (ended.exitCode === 0) stdout += `✔ ${name} (${ms}ms)\n`;
    else {
      const failure = `✖ ${name} (${ms}ms)\n  'test failed'\n`;
      stdout += `${failure}\n`;
      failures.push(`test at ${name}:1:1\n${failure}`);
    }
  }
  const lines = Object.entries({ ...total, duration_ms: Number((now() - start).toFixed(6)) });
  stdout += reporter === "tap" ? `1..${outermost}\n` : "";
  for (const [name, count] of lines) stdout += `${reporter === "tap" ? "#" : "ℹ"} ${name} ${count}\n`;
  if (failures.length > 0 && reporter === "spec") stdout += `\n✖ failing tests:\n\n${failures.join("\n")}`;
  return { stdout, stderr, exitCode: ok ? 0 : 1 };
}

function parseReport(json: string): Report {
  const value: unknown = JSON.parse(json);
  const counts: Record<string, number> = {};
  const given: unknown = typeof value === "object" && value !== null ? Reflect.get(value, "counts") : null;
  if (typeof given === "object" && given !== null) for (const [name, count] of Object.entries(given)) counts[name] = Number(count);
  const failures: unknown = typeof value === "object" && value !== null ? Reflect.get(value, "failures") : null;
  return { counts, failures: Array.isArray(failures) ? failures.map(String) : [] };
}
