import { type Accessor, Show } from "solid-js";
import { readProvider } from "../api/calls.ts";
import { createLatest } from "../api/latest.ts";
import { providers } from "../providers/names.ts";
import * as t from "../texts/decisions.ts";

/** What a decision needs of the provider that answers it. */
export interface KeyOfDialog {
  readonly provider: string;
  /** Counts what has happened to the keys. */
  readonly changes: Accessor<number>;
  /** Asks the person to unlock the key where it is locked. False: they did not. */
  readonly ready: () => Promise<boolean>;
}

/** Says, beside calls that wait, that the agent can't go on after them before its key is unlocked. */
export function LockedNote(props: { of: KeyOfDialog }) {
  const state = createLatest(
    () => ({ name: props.of.provider, changes: props.of.changes() }),
    ({ name }) => readProvider(name),
  );
  const isLocked = () => {
    const now = state();
    return now?.ok === true && now.value.key === "locked";
  };
  const label = () => providers.find(({ name }) => name === props.of.provider)?.label ?? props.of.provider;
  return (
    <Show when={isLocked()}>
      <div class="keyless">
        <output>{t.keyLocked(label())}</output>
        <button type="button" class="quiet small" onClick={() => void props.of.ready()}>
          {t.unlock}
        </button>
      </div>
    </Show>
  );
}
