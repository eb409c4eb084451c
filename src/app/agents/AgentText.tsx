import { Visible } from "../calls/Visible.tsx";
import * as t from "../texts/agents-page.ts";

/** The text of an agent's file that hasn't been adopted yet, folded. */
export function AgentText(props: { text: string }) {
  return (
    <details>
      <summary>{t.prompt}</summary>
      <pre class="agent-text">
        <Visible text={props.text} />
      </pre>
    </details>
  );
}
