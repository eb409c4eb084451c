import type { Draft, Drafts } from "../docs/drafts.ts";
import { decide, rivalsOf } from "../docs/other-tab.ts";

/** What the unsent text of a dialog is kept under. */
export const draftKey = (dialogId: string) => `dialog:${dialogId}`;
/** What a text is kept under while it is on its way to the engine. */
const sentKey = (dialogId: string) => `sent:${dialogId}`;

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

  function back(dialogId: string, sent: Draft, mark: Pick<Draft, "sentAfter">) {
    drafts.keep(draftKey(dialogId), { text: joined(sent.text, drafts.get(draftKey(dialogId))?.text), etag: null, ...mark });
  }
  /** Nothing of the dialog is kept anymore. */
  function drop(dialogId: string) {
    for (const key of [sentKey(dialogId), draftKey(dialogId)].flatMap((own) => [own, ...rivalsOf(drafts, own)])) drafts.drop(key);
    for (const key of drafts.keys()) if (key.startsWith(`edit:${dialogId}:`)) drafts.drop(key);
  }

  return {
    drop,
    /** `after`: how many messages the dialog has. */
    begin(dialogId: string, text: string, after: number) {
      inFlight.add(dialogId);
      drafts.keep(sentKey(dialogId), { text, etag: null, sentAfter: after });
      drafts.drop(draftKey(dialogId));
      drafts.flush();
    },
    end(dialogId: string, taken: boolean) {
      inFlight.delete(dialogId);
      const sent = drafts.get(sentKey(dialogId));
      if (sent !== null && !taken) back(dialogId, sent, {});
      drafts.drop(sentKey(dialogId));
    },
    /** Looks for what was on its way among the texts that the person said, in their order, counted as messages are. */
    settle(dialogId: string, said: (after: number) => readonly string[]) {
      if (inFlight.has(dialogId)) return;
      gather(drafts, draftKey(dialogId));
      for (const key of [sentKey(dialogId), ...rivalsOf(drafts, sentKey(dialogId)), draftKey(dialogId)]) {
        const draft = drafts.get(key);
        if (draft?.sentAfter === undefined) continue;
        if (said(draft.sentAfter).some((text) => asStored(text) === asStored(draft.text))) drafts.drop(key);
        else if (key !== draftKey(dialogId)) {
          drafts.drop(key);
          back(dialogId, draft, { sentAfter: draft.sentAfter });
        }
      }
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
