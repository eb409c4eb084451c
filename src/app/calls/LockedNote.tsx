import { type Accessor, Show } from "solid-js";
import { readProvider } from "../model/api/calls.ts";
import { createLatest } from "../model/api/latest.ts";
import { providers } from "../providers/names.ts";
import * as t from "../texts/decisions.ts";

/** What a decision needs to know about the dialog's provider. */
export interface KeyOfDialog {
  readonly provider: string;
  /** Increases whenever something happens to the keys. */
  readonly changes: Accessor<number>;
  /** Asks the user to unlock the key if it is locked. False: the user didn't. */
  readonly ready: () => Promise<boolean>;
  /** Opens the provider's settings. */
  readonly settings: () => void;
}

/** Says, beside waiting calls, that the agent can't continue without its key, and what happens to the calls. */
export function LockedNote(props: { of: KeyOfDialog }) {
  const state = createLatest(
    () => ({ name: props.of.provider, changes: props.of.changes() }),
    ({ name }) => readProvider(name),
  );
  const lacks = () => {
    const now = state();
    if (now?.ok !== true || now.value.configured) return null;
    return now.value.key === "locked" ? "unlocking" : "key";
  };
  const label = () => providers.find(({ name }) => name === props.of.provider)?.label ?? props.of.provider;
  return (
    <Show when={lacks()}>
      {(what) => (
        <div class="keyless">
          <output>{what() === "unlocking" ? t.keyLocked(label()) : t.noKey(label())}</output>
          <button type="button" class="quiet small" onClick={() => (what() === "unlocking" ? void props.of.ready() : props.of.settings())}>
            {what() === "unlocking" ? t.unlock : t.enterKey}
          </button>
        </div>
      )}
    </Show>
  );
}
