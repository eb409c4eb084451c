import type { Draft, Drafts } from "../docs/drafts.ts";
import { decide, rivalsOf } from "../docs/other-tab.ts";

/** The key of a dialog's unsent text. */
export const draftKey = (dialogId: string) => `dialog:${dialogId}`;
/** The prefix of the keys of texts that are being sent to the engine. Each text has a key of its own. */
const sentKey = (dialogId: string) => `sent:${dialogId}`;
/** A dialog's keys of texts being sent, newest first; including the kind of key that an older version used. */
const sentKeys = (drafts: Pick<Drafts, "keys">, dialogId: string): readonly string[] =>
  Array.from(drafts.keys())
    .filter((key) => key === sentKey(dialogId) || [":", "\n"].some((mark) => key.startsWith(sentKey(dialogId) + mark)))
    .toReversed();

/** The key of an edited message; `index` counts from 0. */
export const editKey = (dialogId: string, index: number) => `edit:${dialogId}:${index}`;

/** A dialog's unsent texts: in its message box, and in edited messages. */
export const draftsOf = (drafts: Pick<Drafts, "keys" | "get">, dialogId: string): { readonly key: string; readonly draft: Draft }[] =>
  Array.from(drafts.keys()).flatMap((key) => {
    const draft = key.split("\n")[0] === draftKey(dialogId) || key.startsWith(`edit:${dialogId}:`) ? drafts.get(key) : null;
    return draft === null ? [] : [{ key, draft }];
  });

/** Joins two texts that the user wrote for the same dialog. */
export const joined = (first: string, second: string | undefined) =>
  second === undefined || second === "" ? first : `${first}\n\n${second}`;

/** Changes what is typed for a dialog, also in a box that is open. */
function add(drafts: Drafts, dialogId: string, draft: (typed: string) => Draft): void {
  const key = draftKey(dialogId);
  drafts.keep(key, draft(drafts.get(key)?.text ?? ""));
  drafts.parts.tell(key);
}
/** Adds words below what is typed. */
export const addBelow = (drafts: Drafts, dialogId: string, words: string): void =>
  add(drafts, dialogId, (typed) => ({ text: typed === "" ? words : joined(typed, words), etag: null }));

/** Whether the text continues the other one, or has it as paragraphs of its own, as a text that was merged has. */
const contains = (text: string, other: string) => text.startsWith(other) || `\n\n${text}\n\n`.includes(`\n\n${other}\n\n`);

/** Merges what two tabs typed at once for the same message. The order is the same in every tab; otherwise each would put its own text first. */
export function gather(drafts: Drafts, key: string): void {
  for (const rival of rivalsOf(drafts, key)) {
    const [other, own] = [drafts.get(rival), drafts.get(key)];
    if (other === null) continue;
    const mine = own?.text ?? "";
    const [first, second] = mine < other.text ? [mine, other.text] : [other.text, mine];
    const text = contains(second, first) ? second : contains(first, second) ? first : joined(first, second);
    decide(drafts, key, rival, { text, etag: null });
  }
}

/** The text as the file stores it: lines end in LF, and both ends are trimmed. */
const asStored = (text: string) => text.replace(/\r\n?/g, "\n").trim();

/**
 * Messages between the click and the engine's confirmation that they are stored. Until then, a message is kept beside the drafts. A refused message
 * becomes a draft again. If the page closed in between, the message is looked for in the dialog: if it is there, it was sent; if not, it becomes a
 * draft again. So a message is never lost and never exists twice.
 */
export function createOutbox(drafts: Drafts) {
  const inFlight = new Set<string>();

  /** Keeps `sentAfter`: the engine may have stored the message after all. Then it is found in the dialog, and doesn't come back. */
  const back = (dialogId: string, sent: Draft) => add(drafts, dialogId, (typed) => ({ ...sent, text: joined(sent.text, typed) }));
  /** Drops everything that is kept for the dialog. */
  function drop(dialogId: string) {
    for (const key of [...sentKeys(drafts, dialogId), draftKey(dialogId), ...rivalsOf(drafts, draftKey(dialogId))]) drafts.drop(key);
    for (const key of drafts.keys()) if (key.startsWith(`edit:${dialogId}:`)) drafts.drop(key);
  }

  return {
    drop,
    /** `after`: how many messages the dialog has. Returns a function to call with whether the engine accepted the message. */
    begin(dialogId: string, text: string, after: number): (taken: boolean) => void {
      const key = `${sentKey(dialogId)}:${crypto.randomUUID()}`;
      inFlight.add(key);
      drafts.keep(key, { text, etag: null, sentAfter: after });
      drafts.drop(draftKey(dialogId));
      drafts.flush();
      return (taken) => {
        inFlight.delete(key);
        const sent = drafts.get(key);
        drafts.drop(key);
        if (sent !== null && !taken) back(dialogId, sent);
      };
    },
    /**
     * Looks for messages being sent among the user's messages after the index `after`, which `said` returns in order. True: the text in the box was
     * found there.
     */
    settle(dialogId: string, said: (after: number) => readonly string[]): boolean {
      const isSaid = ({ text, sentAfter }: Draft) =>
        sentAfter !== undefined && said(sentAfter).some((one) => asStored(one) === asStored(text));
      gather(drafts, draftKey(dialogId));
      for (const key of sentKeys(drafts, dialogId)) {
        const sent = drafts.get(key);
        if (sent?.sentAfter === undefined || inFlight.has(key)) continue;
        drafts.drop(key);
        if (!isSaid(sent)) back(dialogId, sent);
      }
      const box = drafts.get(draftKey(dialogId));
      if (box === null || !isSaid(box)) return false;
      drafts.drop(draftKey(dialogId));
      return true;
    },
  };
}
export type Outbox = ReturnType<typeof createOutbox>;

const outboxes = new WeakMap<Drafts, Outbox>();

/** The outbox of these drafts. */
export function outboxOf(drafts: Drafts): Outbox {
  const outbox = outboxes.get(drafts) ?? createOutbox(drafts);
  outboxes.set(drafts, outbox);
  return outbox;
}
