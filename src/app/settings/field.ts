import { type Accessor, createEffect, createSignal } from "solid-js";

/** A form field whose stored value arrives later, or changes in another tab. */
export interface Field {
  /** What was typed here, else the stored value. */
  readonly value: Accessor<string>;
  readonly type: (text: string) => void;
  /** `sent` is now stored, as `stored`. What was typed since stays. */
  readonly saved: (sent: string, stored: string) => void;
}

/** The typed text; null: nothing was typed. */
export interface Typed {
  readonly text: Accessor<string | null>;
  readonly set: (text: string | null) => void;
}

export function createTyped(): Typed {
  const [text, set] = createSignal<string | null>(null);
  return { text, set };
}

/**
 * A field in which typed text stays, whenever the stored value arrives. `stored`: undefined while it isn't known. `typed`: kept elsewhere if it
 * should outlast the form.
 */
export function createField(stored: Accessor<string | undefined>, typed: Typed = createTyped()): Field {
  createEffect(() => {
    // From now on, the field follows the stored value.
    if (typed.text() === stored()) typed.set(null);
  });
  return {
    value: () => typed.text() ?? stored() ?? "",
    type: (text) => typed.set(text),
    saved(sent, now) {
      if (typed.text() === sent) typed.set(now);
    },
  };
}
