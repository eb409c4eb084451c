import { limits } from "../../protocol/limits.ts";
import type { Dialogs } from "../dialogs/dialogs.ts";
import type { Channel } from "./channel.ts";
import { mailOf, messageText } from "./mail.ts";
import { actorOf, type Records } from "./records.ts";
import { handOver, reached } from "./write-mail.ts";

/** The user's messages for an agent, and whether it must stop. */
export interface Given {
  readonly messages: readonly { readonly id: string; readonly text: string }[];
  /** The agent must stop. */
  readonly stop: boolean;
}

export interface Caller {
  readonly agentId: string;
  readonly framework: string;
  readonly cwd?: string | undefined;
}

/** Delivers the user's messages and stop requests. A delivery is recorded before it happens, so each happens at most once, whatever fails. */
export interface MailDelivery {
  /** Returns what is there now. `takes`: whether the answer can carry `messages` and a `stop`. Never rejects. */
  collect(key: string, caller: Caller, takes: { readonly messages: boolean; readonly stop: boolean }): Promise<Given>;
  /** The same, but waits until there is something. Empty if the signal aborts, another wait replaces it, or the agent works again. */
  wait(key: string, caller: Caller, signal: AbortSignal): Promise<Given>;
  /** The agent works again, so nothing needs to wait for it. */
  works(key: string, agentId: string): Promise<void>;
}

export interface MailDeliveryDeps {
  readonly records: Records;
  readonly dialogs: Pick<Dialogs, "get">;
  readonly channel: Channel;
  readonly now: () => Date;
  readonly report: (error: unknown) => void;
}

const nothing: Given = { messages: [], stop: false };

export function createMailDelivery({ records, dialogs, channel, now, report }: MailDeliveryDeps): MailDelivery {
  async function collectNow(key: string, caller: Caller, takes: { readonly messages: boolean; readonly stop: boolean }): Promise<Given> {
    const owner = await records.ensure(key, caller);
    if (!owner.ok) return nothing;
    const live = await dialogs.get(owner.value);
    const mail = live ? mailOf(live, live.state.dialog) : null;
    const isNew = takes.messages && mail?.reachable === false;
    if (!isNew && !(takes.messages && mail !== null && mail.pending.length > 0) && !(takes.stop && mail?.stop === true)) return nothing;
    let given = nothing;
    const done = await records.change(
      owner.value,
      actorOf(caller.agentId, caller.framework),
      (record) => {
        const { dialog, status } = record.state;
        const { pending, stop, reachable } = mailOf(record, dialog);
        const first = takes.messages ? pending.slice(0, limits.outsideMessages) : [];
        const isStop = takes.stop && stop;
        const time = now().toISOString();
        if (first.length === 0 && !isStop)
          return reachable || !takes.messages ? null : { file: reached(dialog, time), status, withdrawn: [] };
        given = { messages: first.map(({ id, section }) => ({ id, text: messageText(dialog, section) })), stop: isStop };
        return {
          file: handOver(
            dialog,
            first.map(({ id }) => id),
            isStop,
            time,
          ),
          status,
          withdrawn: [],
        };
      },
      "strict",
    );
    return done.ok ? given : nothing;
  }

  async function collect(...[key, caller, takes]: Parameters<MailDelivery["collect"]>): Promise<Given> {
    try {
      return await collectNow(key, caller, takes);
    } catch (error) {
      report(error);
      return nothing;
    }
  }

  return {
    collect,
    async wait(key, caller, signal) {
      const takes = { messages: true, stop: true };
      for (;;) {
        const owner = await records.ensure(key, caller);
        if (!owner.ok || signal.aborted) return nothing;
        // Starts to wait before it looks, so that no message is missed in between.
        const { woken, leave } = channel.wait(owner.value, signal);
        const given = await collect(key, caller, takes);
        if (given.messages.length > 0 || given.stop) {
          leave();
          return given;
        }
        if (!(await woken)) return nothing;
      }
    },
    async works(key, agentId) {
      const dialogId = await records.find(key, agentId);
      if (dialogId !== null) channel.letGo(dialogId);
    },
  };
}
