/**
 * Who does something: the user (on which device, where it is another one), the agent of a dialog, an agent that runs elsewhere and reports
 * what it does, or Vibey itself.
 */
export type Actor =
  | { readonly kind: "human"; readonly device?: string }
  | { readonly kind: "agent"; readonly dialogId: string }
  | { readonly kind: "outside"; readonly agentId: string; readonly framework: string }
  | { readonly kind: "vibey" };

export const human: Actor = { kind: "human" };
export const vibey: Actor = { kind: "vibey" };
export const agent = (dialogId: string): Actor => ({ kind: "agent", dialogId });
