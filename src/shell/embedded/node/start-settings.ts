import type { SyncFiles } from "../sync-files.ts";
import { parseEnvFile } from "./env-file.ts";
import { joinPath } from "./modules/paths.ts";
import { type Invocation, parseArguments } from "./options.ts";

/** The exit code for a command line that Node does not understand. */
export const badOption = 9;

/** The words of NODE_OPTIONS, which precede all others. */
export function nodeOptions(env: Readonly<Record<string, string>> | undefined): string[] {
  const text = env?.["NODE_OPTIONS"] ?? "";
  return text.split(/\s+/).filter((word) => word !== "");
}

/** Combines the exported variables and those of `--env-file`. Returns a text if a file can't be read. */
export function environment(
  files: SyncFiles,
  cwd: string,
  exported: Readonly<Record<string, string>>,
  { envFiles }: Invocation,
): Record<string, string> | string {
  const read: Record<string, string> = {};
  for (const name of envFiles) {
    const path = joinPath(cwd, name);
    if (files.stat(path)?.kind !== "file") return `${name}: not found`;
    Object.assign(read, parseEnvFile(new TextDecoder().decode(files.read(path))));
  }
  return { ...read, ...exported };
}

/**
 * The start settings of a process that another process starts by a command line. `words`: the words after `node`. `given`: the settings without a
 * command line. Returns a text that says why it can't be started.
 */
export function startOfChild(
  files: SyncFiles,
  words: readonly string[],
  given: string,
): { readonly start: string; readonly conditions: readonly string[] } | string {
  const settings: unknown = JSON.parse(given);
  if (typeof settings !== "object" || settings === null) return "it was started without settings";
  const env: Record<string, string> = {};
  const variables: unknown = Reflect.get(settings, "env");
  if (typeof variables === "object" && variables !== null) for (const [name, value] of Object.entries(variables)) env[name] = String(value);
  const before = nodeOptions(env);
  const parsed = parseArguments([...before, ...words], before.length);
  if (parsed.kind === "bad") return parsed.message;
  const { invocation } = parsed;
  if (!["file", "eval", "print", "check"].includes(invocation.what)) return `there is no program in ${["node", ...words].join(" ")}`;
  const all = environment(files, String(Reflect.get(settings, "cwd")), env, invocation);
  if (typeof all === "string") return all;
  return { start: JSON.stringify({ ...settings, ...invocation, env: all, testChild: false }), conditions: invocation.conditions };
}
