import { createMemo, For, Show } from "solid-js";
import type { MessageView } from "../../protocol/index.ts";
import * as t from "../texts/dialogs.ts";
import * as limits from "../texts/time-limits.ts";
import type { Head } from "./running.ts";
import { longerLimits, stoppedAfter } from "./time-limit.ts";

/** Offered when the time limit stopped a command of the last turn. */
export function LongerLimit(props: { head: Head; turn: readonly MessageView[]; choose: (seconds: number) => void }) {
  const stopped = createMemo(() => stoppedAfter(props.turn));
  const offered = () => longerLimits(stopped(), props.head.commandSeconds);
  return (
    <Show when={offered().length > 0}>
      <div class="column strip longer">
        <span>{t.stoppedAfter(limits.seconds(stopped() ?? 0))}</span>
        <span class="strip-choices">
          <For each={offered()}>
            {(seconds) => (
              <button type="button" class="quiet" onClick={() => props.choose(seconds)}>
                {limits.seconds(seconds)}
              </button>
            )}
          </For>
        </span>
      </div>
    </Show>
  );
}
