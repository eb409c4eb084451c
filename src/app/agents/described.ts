import { agentName } from "../../dialog/mentions/agent-name.ts";
import type { AgentView } from "../../protocol/index.ts";

/**
 * The description of an agent, shown after its slug, with its display name if that differs from its slug. A file can claim any name, so the name is
 * never shown as the speaker.
 */
export function described({ slug, displayName, description }: Pick<AgentView, "slug" | "displayName" | "description">): string {
  const isUsual = displayName.toLowerCase() === agentName(slug).toLowerCase();
  return [isUsual ? "" : displayName, description].filter((part) => part !== "").join(" · ");
}
