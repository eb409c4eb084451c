import { onCleanup, Show } from "solid-js";
import { fillInSteps } from "./fill-in-steps.ts";
import { nodesOf, ShortVisible } from "./ShortVisible.tsx";
import { onChange } from "../ui/on-change.ts";

/** From this many UTF-16 units, a text is shown in pieces. */
const long = 2_048;

/** Foreign text. Every character that a screen would hide is shown as its code point, and right-to-left text doesn't move anything beside it. */
export function Visible(props: { text: string }) {
  return (
    <Show when={props.text.length > long} fallback={<ShortVisible text={props.text} />}>
      <Long text={props.text} />
    </Show>
  );
}

/** A long text, added to the page as fast as the frames allow. */
function Long(props: { text: string }) {
  const root = document.createElement("bdi");
  root.dir = "ltr";
  onChange(
    () => props.text,
    (text) => onCleanup(fillInSteps(root, text, nodesOf)),
  );
  return root;
}
