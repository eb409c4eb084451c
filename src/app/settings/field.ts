import { type Accessor, createEffect, createSignal } from "solid-js";

/** A field of a form whose stored value comes later, or changes in another tab. */
export interface Field {
  /** What was typed here; else what is stored. */
  readonly value: Accessor<string>;
  readonly type: (text: string) => void;
  /** `sent` is stored now, as `stored`. What was typed since stays. */
  readonly saved: (sent: string, stored: string) => void;
}

/** What a person has put into the field stays, whenever the stored value arrives. `stored`: undefined while it is not known. */
export function createField(stored: Accessor<string | undefined>): Field {
  const [typed, setTyped] = createSignal<string | null>(null);
  createEffect(() => {
    // From here on the field follows what is stored.
    if (typed() === stored()) setTyped(null);
  });
  return {
    value: () => typed() ?? stored() ?? "",
    type: (text) => setTyped(text),
    saved(sent, now) {
      if (typed() === sent) setTyped(now);
    },
  };
}
