import { createSignal, onMount, Show } from "solid-js";
import type { SandboxName } from "../../protocol/index.ts";
import { readIsolation, turnOffIsolation } from "../container-host/isolation.ts";
import { reloadTabs } from "../container-host/reload-tabs.ts";
import { Problem } from "../ui/Problem.tsx";
import * as t from "../texts/sandbox.ts";

/** Says that this browser isolates the app's pages, and offers to undo that. Nothing if isolation was not turned on here. */
export function Isolated(props: { chosen: SandboxName | null }) {
  const [on, setOn] = createSignal(false);
  const [problem, setProblem] = createSignal<string | null>(null);
  const tell = (error: unknown) => setProblem(t.isolationTrouble(error instanceof Error ? error.message : String(error)));
  onMount(() => {
    // If the browser has no cache storage for pages, nothing was turned on.
    if ("caches" in globalThis) readIsolation().then((found) => setOn(found !== null), tell);
  });
  return (
    <>
      <Show when={on()}>
        <div class="isolated">
          <p>{props.chosen === "webcontainer" ? t.isolatedAndUsed : t.isolated}</p>
          <button type="button" class="quiet boxed" onClick={() => void turnOffIsolation().then(reloadTabs, tell)}>
            {t.endIsolation}
          </button>
        </div>
      </Show>
      <Problem text={problem()} />
    </>
  );
}
