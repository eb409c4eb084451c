import type { ContextView } from "../../protocol/index.ts";
import * as t from "../texts/dialogs.ts";
import { percent } from "./frames.ts";

/** Offered when the model's window is nearly full, or was too small for the request. */
export function FreshDialog(props: { context: ContextView | null; busy: boolean; begin: () => void }) {
  return (
    <section class="column strip fresh" aria-label={t.windowNearlyFull}>
      <p>
        {props.context === null ? t.windowTooSmall : t.windowUsed(percent(props.context.used, props.context.window))} {t.freshMeaning}
      </p>
      <button type="button" class="primary" disabled={props.busy} onClick={() => props.begin()}>
        {t.continueFresh}
      </button>
    </section>
  );
}
