import { createSignal, type JSX, Show } from "solid-js";
import type { OutgoingAnswer, OutgoingFinding } from "../../protocol/index.ts";
import { Visible } from "../calls/Visible.tsx";
import * as t from "../texts/outgoing.ts";
import { Capped } from "./Capped.tsx";
import { writerWords } from "./outgoing.ts";
import type { ExportChoice, ExportForm } from "./zip.ts";

/** What would run outside the browser and who wrote it, with the choice of how to export it, and whether to include installed packages. */
export function OutgoingStep(props: { found: OutgoingAnswer; go: (choice: ExportChoice) => void }) {
  const [form, setForm] = createSignal<ExportForm>("safe");
  const [leavesOut, setLeavesOut] = createSignal(true);
  const of = (level: OutgoingFinding["level"]) => props.found.findings.filter((one) => one.level === level);
  const more = () => props.found.total - props.found.findings.length;
  return (
    <form
      class="zip-inside"
      onSubmit={(event) => {
        event.preventDefault();
        props.go({ form: form(), packages: props.found.packages === 0 || !leavesOut() });
      }}
    >
      <Show when={props.found.findings.length > 0}>
        <section aria-label={t.title}>
          <h3>{t.title}</h3>
          <Show when={of("held").length > 0}>
            <p>{t.heldWhat(of("held").length + more())}</p>
            <Findings label={t.heldList} findings={of("held")} more={more()} />
          </Show>
          <Show when={of("history").length > 0}>
            <p>{t.historyWhat(of("history").length)}</p>
            <Findings label={t.historyList} findings={of("history")} more={0} />
          </Show>
          <Show when={of("listed").length > 0}>
            <p>{t.listedWhat}</p>
            <Findings label={t.listedList} findings={of("listed")} more={0} />
          </Show>
        </section>
      </Show>
      <Show when={of("held").length + of("history").length > 0}>
        <fieldset>
          <legend>{t.form}</legend>
          <Option checked={form() === "safe"} choose={() => setForm("safe")} label={t.safe}>
            {t.safeWhat}
          </Option>
          <Option checked={form() === "as-it-is"} choose={() => setForm("as-it-is")} label={t.asTheyAre}>
            {t.asTheyAreWhat}
          </Option>
        </fieldset>
      </Show>
      <Show when={props.found.packages > 0}>
        <label class="zip-option">
          <input type="checkbox" checked={leavesOut()} onChange={(event) => setLeavesOut(event.currentTarget.checked)} />
          {t.leaveOutPackages(props.found.packages)} <span class="zip-note">{t.leaveOutPackagesWhat}</span>
        </label>
      </Show>
      <div class="buttons">
        <button type="submit" class="primary">
          {t.exportNow}
        </button>
      </div>
    </form>
  );
}

function Findings(props: { label: string; findings: readonly OutgoingFinding[]; more: number }) {
  return (
    <Capped label={props.label} items={props.findings} more={props.more}>
      {({ path, reason, writer }) => (
        <>
          <code>
            <Visible text={path} />
          </code>{" "}
          <span class="zip-note">
            <Visible text={`${t.reason(reason)} ${writerWords(writer)}`} />
          </span>
        </>
      )}
    </Capped>
  );
}

function Option(props: { checked: boolean; choose: () => void; label: string; children: JSX.Element }) {
  return (
    <label class="zip-option">
      <input type="radio" name="form" checked={props.checked} onChange={() => props.choose()} />
      {props.label} <span class="zip-note">{props.children}</span>
    </label>
  );
}
