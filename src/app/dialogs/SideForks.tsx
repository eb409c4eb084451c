import { For, Show } from "solid-js";
import type { DialogListing } from "../../protocol/index.ts";
import { Visible } from "../calls/Visible.tsx";
import { formatRoute } from "../model/route.ts";
import { Parts } from "../texts/Parts.tsx";
import * as t from "../texts/side.ts";
import { sideWords } from "./side-state.ts";
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet, which comes with this chunk
import "./side.css";

/** The side discussions of one message, and the outcome of each. */
export default function SideForks(props: { sides: readonly DialogListing[] }) {
  const ids = () => props.sides.map(({ dialogId }) => dialogId);
  const sideOf = (id: string) => props.sides.find(({ dialogId }) => dialogId === id)?.side;
  return (
    <ul class="sides" aria-label={t.sideDiscussions}>
      <For each={ids()}>
        {(id) => (
          <Show when={sideOf(id)}>
            {(side) => (
              <li>
                <Parts
                  of={t.about}
                  slots={{
                    dialog: () => (
                      <a href={formatRoute({ tab: "dialogs", dialogId: id })}>
                        <Visible text={side().topic} />
                      </a>
                    ),
                  }}
                />{" "}
                · {sideWords(side())}
              </li>
            )}
          </Show>
        )}
      </For>
    </ul>
  );
}
