/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a tree, of which only the rows in view are in the page */
import { createMemo, createSignal } from "solid-js";
import { VList, type VListHandle } from "virtua/solid";
import type { AgentNode } from "../../protocol/index.ts";
import { Visible } from "../calls/Visible.tsx";
import { slugOf } from "../docs/names.ts";
import { compact } from "../overview/compact.ts";
import * as t from "../texts/run-graph.ts";
import type { Completed } from "./completed.ts";
import { StateIcon } from "./StateIcon.tsx";

/** The number of levels that are indented. Deeper rows have the same indentation. */
const deepest = 5;

/** The agents of the graph as rows, each after the agent that launched it. */
export function AgentTree(props: {
  agents: readonly AgentNode[];
  completed: Completed;
  selected: string | null;
  choose: (id: string | null) => void;
}) {
  const [list, setList] = createSignal<VListHandle>();
  const [current, setCurrent] = createSignal<string | null>(null);
  const rows = createMemo(() =>
    props.agents.filter(({ dialogId }) => !props.completed.hidden.has(dialogId)).map(({ dialogId }) => dialogId),
  );
  const byId = createMemo(() => new Map(props.agents.map((agent) => [agent.dialogId, agent])));
  const at = () => Math.max(0, rows().indexOf(current() ?? props.selected ?? ""));
  const [box, setBox] = createSignal<HTMLElement>();

  function go(index: number) {
    const id = rows()[Math.min(rows().length - 1, Math.max(0, index))];
    if (id === undefined) return;
    setCurrent(id);
    list()?.scrollToIndex(rows().indexOf(id), { align: "nearest" });
    requestAnimationFrame(() =>
      box()
        ?.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"]`)
        ?.focus({ preventScroll: true }),
    );
  }
  function key(event: KeyboardEvent) {
    const agent = byId().get(rows()[at()] ?? "");
    const child = rows().findIndex((id) => byId().get(id)?.parent === agent?.dialogId);
    const keys: Readonly<Record<string, () => void>> = {
      ArrowDown: () => go(at() + 1),
      ArrowUp: () => go(at() - 1),
      ArrowLeft: () => go(rows().indexOf(agent?.parent ?? "")),
      ArrowRight: () => go(child < 0 ? at() : child),
      Home: () => go(0),
      End: () => go(rows().length - 1),
      Enter: () => props.choose(agent?.dialogId ?? null),
      " ": () => props.choose(agent?.dialogId ?? null),
    };
    const run = keys[event.key];
    if (run === undefined) return;
    event.preventDefault();
    run();
  }
  return (
    <div class="agent-tree" role="tree" aria-label={t.treeLabel(props.agents.length)} ref={setBox} tabindex={-1}>
      <VList ref={setList} class="agent-tree-list" data={rows()} keepMounted={[at()]}>
        {(id: string) => {
          const agent = () => byId().get(id);
          const depth = () => agent()?.depth ?? 0;
          return (
            <div
              role="treeitem"
              class="agent-row"
              classList={{ selected: props.selected === id }}
              style={{ "--depth": Math.min(deepest, depth()) }}
              data-id={id}
              aria-level={depth() + 1}
              aria-selected={props.selected === id}
              tabindex={rows()[at()] === id ? 0 : -1}
              onFocus={() => setCurrent(id)}
              onClick={() => props.choose(id)}
              onKeyDown={key}
            >
              <b>
                <Visible text={slugOf(id)} />
              </b>
              <span class={`agent-state is-${agent()?.state ?? "idle"}`}>
                <StateIcon state={agent()?.state ?? "idle"} />
                {t.states[agent()?.state ?? "idle"]}
              </span>
              <span class="agent-tokens">
                {compact(agent()?.tokens ?? 0)} <span class="unseen">{t.tokens}</span>
              </span>
              <span class="agent-folded">
                {(props.completed.counts.get(id) ?? 0) > 0 ? t.folded(props.completed.counts.get(id) ?? 0) : ""}
              </span>
            </div>
          );
        }}
      </VList>
    </div>
  );
}
