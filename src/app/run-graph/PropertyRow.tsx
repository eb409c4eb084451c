import type { JSX } from "solid-js";

/** A name and its value, in a list of properties. */
export const PropertyRow = (props: { name: string; children: JSX.Element }) => (
  <div>
    <dt>{props.name}</dt>
    <dd>{props.children}</dd>
  </div>
);
