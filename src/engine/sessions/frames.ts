import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { eventsOfHeader, eventsOfSection } from "../../dialog/events/events-of.ts";
import type { DialogEvent } from "../../dialog/events/model.ts";
import type { Call, Dialog, Part } from "../../dialog/model.ts";
import { isRecord, readReport, reportKeys } from "../../dialog/outside.ts";
import { sectionAt, sectionCount } from "../../dialog/sections.ts";
import type { SessionData, SessionFrame } from "../../protocol/index.ts";
import { callHash } from "../projections/view.ts";
import { askedCalls, lastAnswer, metaOf } from "../turn/machine/queries.ts";
import type { State } from "../turn/machine/model.ts";
import { outsideId } from "./call-id.ts";
import { outsideQuestion } from "./outside-question.ts";

/** A frame and its key, which is unique within the dialog. */
export interface NamedFrame {
  readonly key: string;
  /** The id of the log's event that the frame belongs to. */
  readonly event: string;
  readonly frame: SessionFrame;
}

/** Token counts for a dialog that continues another one. Null: unknown. */
export interface Continuation {
  readonly oldTokens: number | null;
  readonly newTokens: number | null;
  readonly window: number | null;
}

export interface FramesOf {
  readonly dialogId: string;
  readonly state: Pick<State, "dialog" | "status">;
  readonly continuation: () => Continuation;
}

/**
 * The frames of section `index`, or of the header before all sections (-1). A pure function of the text, in which hostile text produces no frames.
 * `known`: keys of frames to leave out. `except`: parts to leave out if they are the same objects, because nothing else about them has changed.
 */
export function framesOfSection(
  { dialogId, state, continuation }: FramesOf,
  index: number,
  known?: ReadonlySet<string>,
  except: readonly Part[] = [],
): NamedFrame[] {
  const { dialog } = state;
  const events = index < 0 ? eventsOfHeader(dialog, dialogId) : eventsOfSection(dialog, dialogId, index, { except });
  const asked = index === lastAnswer(dialog) ? askedCalls(state) : [];
  const decidedByUser = new Set(
    events.flatMap((event) => (event.type === "approval" && event.data.from === "human" ? [event.data.call] : [])),
  );
  const section = sectionAt(dialog, index);
  const answeredElsewhere = countEach(
    section ? metaOf(section).flatMap(({ key, value }) => (key === reportKeys.elsewhere ? [readReport(value).words] : [])) : [],
  );
  /** The user is asked when the response has ended, and its usage is written at the same time. */
  const responded = events.find(({ type }) => type === "usage")?.id;
  const found: NamedFrame[] = [];
  for (const event of events) {
    const add = (data: SessionData, what = "", cameWith = event.id) => {
      const key = what === "" ? event.id : `${event.id}/${what}`;
      if (known?.has(key) === true) return;
      found.push({ key, event: cameWith, frame: { ...data, id: shortId(key), ts: event.time, timestamp: event.time } });
    };
    switch (event.type) {
      case "message":
        add({ type: "user_message", content: event.data.text, message_id: messageId(dialogId, index) });
        break;
      case "text":
        add({ type: "assistant", content: event.data.text, message_id: messageId(dialogId, index) });
        break;
      case "tool_call": {
        const call = callOf(dialog, event);
        if (call === null) break;
        const facts = { tool_call_id: outsideId(call), tool_name: call.name, args: call.input };
        // An outside agent may ask about other arguments than it reported when the call began. Then the call is sent again.
        add({ type: "tool_call", ...facts }, isRecord(dialog) ? facts.tool_call_id : "");
        const elsewhere = answeredElsewhere.get(call.id) ?? 0;
        const isHere = decidedByUser.has(call.id) || asked.includes(call);
        if (!isHere && elsewhere === 0) break;
        const asking = responded ?? event.id;
        // An outside agent may ask about a call again after it was answered elsewhere.
        const before = isHere ? elsewhere : elsewhere - 1;
        const again = before === 0 ? "" : `/${before}`;
        add({ type: "waiting_approval", ...facts, hash: callHash(call) }, `asked${again}`, asking);
        const question = outsideQuestion(dialog, call);
        if (question === null) break;
        const { prompt, options } = question;
        add({ type: "waiting_input", prompt, options, message_id: facts.tool_call_id }, `input${again}`, asking);
        break;
      }
      case "approval": {
        const call = event.data.decision === "denied" ? callOf(dialog, event) : null;
        if (call !== null) add({ type: "tool_result", ...resultOf(call), error: "denied by the user", skipped: true });
        break;
      }
      case "tool_result": {
        const call = callOf(dialog, event);
        const { result, error, ms } = event.data;
        if (call !== null) add({ type: "tool_result", ...resultOf(call), result, error, duration: ms === null ? null : ms / 1000 });
        break;
      }
      case "waiting":
        // An outside agent that is idle asks nothing.
        if (!isRecord(dialog)) add({ type: "waiting_input", prompt: event.data.prompt, message_id: messageId(dialogId, index) });
        break;
      case "error":
      case "warning":
      case "abort":
        add({ type: "error", message: event.data.message, recoverable: true });
        break;
      case "window": {
        const { oldTokens, newTokens, window } = continuation();
        add({ type: "compact_start", current_context_tokens: oldTokens ?? 0, threshold: window ?? 0 }, "start");
        const summary_length = summaryLength(dialog);
        add(
          {
            type: "compact_end",
            old_context_tokens: oldTokens ?? 0,
            new_context_tokens: newTokens ?? 0,
            summary_length,
            new_session_id: dialogId,
          },
          "end",
        );
        break;
      }
      default:
        break;
    }
  }
  return found;
}

/**
 * The last frames of a dialog, oldest first: at least `most`, or all. Reads whole sections, and only as many as necessary. `from`: the first section
 * that was read.
 */
export function lastFrames(of: FramesOf, most: number): { readonly frames: readonly NamedFrame[]; readonly from: number } {
  let frames: NamedFrame[] = [];
  let from = sectionCount(of.state.dialog);
  while (from > -1 && frames.length < most) {
    from -= 1;
    frames = [...framesOfSection(of, from), ...frames];
  }
  return { frames, from };
}

/** The id of a message, the same for a live message and when it is read again. The first section is 0. */
export function messageId(dialogId: string, section: number): string {
  return `${dialogId}/${section}`;
}

/** An id for display, and for `?since=` within one backlog. */
function shortId(key: string): string {
  return bytesToHex(sha256(utf8ToBytes(key))).slice(0, 8);
}

function countEach(words: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function callOf(dialog: Dialog, { anchor }: DialogEvent): Call | null {
  if (anchor?.part === undefined) return null;
  const part = sectionAt(dialog, anchor.section)?.parts[anchor.part];
  return part?.kind === "call" ? part.call : null;
}

function resultOf(call: Call) {
  return { tool_call_id: outsideId(call), tool_name: call.name, result: null, error: null, skipped: false, duration: null } as const;
}

/** The length of the dialog's first message, in UTF-16 units. */
function summaryLength(dialog: Dialog): number {
  const [first] = sectionAt(dialog, 0)?.parts ?? [];
  return first?.kind === "text" ? first.text.length : 0;
}
