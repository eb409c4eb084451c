import { createSignal } from "solid-js";
import { keep, kept } from "../ui/keep.ts";

/** The widths of the panes beside the graph, in pixels. */
export interface PaneWidths {
  readonly explorer: number;
  readonly inspector: number;
}

const key = "vibey run panes";
const usual: PaneWidths = { explorer: 280, inspector: 384 };

/** The stored widths, or the defaults if they aren't valid. */
export function readWidths(stored: string | null): PaneWidths {
  const [explorer, inspector] =
    /^(\d{3}) (\d{3})$/
      .exec(stored ?? "")
      ?.slice(1)
      .map(Number) ?? [];
  return { explorer: explorer ?? usual.explorer, inspector: inspector ?? usual.inspector };
}

/** The widths of the panes, saved in this browser. */
export function createPaneWidths() {
  const [widths, setWidths] = createSignal(readWidths(kept(key)));
  return {
    widths,
    set(name: keyof PaneWidths, width: number) {
      const now = { ...widths(), [name]: width };
      setWidths(now);
      keep(key, `${now.explorer} ${now.inspector}`);
    },
  };
}
