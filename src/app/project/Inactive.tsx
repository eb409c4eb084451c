import { Show } from "solid-js";
import type { ZipContents } from "../../protocol/index.ts";
import { Visible } from "../calls/Visible.tsx";
import * as t from "../texts/zip.ts";
import { Capped } from "./Capped.tsx";

/** The maximum number of lines shown. If there are more, they can't be accepted all at once. */
const maxLines = 200;

/** The lines in the zip that would give agents permissions and were made inactive, with a choice to accept them anyway. */
export function Inactive(props: { contents: ZipContents; accept: boolean; setAccept: (accept: boolean) => void }) {
  const lines = () => props.contents.inactive;
  return (
    <Show when={lines().length + props.contents.interrupted.length + props.contents.undecided > 0}>
      <section aria-label={t.inactiveWhat}>
        <h3>{t.inactive}</h3>
        <Show when={lines().length > 0}>
          <p>{t.inactiveWhy(lines().length)}</p>
          <Capped label={t.inactiveLines} items={lines().slice(0, maxLines)} more={Math.max(0, lines().length - maxLines)}>
            {({ path, line }) => (
              <>
                <code>
                  <Visible text={line} />
                </code>
                <span class="zip-note">
                  <Visible text={path} />
                </span>
              </>
            )}
          </Capped>
          <Show when={lines().length <= maxLines} fallback={<p>{t.tooManyLines}</p>}>
            <label class="zip-option">
              <input type="checkbox" checked={props.accept} onChange={(event) => props.setAccept(event.currentTarget.checked)} />
              {t.linesAreMine} <span class="zip-note">{t.linesLater}</span>
            </label>
          </Show>
        </Show>
        <Show when={props.contents.undecided > 0}>
          <p>{t.undecided(props.contents.undecided)}</p>
        </Show>
        <Show when={props.contents.interrupted.length > 0}>
          <p>{t.interrupted(props.contents.interrupted.length)}</p>
        </Show>
      </section>
    </Show>
  );
}
