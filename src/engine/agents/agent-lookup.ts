import type { Files } from "../../fs/files.ts";
import { dialogAgent } from "./dialog-agent.ts";
import { mentionedAgents, maxMentioned } from "../../dialog/mentions/mentioned.ts";
import { resolver, resolverSlug } from "./resolver.ts";
import { families, isFamily } from "../providers/claude/defaults.ts";
import type { UsableAgent } from "./usable-agent.ts";
import type { Registered, Registry } from "./registry.ts";

/** Finds agents that the user can start or mention. */
export interface AgentLookup {
  find(slug: string): Promise<UsableAgent | null>;
  /** The slugs of the agents that can be started, at most 100. */
  names(): Promise<readonly string[]>;
  /**
   * The agents that the user's message mentions: those in `named`, or if that is null, those that the text names. At most ten. Unknown and
   * inactive agents are left out.
   */
  mentioned(text: string, named: readonly string[] | null): Promise<readonly UsableAgent[]>;
  /** The agent that sums up forks. */
  resolver(): Promise<UsableAgent>;
}

type Code = Pick<typeof import("./registry.ts"), "createRegistry" | "usableOnes">;

/** The code that reads agent files is loaded with the first lookup. If that fails, the next lookup tries again. */
export function createAgentLookup(
  files: Pick<Files, "list" | "readMany">,
  loadCode: () => Promise<Code> = () => import("./registry.ts"),
): AgentLookup {
  let loaded: Promise<{ readonly registry: Registry; readonly usableOnes: (all: readonly Registered[]) => readonly Registered[] }> | null =
    null;
  const load = () =>
    (loaded ??= loadCode()
      .then(({ createRegistry, usableOnes }) => ({ registry: createRegistry(files, ["yours"]), usableOnes }))
      .catch((error: unknown) => {
        loaded = null;
        throw error;
      }));
  const usable = async () => {
    const { registry, usableOnes } = await load();
    return new Map(usableOnes(await registry.all()).map((one) => [one.definition.slug, one]));
  };
  const made = (one: Registered): UsableAgent => ({
    agent: dialogAgent(one),
    model: one.definition.fields.model,
    context: one.definition.fields.context,
  });
  return {
    async find(slug) {
      const found = (await usable()).get(slug);
      return found ? made(found) : null;
    },
    names: async () => [...(await usable()).keys()].slice(0, 100),
    async resolver() {
      const { registry } = await load();
      const own = await registry.find(resolverSlug);
      return resolver(own?.isWellNamed === true ? own : null);
    },
    async mentioned(text, named) {
      if (named === null ? !text.includes("@") : named.length === 0) return [];
      const known = await usable();
      const slugs = named === null ? mentionedAgents(text, new Set(known.keys())) : [...new Set(named)].slice(0, maxMentioned);
      return slugs.flatMap((slug) => {
        const found = known.get(slug);
        return found ? [made(found)] : [];
      });
    },
  };
}

/**
 * The model that a file names: `provider/id`, an id, or a Claude family, which means its newest model. Any other single word names no model, so
 * the default is used. A name with spaces, such as `Claude Sonnet 4.5`, is no id either. opencode's `anthropic/` is the provider `claude`. A Claude
 * model isn't requested from another provider unless the file names that provider, as in `openai/claude-…`.
 */
export function modelOf(
  said: string | null,
  asked: string,
  isProvider: (name: string) => boolean,
): { readonly provider?: string; readonly model?: string } {
  if (said === null || asked === "demo") return {};
  const family = said.toLowerCase();
  if (isFamily(family) && isProvider("claude")) return asked === "claude" ? { model: families[family] } : {};
  if (family.startsWith("claude-") && isProvider("claude") && asked !== "claude") return {};
  const [, name = "", id = ""] = /^([a-z0-9-]+)\/(.+)$/.exec(said) ?? [];
  if (id !== "" && isProvider(name)) return { provider: name, model: id };
  if (asked === "claude" && name === "anthropic") return { model: id };
  return /^[a-z]+$|\s/i.test(said) ? {} : { model: said };
}
