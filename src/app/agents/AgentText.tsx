import { Visible } from "../calls/Visible.tsx";
import * as t from "../texts/agents-page.ts";

/** What the file of an agent says that isn't one of yours yet, folded. */
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
