// oxlint-disable-next-line import/no-unassigned-import -- a style sheet, which comes with this chunk
import "./keys.css";
import { createMemo, createSignal, Match, Show, Switch } from "solid-js";
import type { KeysAnswer, ProviderAnswer, SecretBody } from "../../protocol/index.ts";
import { changeSecret, forgetAllKeys, forgetKey, lockKeys, readKeys, rememberKey, unlockKeys } from "../model/api/keys.ts";
import { createLatest } from "../model/api/latest.ts";
import type { ProviderName } from "../providers/names.ts";
import { createCarriesKeys } from "../pwa/carries-keys.ts";
import { createDoing } from "./ask-secret.ts";
import { NewSecretForm } from "./NewSecretForm.tsx";
import { Problem } from "../ui/Problem.tsx";
import { UnlockForm } from "./UnlockForm.tsx";
import * as t from "../texts/key-keeping.ts";
import { unlock } from "../texts/unlock.ts";
import { onChange } from "../ui/on-change.ts";

export interface KeyKeepingProps {
  readonly name: ProviderName;
  readonly settings: ProviderAnswer;
  /** Increases with every change of the settings. */
  readonly changes: number;
  readonly changed: () => void;
}

type Panel = "remember" | "protect" | "unlock" | "change" | "forget";

/** Where a provider's key is, in words, and what the user can do about it. */
export function KeyKeeping(props: KeyKeepingProps) {
  const keys = createLatest(() => ({ changes: props.changes, settings: props.settings }), readKeys);
  /** A failed reading doesn't remove a panel that the user is typing in. */
  const vault = createMemo((last: KeysAnswer | null) => {
    const answer = keys();
    return answer?.ok ? answer.value : last;
  }, null);
  const unread = () => {
    const answer = keys();
    return answer?.ok === false ? t.notRead(answer.message) : null;
  };
  const [panel, setPanel] = createSignal<Panel | null>(null);
  const doing = createDoing();
  const reloads = createCarriesKeys();
  // The settings are a new object each time they are read.
  const state = createMemo(() => props.settings.key);
  const origin = () => (URL.canParse(props.settings.baseURL) ? new URL(props.settings.baseURL).origin : "");
  const elsewhere = () => props.settings.remembered.filter((other) => other !== origin());
  /** A key was typed while another key for the same address is saved and locked. */
  const typedOver = () => state() === "session" && props.settings.remembered.includes(origin());
  onChange(
    () => state(),
    () => setPanel(null),
    { defer: true },
  );

  const [section, setSection] = createSignal<HTMLElement>();
  /** The button that had the focus is gone along with its panel. */
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
  /** Nothing needs to be asked if a passphrase or a passkey protects the keys and has unlocked them. */
  function remember(known: KeysAnswer) {
    if (known.state === "unlocked" && !known.device) void now(rememberKey(props.name, {}));
    else setPanel("remember");
  }
  /** Saves the key under a new passphrase or passkey, or replaces the protection by the device alone. */
  async function protect(known: KeysAnswer, made: SecretBody) {
    if (!known.device) return rememberKey(props.name, made);
    const changed = await changeSecret({ device: true }, made);
    return changed.ok && state() === "session" ? rememberKey(props.name, {}) : changed;
  }
  const button = (label: string, click: () => void) => (
    <button type="button" class="quiet small" disabled={doing.busy()} onClick={click}>
      {label}
    </button>
  );

  return (
    <>
      <Problem text={unread()} />
      <Show when={vault()}>
        {(known) => (
          <Show when={state() !== "none" || elsewhere().length > 0}>
            <section ref={setSection} class="keys" aria-label={t.whereKept}>
              <p aria-live="polite">
                <Switch>
                  <Match when={typedOver()}>{t.typedOver}</Match>
                  <Match when={state() === "session"}>{t.inMemory(reloads())}</Match>
                  <Match when={state() === "locked"}>{t.locked}</Match>
                  <Match when={state() === "unlocked"}>{known().device ? t.unprotected : t.unlocked}</Match>
                  <Match when={state() === "damaged"}>{t.damaged(known().problem ?? t.thisKeyDamaged)}</Match>
                </Switch>
                <Show when={state() === "session" && known().problem}>{(why) => <> {t.damagedBefore(why())}</>}</Show>
                <Show when={elsewhere().length > 0}> {t.elsewhere(elsewhere(), state() !== "none")}</Show>
              </p>
              <Show when={panel() === null}>
                <div class="buttons">
                  <Show when={state() === "session" && !typedOver() && known().state !== "damaged"}>
                    {button(t.rememberHere, () => remember(known()))}
                  </Show>
                  <Show when={state() === "locked" || typedOver()}>{button(unlock, () => setPanel("unlock"))}</Show>
                  <Show when={state() === "unlocked" && known().device}>{button(t.addProtection, () => setPanel("protect"))}</Show>
                  <Show when={state() === "unlocked" && !known().device}>
                    {button(t.lockNow, () => void now(lockKeys()))}
                    {button(t.changeUnlocking, () => setPanel("change"))}
                  </Show>
                  <Show when={state() !== "none"}>{button(t.forget, () => setPanel("forget"))}</Show>
                </div>
              </Show>
              <Switch>
                <Match when={panel() === "remember" && known().state === "locked"}>
                  <UnlockForm keys={known()} send={(secret) => rememberKey(props.name, secret)} done={finish} cancel={close} />
                </Match>
                <Match when={panel() === "remember"}>
                  <div class="keys-panel">
                    <p>{t.rememberPlainly}</p>
                    <div class="buttons">
                      <button
                        ref={(element) => queueMicrotask(() => element.focus())}
                        type="button"
                        class="primary"
                        disabled={doing.busy()}
                        onClick={() => void now(rememberKey(props.name, { device: true }))}
                      >
                        {t.remember}
                      </button>
                      {button(t.protect, () => setPanel("protect"))}
                      {button(t.cancel, close)}
                    </div>
                  </div>
                </Match>
                <Match when={panel() === "protect"}>
                  <NewSecretForm
                    label={known().device ? t.addProtection : t.rememberHere}
                    button={known().device ? t.add : t.remember}
                    current={null}
                    send={(_, made) => protect(known(), made)}
                    done={finish}
                    cancel={close}
                  >
                    <p>{t.rememberWhat}</p>
                  </NewSecretForm>
                </Match>
                <Match when={panel() === "unlock"}>
                  <UnlockForm keys={known()} send={unlockKeys} done={finish} cancel={close} />
                </Match>
                <Match when={panel() === "change"}>
                  <NewSecretForm
                    label={t.changeUnlocking}
                    button={t.change}
                    current={known()}
                    send={changeSecret}
                    done={finish}
                    cancel={close}
                  >
                    <p>{t.changeWhat}</p>
                  </NewSecretForm>
                </Match>
                <Match when={panel() === "forget"}>
                  <div class="keys-panel">
                    <p>{known().state === "damaged" ? t.forgetAllWhat : t.forgetWhat}</p>
                    <div class="buttons">
                      <button
                        type="button"
                        class="primary"
                        disabled={doing.busy()}
                        onClick={() => void now(known().state === "damaged" ? forgetAllKeys() : forgetKey(props.name))}
                      >
                        {t.forgetThis}
                      </button>
                      <button ref={(element) => queueMicrotask(() => element.focus())} type="button" class="quiet" onClick={close}>
                        {t.keep}
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
    </>
  );
}
