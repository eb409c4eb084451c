import { Suspense } from "solid-js";
import * as t from "../texts/docs-conflict.ts";
import { Parts } from "../texts/Parts.tsx";
import type { OpenFile } from "./open-file.ts";
import { lazyPart } from "../ui/lazy-part.tsx";

const Diff = lazyPart(() => import("../calls/Diff.tsx"));

/** Two texts of one file: nothing is written until a person has chosen. */
export default function Conflict(props: { file: OpenFile; theirs: string }) {
  return (
    <section class="conflict" aria-label={t.twoVersions}>
      <p>
        <Parts of={t.chooseVersion} />
      </p>
      <div class="buttons">
        <button type="button" class="primary" onClick={() => void props.file.keepMine()}>
          {t.keepMine}
        </button>
        <button type="button" class="quiet" onClick={() => props.file.discard()}>
          {t.takeTheirs}
        </button>
      </div>
      <div class="sides">
        <label>
          <span>{t.savedText}</span>
          <textarea readonly value={props.theirs} />
        </label>
        <div>
          <span>{t.difference}</span>
          <Suspense>
            <Diff before={props.theirs} after={props.file.text()} first={1} />
          </Suspense>
        </div>
      </div>
    </section>
  );
}
