import { createSignal, type JSX, Show } from "solid-js";
import { agentName, initialsOf } from "../../dialog/mentions/agent-name.ts";
import type { AgentView } from "../../protocol/index.ts";
import { Visible } from "../calls/Visible.tsx";
import { formatRoute } from "../model/route.ts";
import { ByKey } from "../ui/ByKey.tsx";
import * as t from "../texts/agents-page.ts";
import { abilitiesOf } from "./abilities.ts";
import { described } from "./described.ts";
import { isWellNamed } from "./load.ts";
import { ToolPermissions } from "./ToolPermissions.tsx";
import { Notes } from "./Notes.tsx";

/** Rows that are shown at once: a project may contain thousands of files that describe agents. */
const mostRows = 50;

/** A row for each file. It stays while the file's content changes. */
export function AgentRows(props: {
  asked: number;
  agents: readonly AgentView[];
  isOff: (agent: AgentView) => boolean;
  changed: () => void;
  children: (agent: () => AgentView) => JSX.Element;
}) {
  const [most, setMost] = createSignal(mostRows);
  const more = () => Math.min(mostRows, props.agents.length - most());
  return (
    <>
      <ByKey each={props.agents.slice(0, most())} by={({ path }) => path}>
        {(agent) => (
          <Row agent={agent()} isOff={props.isOff(agent())} asked={props.asked} changed={() => props.changed()}>
            {props.children(agent)}
          </Row>
        )}
      </ByKey>
      <Show when={more() > 0}>
        <li>
          <button type="button" class="quiet" onClick={() => setMost(most() + mostRows)}>
            {t.showMore(more(), props.agents.length - most())}
          </button>
        </li>
      </Show>
    </>
  );
}

/** What an agent is and may ask for, and what in its file could not be read or has no effect here. */
function Row(props: { agent: AgentView; isOff: boolean; asked: number; changed: () => void; children: JSX.Element }) {
  const facts = () =>
    [
      props.isOff ? t.isOff : null,
      props.agent.isSystem ? t.isSystem : null,
      // Vibey's own agents have no tools, whatever the file says.
      props.agent.isSystem ? null : abilitiesOf(props.agent.tools),
      props.agent.model === null ? null : t.model(props.agent.model),
      props.agent.capabilities.length === 0 ? null : t.goodAt(props.agent.capabilities),
    ].filter((fact) => fact !== null);
  const notes = () => [...props.agent.problems, ...props.agent.unused.map(({ key, why }) => `${key}: ${why}`)];
  return (
    <li classList={{ off: props.isOff }}>
      <div class="agent-words">
        <b data-face={initialsOf(agentName(props.agent.slug))}>
          {props.agent.isSystem ? "" : "@"}
          {props.agent.slug}
        </b>{" "}
        <span>
          <Visible text={described(props.agent)} />
        </span>
        <p class="hint">
          <Visible text={facts().join(" · ")} />
          <Show when={props.agent.place === "found"}>
            {" · "}
            <a href={fileOf(props.agent)}>
              <Visible text={props.agent.path} />
            </a>
          </Show>
        </p>
        <Show when={isWellNamed(props.agent) && !props.agent.isSystem}>
          <ToolPermissions slug={props.agent.slug} asked={props.asked} changed={() => props.changed()} />
        </Show>
        <Show when={notes().length > 0}>
          <details>
            <summary>
              {[
                props.agent.problems.length > 0 ? t.problems(props.agent.problems.length) : "",
                props.agent.unused.length > 0 ? t.unused(props.agent.unused.length) : "",
              ]
                .filter(Boolean)
                .join(", ")}
            </summary>
            <Notes notes={notes()} />
          </details>
        </Show>
      </div>
      <div class="agent-actions">{props.children}</div>
    </li>
  );
}

/** The address of the agent's file in Docs. */
export function fileOf({ path, place }: Pick<AgentView, "path" | "place">): string {
  const file = place === "yours" ? ({ kind: "doc", name: path.slice("vibey/".length) } as const) : ({ kind: "deed", path } as const);
  return formatRoute({ tab: "docs", file });
}
