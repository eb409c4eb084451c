/** How much a run may. Whole numbers: agents that run at one time, depth below its root, agents that one agent may start, tokens of all. */
export interface RunLimitsBody {
  readonly agents?: number | undefined;
  readonly depth?: number | undefined;
  readonly fanout?: number | undefined;
  readonly tokens?: number | undefined;
}

/** `POST /agents/runs`: an agent begins with a task, and may start others. */
export interface NewRunBody {
  /** Its file, as a path of the project, or the slug of one of yours. */
  readonly agent: string;
  /** What it is to do. */
  readonly input: string;
  readonly provider: string;
  readonly model?: string | undefined;
  /** SHA-256 of the file as it was shown, hexadecimal: 412 when it reads otherwise now. Needed with `freely`. */
  readonly hash?: string | undefined;
  /** Nothing of its tools asks, neither in its dialog nor in those that it starts. Left out: the user is asked as usual. */
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
  /** The one agent that it is about; left out: the run. */
  readonly dialogId?: string | undefined;
  /**
   * Those that work stop before their next call or response, and no one begins. `false` lets them continue, with those whose turn was cut off; a
   * run that has used its tokens gets as many again.
   */
  readonly paused?: boolean | undefined;
  /** They bind agents that begin from now on. */
  readonly limits?: RunLimitsBody | undefined;
  /** `aborted`: what runs is stopped, and of a whole run the rest is paused, so that its queue is kept. `cleared`: what waits in the queue is stopped. */
  readonly status?: "aborted" | "cleared" | undefined;
  /** The agent `dialogId` is told what its file says now, once its turn is over. Left out: it is told so when it is next activated by another one. */
  readonly apply?: true | undefined;
}

/** What an agent of a run does. `idle`: its turn is over, and it waits for the user's word or was never activated. */
export type RunAgentState = "running" | "queued" | "paused" | "asks" | "idle" | "completed" | "aborted" | "error";

export interface RunAgentView {
  readonly dialogId: string;
  /** The dialog whose agent started it; null: it is the first one. */
  readonly parent: string | null;
  /** The path of the file that defines it. */
  readonly file: string;
  /** The first line of its task. */
  readonly title: string;
  readonly depth: number;
  readonly state: RunAgentState;
  /** Why its last response ended before its end, as its dialog says; null: it did not. */
  readonly stop: string | null;
  readonly tokens: number;
}

export interface RunView {
  /** The id of the first dialog. */
  readonly runId: string;
  readonly file: string;
  readonly title: string;
  /** ISO 8601. */
  readonly started: string;
  readonly state: RunAgentState;
  /** What holds the run back; null: nothing. */
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
