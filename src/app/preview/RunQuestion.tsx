import * as t from "../texts/preview.ts";
import type { Channel } from "./channels.ts";

/** Asks before a page runs in a browser that may open connections for it. */
export function RunQuestion(props: { channels: readonly Channel[]; run: () => void; dontRun: () => void }) {
  return (
    <fieldset class="run-question">
      <legend>{t.runQuestion}</legend>
      <p>{t.channelsOpen(props.channels)}</p>
      <div>
        <button type="button" onClick={() => props.dontRun()}>
          {t.dontRun}
        </button>
        <button type="button" class="quiet" onClick={() => props.run()}>
          {t.runAnyway}
        </button>
      </div>
    </fieldset>
  );
}
