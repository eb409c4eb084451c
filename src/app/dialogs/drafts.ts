import type { Draft, Drafts } from "../docs/drafts.ts";
import { decide, rivalsOf } from "../docs/other-tab.ts";

/** What the unsent text of a dialog is kept under. */
export const draftKey = (dialogId: string) => `dialog:${dialogId}`;
/** What a text is kept under while it is on its way to the engine: each has a key of its own, which begins with this. */
const sentKey = (dialogId: string) => `sent:${dialogId}`;
/** Those of a dialog, the newest first; also the one that an older version kept. */
const sentKeys = (drafts: Pick<Drafts, "keys">, dialogId: string): readonly string[] =>
  Array.from(drafts.keys())
    .filter((key) => key === sentKey(dialogId) || [":", "\n"].some((mark) => key.startsWith(sentKey(dialogId) + mark)))
    .toReversed();

/** What a message that is said again is kept under; `index` counts from 0. */
export const editKey = (dialogId: string, index: number) => `edit:${dialogId}:${index}`;

/** What a person has typed for a dialog and not sent: in its box, and in messages to be said again. */
export const draftsOf = (drafts: Pick<Drafts, "keys" | "get">, dialogId: string): { readonly key: string; readonly draft: Draft }[] =>
  Array.from(drafts.keys()).flatMap((key) => {
    const draft = key.split("\n")[0] === draftKey(dialogId) || key.startsWith(`edit:${dialogId}:`) ? drafts.get(key) : null;
    return draft === null ? [] : [{ key, draft }];
  });

/** Two texts that a person wrote for the same dialog. */
export const joined = (first: string, second: string | undefined) =>
  second === undefined || second === "" ? first : `${first}\n\n${second}`;

/** Adds to what is typed for a dialog, also in a box that is open. */
function add(drafts: Drafts, dialogId: string, draft: (typed: string) => Draft): void {
  const key = draftKey(dialogId);
  drafts.keep(key, draft(drafts.get(key)?.text ?? ""));
  drafts.parts.tell(key);
}
/** The same below what is typed. */
export const addBelow = (drafts: Drafts, dialogId: string, words: string): void =>
  add(drafts, dialogId, (typed) => ({ text: typed === "" ? words : joined(typed, words), etag: null }));

/** What two tabs typed at once for the same message is one text. In every tab the same one, or each would put its own before the other's. */
export function gather(drafts: Drafts, key: string): void {
  for (const rival of rivalsOf(drafts, key)) {
    const [other, own] = [drafts.get(rival), drafts.get(key)];
    if (other === null) continue;
    const mine = own?.text ?? "";
    const [first, second] = mine < other.text ? [mine, other.text] : [other.text, mine];
    const text = second.includes(first) ? second : first.includes(second) ? first : joined(first, second);
    decide(drafts, key, rival, { text, etag: null });
  }
}

/** The text as the file has it: lines end in LF, without space at the two ends. */
const asStored = (text: string) => text.replace(/\r\n?/g, "\n").trim();

/**
 * Messages between the click and the engine's word that they are stored. Until then a message is kept beside the drafts; one
 * that was refused is a draft again. What a page that went away in between left is looked for in the dialog: found, it was
 * sent; not found, it is a draft again. So a message is never lost, and never stands in two places.
 */
export function createOutbox(drafts: Drafts) {
  const inFlight = new Set<string>();

  /** `sentAfter` stays with it: the engine may have stored it all the same, and then it is found in the dialog. */
  const back = (dialogId: string, sent: Draft) => add(drafts, dialogId, (typed) => ({ ...sent, text: joined(sent.text, typed) }));
  /** Nothing of the dialog is kept anymore. */
  function drop(dialogId: string) {
    for (const key of [...sentKeys(drafts, dialogId), draftKey(dialogId), ...rivalsOf(drafts, draftKey(dialogId))]) drafts.drop(key);
    for (const key of drafts.keys()) if (key.startsWith(`edit:${dialogId}:`)) drafts.drop(key);
  }

  return {
    drop,
    /** `after`: how many messages the dialog has. Returns what is called with whether the engine has taken it. */
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
     * Looks for what was on its way among the texts that the person said, in their order, counted as messages are. True: what stood in the
     * box was found there.
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

/** The one of these drafts. */
export function outboxOf(drafts: Drafts): Outbox {
  const outbox = outboxes.get(drafts) ?? createOutbox(drafts);
  outboxes.set(drafts, outbox);
  return outbox;
}
