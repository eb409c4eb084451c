import type { JsonObject } from "../../dialog/model.ts";
import type { Severity } from "../../dialog/events/model.ts";

/**
 * The state of an agent. `running`: its provider or one of its tools works. `asks`: it can't continue until the user decides or answers. `queued`: it
 * waits for its turn. `paused`: the user paused it or its run, or it was interrupted by a limit or by the end of the page, and it can be resumed.
 * `idle`: it has no task, or waits for the user's next message.
 */
export type AgentState = "running" | "asks" | "queued" | "paused" | "completed" | "aborted" | "error" | "idle";

/** An agent of a run: one dialog. */
export interface AgentNode {
  readonly dialogId: string;
  /** The path of the file that defines it. Null if no file does. */
  readonly agentId: string | null;
  /** The first line of its task. */
  readonly title: string;
  /** The dialog that launched it or that it continues. Null for the root. */
  readonly parent: string | null;
  /** 0 for the root. */
  readonly depth: number;
  readonly state: AgentState;
  /** When it entered this state: ISO 8601, or "". */
  readonly since: string;
  /**
   * The reason for the state: what stopped it according to its text, or the question that it asks. `denied`: the user denied one of its calls. Null
   * if there is nothing to say.
   */
  readonly why: string | null;
  /** The user's pause that applies to it: of its run, or of the agent alone. Null if there is none. */
  readonly held: "run" | "agent" | null;
  /** Null if unknown. `nanos`: nanodollars. */
  readonly tokens: number | null;
  readonly nanos: number | null;
}

/** A file that agents of the run read or changed. */
export interface FileNode {
  /** As the calls name it. */
  readonly path: string;
  /** The dialog whose agent changed it first in this run. Null if it was only read. */
  readonly createdBy: string | null;
  /** In ISO 8601. Empty if it was only read. */
  readonly createdAt: string;
  readonly updatedAt: string;
  /** How often it was changed in this run. */
  readonly versions: number;
}

/** `read` and `wrote` connect an agent and a file, `spawned` connects two agents. */
export type GraphEdge =
  | { readonly kind: "spawned"; readonly from: string; readonly to: string }
  | {
      readonly kind: "read" | "wrote";
      readonly from: string;
      readonly path: string;
      readonly times: number;
      /** Known only from the commit at the end of a turn: a command made the change. */
      readonly turn: boolean;
    };

/** Agents, files and their connections, at one moment. */
export interface RunGraph {
  readonly agents: readonly AgentNode[];
  readonly files: readonly FileNode[];
  readonly edges: readonly GraphEdge[];
}

/** `GET /agents/graph`, and `GET /agents/log/at`. */
export interface GraphAnswer extends RunGraph {
  readonly logId: string;
  /** The last event that is included. Empty if there is none. */
  readonly cursor: string;
}

/** One event, reduced to what the graph and a replay need. */
export type Step = StepData & {
  readonly cursor: string;
  /** In ISO 8601, or "". */
  readonly time: string;
  readonly dialogId: string;
  /** The position in the dialog, counted from 0. Absent: in the header, or in no dialog's text. */
  readonly section?: number;
  readonly part?: number;
};

export type StepData =
  | { readonly what: "begins"; readonly title: string; readonly agentId: string | null; readonly parent: string | null }
  /** It continues another dialog, or was forked from it. */
  | { readonly what: "follows"; readonly from: string }
  /** `byAgent`: another agent wrote it. */
  | { readonly what: "message"; readonly byAgent?: true }
  | { readonly what: "request" }
  | { readonly what: "call"; readonly call: string; readonly reads: string | null }
  | { readonly what: "decided"; readonly call: string; readonly denied?: true }
  /** `reads`: the path that the user approved instead of the agent's. */
  | { readonly what: "result"; readonly call: string; readonly ok: boolean; readonly reads?: string | null }
  | { readonly what: "usage"; readonly tokens: number | null; readonly nanos: number | null }
  /** `gone`: the file was deleted. */
  | { readonly what: "wrote"; readonly path: string; readonly gone?: true }
  /** `why`: the question. */
  | { readonly what: "asks"; readonly why: string }
  /** `why`: what stopped it, according to the text. Null: it ended by itself. */
  | { readonly what: "ends"; readonly state: "completed" | "paused" | "aborted" | "error"; readonly why: string | null }
  /** The user pauses or resumes this agent, or the run of which it is the root. */
  | { readonly what: "pause"; readonly scope: "run" | "agent"; readonly paused: boolean }
  /** The changes of the turn, according to the history. */
  | { readonly what: "turn"; readonly commit: string; readonly paths: readonly string[] }
  | { readonly what: "text" }
  | { readonly what: "other" };

/** A file that calls wrote in an unfinished turn. */
export interface WrittenFile {
  readonly path: string;
  /** The last call deleted it. */
  readonly gone: boolean;
}

/** What a call did to a file. `unknown`: that can't be determined. */
export type WrittenOp =
  | { readonly op: "write"; readonly text: string }
  | { readonly op: "edit"; readonly old: string; readonly text: string }
  | { readonly op: "delete" }
  | { readonly op: "unknown" };

/** `GET /agents/log/files`: where to find the files of a moment. */
export interface FilesThenAnswer {
  /** The last commit of the history. Null if there was none. */
  readonly commit: string | null;
  /** The changes by calls since that commit, which its files don't have. */
  readonly written: readonly WrittenFile[];
  /** With `path`: the changes of that file, in order. */
  readonly ops: readonly WrittenOp[];
}

/** `GET /agents/log/steps`: the events of a run, oldest first. */
export interface StepsAnswer {
  /** A different stamp means that earlier answers are no longer valid. */
  readonly stamp: string;
  /** Whether `steps` begins with the first event instead of after `since`. */
  readonly whole: boolean;
  readonly steps: readonly Step[];
}

/** The types of entries in this log. */
export type RunLogType =
  | "activation"
  | "tool_call"
  | "tool_result"
  | "file_change"
  | "spawn"
  | "signal"
  | "warning"
  | "error"
  | "abort"
  | "complete";

/** One entry of `GET /agents/log/export`. */
export interface RunLogEntry {
  /** Milliseconds since 1970. 0 if unknown. */
  readonly timestamp: number;
  readonly type: RunLogType;
  /** The path of the file that defines the agent. If there is none, the id of the dialog. */
  readonly agentId: string;
  /** `<dialogId>/<section>`: the message that the agent works on. */
  readonly activationId: string;
  readonly data: JsonObject;
}

/** The entry with its position, in `GET /agents/log`. */
export interface RunLogRow extends RunLogEntry {
  readonly id: string;
  readonly cursor: string;
  readonly severity: Severity;
  readonly dialogId: string;
  readonly section?: number;
  readonly part?: number;
}

export interface RunLogAnswer {
  readonly logId: string;
  /** Newest first. */
  readonly entries: readonly RunLogRow[];
  /** Whether there are older entries that match. */
  readonly more: boolean;
}

/** The filters of the log. A missing field matches everything. */
export interface RunLogFilter {
  /** The root's dialog. */
  readonly run?: string;
  /** An `agentId`, or a dialog. */
  readonly agent?: string;
  readonly types?: readonly RunLogType[];
  readonly tool?: string;
  readonly severity?: Severity;
}

/** Frames of `GET /agents/log` as SSE: each entry once, in order. */
export type RunLogFrame =
  | { readonly type: "log"; readonly logId: string; readonly restarted: boolean }
  | { readonly type: "entry"; readonly entry: RunLogRow }
  | { readonly type: "current"; readonly cursor: string };
