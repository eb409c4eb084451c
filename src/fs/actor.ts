/**
 * Who does something: the user (with the device, if it is another one), the agent of a dialog, an agent that runs elsewhere and reports what it does,
 * or Vibey itself.
 */
export type Actor =
  | { readonly kind: "human"; readonly device?: string }
  /** `dialogId` is empty if the dialog is unknown. */
  | { readonly kind: "agent"; readonly dialogId: string }
  | { readonly kind: "outside"; readonly agentId: string; readonly framework: string }
  | { readonly kind: "vibey" };

/** The user, on this device. */
export const human: Actor = { kind: "human" };
/** Vibey itself. */
export const vibey: Actor = { kind: "vibey" };
/** The agent of this dialog. */
export const agent = (dialogId: string): Actor => ({ kind: "agent", dialogId });

/** The dialog whose agent it is. Null if it is not a dialog's agent. */
export const dialogOf = (actor: Actor): string | null => (actor.kind === "agent" ? actor.dialogId : null);

/** A unique text for each actor, for use as a Map key. Histories store it in their notes, so it must not change. */
export function actorKey(actor: Actor): string {
  switch (actor.kind) {
    case "human":
      return actor.device === undefined ? "human" : `human ${actor.device}`;
    case "agent":
      return `dialog ${actor.dialogId}`;
    case "outside":
      return `outside ${actor.agentId}\n${actor.framework}`;
    case "vibey":
      return "vibey";
  }
}

/** The actor with this key. Vibey for any other text, such as those in notes of earlier versions. */
export function actorOfKey(key: string): Actor {
  const [kind, rest] = splitAt(key, " ");
  if (kind === "human") return rest === null ? human : { kind, device: rest };
  if (rest === null) return vibey;
  if (kind === "dialog") return agent(rest);
  const [agentId, framework] = splitAt(rest, "\n");
  return kind === "outside" && framework !== null ? { kind, agentId, framework } : vibey;
}

/** The actor for work that two actors did together: an agent, if one of them is an agent. */
export function eitherOf(a: Actor, b: Actor): Actor {
  if (sameActor(a, b)) return a;
  return [a, b].every(({ kind }) => kind === "human" || kind === "vibey") ? vibey : agent("");
}

/** Whether both are the same actor. */
export const sameActor = (a: Actor, b: Actor): boolean => actorKey(a) === actorKey(b);

/** The text before and after the first separator. `after` is null if there is no separator. */
function splitAt(text: string, separator: string): readonly [before: string, after: string | null] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, null] : [text.slice(0, at), text.slice(at + separator.length)];
}
