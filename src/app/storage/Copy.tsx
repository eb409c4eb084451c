import { For, Show } from "solid-js";
import type { CopyFound } from "../../protocol/index.ts";
import * as t from "../texts/recovery.ts";
import { copyRows } from "./format.ts";

interface CopyProps {
  readonly copy: CopyFound;
  readonly busy: boolean;
  readonly primary?: boolean;
  readonly restore: (copy: CopyFound) => Promise<void>;
  readonly download: (copy: CopyFound) => Promise<void>;
}

/** A backup, and what can be done with it. */
export function Copy(props: CopyProps) {
  return (
    <>
      <dl>
        <For each={copyRows(props.copy, Date.now())}>
          {([term, value]) => (
            <>
              <dt>{term}</dt>
              <dd>{value}</dd>
            </>
          )}
        </For>
      </dl>
      <Show when={props.copy.torn}>
        <p>{t.tornEnd}</p>
      </Show>
      <p class="detail">{t.notInTheCopy}</p>
      <div class="actions">
        <button
          type="button"
          class={props.primary ? "primary" : "quiet"}
          disabled={props.busy}
          onClick={() => void props.restore(props.copy)}
        >
          {t.restore}
        </button>
        <button type="button" class="quiet" disabled={props.busy} onClick={() => void props.download(props.copy)}>
          {t.download}
        </button>
      </div>
    </>
  );
}
