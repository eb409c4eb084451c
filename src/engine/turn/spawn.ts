import { allowedIn, takenBackIn } from "../agents/allowed.ts";
import { modelOf } from "../agents/agent-lookup.ts";
import { dialogAgent } from "../agents/dialog-agent.ts";
import { launcherOf } from "../agents/tool-permissions.ts";
import { inheriting } from "../agents/started-agent.ts";
import { readDefinition } from "../agents/read-definition.ts";
import { inputHash } from "../agents/input-hash.ts";
import { isCovered } from "../../dialog/agent-paths.ts";
import type { Dialog, JsonObject } from "../../dialog/model.ts";
import { type Path, parsePath } from "../../fs/path.ts";
import type { Creation, Prepared } from "../dialogs/create.ts";
import type { Live } from "../dialogs/live.ts";
import { fileName, spawnRefusal, tokenLimitReason } from "../scheduler/guardrails.ts";
import type { Launches } from "../scheduler/launches.ts";
import type { RunSlot } from "../scheduler/queue.ts";
import type { RunAgent, Runs } from "../scheduler/runs.ts";
import { currentModel, currentProvider } from "./machine/next-step.ts";
import { textOf } from "./tools/inputs.ts";
import { agentFileOf } from "./tools/spawn-agent.ts";
import { type Plan, type PlanContext, refuse } from "./tools/tool.ts";
import { writeFile } from "./tools/write-file.ts";

export interface SpawnDeps {
  readonly runs: Runs;
  readonly launches: Pick<Launches, "checkInRun">;
  readonly creation: Pick<Creation, "prepare">;
  readonly isProvider: (name: string) => boolean;
  readonly defaultModel: (provider: string) => string;
  /** The queue slot of an agent at this depth of the run. */
  readonly placeAt: (run: string, depth: number) => RunSlot;
}

export interface Spawned {
  readonly plan: Plan;
  /** The new agent's dialog. Null if the call was refused. */
  readonly prepared: Prepared | null;
}

/** The file of an agent of a run. All of them are in one folder, so a name identifies one agent. */
function agentFilePath(slug: string): Path {
  const parsed = parsePath(`agents/${slug}.md`);
  if (!parsed.ok) throw new RangeError(`no path for an agent of this name: ${slug}`);
  return parsed.path;
}

/**
 * Plans a `spawn_agent` call: the agent's file and its dialog, which waits in the queue like any other. The new agent has no more power than the
 * agent that starts it. The caller runs in the creation's order (`oneByOne`).
 */
export async function planSpawn(live: Live, input: JsonObject, context: PlanContext, deps: SpawnDeps): Promise<Spawned> {
  const { runs } = deps;
  const no = (plan: Plan): Spawned => ({ plan, prepared: null });
  const parent = runs.member(live.id);
  const { dialog } = live.state;
  const by = launcherOf(dialog);
  const slug = agentFileOf(textOf(input, "filename"));
  if (parent === null || by === null || slug === null) return no(refuse("Error: this dialog belongs to no run."));
  const [content, task] = [textOf(input, "content"), textOf(input, "task")];
  const path = agentFilePath(slug);
  const name = fileName(path);
  if (by.agents !== null && !by.agents.includes(slug))
    return no(refuse(`Error: '${name}' is none of the agents that this one's file names: ${by.agents.join(", ") || "none"}.`));
  const child = { file: path, input: inputHash(task) };
  const refused = spawnRefusal(runs, parent, child);
  if (refused) return no({ changes: [], expect: [], result: { success: false, error: refused.sentence, code: refused.code } });
  const depth = runs.depth(parent) + 1;
  const checked = await deps.launches.checkInRun(live, deps.placeAt(parent.run, depth));
  if (!checked.ok) return no(refuse(`Error: ${checked.refusal}`));
  const definition = readDefinition(path, content);
  if (!definition.fields.isActive) return no(refuse(`Error: '${name}' says that it is not active.`));
  const written = await fileOf(path, content, context);
  if (written.changes.length === 0 && written.expect.length === 0) return no(written);
  // A new file is part of starting an agent. Replacing an existing file needs write access, like any other file.
  const replaces = written.changes.length > 0 && (await context.files.stat(path)) !== null;
  if (replaces && by.writes !== null && !isCovered(path, by.writes)) {
    const where = by.writes.join(", ") || "no file";
    return no(refuse(`Error: '${path}' is there already, and this agent's file lets it write ${where}. Choose another name.`));
  }

  const target = modelOf(definition.fields.model, currentProvider(dialog), deps.isProvider);
  const provider = target.provider ?? currentProvider(dialog);
  const allowed = allowedIn(dialog);
  // The names in its own file give it no permissions here, and only the user's own agents have a memory.
  const defined = { ...dialogAgent({ definition, text: content }, "run"), slug, hasMemory: false };
  const agent = inheriting(defined, dialog, { ...by, agents: null }, allowed);
  const prepared = await deps.creation.prepare({
    provider,
    model: target.model ?? (provider === currentProvider(dialog) ? currentModel(dialog) : deps.defaultModel(provider)),
    slug,
    prompt: task,
    launchedBy: live.id,
    agent,
    allowed,
    takenBack: takenBackIn(dialog),
    run: { root: parent.run, ...child, limits: null, authorized: headerAuthority(dialog), asMain: true },
  });
  return { plan: planOf(prepared, written, deferral(parent, checked.waits, runs), { name, depth, definition, runs, parent }), prepared };
}

/** Plans the agent's file: a new version, unless the content is the same. */
async function fileOf(path: Path, content: string, context: PlanContext): Promise<Plan> {
  const current = await context.files.read(path);
  if (current && new TextDecoder().decode(current.bytes) === content)
    return { changes: [], expect: [{ path, version: current.version }], result: null };
  const plan = await writeFile.plan({ path, content }, context);
  // A refusal may show the file's current text. The next attempt may then replace it.
  return plan.changes.length > 0 ? plan : { ...plan, changes: [], expect: [] };
}

/** What the user's click authorized for the run. It is in the header of each of the run's dialogs. */
const headerAuthority = ({ head }: Dialog): ReadonlySet<string> =>
  new Set(head.flatMap(({ key, value }) => (key === "Authorized" ? [value] : [])));

function deferral(parent: RunAgent, waits: string | null, runs: Runs): string | null {
  const now = runs.now(parent.run);
  if (tokenLimitReason(now) !== null) return "token budget reached";
  if (now.paused) return "the run is paused";
  return waits === null ? null : waits.charAt(0).toLowerCase() + waits.slice(1).replace(/\.$/, "");
}

function planOf(
  { id, filename, path, state, change }: Prepared,
  written: Plan,
  deferred: string | null,
  of: {
    readonly name: string;
    readonly depth: number;
    readonly definition: ReturnType<typeof readDefinition>;
    readonly runs: Runs;
    readonly parent: RunAgent;
  },
): Plan {
  const { limits } = of.runs.now(of.parent.run);
  const text =
    deferred === null
      ? `Created and activated '${of.name}' (depth ${of.depth}/${limits.depth})`
      : `Created '${of.name}' but activation deferred: ${deferred}.`;
  const { problems } = of.definition;
  const warnings = [
    ...(deferred === null ? [] : [{ code: "deferred", message: text }]),
    ...(problems.length === 0 ? [] : [{ code: "front_matter", message: `${of.name}: ${problems.join(" ")}` }]),
  ];
  const launched = {
    dialogId: id,
    filename,
    status: state.status,
    provider: currentProvider(state.dialog),
    model: currentModel(state.dialog),
  };
  return {
    changes: [...written.changes, change],
    expect: [...written.expect, { path, version: null }],
    result: {
      success: true,
      text,
      ...(written.changes.length === 0 ? {} : { file: `agents/${of.name}` }),
      launched,
      ...(warnings.length === 0 ? {} : { warnings }),
    },
  };
}
