/* The settings with which an agent's program reports to Vibey and asks there: `bridge hooks claude-code [--strict] [--wake] [--write]`. */

export interface HookOptions {
  /** The bridge's address for agents, such as `http://localhost:4003`. */
  readonly base: string;
  /** Vibey decides about every tool, even if the agent would not ask. */
  readonly strict: boolean;
  /** A message that the user writes in Vibey wakes an idle agent. */
  readonly wake: boolean;
}

type Hook = { readonly [field: string]: string | number | boolean | readonly string[] | { readonly [name: string]: string } };
type Entries = readonly { readonly matcher?: string; readonly hooks: readonly Hook[] }[];

/** The environment variable with the agent's key. */
export const keyVariable = "VIBEY_AGENT_KEY";
/** Seconds after which an agent gives up a hook that asks, that waits for the user, or that only reports. Vibey answers earlier. */
const seconds = { ask: 600, wait: 3_600, tell: 10 } as const;

/** Events that are only reported, and that support HTTP hooks. `PreToolUse` is also only reported, except in strict mode. */
const told = [
  "PostToolUse",
  "PostToolUseFailure",
  "UserPromptSubmit",
  "Notification",
  "Stop",
  "StopFailure",
  "SubagentStop",
  "SessionEnd",
] as const;
const ofTools: ReadonlySet<string> = new Set(["PermissionRequest", "PreToolUse", "PostToolUse", "PostToolUseFailure"]);

/** The content for `.claude/settings.json`. */
export function claudeSettings({ base, strict, wake }: HookOptions): { readonly hooks: { readonly [event: string]: Entries } } {
  const url = `${base}/hooks/claude-code`;
  const http = { type: "http", headers: { "X-Agent-Key": `$${keyVariable}` }, allowedEnvVars: [keyVariable] };
  const entry = (event: string, ...hooks: readonly Hook[]): Entries => [{ ...(ofTools.has(event) ? { matcher: "*" } : {}), hooks }];
  const tell = { ...http, url, timeout: seconds.tell };
  return {
    hooks: {
      PreToolUse: entry(
        "PreToolUse",
        strict
          ? { ...http, url, timeout: seconds.ask, onFailure: "block" }
          : // This hook only reports, so the tool runs even if the hook fails.
            { ...tell, url: `${url}?tell=1` },
      ),
      PermissionRequest: entry("PermissionRequest", { ...http, url, timeout: seconds.ask }),
      ...Object.fromEntries(told.map((event) => [event, entry(event, tell)])),
      ...(wake
        ? { Stop: entry("Stop", tell, { type: "command", command: waker(`${url}?wait=1`), asyncRewake: true, timeout: seconds.wait }) }
        : {}),
      // SessionStart doesn't support HTTP hooks.
      SessionStart: entry("SessionStart", { type: "command", command: poster(url, seconds.tell), timeout: seconds.tell }),
    },
  };
}

/** The content for Codex's `config.toml`. */
export function codexConfig({ base }: HookOptions): string {
  const url = `${base}/hooks/codex`;
  return (["PermissionRequest", "PreToolUse", "PostToolUse", "UserPromptSubmit", "SessionStart", "Stop", "SessionEnd"] as const)
    .map((event) => {
      const asks = event === "PermissionRequest";
      const time = asks ? seconds.ask : seconds.tell;
      const command = poster(event === "PreToolUse" ? `${url}?tell=1` : url, time);
      const matcher = ofTools.has(event) ? 'matcher = ".*"\n' : "";
      return `[[hooks.${event}]]\n${matcher}[[hooks.${event}.hooks]]\ntype = "command"\ncommand = ${JSON.stringify(command)}\ntimeout = ${time}\n`;
    })
    .join("\n");
}

/**
 * A shell command that posts its input and prints the answer. It passes the key to curl through a pipe, so that no list of processes shows it.
 * If the bridge can't be reached or refuses, nothing is printed, so that the agent isn't blocked.
 */
function poster(url: string, time: number): string {
  return `${request(url, time)} || true`;
}

/** A shell command that waits for the user's message, which wakes the agent (exit code 2). Errors don't wake it, or the agent would never rest. */
function waker(url: string): string {
  return `said=$(${request(url, seconds.wait - 60)}); case "$said" in *[![:space:]]*) printf '%s' "\${said#"\${said%%[![:space:]]*}"}" >&2; exit 2;; esac; exit 0`;
}

/** `cat` passes the input through a pipe, because the program's input may be something that can't be opened by its name. */
const request = (url: string, time: number): string =>
  `cat | { printf 'header = "X-Agent-Key: %s"\\n' "$${keyVariable}" | curl -sf --max-time ${time} -K - -H "Content-Type: application/json" --data-binary @/dev/fd/3 "${url}" 2>/dev/null; } 3<&0`;
