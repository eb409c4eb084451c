import { For, Show } from "solid-js";
import { visible } from "../calls/visible.ts";
import { Visible } from "../calls/Visible.tsx";
import { Markdown } from "../markdown/Markdown.tsx";
import { slugOf } from "../docs/names.ts";
import { formatRoute } from "../model/route.ts";
import { Parts } from "../texts/Parts.tsx";
import * as t from "../texts/side.ts";
import { readResolution } from "./resolution.ts";
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet, which comes with this chunk
import "./side.css";

/** The result of a fork, in the dialog that was forked. The only kind of message with a border. */
export default function Resolution(props: { text: string; topic: string | undefined; fork: string }) {
  const read = () => readResolution(props.text);
  const rows = () => {
    const parts = read();
    if (parts === null) return [];
    return [
      { title: t.conclusion, text: parts.conclusion },
      { title: t.keyPoints, text: parts.keyPoints },
      { title: t.actionItems, text: parts.actionItems },
    ].filter(({ text }) => text !== "");
  };
  return (
    <div class="resolution">
      <h3>{t.resolved(visible(props.topic ?? slugOf(props.fork)))}</h3>
      <p class="model">
        <Parts
          of={t.summaryOf}
          slots={{
            dialog: () => (
              <a href={formatRoute({ tab: "dialogs", dialogId: props.fork })}>
                <Visible text={slugOf(props.fork)} />
              </a>
            ),
          }}
        />
      </p>
      <Show when={read() !== null} fallback={<Markdown text={props.text} complete />}>
        <For each={rows()}>
          {({ title, text }) => (
            <>
              <h4>{title}</h4>
              <Markdown text={text} complete />
            </>
          )}
        </For>
      </Show>
    </div>
  );
}
