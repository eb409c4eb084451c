import type { Json, JsonObject } from "../../dialog/model.ts";
import { type Channel, createChannel } from "./channel.ts";

/** What the user decided. */
export interface ApprovalAnswer {
  readonly approved: boolean;
  /** The reason for a denial. */
  readonly message?: string;
  /** The arguments that the user approved instead of the agent's. */
  readonly edited?: JsonObject;
  /** The agent's suggested permanent rules, unchanged. */
  readonly always?: Json;
}

/** What an agent outside Vibey waits for. */
export interface ApprovalRequest {
  /** Permanent rules the agent suggests if the user picks "Always allow"; null if none. */
  readonly suggestions: Json | null;
  /** The user may change the arguments. */
  readonly takesEdits: boolean;
  /** Approving it requires answers to its questions: texts in the argument `answers`. */
  readonly wantsAnswers: boolean;
}

/** A request that an outside agent is waiting for right now. */
interface Waiting extends ApprovalRequest {
  readonly settle: (answer: ApprovalAnswer | null) => void;
}

/**
 * The calls that agents outside Vibey are waiting for right now. The records contain the requests, and this contains the callers to answer.
 * It doesn't survive a restart, because no caller waits after that.
 */
export interface PendingApprovals {
  /** Resolves with the answer. Null: no one decided here. */
  wait(dialogId: string, call: string, wanted: ApprovalRequest): Promise<ApprovalAnswer | null>;
  isOpen(dialogId: string, call: string): boolean;
  /** Null: no one waits for it. */
  wanted(dialogId: string, call: string): ApprovalRequest | null;
  settle(dialogId: string, call: string, answer: ApprovalAnswer | null): void;
  /** Agents that wait for the user's messages. */
  readonly channel: Channel;
}

export function createPendingApprovals(): PendingApprovals {
  const open = new Map<string, Waiting>();
  const of = (dialogId: string, call: string): string => `${dialogId} ${call}`;
  return {
    channel: createChannel(),
    wait: (dialogId, call, { suggestions, takesEdits, wantsAnswers }) =>
      new Promise((resolve) => {
        const key = of(dialogId, call);
        open.get(key)?.settle(null);
        open.set(key, {
          suggestions,
          takesEdits,
          wantsAnswers,
          settle(answer) {
            open.delete(key);
            resolve(answer);
          },
        });
      }),
    isOpen: (dialogId, call) => open.has(of(dialogId, call)),
    wanted: (dialogId, call) => open.get(of(dialogId, call)) ?? null,
    settle: (dialogId, call, answer) => open.get(of(dialogId, call))?.settle(answer),
  };
}
