// oxlint-disable-next-line import/no-unassigned-import -- a style sheet, which comes with this chunk
import "./keys.css";
import { createEffect, createSignal, Match, on, Show, Switch } from "solid-js";
import type { KeysAnswer, ProviderAnswer } from "../../engine/api.ts";
import { changeSecret, forgetAllKeys, forgetKey, lockKeys, readKeys, rememberKey, unlockKeys } from "../api/keys.ts";
import { createLatest } from "../api/latest.ts";
import type { ProviderName } from "../providers/names.ts";
import { createDoing } from "./ask-secret.ts";
import { NewSecretForm } from "./NewSecretForm.tsx";
import { UnlockForm } from "./UnlockForm.tsx";

export interface KeyKeepingProps {
  readonly name: ProviderName;
  readonly settings: ProviderAnswer;
  /** Grows with every change of the settings. */
  readonly changes: number;
  readonly changed: () => void;
}

type Panel = "remember" | "unlock" | "change" | "forget";

/** Where a provider's key is, in words, and what a person can do about it. */
export function KeyKeeping(props: KeyKeepingProps) {
  const keys = createLatest(() => ({ changes: props.changes, settings: props.settings }), readKeys);
  const vault = () => {
    const answer = keys();
    return answer?.ok ? answer.value : null;
  };
  const [panel, setPanel] = createSignal<Panel | null>(null);
  const doing = createDoing();
  const state = () => props.settings.key;
  const origin = () => (URL.canParse(props.settings.baseURL) ? new URL(props.settings.baseURL).origin : "");
  const elsewhere = () => props.settings.remembered.filter((other) => other !== origin());
  /** Typed while another one is remembered for the same address, and locked. */
  const typedOver = () => state() === "session" && props.settings.remembered.includes(origin());
  createEffect(
    on(
      () => [props.name, state()],
      () => setPanel(null),
      { defer: true },
    ),
  );

  const [section, setSection] = createSignal<HTMLElement>();
  /** The button that had the focus is gone with its panel. */
  function close() {
    setPanel(null);
    requestAnimationFrame(() => {
      if (document.activeElement === document.body || document.activeElement?.localName === "dialog")
        section()?.querySelector<HTMLElement>("button:enabled")?.focus();
    });
  }
  function finish() {
    close();
    props.changed();
  }
  async function now(work: Parameters<typeof doing.run>[0]) {
    if ((await doing.run(work)) !== null) finish();
  }
  /** Nothing has to be asked while the remembered keys are open. */
  function remember(known: KeysAnswer) {
    if (known.state === "unlocked") void now(rememberKey(props.name, {}));
    else setPanel("remember");
  }
  const button = (label: string, click: () => void) => (
    <button type="button" class="quiet small" disabled={doing.busy()} onClick={click}>
      {label}
    </button>
  );

  return (
    <Show when={vault()}>
      {(known) => (
        <Show when={state() !== "none" || elsewhere().length > 0}>
          <section ref={setSection} class="keys" aria-label="Where the key is kept">
            <p aria-live="polite">
              <Switch>
                <Match when={typedOver()}>
                  The key that you typed is here for this session. Another one is remembered and locked; once you unlock it, the new one
                  takes its place.
                </Match>
                <Match when={state() === "session"}>The key is in this browser's memory, until the last tab of Vibey is closed.</Match>
                <Match when={state() === "locked"}>
                  The key is remembered on this device, and locked. You are asked to unlock it when an agent needs it.
                </Match>
                <Match when={state() === "unlocked"}>
                  The key is remembered on this device, and unlocked until you lock it or close the last tab of Vibey.
                </Match>
                <Match when={state() === "damaged"}>
                  What is remembered can't be read: {known().problem ?? "this key is damaged"}. Forget it, and enter the key anew.
                </Match>
              </Switch>
              <Show when={state() === "session" && known().problem !== null}>
                {" "}
                What was remembered before can't be read: {known().problem}. Forget it, and a key can be remembered again.
              </Show>
              <Show when={elsewhere().length > 0}>
                {" "}
                {state() === "none" ? "A remembered key" : "Another remembered key"} is for {elsewhere().join(", ")} only, and is not sent
                to the address above.
              </Show>
            </p>
            <Show when={panel() === null}>
              <div class="buttons">
                <Show when={state() === "session" && !typedOver() && known().state !== "damaged"}>
                  {button("Remember on this device", () => remember(known()))}
                </Show>
                <Show when={state() === "locked" || typedOver()}>{button("Unlock", () => setPanel("unlock"))}</Show>
                <Show when={state() === "unlocked"}>
                  {button("Lock now", () => void now(lockKeys()))}
                  {button("Change how it is unlocked", () => setPanel("change"))}
                </Show>
                <Show when={state() !== "none"}>{button("Forget", () => setPanel("forget"))}</Show>
              </div>
            </Show>
            <Switch>
              <Match when={panel() === "remember" && known().state === "locked"}>
                <UnlockForm keys={known()} send={(secret) => rememberKey(props.name, secret)} done={finish} cancel={close} />
              </Match>
              <Match when={panel() === "remember"}>
                <NewSecretForm
                  label="Remember on this device"
                  button="Remember"
                  current={null}
                  send={(_, made) => rememberKey(props.name, made)}
                  done={finish}
                  cancel={close}
                >
                  <p>
                    The key is stored encrypted, in this browser only. That protects it from whoever gets hold of the device or its data
                    while it is locked, and not from somebody who uses the device while it is unlocked. A forgotten passphrase can't be
                    recovered.
                  </p>
                </NewSecretForm>
              </Match>
              <Match when={panel() === "unlock"}>
                <UnlockForm keys={known()} send={unlockKeys} done={finish} cancel={close} />
              </Match>
              <Match when={panel() === "change"}>
                <NewSecretForm
                  label="Change how it is unlocked"
                  button="Change"
                  current={known()}
                  send={changeSecret}
                  done={finish}
                  cancel={close}
                >
                  <p>
                    For all keys that are remembered here. A passphrase and a passkey can stand side by side; a new one replaces that of its
                    kind.
                  </p>
                </NewSecretForm>
              </Match>
              <Match when={panel() === "forget"}>
                <div class="keys-panel">
                  <p>
                    {known().state === "damaged"
                      ? "All keys are forgotten, in memory and on this device. You will have to enter them again."
                      : "It is erased from memory and from this device. You will have to enter it again."}
                  </p>
                  <div class="buttons">
                    <button
                      type="button"
                      class="primary"
                      disabled={doing.busy()}
                      onClick={() => void now(known().state === "damaged" ? forgetAllKeys() : forgetKey(props.name))}
                    >
                      Forget the key
                    </button>
                    <button ref={(element) => queueMicrotask(() => element.focus())} type="button" class="quiet" onClick={close}>
                      Keep it
                    </button>
                  </div>
                </div>
              </Match>
            </Switch>
            <p class="problem" role="alert">
              {doing.problem()}
            </p>
          </section>
        </Show>
      )}
    </Show>
  );
}
