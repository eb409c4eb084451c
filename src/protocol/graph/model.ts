import type { JsonObject } from "../../dialog/model.ts";
import type { Severity } from "../../dialog/events/model.ts";

/**
 * How an agent is. `running`: its provider works, or a tool of it. `asks`: it can't continue before the user has decided or answered. `queued`: it
 * waits for its turn. `paused`: the user paused it or its run, or a limit or the end of the page broke it off, and it can be resumed. `idle`: nothing
 * was asked of it, or it waits for the user's next message.
 */
export type AgentState = "running" | "asks" | "queued" | "paused" | "completed" | "aborted" | "error" | "idle";

/** An agent of a run: one dialog. */
export interface AgentNode {
  readonly dialogId: string;
  /** The file that defines it, as a path of the project; null: none does. */
  readonly agentId: string | null;
  /** The first line of what it was asked. */
  readonly title: string;
  /** The dialog that launched it, or of which it is a part; null: it is the root. */
  readonly parent: string | null;
  /** 0: the root. */
  readonly depth: number;
  readonly state: AgentState;
  /** When it came to be so: ISO 8601, or "". */
  readonly since: string;
  /** Why it is so: what its text says stopped it, or the question that it asks; `denied`: the user denied a call of it. null: nothing to say. */
  readonly why: string | null;
  /** The user's pause in which it is: of its run, or of it alone. null: it is in none. */
  readonly held: "run" | "agent" | null;
  /** null: nothing is known of them. Nanodollars. */
  readonly tokens: number | null;
  readonly nanos: number | null;
}

/** A file that agents of the run read or changed. */
export interface FileNode {
  /** As the calls name it. */
  readonly path: string;
  /** The dialog whose agent changed it first in this run; null: it was only read. */
  readonly createdBy: string | null;
  /** ISO 8601; "" where it was only read. */
  readonly createdAt: string;
  readonly updatedAt: string;
  /** How often it was changed in this run. */
  readonly versions: number;
}

/** `read` and `wrote` are between an agent and a file, `spawned` between two agents. */
export type GraphEdge =
  | { readonly kind: "spawned"; readonly from: string; readonly to: string }
  | {
      readonly kind: "read" | "wrote";
      readonly from: string;
      readonly path: string;
      readonly times: number;
      /** Known from the change at the end of a turn alone: a command did it. */
      readonly turn: boolean;
    };

/** Agents, files and what is between them, at one moment. */
export interface RunGraph {
  readonly agents: readonly AgentNode[];
  readonly files: readonly FileNode[];
  readonly edges: readonly GraphEdge[];
}

/** `GET /agents/graph`, and `GET /agents/log/at`. */
export interface GraphAnswer extends RunGraph {
  readonly logId: string;
  /** The event up to which it tells; "" where there is none. */
  readonly cursor: string;
}

/** One event, as short as the graph and a replay want it. */
export type Step = StepData & {
  readonly cursor: string;
  /** ISO 8601, or "". */
  readonly time: string;
  readonly dialogId: string;
  /** Where it stands in the dialog: counted from 0; absent: in the header, or in no dialog's text. */
  readonly section?: number;
  readonly part?: number;
};

export type StepData =
  | { readonly what: "begins"; readonly title: string; readonly agentId: string | null; readonly parent: string | null }
  /** It continues another dialog, or was forked from it. */
  | { readonly what: "follows"; readonly from: string }
  /** `byAgent`: another agent said it. */
  | { readonly what: "message"; readonly byAgent?: true }
  | { readonly what: "request" }
  | { readonly what: "call"; readonly call: string; readonly reads: string | null }
  | { readonly what: "decided"; readonly call: string; readonly denied?: true }
  | { readonly what: "result"; readonly call: string; readonly ok: boolean }
  | { readonly what: "usage"; readonly tokens: number | null; readonly nanos: number | null }
  /** `gone`: it was deleted. */
  | { readonly what: "wrote"; readonly path: string; readonly gone?: true }
  /** `why`: the question. */
  | { readonly what: "asks"; readonly why: string }
  /** `why`: what stopped it, as the text says it; null: it ended by itself. */
  | { readonly what: "ends"; readonly state: "completed" | "paused" | "aborted" | "error"; readonly why: string | null }
  /** The user pauses the run of which this is the root, or this agent; or lets it continue. */
  | { readonly what: "pause"; readonly scope: "run" | "agent"; readonly paused: boolean }
  /** The turn's changes, as the history has them. */
  | { readonly what: "turn"; readonly commit: string; readonly paths: readonly string[] }
  | { readonly what: "text" }
  | { readonly what: "other" };

/** A file that calls wrote in a turn that hadn't ended. */
export interface WrittenFile {
  readonly path: string;
  /** The last of them deleted it. */
  readonly gone: boolean;
}

/** What a call did to a file. `unknown`: that can't be read. */
export type WrittenOp =
  | { readonly op: "write"; readonly text: string }
  | { readonly op: "edit"; readonly old: string; readonly text: string }
  | { readonly op: "delete" }
  | { readonly op: "unknown" };

/** `GET /agents/log/files`: where the files of a moment stand. */
export interface FilesThenAnswer {
  /** The last commit of the history; null: there was none. */
  readonly commit: string | null;
  /** What calls have done since, which its files don't have. */
  readonly written: readonly WrittenFile[];
  /** With `path`: what they have done to that file, in order. */
  readonly ops: readonly WrittenOp[];
}

/** `GET /agents/log/steps`: the events of a run, oldest first. */
export interface StepsAnswer {
  /** Another one: what was told before holds no longer. */
  readonly stamp: string;
  /** `steps` begins with the first event, and not behind `since`. */
  readonly whole: boolean;
  readonly steps: readonly Step[];
}

/** The types of seed events, of which each entry of the log has one. */
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
  /** Milliseconds since 1970; 0 where no time is known. */
  readonly timestamp: number;
  readonly type: RunLogType;
  /** The file that defines the agent, as a path of the project; where none does, the id of the dialog. */
  readonly agentId: string;
  /** `<dialogId>/<section>`: the message that it works at. */
  readonly activationId: string;
  readonly data: JsonObject;
}

/** The same with where it stands, in `GET /agents/log`. */
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
  /** There are older ones that match. */
  readonly more: boolean;
}

/** What of the log is wanted; what is missing excludes nothing. */
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
