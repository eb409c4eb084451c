import { createMemo, createSignal, onCleanup, Show, Suspense } from "solid-js";
import * as t from "../texts/docs-conflict.ts";
import { Parts } from "../texts/Parts.tsx";
import { Visible } from "../calls/Visible.tsx";
import { changedBy } from "./changed-by.ts";
import { maxFieldLength } from "./first-look.ts";
import { mergeFile } from "./merge.ts";
import { maxMergedLength, type OpenFile } from "./open-file.ts";
import { decide, rivalsOf } from "./other-tab.ts";
import { historyPath } from "../history/paths.ts";
import { lazyPart } from "../ui/lazy-part.tsx";
import type { FileRef } from "../model/route.ts";
import { onChange } from "../ui/on-change.ts";

const Diff = lazyPart(() => import("../calls/Diff.tsx"));

/** Shows two versions of one file, both of which are kept. The user chooses, unless both changes can be merged. */
export default function Conflict(props: { file: OpenFile; target: FileRef }) {
  const [who, setWho] = createSignal("");
  onChange(
    () => props.file.theirs(),
    async (theirs) => {
      let isOld = false;
      onCleanup(() => (isOld = true));
      setWho(t.changedElsewhere);
      if (theirs === null) return;
      const sentence = await changedBy(historyPath(props.target), theirs.text, props.file.changedBy());
      if (!isOld) setWho(sentence);
    },
  );
  /** What was typed in another tab at the same time. */
  const rival = createMemo(() => {
    const key = props.file.key();
    props.file.drafts.elsewhere();
    const [first] = key === null ? [] : rivalsOf(props.file.drafts, key);
    const draft = first === undefined ? null : props.file.drafts.get(first);
    return key === null || first === undefined || draft === null ? null : { key, name: first, draft };
  });
  /** The rival text that can't be merged. */
  const [met, setMet] = createSignal<string | null>(null);
  const whose = () => (props.file.theirs() === null ? t.typedText : t.savedText);
  const other = () => props.file.theirs()?.text ?? (rival()?.draft.text === met() ? met() : null);

  onChange([() => rival(), () => props.file.unknown(), () => props.file.theirs()], ([found, unknown, theirs]) => {
    if (found === null || unknown || theirs !== null) return;
    const merged = mergedWith(found.draft);
    if (merged === null) setMet(found.draft.text);
    else settle(found, merged);
  });
  type Rival = NonNullable<ReturnType<typeof rival>>;

  /** The merged text. Null: both changed the same lines, or their common base isn't known. */
  function mergedWith(draft: Rival["draft"]): string | null {
    const [saved, text] = [props.file.saved(), props.file.text()];
    if (text === draft.text) return text;
    const known = props.file.mergeable() && (draft.from === undefined ? draft.etag === props.file.base() : draft.from === saved);
    return known && Math.max(saved.length, text.length, draft.text.length) <= maxMergedLength
      ? mergeFile(props.target, saved, text, draft.text)
      : null;
  }
  function settle({ key, name }: Rival, text: string) {
    decide(props.file.drafts, key, name, text === props.file.saved() ? null : { text, etag: props.file.base() });
    props.file.reread(key);
  }
  async function keepMine() {
    const found = rival();
    if (props.file.theirs() !== null || found === null) return props.file.keepMine();
    settle(found, props.file.text());
    return props.file.save();
  }
  function takeTheirs() {
    const found = rival();
    if (props.file.theirs() !== null || found === null) return props.file.discard();
    decide(props.file.drafts, found.key, found.name, found.draft);
    return props.file.reread(found.key);
  }
  return (
    <Show when={other() !== null}>
      <section class="conflict" aria-label={t.twoVersions}>
        <p role="alert">
          <Parts of={props.file.theirs() === null ? t.chooseTyped : t.chooseVersion(who())} />
        </p>
        <div class="buttons">
          <button type="button" class="primary" onClick={() => void keepMine()}>
            {t.keepMine}
          </button>
          <button type="button" class="quiet" onClick={takeTheirs}>
            {props.file.theirs() === null ? t.takeTyped : t.takeTheirs}
          </button>
        </div>
        <div class="sides">
          <Show
            when={(other()?.length ?? 0) > maxFieldLength}
            fallback={
              <label>
                <span>{whose()}</span>
                <textarea readonly value={other() ?? ""} />
              </label>
            }
          >
            <div>
              <span>{whose()}</span>
              {/* Not a field: a browser lays out all of a field, a second for a megabyte. Scrollable content must be reachable with the keyboard. */}
              {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
              <section class="long" aria-label={whose()} tabindex={0}>
                <Visible text={other() ?? ""} />
              </section>
            </div>
          </Show>
          <div>
            <span>{props.file.theirs() === null ? t.differenceTyped : t.difference}</span>
            <Suspense>
              <Diff before={other() ?? ""} after={props.file.text()} first={1} />
            </Suspense>
          </div>
        </div>
      </section>
    </Show>
  );
}
