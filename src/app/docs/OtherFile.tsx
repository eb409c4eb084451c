import { Match, Switch } from "solid-js";
import { Visible } from "../calls/Visible.tsx";
import { fileSize } from "../ui/format.ts";
import * as t from "../texts/docs-other.ts";
import { Parts } from "../texts/Parts.tsx";
import type { OtherOpened } from "./opened.ts";

/** A file that isn't text: the image itself, or only its size. */
export default function OtherFile(props: { shown: OtherOpened; name: string }) {
  const name = () => <Visible text={props.name} />;
  return (
    <Switch
      fallback={
        <p class="empty">
          <Parts of={t.noText(fileSize(props.shown.size))} slots={{ name }} />
        </p>
      }
    >
      <Match when={props.shown.kind === "image" && props.shown}>
        {(image) => (
          <figure class="column picture">
            <img src={image().url} alt={props.name} />
            <figcaption>
              <Parts of={t.pictureOf(fileSize(image().size))} slots={{ name }} />
            </figcaption>
          </figure>
        )}
      </Match>
    </Switch>
  );
}
