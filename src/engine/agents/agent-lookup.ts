import type { Files } from "../../fs/files.ts";
import { dialogAgent } from "./dialog-agent.ts";
import { mentionedAgents, maxMentioned } from "../../dialog/mentions/mentioned.ts";
import { resolver, resolverSlug } from "./resolver.ts";
import { families, isFamily } from "../providers/claude/defaults.ts";
import type { UsableAgent } from "./usable-agent.ts";
import type { Registered, Registry } from "./registry.ts";

/** The agents that a person can start or mention. */
export interface AgentLookup {
  find(slug: string): Promise<UsableAgent | null>;
  /** Those that can be started, by slug; a hundred at most. */
  names(): Promise<readonly string[]>;
  /** Those that a person's message mentions: `named`, or where that is null the ones that its text names. Ten at most; unknown and inactive ones are left out. */
  mentioned(text: string, named: readonly string[] | null): Promise<readonly UsableAgent[]>;
  /** The one that sums up forks. */
  resolver(): Promise<UsableAgent>;
}

/** What reads agent files is loaded when an agent is asked for. */
export function createAgentLookup(files: Pick<Files, "list" | "readMany">): AgentLookup {
  let loaded: Promise<{ readonly registry: Registry; readonly usableOnes: (all: readonly Registered[]) => readonly Registered[] }> | null =
    null;
  const load = () =>
    (loaded ??= import("./registry.ts").then(({ createRegistry, usableOnes }) => ({
      registry: createRegistry(files, ["yours"]),
      usableOnes,
    })));
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
 * `provider/id`, an id, or a family of Claude's, which is the newest of it; another single word names no model, so the default answers. A model of
 * Claude's isn't asked of another provider: one that has it is named before it, as in `openai/claude-…`.
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
  return /^[a-z]+$/i.test(said) ? {} : { model: said };
}
