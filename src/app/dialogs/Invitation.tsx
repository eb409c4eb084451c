import * as t from "../texts/dialog-list.ts";
import type { Starter } from "./start.ts";

/** Shown if there is no dialog yet: what an agent is, and how to start one. */
export function Invitation(props: { starter: Starter }) {
  return (
    <>
      <h2>{t.nothingRuns}</h2>
      <p>{t.whatAgentDoes}</p>
      <button type="button" class="primary large" disabled={props.starter.starting()} onClick={() => void props.starter.start()}>
        {t.start}
      </button>
    </>
  );
}
