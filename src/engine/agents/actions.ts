import { type AgentTool, agentTools } from "./definition.ts";
import { toolsOfRule } from "./foreign-tool-names.ts";

/** Words that an action may contain, with the tools that do such things. */
const words: readonly (readonly [word: RegExp, tools: readonly AgentTool[]])[] = [
  [/write|edit|modif|change|create|update|save/, ["vfs_write", "edit_file"]],
  [/delet|remov|eras/, ["vfs_delete"]],
  [/run|command|execut|shell|bash|terminal|commit|deploy|push|install|web|network|fetch|http/, ["run_command"]],
  [/spawn|launch|delegat/, ["spawn_agent"]],
  [/read|list|search|view/, ["vfs_read", "vfs_list"]],
  [/signal/, ["signal_parent"]],
];

/**
 * The tools that an action in free words may use. The action is the name of a tool, of any program, or a phrase such as `delete_files`. Errs on
 * the side of matching too many tools.
 */
export function actionTools(action: string): readonly AgentTool[] {
  const said = action.trim().toLowerCase();
  if (["all", "any", "everything"].includes(said)) return toolsOfRule("*");
  const own = agentTools.find((tool) => tool === said);
  if (own !== undefined) return [own];
  return [...new Set([...toolsOfRule(said), ...words.flatMap(([word, tools]) => (word.test(said) ? tools : []))])];
}
