/**
 * Who does something: the user (on which device, where it is another one), the agent of a dialog, an agent that runs elsewhere and reports
 * what it does, or Vibey itself.
 */
export type Actor =
  | { readonly kind: "human"; readonly device?: string }
  /** `dialogId` "": it is not known which. */
  | { readonly kind: "agent"; readonly dialogId: string }
  | { readonly kind: "outside"; readonly agentId: string; readonly framework: string }
  | { readonly kind: "vibey" };

/** The user, on this device. */
export const human: Actor = { kind: "human" };
/** Vibey itself. */
export const vibey: Actor = { kind: "vibey" };
/** The agent of this dialog. */
export const agent = (dialogId: string): Actor => ({ kind: "agent", dialogId });

/** The dialog whose agent it is; null: it is none. */
export const dialogOf = (actor: Actor): string | null => (actor.kind === "agent" ? actor.dialogId : null);

/** Each actor's own text, for the keys of a Map. The notes of histories hold it at rest, so it stays as it is. */
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

/** The actor whose key it is; Vibey for any other text, such as notes of earlier versions hold. */
export function actorOfKey(key: string): Actor {
  const [kind, rest] = splitAt(key, " ");
  if (kind === "human") return rest === null ? human : { kind, device: rest };
  if (rest === null) return vibey;
  if (kind === "dialog") return agent(rest);
  const [agentId, framework] = splitAt(rest, "\n");
  return kind === "outside" && framework !== null ? { kind, agentId, framework } : vibey;
}

/** Who has done what both have done, where it can't be told apart: an agent, where one of them is. */
export function eitherOf(a: Actor, b: Actor): Actor {
  if (sameActor(a, b)) return a;
  return [a, b].every(({ kind }) => kind === "human" || kind === "vibey") ? vibey : agent("");
}

/** Whether both are the same one. */
export const sameActor = (a: Actor, b: Actor): boolean => actorKey(a) === actorKey(b);

/** The text before the first separator, and the text after it; null: there is none. */
function splitAt(text: string, separator: string): readonly [before: string, after: string | null] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, null] : [text.slice(0, at), text.slice(at + separator.length)];
}
