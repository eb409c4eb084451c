/** What an agent's program needs to report to Vibey, and to ask there: `bridge hooks claude-code [--strict] [--wake] [--write]`. */

export interface HookOptions {
  /** Where the bridge listens for agents, such as `http://localhost:4003`. */
  readonly base: string;
  /** Vibey decides about every tool, also where the agent would not ask. */
  readonly strict: boolean;
  /** What the user writes in Vibey wakes the agent when it is idle. */
  readonly wake: boolean;
}

type Hook = { readonly [field: string]: string | number | boolean | readonly string[] | { readonly [name: string]: string } };
type Entries = readonly { readonly matcher?: string; readonly hooks: readonly Hook[] }[];

/** The variable of the agent's environment that holds its key. */
export const keyVariable = "VIBEY_AGENT_KEY";
/** Seconds after which an agent gives up a hook that asks, one that waits for the user, and one that only tells. Vibey answers before. */
const seconds = { ask: 600, wait: 3_600, tell: 10 } as const;

/** Hooks that only tell, of the events that can be told over http. `PreToolUse` is told too where it does not ask. */
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

/** What belongs into `.claude/settings.json`. */
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
          : // A hook that fails lets the tool run: this one only tells.
            { ...tell, url: `${url}?tell=1` },
      ),
      PermissionRequest: entry("PermissionRequest", { ...http, url, timeout: seconds.ask }),
      ...Object.fromEntries(told.map((event) => [event, entry(event, tell)])),
      ...(wake
        ? { Stop: entry("Stop", tell, { type: "command", command: waker(`${url}?wait=1`), asyncRewake: true, timeout: seconds.wait }) }
        : {}),
      // Its hooks can't be http.
      SessionStart: entry("SessionStart", { type: "command", command: poster(url, seconds.tell), timeout: seconds.tell }),
    },
  };
}

/** What belongs into Codex's `config.toml`. */
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
 * A shell command that posts its input and prints the answer. The key comes in a file of its own, so that no list of processes shows it. A bridge that can't
 * be reached, or refuses, holds nothing up: then nothing is printed.
 */
function poster(url: string, time: number): string {
  return `${request(url, time)} || true`;
}

/** A shell command that waits for what the user says: that wakes the agent (exit code 2). Whatever goes wrong does not, or the agent would never rest. */
function waker(url: string): string {
  return `said=$(${request(url, seconds.wait - 60)}); case "$said" in *[![:space:]]*) printf '%s' "\${said#"\${said%%[![:space:]]*}"}" >&2; exit 2;; esac; exit 0`;
}

/** Its input goes through a pipe of its own: what a program gives as input may be nothing that can be opened by its name. */
const request = (url: string, time: number): string =>
  `cat | { printf 'header = "X-Agent-Key: %s"\\n' "$${keyVariable}" | curl -sf --max-time ${time} -K - -H "Content-Type: application/json" --data-binary @/dev/fd/3 "${url}" 2>/dev/null; } 3<&0`;
