import { createMemo, createSignal, For, Show } from "solid-js";
import { Visible } from "../calls/Visible.tsx";
import * as t from "../texts/preview.ts";
import { consoleLimits, type ConsoleLine, type ConsoleState } from "./lines.ts";
import { onChange } from "../ui/on-change.ts";

const choices = [
  { value: "all", label: t.allLevels },
  { value: "warn", label: t.warningsAndErrors },
  { value: "error", label: t.onlyErrors },
] as const;

/** What the previewed page wrote to its console, shown only as text. */
export function Console(props: { state: ConsoleState; clear: () => void }) {
  const [open, setOpen] = createSignal(true);
  const [words, setWords] = createSignal("");
  const [least, setLeast] = createSignal<string>("all");
  const shows = ({ level, text }: ConsoleLine) =>
    (least() === "all" || level === "error" || (least() === "warn" && level === "warn")) &&
    text.toLowerCase().includes(words().trim().toLowerCase());
  const lines = createMemo(() => props.state.lines.filter(shows));
  const [list, setList] = createSignal<HTMLElement>();
  // Follows new lines, unless the user has scrolled up.
  let follows = true;
  onChange(
    () => lines(),
    () => {
      const element = list();
      if (element !== undefined && follows) element.scrollTop = element.scrollHeight;
    },
  );

  return (
    <div class="console" classList={{ open: open() && props.state.lines.length > 0 }}>
      <div class="console-bar">
        <button type="button" class="quiet" aria-expanded={open()} aria-controls="preview-console" onClick={() => setOpen(!open())}>
          {t.consoleTitle}{" "}
          <Show when={props.state.errors > 0}>
            <span class="count error">{t.errors(props.state.errors)}</span>{" "}
          </Show>
          <Show when={props.state.warnings > 0}>
            <span class="count warn">{t.warnings(props.state.warnings)}</span>
          </Show>
        </button>
        <Show when={open() && props.state.lines.length > 0}>
          <input
            type="search"
            placeholder={t.filter}
            aria-label={t.filterLabel}
            value={words()}
            onInput={(event) => setWords(event.currentTarget.value)}
          />
          <select aria-label={t.levels} onChange={(event) => setLeast(event.currentTarget.value)}>
            <For each={choices}>
              {({ value, label }) => (
                <option value={value} selected={value === least()}>
                  {label}
                </option>
              )}
            </For>
          </select>
          <button type="button" class="quiet" onClick={() => props.clear()}>
            {t.clear}
          </button>
        </Show>
      </div>
      <section
        id="preview-console"
        class="console-lines"
        aria-label={t.consoleLabel}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- Scrollable content must be reachable with the keyboard
        tabindex={lines().length > 0 ? 0 : undefined}
        hidden={!open() || props.state.lines.length === 0}
        ref={setList}
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
          follows = scrollHeight - scrollTop - clientHeight < 20;
        }}
      >
        <Show when={props.state.gone > 0}>
          <p class="gone">{t.gone(props.state.gone, consoleLimits.lines)}</p>
        </Show>
        <ol>
          <For each={lines()}>
            {(line) => (
              <li class={line.level}>
                <Show when={line.level === "error" || line.level === "warn"}>
                  <span class="level">{line.level === "error" ? t.error : t.warning}</span>{" "}
                </Show>
                <Visible text={line.text} />
                <Show when={line.times > 1}>
                  {" "}
                  <span class="times">{t.times(line.times)}</span>
                </Show>
              </li>
            )}
          </For>
        </ol>
        <Show when={lines().length === 0 && props.state.lines.length > 0}>
          <p class="gone">{t.noLine}</p>
        </Show>
      </section>
    </div>
  );
}
