import { type Accessor, createEffect, createSignal } from "solid-js";

/** A field of a form whose stored value comes later, or changes in another tab. */
export interface Field {
  /** What was typed here; else what is stored. */
  readonly value: Accessor<string>;
  readonly type: (text: string) => void;
  /** `sent` is stored now, as `stored`. What was typed since stays. */
  readonly saved: (sent: string, stored: string) => void;
}

/** What was typed; null: nothing was. */
export interface Typed {
  readonly text: Accessor<string | null>;
  readonly set: (text: string | null) => void;
}

export function createTyped(): Typed {
  const [text, set] = createSignal<string | null>(null);
  return { text, set };
}

/**
 * What a person has put into the field stays, whenever the stored value arrives. `stored`: undefined while it is not known. `typed`: kept elsewhere,
 * where it outlasts the form.
 */
export function createField(stored: Accessor<string | undefined>, typed: Typed = createTyped()): Field {
  createEffect(() => {
    // From here on the field follows what is stored.
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
