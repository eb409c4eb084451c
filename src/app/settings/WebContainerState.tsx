import { createSignal, Show } from "solid-js";
import type { WebContainerView } from "../../protocol/index.ts";
import { startWebContainer } from "../container-host/calls.ts";
import { webContainerHere } from "../container-host/here.ts";
import { canIsolate } from "../container-host/isolation.ts";
import type { SandboxState } from "../container-host/sandbox-state.ts";
import { Visible } from "../calls/Visible.tsx";
import { Problem } from "../ui/Problem.tsx";
import * as t from "../texts/sandbox.ts";

const words = { off: t.off, resting: t.resting, starting: t.starting, running: t.running, unavailable: t.unavailable } as const;

/** The state of the WebContainer. `isolate`: reloads this page so that it can start one. */
export function WebContainerState(props: { state: SandboxState; view: WebContainerView; isolate: () => Promise<void>; busy: boolean }) {
  const [problem, setProblem] = createSignal<string | null>(null);
  const why = () => (props.view.state === "unavailable" ? props.view.why : null);
  const doing = () => (props.view.state === "starting" ? (props.view.doing ?? null) : null);
  /** Whether it can't start until the page is reloaded. */
  const stranded = () => !crossOriginIsolated && (props.view.state === "resting" || props.view.state === "starting");
  const elsewhere = () => (props.view.state === "running" || props.view.state === "starting") && !webContainerHere();
  return (
    <div class="webcontainer-state">
      <p>
        <output>
          <span class="dot" classList={{ [props.view.state]: true }} />
          {stranded() ? t.stranded : words[props.view.state]}
        </output>
      </p>
      <Show when={stranded() ? null : (doing() ?? why())}>
        {(text) => (
          <p class="why">
            <Visible text={text()} />
          </p>
        )}
      </Show>
      <Show when={elsewhere()}>
        <p class="note">{t.elsewhere}</p>
      </Show>
      <Show
        when={crossOriginIsolated}
        fallback={
          <Show when={canIsolate()}>
            <p>{t.loadedAnew}</p>
            <button type="button" class="primary" disabled={props.busy} onClick={() => void props.isolate()}>
              {props.busy ? t.gettingReady : t.reload}
            </button>
          </Show>
        }
      >
        <Show when={why()}>
          <button
            type="button"
            class="quiet boxed"
            onClick={() => {
              setProblem(null);
              void props.state.take(startWebContainer(), setProblem);
            }}
          >
            {t.tryAgain}
          </button>
        </Show>
      </Show>
      <Problem text={problem()} />
    </div>
  );
}
