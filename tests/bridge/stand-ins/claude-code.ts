// A stand-in for the part of Claude Code that runs hooks. It follows the published reference, and gives hooks the input that 2.1.332 was seen
// to give. It reads the settings that the bridge prints, as Claude Code would.
import { spawn } from "node:child_process";
import type { claudeSettings } from "../../../bridge/hook-settings.ts";

type Settings = ReturnType<typeof claudeSettings>;
type Handler = Settings["hooks"][string][number]["hooks"][number];

/** The combined result of all of an event's hooks in Claude Code. */
export interface Outcome {
  /** A hook's decision about a permission. Null: Claude Code asks its user. */
  readonly permission: {
    readonly behavior: string;
    readonly message?: string;
    readonly updatedInput?: object;
    readonly updatedPermissions?: object;
  } | null;
  /** A hook's decision before a tool call. Null: the usual flow. */
  readonly beforeUse: { readonly decision: string; readonly reason: string } | null;
  /** Additional context for Claude. */
  readonly context: readonly string[];
  /** Why Claude may not stop yet. */
  readonly blocked: string | null;
  /** Claude is stopped. */
  readonly stopped: boolean;
  /** Errors that block nothing. */
  readonly errors: readonly string[];
}

interface Answer {
  readonly json: Record<string, unknown> | null;
  readonly error: string | null;
}

const inTurn = { prompt_id: "755a316b-14ac-4bc2-a29e-0aa18b0dc979", permission_mode: "default", effort: { level: "medium" } };

/** `env`: the session's environment variables. `woken` in the result: the texts that woke an idle Claude. */
export function claudeCode(settings: Settings, env: Readonly<Record<string, string>>, session: object) {
  const woken: string[] = [];
  const background = new Set<Promise<void>>();

  async function fire(hook_event_name: string, fields: object = {}): Promise<Outcome> {
    const input = JSON.stringify({
      ...session,
      transcript_path: "/home/me/.claude/t.jsonl",
      // Notifications, and the beginning and end of a session, don't have these fields.
      ...(hook_event_name === "Notification" || hook_event_name.startsWith("Session") ? {} : inTurn),
      hook_event_name,
      ...fields,
    });
    const handlers = (settings.hooks[hook_event_name] ?? []).flatMap(({ hooks }) => hooks);
    const answers: Answer[] = [];
    for (const handler of handlers) {
      if (handler["asyncRewake"] !== true) continue;
      const waits = run(handler, input, env).then(({ code, stderr }) => void (code === 2 && woken.push(stderr)));
      background.add(waits);
      void waits.finally(() => background.delete(waits));
    }
    const now = handlers.filter((handler) => handler["asyncRewake"] !== true);
    answers.push(
      ...(await Promise.all(
        now.map((handler) => (handler["type"] === "http" ? post(hook_event_name, handler, input, env) : command(handler, input, env))),
      )),
    );
    return outcome(hook_event_name, answers, now);
  }
  return { fire, woken, background };
}

/** Posts to an HTTP hook. SessionStart and Setup don't support them. */
async function post(event: string, handler: Handler, body: string, env: Readonly<Record<string, string>>): Promise<Answer> {
  if (event === "SessionStart" || event === "Setup") return { json: null, error: `${event} takes no http hook` };
  const allowed = handler["allowedEnvVars"] as readonly string[];
  const headers = Object.fromEntries(
    Object.entries(handler["headers"] as Record<string, string>).map(([name, value]) => [
      name,
      value.replaceAll(/\$(\w+)/g, (_, variable: string) => (allowed.includes(variable) ? (env[variable] ?? "") : "")),
    ]),
  );
  try {
    const answer = await fetch(handler["url"] as string, {
      method: "POST",
      body,
      headers: { "content-type": "application/json", ...headers },
    });
    const text = await answer.text();
    if (!answer.ok) return { json: null, error: `${answer.status}` };
    return { json: text.trim() === "" ? null : (JSON.parse(text) as Record<string, unknown>), error: null };
  } catch (error) {
    return { json: null, error: error instanceof Error ? error.message : "failed" };
  }
}

async function command(handler: Handler, input: string, env: Readonly<Record<string, string>>): Promise<Answer> {
  const { code, stdout } = await run(handler, input, env);
  if (code !== 0) return { json: null, error: `exit ${code}` };
  return { json: stdout.trim().startsWith("{") ? (JSON.parse(stdout) as Record<string, unknown>) : null, error: null };
}

export function run(handler: { readonly [field: string]: unknown }, input: string, env: Readonly<Record<string, string>>) {
  return new Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>((resolve) => {
    const child = spawn("sh", ["-c", String(handler["command"])], { env: { PATH: process.env["PATH"] ?? "", no_proxy: "*", ...env } });
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (data) => (stdout += String(data)));
    child.stderr.on("data", (data) => (stderr += String(data)));
    child.on("close", (code) => resolve({ code, stdout, stderr }));
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
  });
}

function outcome(event: string, answers: readonly Answer[], handlers: readonly Handler[]): Outcome {
  const json = answers.flatMap((one): Record<string, unknown>[] => (one.json === null ? [] : [one.json]));
  const specific = json.flatMap((one): Record<string, unknown>[] => {
    const own = one["hookSpecificOutput"] as Record<string, unknown> | undefined;
    return own?.["hookEventName"] === event ? [own] : [];
  });
  const failed = answers.flatMap(({ error }) => error ?? []);
  const blocks = answers.some(({ error }, at) => error !== null && handlers[at]?.["onFailure"] === "block");
  const decided = specific.find((one) => one["permissionDecision"] !== undefined);
  return {
    permission:
      event === "PermissionRequest"
        ? ((specific.find((one) => one["decision"] !== undefined)?.["decision"] as Outcome["permission"]) ?? null)
        : null,
    beforeUse: blocks
      ? { decision: "deny", reason: "a hook failed" }
      : decided
        ? { decision: String(decided["permissionDecision"]), reason: String(decided["permissionDecisionReason"]) }
        : null,
    context: specific.flatMap((one) => (typeof one["additionalContext"] === "string" ? one["additionalContext"] : [])),
    blocked: json.flatMap((one) => (one["decision"] === "block" ? String(one["reason"]) : []))[0] ?? null,
    stopped: json.some((one) => one["continue"] === false),
    errors: failed,
  };
}
