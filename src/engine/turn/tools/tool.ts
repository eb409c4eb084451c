import type { Change, CommitOptions, Files } from "../../../fs/files.ts";
import type { Path } from "../../../fs/path.ts";
import type { Json, JsonObject } from "../../../dialog/model.ts";
import type { ToolDefinition } from "../../providers/provider.ts";

/**
 * One of the tools. A tool never touches the store by itself: `plan` says what to change and what to answer, and the
 * engine commits that together with the claim and the result, so the effect happens exactly once.
 */
export interface PlannedTool {
  readonly definition: ToolDefinition;
  /** null when the input has every field, of the right type; else one line that names the field and what was expected. */
  check(input: JsonObject): string | null;
  /** Reads what it needs; changes nothing. Called again, from the start, when an expectation no longer holds at commit. */
  plan(input: JsonObject, context: PlanContext): Promise<Plan>;
}

export interface PlanContext {
  readonly files: Pick<Files, "stat" | "read" | "list">;
  /** The file in which this agent keeps its memory; null: it has none. */
  readonly memory: Path | null;
  /** What others did to a file after this agent last saw it; null when no one did anything. */
  readonly changedByOthers: (path: Path) => Promise<ChangedByOthers | null>;
}

export interface ChangedByOthers {
  /** In words: `the user`, `another agent (dialog <id>)`. */
  readonly who: string;
  /** The text that the agent last saw; null: there was no such file; undefined: it was not kept. */
  readonly before: string | null | undefined;
}

export interface Plan {
  readonly changes: readonly Change[];
  readonly expect: NonNullable<CommitOptions["expect"]>;
  /** What the model gets: `{success: true, …}` or `{success: false, error}`. */
  readonly result: Json;
  /** The file of which the result tells the agent, when nothing is changed: from then on the agent has seen it as of this version. */
  readonly shows?: { readonly path: Path; readonly version: number };
  /** What the user is told beside the result, such as an agent that wanted to write authority lines. */
  readonly notice?: string;
}

/** A plan that changes nothing and answers with an error. */
export function refuse(error: string, notice?: string): Plan {
  return { changes: [], expect: [], result: { success: false, error }, ...(notice === undefined ? {} : { notice }) };
}
