import { createSignal, onMount, Show } from "solid-js";
import type { KeysAnswer, SecretBody } from "../../protocol/index.ts";
import type { Answer } from "../model/api/calls.ts";
import { createDoing, passkeySecret } from "./ask-secret.ts";
import type { KnownPasskey } from "./passkey.ts";
import * as t from "../texts/unlock.ts";

export interface UnlockFormProps {
  readonly keys: KeysAnswer;
  readonly send: (secret: SecretBody) => Promise<Answer<KeysAnswer>>;
  readonly done: () => void;
  readonly cancel: () => void;
}

/** Unlocks the saved keys with a passphrase, a passkey, or either. The field is cleared as soon as it is sent. */
export function UnlockForm(props: UnlockFormProps) {
  const [passphrase, setPassphrase] = createSignal("");
  const [field, setField] = createSignal<HTMLInputElement>();
  const doing = createDoing();
  onMount(() => field()?.focus());

  async function withPassphrase() {
    const typed = passphrase();
    if (typed === "") return;
    setPassphrase("");
    if ((await doing.run(props.send({ passphrase: typed }))) === null) field()?.focus();
    else props.done();
  }
  async function withPasskey() {
    const { passkey } = props.keys;
    if (passkey === null) return;
    if ((await doing.run(sendPasskey(passkey))) !== null) props.done();
  }
  async function sendPasskey(known: KnownPasskey) {
    const secret = await passkeySecret(known);
    return secret.ok ? props.send(secret.value) : secret;
  }

  return (
    <form
      class="keys-panel"
      aria-label={t.unlock}
      aria-busy={doing.busy()}
      onSubmit={(event) => {
        event.preventDefault();
        void withPassphrase();
      }}
    >
      <Show when={props.keys.passphrase}>
        <label>
          <span>{t.passphrase}</span>
          <input
            ref={setField}
            type="password"
            autocomplete="current-password"
            value={passphrase()}
            onInput={(event) => setPassphrase(event.currentTarget.value)}
          />
        </label>
      </Show>
      <p class="problem" role="alert">
        {doing.problem()}
      </p>
      <div class="buttons">
        <Show when={props.keys.passphrase}>
          <button type="submit" class="primary" disabled={doing.busy()}>
            {doing.busy() ? t.unlocking : t.unlock}
          </button>
        </Show>
        <Show when={props.keys.passkey}>
          <button
            type="button"
            classList={{ primary: !props.keys.passphrase, quiet: props.keys.passphrase }}
            disabled={doing.busy()}
            onClick={() => void withPasskey()}
          >
            {t.usePasskey}
          </button>
        </Show>
        <button type="button" class="quiet" onClick={() => props.cancel()}>
          {t.notNow}
        </button>
      </div>
    </form>
  );
}
