import { agentName } from "../../dialog/mentions/agent-name.ts";
import type { AgentView } from "../../protocol/index.ts";

/** What an agent is, after its slug: also its name, where that is another than its slug gives. A file can say any name, so it never stands for who speaks. */
export function described({ slug, displayName, description }: Pick<AgentView, "slug" | "displayName" | "description">): string {
  const isUsual = displayName.toLowerCase() === agentName(slug).toLowerCase();
  return [isUsual ? "" : displayName, description].filter((part) => part !== "").join(" · ");
}
