import { Show } from "solid-js";
import type { RunView } from "../../../protocol/index.ts";
import { formatRoute } from "../../model/route.ts";
import { compact } from "../../overview/compact.ts";
import * as t from "../../texts/run-bar.ts";
import { RunControls } from "./RunControls.tsx";
import { RunExport } from "./RunExport.tsx";
import { RunLimits } from "./RunLimits.tsx";

/** What a run is doing now, with the user's control of it. The counts have a line of their own, so that they never move the buttons. */
export function RunStatus(props: { run: RunView; again: () => void; download: () => void }) {
  const words = () => {
    const { running, queued, asking, tokens, pausedBy } = props.run;
    return [t.summary(running, queued, compact(tokens)), asking === 0 ? "" : t.asking(asking), pausedBy === "user" ? t.pausedByYou : ""]
      .filter(Boolean)
      .join(" · ");
  };
  return (
    <div class="run-status">
      <output class="run-words">{words()}</output>
      <meter
        class="run-meter"
        min={0}
        max={Math.max(1, props.run.limits.tokens)}
        value={Math.min(props.run.tokens, props.run.limits.tokens)}
        aria-label={t.tokensMeter}
      />
      <span class="hint">{t.ofTokens(compact(props.run.limits.tokens))}</span>
      <RunControls run={props.run} again={props.again} />
      <Show when={props.run.pausedBy === "tokens"}>
        <p class="hint run-paused">{t.pausedByTokens}</p>
      </Show>
      <RunLimits run={props.run} again={props.again} />
      <RunExport runId={props.run.runId} download={props.download} />
      <p class="run-links">
        <a class="action quiet" href={formatRoute({ tab: "agents", graph: { run: props.run.runId, of: null } })}>
          {t.graph}
        </a>
        <a class="action quiet" href={formatRoute({ tab: "dialogs", dialogId: props.run.runId })}>
          {t.dialog}
        </a>
      </p>
    </div>
  );
}
