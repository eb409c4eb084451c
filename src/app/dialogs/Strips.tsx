import type { Activity } from "../../engine/api.ts";
import { Visible } from "../calls/Visible.tsx";
import { Countdown } from "./Countdown.tsx";
import { goOn } from "./resume.ts";

/** The agent waits for its turn, and why. */
export function QueuedStrip(props: { place: Activity & { readonly kind: "queued" } }) {
  return (
    <p class="column strip">
      <span>
        {props.place.ahead === 0 ? "This agent is the next to begin." : `This agent waits for its turn; ${props.place.ahead} ahead.`}{" "}
        <Visible text={props.place.reason} />
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
        Stop trying
      </button>
    </p>
  );
}

/** The turn did not come to its own end; one click lets the agent go on. */
export function ResumeStrip(props: { why: "interrupted" | "failed" | "other"; resume: () => void }) {
  const words = { interrupted: "Resume", failed: "Try again", other: "Continue" } as const;
  return (
    <div class="column resume">
      <button type="button" class="primary" onClick={() => props.resume()}>
        {words[props.why]}
      </button>
      <span>sends “{goOn}”</span>
    </div>
  );
}
