import { randomUUID } from "node:crypto";
import { chmodSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { claudeSettings, codexConfig, type HookOptions, keyVariable } from "./hook-settings.ts";
import { opencodePlugin } from "./opencode-plugin.ts";

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
type JsonObject = { readonly [key: string]: Json };

export type Merged = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly why: string };

/**
 * Adds Vibey's hooks to the settings. Everything else stays the same and in the same order, including other hooks of the same event. Hooks of
 * an earlier call are replaced. `before`: the file's text. Null: there is no file.
 */
export function mergeSettings(before: string | null, added: { readonly hooks: JsonObject }): Merged {
  let settings: Json = {};
  try {
    if (before !== null && before.trim() !== "") settings = parse(before);
  } catch (error) {
    return { ok: false, why: `it is no JSON (${error instanceof Error ? error.message : String(error)})` };
  }
  if (!isObject(settings)) return { ok: false, why: "it is no JSON object" };
  const { hooks = {} } = settings;
  if (!isObject(hooks)) return { ok: false, why: "its hooks are no JSON object" };
  const merged: { [event: string]: Json } = {};
  for (const [event, entries] of Object.entries(hooks)) {
    if (!isList(entries)) return { ok: false, why: `hooks.${event} is no list` };
    const left = entries.flatMap(withoutOurs);
    if (left.length > 0 || entries.length === 0) merged[event] = left;
  }
  for (const [event, entries] of Object.entries(added.hooks)) {
    const own = merged[event];
    merged[event] = [...(isList(own) ? own : []), ...(isList(entries) ? entries : [])];
  }
  return { ok: true, text: `${JSON.stringify({ ...settings, hooks: merged }, null, 2)}\n` };
}

const isOurs = (target: Json | undefined): boolean => typeof target === "string" && /\/hooks\/claude-code(?:\?\w+=1)?(?:"|$)/.test(target);

/** An entry without hooks to Vibey. Empty if nothing else is left in it. */
function withoutOurs(entry: Json): readonly Json[] {
  if (!isObject(entry) || !isList(entry["hooks"])) return [entry];
  const left = entry["hooks"].filter((hook) => !(isObject(hook) && [hook["url"], hook["command"]].some(isOurs)));
  if (left.length === entry["hooks"].length) return [entry];
  return left.length === 0 ? [] : [{ ...entry, hooks: left }];
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the result of JSON.parse is JSON
const parse = (text: string): Json => JSON.parse(text) as Json;
const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);
const isObject = (value: Json | undefined): value is JsonObject => typeof value === "object" && value !== null && !isList(value);

const agents = {
  "claude-code": (options: HookOptions) => `${JSON.stringify(claudeSettings(options), null, 2)}\n`,
  codex: codexConfig,
  opencode: opencodePlugin,
} as const;

/** `args`: the arguments after `hooks`. `folder`: the folder with `.claude`. Returns the exit code. */
export function runHooks(args: readonly string[], say: (line: string) => void, fail: (line: string) => void, folder = "."): number {
  const [name = "", ...rest] = args;
  const base = rest.find((arg) => arg.startsWith("--base="))?.slice("--base=".length) ?? "http://localhost:4003";
  const unknown = rest.filter((arg) => arg !== "--strict" && arg !== "--wake" && arg !== "--write" && !arg.startsWith("--base="));
  if (!isAgent(name) || unknown.length > 0) {
    fail(`Expected: hooks ${Object.keys(agents).join("|")} [--strict] [--wake] [--write] [--base=http://localhost:4003]`);
    return 2;
  }
  const options = { base: base.replace(/\/$/, ""), strict: rest.includes("--strict"), wake: rest.includes("--wake") };
  if (!/^https?:\/\/[A-Za-z0-9.:[\]/_-]+$/.test(options.base)) {
    fail("--base: expected the address of the bridge, such as http://localhost:4003");
    return 2;
  }
  if (options.wake && name !== "claude-code") {
    fail(`--wake is for claude-code alone${name === "opencode" ? ": opencode's plug-in waits for your messages anyway" : ""}`);
    return 2;
  }
  if (options.strict && name !== "claude-code") {
    fail(`--strict is for claude-code alone: ${name} has no hook that must be answered before each use`);
    return 2;
  }
  if (!rest.includes("--write")) {
    say(agents[name](options));
    return 0;
  }
  if (name !== "claude-code") {
    fail(`--write is for claude-code alone: what ${name} needs is printed without it`);
    return 2;
  }
  const file = resolve(folder, ".claude/settings.json");
  const written = writeSettings(file, claudeSettings(options));
  if (!written.ok) {
    fail(`${file} was not changed: ${written.why}`);
    return 1;
  }
  say(`${file} has Vibey's hooks now. Set ${keyVariable} to a key from Vibey's Settings, Agents outside.`);
  return 0;
}

/** Writes the file completely or not at all, and follows no links, because someone else may have created the folder. */
function writeSettings(file: string, added: { readonly hooks: JsonObject }): Merged {
  const fresh = `${file}.${randomUUID()}`;
  try {
    if (lstatSync(dirname(file), { throwIfNoEntry: false })?.isSymbolicLink() === true) return { ok: false, why: "its folder is a link" };
    const there = lstatSync(file, { throwIfNoEntry: false });
    if (there?.isFile() === false) return { ok: false, why: "it is no file of its own; if it is a link, change the file that it leads to" };
    const merged = mergeSettings(there ? readFileSync(file, "utf8") : null, added);
    if (!merged.ok) return merged;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(fresh, merged.text, { flag: "wx" });
    if (there) chmodSync(fresh, there.mode & 0o777);
    renameSync(fresh, file);
    return merged;
  } catch (error) {
    rmSync(fresh, { force: true });
    return { ok: false, why: error instanceof Error ? error.message : String(error) };
  }
}

const isAgent = (name: string): name is keyof typeof agents => Object.hasOwn(agents, name);
