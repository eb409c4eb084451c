import { actionTools } from "./actions.ts";
import { type AgentTool, agentTools } from "./definition.ts";
import type { Entry } from "./front-matter.ts";

/** What a file says about approval. It can only make tools stricter: from running to asking, and from asking to asking each time. */
export interface Approval {
  /** Tools that need approval in a new dialog, whatever doc-main.md allows. */
  readonly asks: readonly AgentTool[];
  /** Tools that need approval for each use, whatever is allowed elsewhere. */
  readonly escalates: readonly AgentTool[];
  /** Seconds after which the user is reminded of a waiting request. Null if one notice is enough. */
  readonly asksAgain: number | null;
}

type Unused = { readonly key: string; readonly why: string };

const maxSeconds = 86_400;
/** Values of `requires`. So far there is one person, the user, so anyone who may decide is the user. */
const everyone = ["any_member", "admin", "specific_user"];

/** Reads the approval keys. A key that appears twice or can't be read makes every tool need approval. */
export function readApproval(entries: ReadonlyMap<string, Entry>, problems: string[], unused: Unused[]): Approval {
  const unclear = (key: string, what: string): readonly AgentTool[] => {
    problems.push(`${key}: expected ${what}. So every tool of this agent needs approval.`);
    return agentTools;
  };
  const toolsOf = (key: string, actions: readonly string[]): AgentTool[] =>
    actions.flatMap((action) => {
      const tools = actionTools(action);
      if (tools.length === 0) unused.push({ key: `${key}: ${action}`, why: "Vibey has no tool for this action." });
      return tools;
    });
  const listed = (key: string): readonly AgentTool[] => {
    const entry = entries.get(key);
    if (entry === undefined || entry.value === null) return [];
    const actions = entry.isRaw || entry.isTwice ? null : textsOf(entry.value);
    return actions === null ? unclear(key, "a list of actions, once") : toolsOf(key, actions);
  };

  const key = "approval_rules";
  const entry = entries.get(key);
  const rules = entry === undefined || entry.value === null ? [] : entry.isRaw || entry.isTwice ? null : rulesOf(entry.value);
  const ruled =
    rules === null
      ? unclear(key, "a list of rules, each with an action")
      : toolsOf(
          key,
          rules.map(({ action }) => action),
        );
  for (const { requires } of rules ?? []) {
    if (requires === null || requires === "any_member") continue;
    const why = everyone.includes(requires) ? "Vibey has no roles yet: you decide." : `Expected ${everyone.join(", ")}. You decide.`;
    unused.push({ key: `${key}: requires ${requires}`, why });
  }
  const times = (rules ?? []).flatMap(({ timeout }) => (timeout === null ? [] : [timeout]));
  const asking = new Set([...listed("approve_actions"), ...ruled]);
  const escalating = new Set(listed("escalate_actions"));
  return {
    asks: agentTools.filter((tool) => asking.has(tool) || escalating.has(tool)),
    escalates: agentTools.filter((tool) => escalating.has(tool)),
    asksAgain: times.length === 0 ? null : Math.min(...times, maxSeconds),
  };
}

/** A list of strings, or a string with commas. Null for anything else. */
function textsOf(said: unknown): string[] | null {
  const all: readonly unknown[] | null = typeof said === "string" ? said.split(",") : Array.isArray(said) ? said : null;
  if (all === null || !all.every((one) => typeof one === "string")) return null;
  return all.map((one) => one.trim()).filter((one) => one !== "");
}

interface Rule {
  readonly action: string;
  readonly requires: string | null;
  /** In seconds. */
  readonly timeout: number | null;
}

function rulesOf(said: unknown): Rule[] | null {
  const all: readonly unknown[] = Array.isArray(said) ? said : [said];
  const rules: Rule[] = [];
  for (const one of all) {
    if (typeof one !== "object" || one === null || !("action" in one) || typeof one.action !== "string") return null;
    const requires = "requires" in one && typeof one.requires === "string" ? one.requires.trim() : null;
    const seconds = "timeout" in one ? Number(one.timeout) : Number.NaN;
    rules.push({ action: one.action, requires, timeout: seconds > 0 ? Math.ceil(seconds) : null });
  }
  return rules;
}
