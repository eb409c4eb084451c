// A stand-in for the part of Codex that runs hooks. It follows the published schemas, and gives hooks the input that 0.171.0 was seen to give.
// Hooks are commands that read and print JSON, in which an unknown field is an error.
import { run } from "./claude-code.ts";

export type CodexOutcome =
  /** A hook's answer. */
  | { readonly kind: "answer"; readonly json: Record<string, unknown> }
  /** No hook answered, so Codex decides by itself. */
  | { readonly kind: "nothing" }
  /** An answer that Codex can't read. The request is denied. */
  | { readonly kind: "invalid"; readonly why: string };

const usual = ["continue", "stopReason", "suppressOutput", "systemMessage"];
const fields: Readonly<Record<string, readonly string[]>> = {
  PermissionRequest: [...usual, "hookSpecificOutput"],
  PreToolUse: [...usual, "decision", "reason", "hookSpecificOutput"],
  PostToolUse: [...usual, "decision", "reason", "hookSpecificOutput"],
  UserPromptSubmit: [...usual, "decision", "reason", "hookSpecificOutput"],
  SessionStart: [...usual, "hookSpecificOutput"],
  Stop: [...usual, "decision", "reason"],
  SessionEnd: usual,
};
const ofOutput: Readonly<Record<string, readonly string[]>> = {
  PermissionRequest: ["hookEventName", "decision"],
  PreToolUse: ["hookEventName", "permissionDecision", "permissionDecisionReason", "updatedInput"],
  PostToolUse: ["hookEventName", "additionalContext", "updatedMCPToolOutput"],
  UserPromptSubmit: ["hookEventName", "additionalContext"],
  SessionStart: ["hookEventName", "additionalContext"],
};

/** Reads the tables that the bridge prints. */
export function codex(config: string, env: Readonly<Record<string, string>>, session: object) {
  const hooks = [
    ...config.matchAll(
      /\[\[hooks\.(\w+)\]\]\n(?:matcher = "\.\*"\n)?\[\[hooks\.\1\.hooks\]\]\ntype = "command"\ncommand = (".*")\ntimeout = \d+\n/g,
    ),
  ];
  const commands = new Map(hooks.map(([, event = "", text = ""]) => [event, JSON.parse(text) as string]));
  return {
    events: [...commands.keys()],
    async fire(event: string, more: object = {}): Promise<CodexOutcome> {
      const input = {
        ...session,
        model: "gpt",
        permission_mode: "default",
        transcript_path: null,
        turn_id: "turn-1",
        hook_event_name: event,
        ...more,
      };
      const { code, stdout } = await run({ command: commands.get(event) ?? "true" }, JSON.stringify(input), env);
      if (code !== 0) return { kind: "invalid", why: `exit ${code}` };
      if (stdout.trim() === "") return { kind: "nothing" };
      return read(event, stdout);
    },
  };
}

function read(event: string, text: string): CodexOutcome {
  const json = JSON.parse(text) as Record<string, unknown>;
  const unknown = Object.keys(json).find((field) => !fields[event]?.includes(field));
  if (unknown !== undefined) return { kind: "invalid", why: unknown };
  const output = json["hookSpecificOutput"] as Record<string, unknown> | undefined;
  const alien = Object.keys(output ?? {}).find((field) => !ofOutput[event]?.includes(field));
  if (alien !== undefined) return { kind: "invalid", why: alien };
  const decision = output?.["decision"] as Record<string, unknown> | undefined;
  // Reserved fields. Codex denies the request if they are set.
  const reserved = ["updatedInput", "updatedPermissions"].find((field) => decision?.[field] !== undefined);
  return reserved === undefined ? { kind: "answer", json } : { kind: "invalid", why: reserved };
}
