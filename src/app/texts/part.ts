/**
 * A piece of a sentence that contains an element. A slot is an element that only the component can create, such as a link. Its text belongs to the
 * sentence, and is passed to the slot.
 */
export type Part<Slot extends string = never> =
  | string
  | { readonly code: string }
  | { readonly strong: string }
  | { readonly em: string }
  | { readonly kbd: string }
  | { readonly slot: Slot; readonly text?: string };
