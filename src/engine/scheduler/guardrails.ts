import type { RunAgent, Runs } from "./runs.ts";

/** The guardrail that refused the call. It is part of the call's result. */
export type GuardCode = "depth" | "fanout" | "loop";

export interface GuardRefusal {
  readonly code: GuardCode;
  /** For the model. */
  readonly sentence: string;
}

/** The last part of a path, which serves as the name of a run's agent. */
export const fileName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/**
 * Why an agent of a run may not start this one. Null if it may. Agents are identified by file path, not by content, so an agent can't evade the
 * check by rewriting its own file.
 */
export function spawnRefusal(
  runs: Pick<Runs, "members" | "now" | "depth">,
  parent: RunAgent,
  child: { readonly file: string; readonly input: string },
): GuardRefusal | null {
  const { limits } = runs.now(parent.run);
  const depth = runs.depth(parent);
  if (depth >= limits.depth) return { code: "depth", sentence: `Error: depth limit ${limits.depth}/${limits.depth}.` };
  const members = runs.members(parent.run);
  const own = new Set(members.flatMap(({ dialogId, file }) => (file === parent.file ? [dialogId] : [])));
  const children = members.filter((member) => member.parent !== null && own.has(member.parent)).length;
  if (children >= limits.fanout) return { code: "fanout", sentence: `Error: fanout limit ${limits.fanout}/${limits.fanout}.` };
  if (members.some(({ file, input }) => file === child.file && input === child.input))
    return { code: "loop", sentence: `Error: loop: '${fileName(child.file)}' already ran with this input.` };
  return null;
}

/** Why a run's next request is not sent because of its token limit. Null if it is sent. */
export function tokenLimitReason({ limits, tokens }: ReturnType<Runs["now"]>): string | null {
  return tokens < limits.tokens ? null : `tokens (${tokens.toLocaleString("en-US")} of ${limits.tokens.toLocaleString("en-US")} used)`;
}
