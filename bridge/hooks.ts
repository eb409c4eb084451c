import { randomUUID } from "node:crypto";
import { chmodSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** What an agent's program needs to report to Vibey, and to ask there: `bridge hooks claude-code [--strict] [--write]`. */

export interface HookOptions {
  /** Where the bridge listens for agents, such as `http://localhost:4003`. */
  readonly base: string;
  /** Vibey decides about every tool, also where the agent would not ask. */
  readonly strict: boolean;
}

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
type JsonObject = { readonly [key: string]: Json };

/** The variable of the agent's environment that holds its key. */
const keyVariable = "VIBEY_AGENT_KEY";
/** Seconds after which Claude Code gives a hook up. Vibey answers before. */
const timeout = 600;
const path = "/hooks/claude-code";

/** Hooks that only tell; `PermissionRequest` waits for the answer, and so does `PreToolUse`. */
const told = ["PostToolUse", "UserPromptSubmit", "Notification", "Stop", "SubagentStop", "SessionStart", "SessionEnd"] as const;
const ofTools: ReadonlySet<string> = new Set(["PermissionRequest", "PreToolUse", "PostToolUse"]);

/** What belongs into `.claude/settings.json`. */
export function claudeSettings({ base, strict }: HookOptions): { readonly hooks: JsonObject } {
  const hook = { type: "http", url: base + path, headers: { "X-Agent-Key": `$${keyVariable}` }, allowedEnvVars: [keyVariable] };
  const entry = (event: string, more: JsonObject): Json => [
    { ...(ofTools.has(event) ? { matcher: "*" } : {}), hooks: [{ ...hook, ...more }] },
  ];
  return {
    hooks: {
      // Where it is asked before each use, there is nothing left to ask.
      ...(strict ? { PreToolUse: entry("PreToolUse", { timeout, onFailure: "block" }) } : {}),
      PermissionRequest: entry("PermissionRequest", { timeout }),
      ...Object.fromEntries(told.map((event) => [event, entry(event, { timeout: 10 })])),
    },
  };
}

/** What belongs into Codex's `config.toml`. A bridge that can't be reached holds nothing up. */
export function codexConfig({ base }: HookOptions): string {
  const command = `curl -sS --max-time ${timeout} -H "X-Agent-Key: $${keyVariable}" --data-binary @- ${base}/hooks/codex || true`;
  return ["PermissionRequest", "PostToolUse", "UserPromptSubmit", "SessionStart", "Stop"]
    .map(
      (event) =>
        `[[hooks.${event}]]\n${ofTools.has(event) ? 'matcher = ".*"\n' : ""}[[hooks.${event}.hooks]]\ntype = "command"\ncommand = ${JSON.stringify(command)}\ntimeout = ${timeout}\n`,
    )
    .join("\n");
}

/** A plug-in for opencode, as `.opencode/plugin/vibey.js`. */
export function opencodePlugin({ base }: HookOptions): string {
  return `// Reports to Vibey what opencode does, and asks there. The key stands in ${keyVariable}.
const post = async (body) => {
  try {
    const answer = await fetch(${JSON.stringify(`${base}/hooks/opencode`)}, {
      method: "POST",
      headers: { "content-type": "application/json", "x-agent-key": process.env.${keyVariable} ?? "" },
      body: JSON.stringify(body),
    });
    return answer.ok ? await answer.json() : {};
  } catch {
    // Without Vibey, opencode's own question decides.
    return {};
  }
};

export const Vibey = async ({ client, directory }) => ({
  "tool.execute.before": async (input, output) => {
    void post({ type: "tool.execute.before", cwd: directory, properties: { ...input, args: output.args } });
  },
  "tool.execute.after": async (input, output) => {
    void post({ type: "tool.execute.after", cwd: directory, properties: { ...input, output: output.output } });
  },
  event: async ({ event }) => {
    if (event.type === "permission.v2.asked" || event.type === "permission.asked") {
      const { reply, message } = await post({ ...event, cwd: directory });
      if (reply) await client.permission.reply({ requestID: event.properties.id, reply, message });
    } else if (["session.created", "session.idle", "session.deleted", "session.error"].includes(event.type)) {
      void post({ ...event, cwd: directory });
    }
  },
});
`;
}

export type Merged = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly why: string };

/**
 * The settings with Vibey's hooks in them: everything else stays as it is and where it is, other hooks of the same event, too. Hooks of an earlier call are
 * replaced. `before`: the file's text; null: there is none.
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

/** An entry without hooks that go to Vibey; none when nothing else was in it. */
function withoutOurs(entry: Json): readonly Json[] {
  if (!isObject(entry) || !isList(entry["hooks"])) return [entry];
  const left = entry["hooks"].filter((hook) => !(isObject(hook) && typeof hook["url"] === "string" && hook["url"].endsWith(path)));
  if (left.length === entry["hooks"].length) return [entry];
  return left.length === 0 ? [] : [{ ...entry, hooks: left }];
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what JSON.parse makes is JSON
const parse = (text: string): Json => JSON.parse(text) as Json;
const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);
const isObject = (value: Json | undefined): value is JsonObject => typeof value === "object" && value !== null && !isList(value);

const agents = {
  "claude-code": (options: HookOptions) => `${JSON.stringify(claudeSettings(options), null, 2)}\n`,
  codex: codexConfig,
  opencode: opencodePlugin,
} as const;

/** `args`: what stands behind `hooks`; `folder`: where `.claude` is. Returns the exit code. */
export function runHooks(args: readonly string[], say: (line: string) => void, fail: (line: string) => void, folder = "."): number {
  const [name = "", ...rest] = args;
  const base = rest.find((arg) => arg.startsWith("--base="))?.slice("--base=".length) ?? "http://localhost:4003";
  const unknown = rest.filter((arg) => arg !== "--strict" && arg !== "--write" && !arg.startsWith("--base="));
  if (!isAgent(name) || unknown.length > 0) {
    fail(`Expected: hooks ${Object.keys(agents).join("|")} [--strict] [--write] [--base=http://localhost:4003]`);
    return 2;
  }
  const options = { base: base.replace(/\/$/, ""), strict: rest.includes("--strict") };
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

/** Whole or not at all, and through no link: the folder can be one that someone else has made. */
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
