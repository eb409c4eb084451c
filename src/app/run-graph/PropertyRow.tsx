import type { JSX } from "solid-js";

/** A name and what is known of it, in a list of such. */
export const PropertyRow = (props: { name: string; children: JSX.Element }) => (
  <div>
    <dt>{props.name}</dt>
    <dd>{props.children}</dd>
  </div>
);
