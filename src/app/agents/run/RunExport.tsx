import { createLogExport } from "../../run-graph/log-export.ts";
import { Problem } from "../../ui/Problem.tsx";
import * as t from "../../texts/run-log.ts";

/** Exports a run: the project as a zip, and the log of what happened. */
export function RunExport(props: { runId: string; download: () => void }) {
  const log = createLogExport(() => ({ run: props.runId }));
  return (
    <details class="run-export">
      <summary>{t.exportRun}</summary>
      <p class="run-links">
        <button type="button" class="quiet edged" onClick={() => props.download()}>
          {t.download}
        </button>
        <button type="button" class="quiet edged" onClick={() => void log.exportLog()}>
          {t.exportLog}
        </button>
      </p>
      <output class="hint">{log.done()}</output>
      <Problem text={log.problem()} />
    </details>
  );
}
