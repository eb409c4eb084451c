import type { Activity } from "../../engine/api.ts";
import { Visible } from "../calls/Visible.tsx";
import * as t from "../texts/dialogs.ts";
import { Countdown } from "./Countdown.tsx";

/** The agent waits for its turn, and why. */
export function QueuedStrip(props: { place: Activity & { readonly kind: "queued" } }) {
  return (
    <p class="column strip">
      <span>
        {props.place.ahead === 0 ? t.nextToBegin : t.waitsForTurn(props.place.ahead)} <Visible text={props.place.reason} />
      </span>
    </p>
  );
}

/** The provider failed and is asked again. */
export function RetryStrip(props: { retry: Activity & { readonly kind: "retrying" }; stop: () => void }) {
  return (
    <p class="column strip">
      <span>
        <Countdown at={props.retry.at} reason={props.retry.reason} />
      </span>
      <button type="button" class="quiet" onClick={() => props.stop()}>
        {t.stopTrying}
      </button>
    </p>
  );
}

/** The turn did not come to its own end; one click lets the agent go on. */
export function ResumeStrip(props: { why: "interrupted" | "failed" | "other"; resume: () => void }) {
  const words = { interrupted: t.resume, failed: t.tryAgain, other: t.letContinue } as const;
  return (
    <div class="column resume">
      <button type="button" class="primary" onClick={() => props.resume()}>
        {words[props.why]}
      </button>
      <span>{t.sendsText(t.goOn)}</span>
    </div>
  );
}
