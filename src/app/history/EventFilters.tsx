import { createMemo, For, type JSX } from "solid-js";
import type { DialogListing, LogEvent } from "../../protocol/index.ts";
import { visible } from "../calls/visible.ts";
import type { EventsOf } from "../model/route.ts";
import * as t from "../texts/events.ts";
import { filterOf, kindGroups, severities, toolOf } from "./event-filter.ts";
import { whoNames } from "./format.ts";

/** Tools that every agent has. */
const usual = ["run_command", "write_file", "edit_file", "launch_agent"] as const;

const areSame = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((id, at) => id === other[at]);

/** Which events show: one select per filter. Values in the list can be chosen, and so can the current choice. */
export function EventFilters(props: {
  of: EventsOf;
  dialogs: readonly DialogListing[];
  events: readonly LogEvent[];
  choose: (of: EventsOf) => void;
}) {
  // A new event must not change a list of thousands that may be open, unless its dialog is new.
  const inProject = createMemo(() => props.dialogs.map(({ dialogId }) => dialogId), [], { equals: areSame });
  const inEvents = createMemo(() => Array.from(new Set(props.events.flatMap(({ dialogId }) => dialogId ?? []))).toSorted(), [], {
    equals: areSame,
  });
  const known = new Map<string, { readonly id: string; readonly name: string }>();
  const dialogs = createMemo(() => {
    const ids = new Set([...inProject(), ...inEvents()]);
    if (props.of.dialog !== undefined) ids.add(props.of.dialog);
    return whoNames(Array.from(ids).toSorted().toReversed()).map((named) => {
      const before = known.get(named.id);
      const same = before?.name === named.name ? before : named;
      known.set(named.id, same);
      return same;
    });
  });
  const tools = createMemo(() => {
    const names = new Set<string>(usual);
    for (const name of props.events.map(toolOf)) if (name !== null) names.add(name);
    if (props.of.tool !== undefined) names.add(props.of.tool);
    return Array.from(names);
  });
  const chosen = createMemo(() => filterOf(props.of));
  function choose(key: keyof EventsOf, value: string) {
    const { [key]: _, ...rest } = props.of;
    props.choose(value === "" ? rest : { ...rest, [key]: value });
  }
  return (
    <fieldset class="event-filters">
      <legend class="unseen">{t.filters}</legend>
      <Choice label={t.dialog} value={props.of.dialog} choose={(value) => choose("dialog", value)}>
        <For each={dialogs()}>{({ id, name }) => <One value={id} title={visible(name)} chosen={props.of.dialog} />}</For>
      </Choice>
      <Choice label={t.kind} value={chosen().types?.[0]} choose={(value) => choose("type", value)}>
        <For each={kindGroups}>
          {({ title, types }) => (
            <optgroup label={title}>
              <For each={types}>{(type) => <One value={type} title={t.kinds[type]} chosen={chosen().types?.[0]} />}</For>
            </optgroup>
          )}
        </For>
      </Choice>
      <Choice label={t.tool} value={props.of.tool} choose={(value) => choose("tool", value)}>
        <For each={tools()}>{(tool) => <One value={tool} title={visible(tool)} chosen={props.of.tool} />}</For>
      </Choice>
      <Choice label={t.severity} value={chosen().severity} choose={(value) => choose("severity", value)}>
        <For each={severities}>{(level) => <One value={level} title={t.severities[level]} chosen={chosen().severity} />}</For>
      </Choice>
    </fieldset>
  );
}

function Choice(props: { label: string; value: string | undefined; choose: (value: string) => void; children: JSX.Element }) {
  return (
    <label classList={{ chosen: props.value !== undefined }}>
      <span>{props.label}</span>
      <select onChange={(event) => props.choose(event.currentTarget.value)}>
        <option value="" selected={props.value === undefined}>
          {t.all}
        </option>
        {props.children}
      </select>
    </label>
  );
}

const One = (props: { value: string; title: string; chosen: string | undefined }) => (
  <option value={props.value} selected={props.value === props.chosen}>
    {props.title}
  </option>
);
