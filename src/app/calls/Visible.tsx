import { createEffect, on, onCleanup, Show } from "solid-js";
import { fillInSteps } from "./fill-in-steps.ts";
import { nodesOf, ShortVisible } from "./ShortVisible.tsx";

/** UTF-16 units from which a text is shown in pieces. */
const long = 2_048;

/**
 * Foreign text: every character that a screen would hide stands as its code point, and what is written from right to left moves nothing
 * beside it.
 */
export function Visible(props: { text: string }) {
  return (
    <Show when={props.text.length > long} fallback={<ShortVisible text={props.text} />}>
      <Long text={props.text} />
    </Show>
  );
}

/** All of a long text, put into the page as far as each frame has time. */
function Long(props: { text: string }) {
  const root = document.createElement("bdi");
  root.dir = "ltr";
  createEffect(
    on(
      () => props.text,
      (text) => onCleanup(fillInSteps(root, text, nodesOf)),
    ),
  );
  return root;
}
