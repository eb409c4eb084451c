import { createSignal, type JSX, onMount, Show } from "solid-js";
import type { KeysAnswer, SecretBody } from "../../protocol/index.ts";
import type { Answer } from "../model/api/calls.ts";
import { createDoing, newPasskeySecret, passkeySecret } from "./ask-secret.ts";
import { canUsePasskeys } from "./passkey.ts";
import { passphraseHint } from "./passphrase.ts";
import * as t from "../texts/passphrase.ts";

export interface NewSecretFormProps {
  readonly label: string;
  readonly button: string;
  /** What unlocks the keys now, if the user has to enter it too; null: there is nothing yet. */
  readonly current: KeysAnswer | null;
  /** `opens` is empty if there is nothing yet. */
  readonly send: (opens: SecretBody, made: SecretBody) => Promise<Answer<KeysAnswer>>;
  readonly done: () => void;
  readonly cancel: () => void;
  readonly children?: JSX.Element;
}

/** A form to choose a passphrase or create a passkey. Its fields are cleared as soon as they are sent. */
export function NewSecretForm(props: NewSecretFormProps) {
  const [current, setCurrent] = createSignal("");
  const [passphrase, setPassphrase] = createSignal("");
  const [again, setAgain] = createSignal("");
  const [first, setFirst] = createSignal<HTMLInputElement>();
  const doing = createDoing();
  const hint = () => passphraseHint(passphrase());
  onMount(() => first()?.focus());

  function empty() {
    for (const set of [setCurrent, setPassphrase, setAgain]) set("");
  }
  /** What unlocks the keys now: the typed passphrase, else the passkey. */
  async function opener(typed: string) {
    if (props.current === null) return { ok: true, value: {} } as const;
    if (typed !== "" || props.current.passkey === null) return { ok: true, value: { passphrase: typed } } as const;
    return passkeySecret(props.current.passkey);
  }
  async function send(make: () => ReturnType<typeof newPasskeySecret>) {
    const typed = current();
    empty();
    if ((await doing.run(openAndMake(typed, make))) === null) first()?.focus();
    else props.done();
  }
  async function openAndMake(typed: string, make: () => ReturnType<typeof newPasskeySecret>) {
    const opens = await opener(typed);
    if (!opens.ok) return opens;
    const made = await make();
    return made.ok ? props.send(opens.value, made.value) : made;
  }
  function withPassphrase() {
    const chosen = passphrase();
    if (!hint().ok) return doing.say(hint().words);
    if (chosen !== again()) return doing.say(t.notTheSame);
    return void send(async () => ({ ok: true, value: { passphrase: chosen } }));
  }

  return (
    <form
      class="keys-panel"
      aria-label={props.label}
      aria-busy={doing.busy()}
      onSubmit={(event) => {
        event.preventDefault();
        withPassphrase();
      }}
    >
      {props.children}
      <Show when={props.current?.passphrase === true}>
        <label>
          <span>{t.soFar}</span>
          <input
            ref={setFirst}
            type="password"
            autocomplete="current-password"
            placeholder={props.current?.passkey ? t.emptyForPasskey : ""}
            value={current()}
            onInput={(event) => setCurrent(event.currentTarget.value)}
          />
        </label>
      </Show>
      <label>
        <span>{t.newOne}</span>
        <input
          ref={(element) => props.current?.passphrase !== true && setFirst(element)}
          type="password"
          autocomplete="new-password"
          aria-describedby="passphrase-hint"
          value={passphrase()}
          onInput={(event) => setPassphrase(event.currentTarget.value)}
        />
        <small id="passphrase-hint" aria-live="polite">
          {hint().words}
        </small>
      </label>
      <label>
        <span>{t.again}</span>
        <input type="password" autocomplete="new-password" value={again()} onInput={(event) => setAgain(event.currentTarget.value)} />
      </label>
      <p class="problem" role="alert">
        {doing.problem()}
      </p>
      <div class="buttons">
        <button type="submit" class="primary" disabled={doing.busy()}>
          {doing.busy() ? t.encrypting : props.button}
        </button>
        <Show when={canUsePasskeys()}>
          <button type="button" class="quiet" disabled={doing.busy()} onClick={() => void send(newPasskeySecret)}>
            {t.passkeyInstead}
          </button>
        </Show>
        <button type="button" class="quiet" onClick={() => props.cancel()}>
          {t.cancel}
        </button>
      </div>
    </form>
  );
}
