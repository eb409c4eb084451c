/**
 * A piece of a sentence that holds an element. A slot is an element which only the component can make, a link say: its text is the
 * sentence's own and is handed to it.
 */
export type Part<Slot extends string = never> =
  | string
  | { readonly code: string }
  | { readonly strong: string }
  | { readonly em: string }
  | { readonly kbd: string }
  | { readonly slot: Slot; readonly text?: string };
