import type { AgentNode, AgentState, FileNode, GraphEdge, RunGraph, Step } from "./model.ts";
import { below, rootOf } from "./tree.ts";

interface Agent {
  agentId: string | null;
  title: string;
  parent: string | null;
  /** The agent's state while none of its calls waits for a decision. */
  state: AgentState;
  why: string | null;
  since: string;
  /** The provider was asked and has not finished its response. */
  responds: boolean;
  /** Whether the user paused the agent, and the run of which it is the root. */
  paused: boolean;
  runPaused: boolean;
  tokens: number | null;
  nanos: number | null;
  /** Calls that no one has decided, and calls that were approved and have no result. */
  open: Set<string>;
  approved: Set<string>;
  /** A call of its last response was denied, so the agent waits for the user. */
  denied: boolean;
  /** The paths that unfinished calls read. */
  reads: Map<string, string>;
  /** The paths that its calls changed since the last commit at the end of a turn. */
  wrote: Set<string>;
}

interface Touch {
  readonly kind: "read" | "wrote";
  readonly from: string;
  readonly path: string;
  times: number;
  turn: boolean;
}

/**
 * The graph after a number of steps: one fold for the present and for every earlier moment. Applying a step costs the same however many came before.
 */
export class GraphFold {
  /** How many steps were applied. */
  count = 0;
  readonly #agents = new Map<string, Agent>();
  readonly #files = new Map<string, FileNode>();
  readonly #touches = new Map<string, Touch>();
  /** Increases when an agent is added or gets its parent. */
  #shape = 0;
  /** The depths of the last request. Valid while `shape` is unchanged. */
  #known: { readonly run: string | null; readonly shape: number; readonly depths: ReadonlyMap<string, number> } | null = null;

  apply(step: Step): void {
    this.count += 1;
    const agent = this.#agent(step);
    switch (step.what) {
      case "begins":
        agent.title = step.title;
        agent.agentId = step.agentId;
        this.#descend(agent, step.parent);
        return;
      case "follows":
        return this.#descend(agent, step.from);
      case "message":
        // Messages from agents don't undo the reason why it stopped.
        return step.byAgent === true ? undefined : turnTo(agent, "idle", step.time);
      case "request":
        turnTo(agent, "running", step.time);
        agent.responds = true;
        return;
      case "call":
        agent.open.add(step.call);
        if (step.reads !== null) agent.reads.set(step.call, step.reads);
        return;
      case "decided":
        agent.open.delete(step.call);
        if (step.denied === true) agent.denied = true;
        else agent.approved.add(step.call);
        return settle(agent, step.time);
      case "result": {
        agent.open.delete(step.call);
        agent.approved.delete(step.call);
        settle(agent, step.time);
        const path = step.reads === undefined ? agent.reads.get(step.call) : step.reads;
        agent.reads.delete(step.call);
        if (step.ok && path !== undefined && path !== null) this.#touch("read", step, path, false);
        return;
      }
      case "usage":
        agent.responds = false;
        if (step.tokens !== null) agent.tokens = (agent.tokens ?? 0) + step.tokens;
        if (step.nanos !== null) agent.nanos = (agent.nanos ?? 0) + step.nanos;
        return;
      case "wrote":
        agent.wrote.add(step.path);
        return this.#touch("wrote", step, step.path, false);
      case "asks":
        return stopAs(agent, "asks", step.why, step.time);
      case "ends":
        return stopAs(agent, step.state, step.why, step.time);
      case "pause":
        if (step.scope === "run") agent.runPaused = step.paused;
        else agent.paused = step.paused;
        return;
      case "turn":
        for (const path of step.paths) if (!agent.wrote.has(path)) this.#touch("wrote", step, path, true);
        agent.wrote.clear();
        return;
      case "text":
      case "other":
    }
  }

  /** A snapshot: further steps don't change it. `run`: limits it to this dialog and those below it. */
  graph(run: string | null): RunGraph {
    const depths = this.#depthsBelow(run);
    let rootPaused = false;
    const agents = [...depths].flatMap(([dialogId, depth]): AgentNode[] => {
      const one = this.#agents.get(dialogId);
      if (one === undefined) return [];
      // The agents below a root come right after it.
      if (depth === 0) rootPaused = one.runPaused;
      const held = rootPaused ? "run" : one.paused ? "agent" : null;
      const { agentId, title, since, why, tokens, nanos } = one;
      const parent = depth === 0 ? null : one.parent;
      return [{ dialogId, agentId, title, parent, depth, state: stateOf(one, held), since, why, held, tokens, nanos }];
    });
    const spawned = agents.flatMap(({ dialogId, parent }): GraphEdge[] =>
      parent === null ? [] : [{ kind: "spawned", from: parent, to: dialogId }],
    );
    const touched = [...this.#touches.values()].filter(({ from }) => depths.has(from)).map((touch): GraphEdge => ({ ...touch }));
    const paths = new Set(touched.map((edge) => (edge.kind === "spawned" ? "" : edge.path)));
    return { agents, files: [...this.#files.values()].filter(({ path }) => paths.has(path)), edges: [...spawned, ...touched] };
  }

  /** The dialogs of a run. */
  members(run: string): ReadonlySet<string> {
    return new Set(below(this.#agents, run).keys());
  }

  /** An independent copy that can continue from here. */
  copy(): GraphFold {
    const other = new GraphFold();
    other.count = this.count;
    for (const [id, agent] of this.#agents)
      other.#agents.set(id, {
        ...agent,
        open: new Set(agent.open),
        approved: new Set(agent.approved),
        reads: new Map(agent.reads),
        wrote: new Set(agent.wrote),
      });
    for (const [path, file] of this.#files) other.#files.set(path, file);
    for (const [key, touch] of this.#touches) other.#touches.set(key, { ...touch });
    return other;
  }

  #descend(agent: Agent, parent: string | null): void {
    if (agent.parent !== null || parent === null) return;
    agent.parent = parent;
    this.#shape += 1;
  }

  #depthsBelow(run: string | null): ReadonlyMap<string, number> {
    if (this.#known?.run === run && this.#known.shape === this.#shape) return this.#known.depths;
    const depths = run === null ? this.#depths() : below(this.#agents, run);
    this.#known = { run, shape: this.#shape, depths };
    return depths;
  }

  /** The depth of every dialog, root by root. */
  #depths(): ReadonlyMap<string, number> {
    const all = new Map<string, number>();
    for (const dialogId of this.#agents.keys())
      if (rootOf(this.#agents, dialogId) === dialogId)
        for (const [id, depth] of below(this.#agents, dialogId)) if (!all.has(id)) all.set(id, depth);
    return all;
  }

  #agent({ dialogId, time }: Step): Agent {
    const known = this.#agents.get(dialogId);
    if (known !== undefined) return known;
    const made: Agent = {
      agentId: null,
      title: "",
      parent: null,
      state: "idle",
      why: null,
      since: time,
      responds: false,
      paused: false,
      runPaused: false,
      tokens: null,
      nanos: null,
      open: new Set(),
      approved: new Set(),
      denied: false,
      reads: new Map(),
      wrote: new Set(),
    };
    this.#agents.set(dialogId, made);
    this.#shape += 1;
    return made;
  }

  #touch(kind: Touch["kind"], { dialogId, time }: Step, path: string, turn: boolean): void {
    const key = `${kind} ${dialogId} ${path}`;
    const before = this.#touches.get(key);
    if (before === undefined) this.#touches.set(key, { kind, from: dialogId, path, times: 1, turn });
    else {
      before.times += 1;
      before.turn &&= turn;
    }
    const file = this.#files.get(path) ?? { path, createdBy: null, createdAt: "", updatedAt: "", versions: 0 };
    const isFirst = kind === "wrote" && file.versions === 0;
    if (kind === "wrote")
      this.#files.set(path, {
        path,
        createdBy: isFirst ? dialogId : file.createdBy,
        createdAt: isFirst ? time : file.createdAt,
        updatedAt: time,
        versions: file.versions + 1,
      });
    else this.#files.set(path, file);
  }
}

function turnTo(agent: Agent, state: AgentState, time: string): void {
  stopAs(agent, state, null, time);
  // Earlier calls no longer wait for a decision.
  agent.open.clear();
  agent.approved.clear();
  agent.denied = false;
}

function stopAs(agent: Agent, state: AgentState, why: string | null, time: string): void {
  if (agent.state !== state) agent.since = time;
  agent.state = state;
  agent.why = why;
  agent.responds = false;
}

/** If a call of a response was denied, the agent waits for the user once the rest of the response is done. */
function settle(agent: Agent, time: string): void {
  if (agent.denied && agent.state === "running" && agent.open.size === 0 && agent.approved.size === 0)
    stopAs(agent, "idle", "denied", time);
}

/** A working agent that is paused continues until its response has ended. */
function stateOf({ open, state, responds }: Agent, held: "run" | "agent" | null): AgentState {
  if (open.size > 0) return "asks";
  return held !== null && state === "running" && !responds ? "paused" : state;
}
