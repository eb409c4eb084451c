import { For, Show } from "solid-js";
import { visible } from "../calls/visible.ts";
import type { Command } from "../ui/commands.ts";
import { CommandButton } from "../ui/CommandButton.tsx";
import { offer } from "../ui/offered.ts";
import * as t from "../texts/preview.ts";

export type Width = "phone" | "tablet" | "full";

const widths: readonly { readonly width: Width; readonly label: string }[] = [
  { width: "phone", label: t.widthPhone },
  { width: "tablet", label: t.widthTablet },
  { width: "full", label: t.widthFull },
];

export interface ToolbarProps {
  /** The path of the shown page. */
  readonly page: string | null;
  readonly pages: readonly string[];
  readonly choose: (path: string) => void;
  readonly reload: () => void;
  /** Whether file changes show automatically; null: that is not up to this page. */
  readonly live: boolean | null;
  readonly setLive: (on: boolean) => void;
  readonly width: Width;
  readonly setWidth: (width: Width) => void;
  readonly whole: boolean;
  readonly setWhole: (on: boolean) => void;
  readonly close: () => void;
}

export function Toolbar(props: ToolbarProps) {
  const live: Command = {
    label: t.live,
    get hidden() {
      return props.live === null;
    },
    get on() {
      return props.live === true;
    },
    run: () => props.setLive(props.live !== true),
  };
  const reload: Command = { label: t.reload, run: () => props.reload() };
  const whole: Command = {
    get label() {
      return props.whole ? t.leaveFullScreen : t.fullScreen;
    },
    run: () => props.setWhole(!props.whole),
  };
  offer({ commands: () => [reload, live, whole], about: () => t.preview, rank: 2 });
  return (
    <header>
      <h2>{t.preview}</h2>
      <div class="tools">
        <Show when={props.pages.length > 1}>
          <select class="page" aria-label={t.page} onChange={(event) => props.choose(event.currentTarget.value)}>
            <For each={props.pages}>
              {(path) => (
                <option value={path} selected={path === props.page}>
                  {visible(path)}
                </option>
              )}
            </For>
          </select>
        </Show>
        <select
          class="width"
          aria-label={t.width}
          onChange={(event) => props.setWidth(widths.find(({ width }) => width === event.currentTarget.value)?.width ?? "full")}
        >
          <For each={widths}>
            {({ width, label }) => (
              <option value={width} selected={width === props.width}>
                {label}
              </option>
            )}
          </For>
        </select>
        <Show when={props.live !== null}>
          <button type="button" class="quiet" aria-pressed={props.live === true} title={t.liveHint} onClick={() => live.run()}>
            {live.label}
          </button>
        </Show>
        <CommandButton of={reload} class="quiet" />
      </div>
      <div class="ends">
        <CommandButton of={whole} class="quiet" />
        <button type="button" class="quiet" onClick={() => props.close()}>
          {t.close}
        </button>
      </div>
    </header>
  );
}
