import { createSignal, createUniqueId, For, Show } from "solid-js";
import { Visible } from "../calls/Visible.tsx";
import * as t from "../texts/models.ts";
import { onChange } from "../ui/on-change.ts";
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet, which comes with this chunk
import "./models.css";

export interface ModelBoxProps {
  readonly id?: string;
  /** For screen readers, if no label element names the field. */
  readonly label?: string;
  readonly value: string;
  readonly placeholder?: string;
  /** Null while they are being requested. */
  readonly models: readonly string[] | null;
  /** The field has the focus: its list may be needed soon. */
  readonly visit: () => void;
  readonly change: (model: string) => void;
  /** Called when a model was chosen from the list. */
  readonly choose?: (model: string) => void;
  /** The field and its list have lost the focus. */
  readonly leave?: () => void;
  /** Handles the keys that the list doesn't use. */
  readonly hear?: (event: KeyboardEvent) => void;
}

/** The maximum number of models shown in the list. Others are found by typing. */
const most = 200;
/** The number of options that Page Up and Page Down skip. */
const page = 10;

/**
 * A field for a model's ID with a list of all models that the provider named (the combobox pattern of the ARIA practices). The list shows all models,
 * whatever the field contains, and only matching ones once something is typed. The typed text counts even if the list doesn't contain it. The list
 * opens above the field, because the buttons below it come next.
 */
export function ModelBox(props: ModelBoxProps) {
  const listId = createUniqueId();
  const [open, setOpen] = createSignal(false);
  /** Whether something was typed since the list was opened. */
  const [typed, setTyped] = createSignal(false);
  const [active, setActive] = createSignal(-1);
  const [box, setBox] = createSignal<HTMLElement>();
  const [field, setField] = createSignal<HTMLInputElement>();
  const found = () => {
    const wanted = props.value.trim().toLowerCase();
    const all = props.models ?? [];
    return typed() ? all.filter((model) => model.toLowerCase().includes(wanted)) : all;
  };
  const shown = () => {
    const all = found();
    const at = typed() ? -1 : all.indexOf(props.value);
    // The chosen model is always among them.
    return at < most ? all.slice(0, most) : [props.value, ...all.slice(0, most - 1)];
  };
  const optionId = (index: number) => `${listId}-${index}`;
  const activeId = () => (open() && shown()[active()] !== undefined ? optionId(active()) : undefined);
  onChange(activeId, (id) => id !== undefined && document.getElementById(id)?.scrollIntoView({ block: "nearest" }));
  onChange(
    () => props.models,
    () => open() && !typed() && setActive(shown().indexOf(props.value)),
    { defer: true },
  );

  function show(byTyping: boolean) {
    setTyped(byTyping);
    setActive(byTyping ? -1 : shown().indexOf(props.value));
    setOpen(true);
  }
  function choose(model: string) {
    props.change(model);
    props.choose?.(model);
    setOpen(false);
  }
  /** The key press that opens the list stays at the chosen model. */
  function move(to: (now: number, last: number) => number) {
    const opens = !open();
    if (opens) show(false);
    if (opens && active() >= 0) return;
    const last = shown().length - 1;
    setActive(Math.max(0, Math.min(last, to(active(), last))));
  }
  const moves: Readonly<Record<string, (now: number, last: number) => number>> = {
    ArrowDown: (now, last) => (now >= last ? 0 : now + 1),
    ArrowUp: (now, last) => (now <= 0 ? last : now - 1),
    PageDown: (now) => now + page,
    PageUp: (now) => now - page,
  };
  function onKey(event: KeyboardEvent) {
    if (event.isComposing) return;
    const to = moves[event.key];
    const model = shown()[active()];
    if (to !== undefined) move(to);
    else if (event.key === "Enter" && open() && model !== undefined) choose(model);
    else if (event.key === "Escape" && open()) setOpen(false);
    else return props.hear?.(event);
    // Escape closes only the list, and Enter submits nothing.
    event.preventDefault();
    event.stopPropagation();
  }

  function left(to: EventTarget | null) {
    if (to instanceof Node && box()?.contains(to) === true) return;
    setOpen(false);
    props.leave?.();
  }

  return (
    <div ref={setBox} class="model-box" onFocusOut={({ relatedTarget }) => left(relatedTarget)}>
      <input
        ref={setField}
        id={props.id}
        role="combobox"
        aria-label={props.label}
        aria-autocomplete="list"
        aria-expanded={open()}
        aria-controls={open() ? listId : undefined}
        aria-activedescendant={activeId()}
        placeholder={props.placeholder}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        value={props.value}
        onFocus={() => props.visit()}
        onClick={() => !open() && show(false)}
        onKeyDown={onKey}
        onInput={(event) => {
          props.change(event.currentTarget.value);
          show(true);
        }}
      />
      <button
        type="button"
        class="model-toggle"
        tabindex={-1}
        aria-label={t.showAll}
        aria-expanded={open()}
        // The field keeps the focus.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => {
          field()?.focus();
          if (open()) setOpen(false);
          else show(false);
        }}
      >
        <span aria-hidden="true">▾</span>
      </button>
      <Show when={open()}>
        <div class="model-list">
          {/* Not a select: the text field has to keep the focus, and its text counts even if the list doesn't contain it. */}
          <div
            id={listId}
            class="model-options"
            // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- as said above
            role="listbox"
            aria-label={t.models}
            tabindex={-1}
            // The field keeps the focus.
            onMouseDown={(event) => event.preventDefault()}
          >
            <For each={shown()}>
              {(model, index) => (
                // The field has the focus and handles the keys.
                // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
                <div
                  id={optionId(index())}
                  // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- as its list
                  role="option"
                  tabindex={-1}
                  aria-selected={model === props.value}
                  classList={{ active: index() === active() }}
                  onClick={() => choose(model)}
                >
                  <Visible text={model} />
                </div>
              )}
            </For>
          </div>
          <output>
            <Show when={props.models !== null} fallback={t.loading}>
              <Show when={shown().length > 0} fallback={(props.models ?? []).length === 0 ? t.none : t.noMatch}>
                <Show when={found().length > shown().length} fallback={<span class="unseen">{t.count(found().length)}</span>}>
                  {t.more(found().length - shown().length)}
                </Show>
              </Show>
            </Show>
          </output>
        </div>
      </Show>
    </div>
  );
}
