import { createSignal, Show } from "solid-js";
import type { SandboxName } from "../../protocol/index.ts";
import type { EngineEvents } from "../model/api/events.ts";
import { chooseNodeEngine, chooseSandbox } from "../container-host/calls.ts";
import { canIsolate, readIsolation, turnOffIsolation, turnOnIsolation } from "../container-host/isolation.ts";
import { reloadTabs } from "../container-host/reload-tabs.ts";
import { createSandboxState } from "../container-host/sandbox-state.ts";
import { Problem } from "../ui/Problem.tsx";
import * as t from "../texts/sandbox.ts";
import { sandboxNotRead } from "../texts/settings.ts";
import { AboutSandbox } from "./AboutSandbox.tsx";
import { WebContainerState } from "./WebContainerState.tsx";
import { Isolated } from "./Isolated.tsx";
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet, which comes with this chunk
import "./sandbox.css";

/** Where this project's commands run, and the state of it. */
export function SandboxSettings(props: { events: EngineEvents }) {
  // The events live as long as the page.
  // oxlint-disable-next-line solid/reactivity
  const state = createSandboxState(props.events);
  /** The option that the user is looking at. Choosing it takes another button. */
  const [wanted, setWanted] = createSignal<SandboxName | null>(null);
  const [busy, setBusy] = createSignal(false);
  const [problem, setProblem] = createSignal<string | null>(null);
  const chosen = () => state.answer()?.chosen ?? null;
  const shown = () => wanted() ?? chosen();
  const possible = crossOriginIsolated || canIsolate();

  async function choose(name: SandboxName): Promise<boolean> {
    setProblem(null);
    const done = await state.take(chooseSandbox(name), (why) => setProblem(t.notChosen(why)));
    if (done) setWanted(null);
    return done;
  }
  async function useContainer() {
    setBusy(true);
    try {
      if (crossOriginIsolated) return void (await choose("webcontainer"));
      const was = await readIsolation();
      await turnOnIsolation();
      if (await choose("webcontainer")) reloadTabs();
      else if (was === null) await turnOffIsolation();
    } catch (error) {
      setProblem(t.notIsolated(error instanceof Error ? error.message : String(error)));
    } finally {
      setBusy(false);
    }
  }
  async function useEngine(box: HTMLInputElement) {
    setProblem(null);
    const done = await state.take(chooseNodeEngine(box.checked ? "browser" : "quickjs"), (why) => setProblem(t.notChosen(why)));
    // The checkbox shows what is in effect.
    if (!done) box.checked = state.answer()?.node === "browser";
  }
  /** The built-in shell needs no confirmation, so it is chosen at once. */
  async function pick(name: SandboxName) {
    setWanted(name);
    // If it was refused, shows what is in effect.
    if (name === "embedded" && chosen() !== "embedded" && !(await choose(name))) setWanted(null);
  }

  return (
    <section class="sandbox-settings" aria-busy={busy()}>
      <fieldset>
        <legend>{t.where}</legend>
        <label>
          <input type="radio" name="sandbox" checked={shown() === "embedded"} disabled={busy()} onChange={() => void pick("embedded")} />
          <strong>{t.embedded}</strong>
          <small>{t.embeddedWhat}</small>
        </label>
        <label>
          <input
            type="radio"
            name="sandbox"
            checked={shown() === "webcontainer"}
            disabled={busy() || !possible}
            onChange={() => void pick("webcontainer")}
          />
          <strong>{t.container}</strong>
          <small>{t.containerWhat}</small>
        </label>
      </fieldset>
      <Show when={chosen() === "embedded"}>
        <label class="node-engine">
          <input
            type="checkbox"
            checked={state.answer()?.node === "browser"}
            disabled={busy()}
            onChange={(event) => void useEngine(event.currentTarget)}
          />
          <strong>{t.nodeEngine}</strong>
          <small>{t.nodeEngineWhat}</small>
        </label>
      </Show>
      <Show when={!possible}>
        <p class="note">{t.impossible}</p>
      </Show>
      <Problem text={state.problem() === null ? null : sandboxNotRead(state.problem() ?? "")} />
      <Show when={chosen() === "webcontainer" && state.answer()}>
        {(answer) => <WebContainerState state={state} view={answer().computer} isolate={useContainer} busy={busy()} />}
      </Show>
      <Show when={shown() === "webcontainer"}>
        <dl>
          <dt>{t.runsWhere}</dt>
          <dd>{t.containerWhere}</dd>
          <dt>{t.costs}</dt>
          <dd>{t.containerCosts}</dd>
          <dt>{t.trust}</dt>
          <dd>{t.containerTrust}</dd>
        </dl>
      </Show>
      <Show when={shown() === "webcontainer" && chosen() === "embedded"}>
        <Show when={!crossOriginIsolated}>
          <p>{t.loadedAnew}</p>
        </Show>
        <button type="button" class="primary" disabled={busy()} onClick={() => void useContainer()}>
          {busy() ? t.gettingReady : crossOriginIsolated ? t.useContainer : t.useAndReload}
        </button>
      </Show>
      <Problem text={problem()} />
      <Isolated chosen={chosen()} />
      <AboutSandbox about={state.answer()?.about ?? null} />
    </section>
  );
}
