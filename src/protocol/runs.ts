/**
 * The limits of a run, as whole numbers: agents that run at the same time, depth below its root, agents that one agent may start, tokens of all
 * agents.
 */
export interface RunLimitsBody {
  readonly agents?: number | undefined;
  readonly depth?: number | undefined;
  readonly fanout?: number | undefined;
  readonly tokens?: number | undefined;
}

/** `POST /agents/runs`: an agent begins with a task, and may start others. */
export interface NewRunBody {
  /** The path of its file in the project, or the slug of one of your agents. */
  readonly agent: string;
  /** Its task. */
  readonly input: string;
  readonly provider: string;
  readonly model?: string | undefined;
  /** SHA-256 of the file as it was shown, in hexadecimal. 412 if the file has changed since. Required with `freely`. */
  readonly hash?: string | undefined;
  /** Its tools need no approval, in its own dialog and in those that it starts. Absent: approval as usual. */
  readonly freely?: boolean | undefined;
  readonly limits?: RunLimitsBody | undefined;
}

export interface RunStarted {
  readonly runId: string;
  readonly dialogId: string;
  readonly filename: string;
}

/** `PUT /agents/runs`: one of `paused`, `limits`, `status` and `apply`, or `paused` with `limits`. */
export interface ChangeRunBody {
  readonly runId: string;
  /** The agent to change. Absent: the whole run. */
  readonly dialogId?: string | undefined;
  /**
   * Working agents stop before their next call or response, and no agent begins. `false` resumes them, including those whose turn was interrupted. A
   * run that has used up its tokens gets the same number again.
   */
  readonly paused?: boolean | undefined;
  /** Apply to agents that begin from now on. */
  readonly limits?: RunLimitsBody | undefined;
  /** `aborted`: stops what is running and, for a whole run, pauses the rest, which keeps its queue. `cleared`: stops what is queued. */
  readonly status?: "aborted" | "cleared" | undefined;
  /** Tells the agent `dialogId` the new content of its file as soon as its turn is over. Absent: it is told when another agent activates it next. */
  readonly apply?: true | undefined;
}

/** The state of an agent in a run. `idle`: its turn is over and it waits for the user, or it was never activated. */
export type RunAgentState = "running" | "queued" | "paused" | "asks" | "idle" | "completed" | "aborted" | "error";

export interface RunAgentView {
  readonly dialogId: string;
  /** The dialog whose agent started it. Null for the first dialog. */
  readonly parent: string | null;
  /** The path of the file that defines it. */
  readonly file: string;
  /** The first line of its task. */
  readonly title: string;
  readonly depth: number;
  readonly state: RunAgentState;
  /** Why its last response ended early, according to its dialog. Null if it did not. */
  readonly stop: string | null;
  readonly tokens: number;
}

export interface RunView {
  /** The id of the first dialog. */
  readonly runId: string;
  readonly file: string;
  readonly title: string;
  /** In ISO 8601. */
  readonly started: string;
  readonly state: RunAgentState;
  /** What holds the run back. Null if nothing does. */
  readonly pausedBy: "user" | "tokens" | null;
  readonly running: number;
  readonly queued: number;
  /** Agents with calls that wait for the user. */
  readonly asking: number;
  readonly tokens: number;
  readonly limits: { readonly agents: number; readonly depth: number; readonly fanout: number; readonly tokens: number };
  /** Oldest first. */
  readonly agents: readonly RunAgentView[];
}
