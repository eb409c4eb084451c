import { For, Show } from "solid-js";
import { visible } from "../calls/visible.ts";

export type Width = "phone" | "tablet" | "full";

const widths: readonly { readonly width: Width; readonly label: string }[] = [
  { width: "phone", label: "Phone" },
  { width: "tablet", label: "Tablet" },
  { width: "full", label: "Full width" },
];

export interface ToolbarProps {
  /** Path of the page that is shown. */
  readonly page: string | null;
  readonly pages: readonly string[];
  readonly choose: (path: string) => void;
  readonly reload: () => void;
  /** Whether changes of the files show by themselves. */
  readonly live: boolean;
  readonly setLive: (on: boolean) => void;
  readonly width: Width;
  readonly setWidth: (width: Width) => void;
  readonly whole: boolean;
  readonly setWhole: (on: boolean) => void;
  readonly close: () => void;
}

export function Toolbar(props: ToolbarProps) {
  return (
    <header>
      <h2>Preview</h2>
      <div class="tools">
        <Show when={props.pages.length > 1}>
          <select class="page" aria-label="Page" onChange={(event) => props.choose(event.currentTarget.value)}>
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
          aria-label="Width of the page"
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
        <button
          type="button"
          class="quiet"
          aria-pressed={props.live}
          title="Show changes of the files as they are made"
          onClick={() => props.setLive(!props.live)}
        >
          Live
        </button>
        <button type="button" class="quiet" onClick={() => props.reload()}>
          Reload
        </button>
      </div>
      <div class="ends">
        <button type="button" class="quiet" onClick={() => props.setWhole(!props.whole)}>
          {props.whole ? "Leave full screen" : "Full screen"}
        </button>
        <button type="button" class="quiet" onClick={() => props.close()}>
          Close
        </button>
      </div>
    </header>
  );
}
