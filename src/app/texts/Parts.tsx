import { For, type JSX, Match, Switch } from "solid-js";
import type { Part } from "./part.ts";

/** Creates the element of each slot from the slot's text, which is "" if it has none. */
type Slots<Slot extends string> = { readonly [name in Slot]: (text: string) => JSX.Element };

type PartsProps<Slot extends string> = { readonly of: readonly Part<Slot>[] } & ([Slot] extends [never]
  ? { readonly slots?: undefined }
  : { readonly slots: Slots<Slot> });

/** A sentence from texts/, with its elements. */
export function Parts<Slot extends string = never>(props: PartsProps<Slot>) {
  const made = (part: { readonly slot: Slot; readonly text?: string }) => {
    if (props.slots === undefined) throw new Error(`nothing makes the slot ${part.slot}`);
    return props.slots[part.slot](part.text ?? "");
  };
  return <For each={props.of}>{(part) => (typeof part === "string" ? part : "slot" in part ? made(part) : <Marked part={part} />)}</For>;
}

function Marked(props: { part: Exclude<Part, string | { slot: never }> }) {
  return (
    <Switch>
      <Match when={"code" in props.part && props.part}>{(part) => <code>{part().code}</code>}</Match>
      <Match when={"strong" in props.part && props.part}>{(part) => <strong>{part().strong}</strong>}</Match>
      <Match when={"em" in props.part && props.part}>{(part) => <em>{part().em}</em>}</Match>
      <Match when={"kbd" in props.part && props.part}>{(part) => <kbd>{part().kbd}</kbd>}</Match>
    </Switch>
  );
}
