import { createMemo, createSignal, Show } from "solid-js";
import { ByKey } from "../ui/ByKey.tsx";
import { Modal } from "../ui/Modal.tsx";
import { offers } from "../ui/offered.ts";
import * as t from "../texts/palette.ts";
import { type Entry, entries, type Findable } from "./entries.ts";
import { best } from "./rank.ts";
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet, which comes with this chunk
import "./palette.css";

/** The maximum number of lines shown. To find others, the user types another letter. */
const most = 50;

const optionId = (at: number) => `palette-option-${at}`;

/** Finds commands, dialogs, docs and files by a few letters of their names. */
export default function CommandPalette(props: { find: Omit<Findable, "offers">; close: () => void }) {
  const [query, setQuery] = createSignal("");
  /** The line that Enter runs; null: the first. It stays the same while the list around it changes. */
  const [chosen, setChosen] = createSignal<string | null>(null);
  const all = createMemo(() => entries({ ...props.find, offers: offers() }));
  const shown = createMemo(() => best(all(), query(), most));
  const at = createMemo(() =>
    Math.max(
      0,
      shown().findIndex(({ id }) => id === chosen()),
    ),
  );
  const choose = (index: number) => setChosen(shown()[index]?.id ?? null);

  function run(entry: Entry | undefined) {
    if (!entry) return;
    // Closed first, so that what the command opens gets the focus.
    props.close();
    queueMicrotask(entry.run);
  }

  function onKey(event: KeyboardEvent) {
    if (event.isComposing) return;
    const last = shown().length - 1;
    const steps: Readonly<Record<string, () => number>> = {
      ArrowDown: () => (at() >= last ? 0 : at() + 1),
      ArrowUp: () => (at() <= 0 ? Math.max(last, 0) : at() - 1),
      PageDown: () => Math.min(last, at() + 8),
      PageUp: () => Math.max(0, at() - 8),
    };
    const step = steps[event.key];
    if (step) choose(step());
    else if (event.key === "Enter") run(shown()[at()]);
    else return;
    event.preventDefault();
    document.getElementById(optionId(at()))?.scrollIntoView({ block: "nearest" });
  }

  return (
    <Modal title={t.title} bare="palette" close={() => props.close()}>
      <input
        type="search"
        role="combobox"
        autofocus
        autocomplete="off"
        spellcheck={false}
        aria-label={t.label}
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={shown().length > 0 ? optionId(at()) : undefined}
        placeholder={t.hint}
        value={query()}
        onInput={(event) => {
          setChosen(null);
          setQuery(event.currentTarget.value);
        }}
        onKeyDown={onKey}
      />
      {/* Not a select: its options could only contain text, and the text field has to keep the focus. */}
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role */}
      <div id="palette-list" class="palette-list" role="listbox" aria-label={t.found} tabindex={-1}>
        <ByKey each={shown()} by={({ id }) => id}>
          {(entry, index) => (
            <div
              id={optionId(index())}
              // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- as its list
              role="option"
              class="palette-option"
              classList={{ waits: entry().waits, does: entry().id.startsWith("do:") }}
              aria-selected={at() === index()}
              tabindex={-1}
              onPointerMove={() => choose(index())}
              onClick={() => run(entry())}
              onKeyDown={onKey}
            >
              <span class="palette-title">{entry().title}</span>
              <Show when={entry().side !== ""}>
                <span class="palette-side">{entry().side}</span>
              </Show>
              <Show when={entry().keys !== ""}>
                <kbd>{entry().keys}</kbd>
              </Show>
            </div>
          )}
        </ByKey>
      </div>
      <Show when={shown().length === 0}>
        <p class="palette-none">{t.nothing}</p>
      </Show>
      <output class="unseen">{query() === "" ? "" : shown().length === most ? t.best(most) : t.results(shown().length)}</output>
    </Modal>
  );
}
