import { createSignal, For, Show } from "solid-js";
import type { CopyFound, FoundDifferences, OpenedFound, PathsFound, RecoveryAnswer } from "../../protocol/index.ts";
import { number } from "../ui/format.ts";
import * as t from "../texts/recovery-both.ts";
import { tornEnd } from "../texts/recovery.ts";
import { Copy } from "./Copy.tsx";
import { sideRows } from "./format.ts";

interface BothStoresProps {
  readonly opened: OpenedFound;
  readonly copies: readonly CopyFound[];
  readonly remembered: RecoveryAnswer["remembered"];
  readonly busy: boolean;
  readonly both: (copy: CopyFound) => Promise<void>;
  readonly keep: () => Promise<void>;
  readonly restore: (copy: CopyFound) => Promise<void>;
  readonly download: (copy: CopyFound) => Promise<void>;
}

/** The browser's storage and the backup side by side, and what can be done with the two. */
export function BothStores(props: BothStoresProps) {
  const copy = () => props.copies[0];
  return (
    <>
      <section class="copy" aria-labelledby="sides">
        <h2 id="sides">{t.sides}</h2>
        <table>
          <thead>
            <tr>
              <th scope="col">{t.what}</th>
              <th scope="col">{t.opened}</th>
              <th scope="col">{copy() || !props.remembered ? t.secondCopy : t.remembered}</th>
            </tr>
          </thead>
          <tbody>
            <For each={sideRows(props.opened, copy() ?? props.remembered, Date.now())}>
              {([term, mine, theirs]) => (
                <tr>
                  <th scope="row">{term}</th>
                  <td>{mine}</td>
                  <td>{theirs}</td>
                </tr>
              )}
            </For>
          </tbody>
        </table>
        <Show when={props.opened.differences}>{(found) => <Differences of={found()} />}</Show>
        <Show when={copy()?.torn}>
          <p>{tornEnd}</p>
        </Show>
        <Show
          when={copy()}
          fallback={
            <>
              <p>{t.noCopyToCompare}</p>
              <div class="actions">
                <button type="button" class="primary" disabled={props.busy} onClick={() => void props.keep()}>
                  {t.keepOpened}
                </button>
              </div>
            </>
          }
        >
          {(found) => (
            <>
              <p class="detail">{t.keepBothWhat}</p>
              <div class="actions">
                <button type="button" class="primary" disabled={props.busy} onClick={() => void props.both(found())}>
                  {t.keepBoth}
                </button>
                <button type="button" class="quiet" disabled={props.busy} onClick={() => void props.download(found())}>
                  {t.downloadCopy}
                </button>
              </div>
            </>
          )}
        </Show>
      </section>
      <Show when={copy()}>
        {(found) => (
          <>
            <OneOfTwo
              title={t.keepOpenedInstead}
              what={t.keepOpenedWhat}
              action={t.keepOpened}
              busy={props.busy}
              take={() => void props.keep()}
            />
            <OneOfTwo
              title={t.restoreInstead}
              what={t.restoreWhat}
              action={t.restoreCopy}
              busy={props.busy}
              take={() => void props.restore(found())}
            />
          </>
        )}
      </Show>
      <For each={props.copies.slice(1)}>
        {(older) => (
          <details>
            <summary>{t.olderCopy}</summary>
            <Copy copy={older} busy={props.busy} restore={props.restore} download={props.download} />
          </details>
        )}
      </For>
    </>
  );
}

/** A choice that discards something has to be confirmed. */
function OneOfTwo(props: { title: string; what: string; action: string; busy: boolean; take: () => void }) {
  const [sure, setSure] = createSignal(false);
  return (
    <details>
      <summary>{props.title}</summary>
      <p>{props.what}</p>
      <label class="sure">
        <input type="checkbox" checked={sure()} onChange={(event) => setSure(event.currentTarget.checked)} />
        <span>{t.understood}</span>
      </label>
      <div class="actions">
        <button type="button" class="quiet" disabled={!sure() || props.busy} onClick={() => props.take()}>
          {props.action}
        </button>
      </div>
    </details>
  );
}

function Differences(props: { of: FoundDifferences }) {
  return (
    <>
      <Paths title={t.onlyCopied} of={props.of.onlyCopied} />
      <Paths title={t.onlyOpened} of={props.of.onlyOpened} />
      <Paths title={t.differing} of={props.of.differing} />
    </>
  );
}

function Paths(props: { title: (count: string) => string; of: PathsFound }) {
  const more = () => props.of.count - props.of.first.length;
  return (
    <Show when={props.of.count > 0}>
      <details>
        <summary>{props.title(number(props.of.count))}</summary>
        <ul>
          <For each={props.of.first}>{(path) => <li>{path}</li>}</For>
          <Show when={more() > 0}>
            <li>{t.more(number(more()))}</li>
          </Show>
        </ul>
      </details>
    </Show>
  );
}
