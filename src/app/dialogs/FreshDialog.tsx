import type { ContextView } from "../../engine/api.ts";
import { percent } from "./frames.ts";

/** Offered when the model's window is nearly full, or was too small for what there is. */
export function FreshDialog(props: { context: ContextView | null; busy: boolean; begin: () => void }) {
  return (
    <section class="column strip fresh" aria-label="The window is nearly full">
      <p>
        {props.context === null
          ? "This dialog is longer than the model can read at once. "
          : `${percent(props.context.used, props.context.window)} of what the model can read at once is used. `}
        A fresh dialog begins with a summary of this one. Its points link to the lines here, and this dialog stays whole.
      </p>
      <button type="button" class="primary" disabled={props.busy} onClick={() => props.begin()}>
        Continue in a fresh dialog
      </button>
    </section>
  );
}
