import { lazy, Suspense } from "solid-js";
import type { OpenFile } from "./open-file.ts";

const Diff = lazy(() => import("../calls/Diff.tsx"));

/** Two texts of one file: nothing is written until a person has chosen. */
export default function Conflict(props: { file: OpenFile; theirs: string }) {
  return (
    <section class="conflict" aria-label="Two versions of this file">
      <p>
        <strong>This file has changed meanwhile.</strong> Nothing is lost: your text is above, the saved one below. Choose which to keep, or
        go on writing first.
      </p>
      <div class="buttons">
        <button type="button" class="primary" onClick={() => void props.file.keepMine()}>
          Keep mine
        </button>
        <button type="button" class="quiet" onClick={() => props.file.discard()}>
          Take theirs
        </button>
      </div>
      <div class="sides">
        <label>
          <span>The saved text</span>
          <textarea readonly value={props.theirs} />
        </label>
        <div>
          <span>From the saved text to yours</span>
          <Suspense>
            <Diff before={props.theirs} after={props.file.text()} />
          </Suspense>
        </div>
      </div>
    </section>
  );
}
