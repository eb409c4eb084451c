import type { Change, CommitOptions, Files } from "../../../fs/files.ts";
import type { Path } from "../../../fs/path.ts";
import type { Json, JsonObject } from "../../../dialog/model.ts";
import type { ToolDefinition } from "../../providers/provider.ts";

/**
 * A tool never writes to the store itself. `plan` says what to change and what to answer, and the engine commits that together with the claim and
 * the result, so the effect happens exactly once.
 */
export interface PlannedTool {
  readonly definition: ToolDefinition;
  /** Null if the input has every field with the right type. Otherwise one line that names the field and what was expected. */
  check(input: JsonObject): string | null;
  /** Reads what it needs and changes nothing. It is called again from the start if an expectation fails at commit. */
  plan(input: JsonObject, context: PlanContext): Promise<Plan>;
}

export interface PlanContext {
  readonly files: Pick<Files, "stat" | "read" | "list">;
  /** The file with this agent's memory. Null if it has none. */
  readonly memory: Path | null;
  /** What others did to a file since this agent last saw it. Null if no one changed it. */
  readonly changedByOthers: (path: Path) => Promise<ChangedByOthers | null>;
}

export interface ChangedByOthers {
  /** In words: `the user`, `another agent (dialog <id>)`. */
  readonly who: string;
  /** The text that the agent last saw. Null if there was no file, undefined if the text was not kept. */
  readonly before: string | null | undefined;
}

export interface Plan {
  readonly changes: readonly Change[];
  readonly expect: NonNullable<CommitOptions["expect"]>;
  /** The result for the model: `{success: true, …}` or `{success: false, error}`. */
  readonly result: Json;
  /** The file that the result shows without changing it. From then on, the agent has seen this version. */
  readonly shows?: { readonly path: Path; readonly version: number };
  /** A message to the user besides the result, for example that an agent tried to write authority lines. */
  readonly notice?: string;
}

/** A plan that changes nothing and returns an error. */
export function refuse(error: string, notice?: string): Plan {
  return { changes: [], expect: [], result: { success: false, error }, ...(notice === undefined ? {} : { notice }) };
}
