import { For } from "solid-js";
import * as t from "../texts/agents-page.ts";
import { AgentText } from "./AgentText.tsx";
import type { NewAgentBody } from "../../protocol/index.ts";

/** Agents that can be added with a click. */
export function Templates(props: { templates: readonly NewAgentBody[]; busy: boolean; add: (template: NewAgentBody) => void }) {
  return (
    <section aria-label={t.templates}>
      <h3>{t.templates}</h3>
      <ul>
        <For each={props.templates}>
          {(template) => (
            <li>
              <div class="agent-words">
                <b>@{template.slug}</b> <span>{/^description: (.*)$/m.exec(template.text)?.[1] ?? ""}</span>
                <AgentText text={template.text} />
              </div>
              <div class="agent-actions">
                <button
                  type="button"
                  class="quiet"
                  disabled={props.busy}
                  aria-label={t.addAgent(template.slug)}
                  onClick={() => props.add(template)}
                >
                  {t.add}
                </button>
              </div>
            </li>
          )}
        </For>
      </ul>
    </section>
  );
}
