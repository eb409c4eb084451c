import { createUniqueId, For } from "solid-js";
import type { AgentView } from "../../protocol/index.ts";
import * as t from "../texts/agent-form.ts";
import { Checkbox } from "./Checkbox.tsx";
import type { KeyChange } from "./change-key.ts";
import { everyChange, groupChange, hasGroup, type ToolGroup } from "./tool-groups.ts";

const checks: readonly (readonly [group: ToolGroup, label: string])[] = [
  ["read", t.readFiles],
  ["write", t.writeFiles],
  ["run", t.runCommands],
  ["launch", t.launchAgents],
];

/** The tools that an agent can ask for, with one checkbox per group. */
export function ToolChecks(props: { tools: AgentView["tools"]; change: (change: KeyChange) => Promise<boolean> }) {
  const id = createUniqueId();
  const state = (group: ToolGroup) => hasGroup(props.tools, group);
  const choose = (one: ToolGroup, label: string, isOn: boolean) =>
    props.change({
      label,
      compute: (now) => groupChange(now, one, isOn),
      isApplied: (after) => hasGroup(after.tools, one) === (isOn ? "all" : "none"),
    });
  const chooseAll = (isOn: boolean) =>
    props.change({
      label: t.tools,
      compute: (now) => everyChange(now, isOn),
      isApplied: (after) => (after.tools === null) === isOn,
    });
  return (
    <fieldset class="agent-tools" aria-describedby={`${id}-hint`}>
      <legend>{t.tools}</legend>
      <div>
        <Checkbox label={t.allTools} isOn={props.tools === null} choose={chooseAll} />
        <For each={checks}>
          {([one, label]) => (
            <Checkbox
              label={label}
              isOn={state(one) !== "none"}
              isPart={state(one) === "some"}
              choose={(isOn) => choose(one, label, isOn)}
            />
          )}
        </For>
      </div>
      <p id={`${id}-hint`} class="hint">
        {t.toolsHint}
      </p>
    </fieldset>
  );
}
