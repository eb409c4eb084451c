import { createSignal, For, Show } from "solid-js";
import { visible } from "../calls/visible.ts";
import { listAgentKeys, makeAgentKey, revokeAgentKey } from "../model/api/agent-keys.ts";
import { createLatest } from "../model/api/latest.ts";
import * as t from "../texts/agent-keys.ts";
import { Problem } from "../ui/Problem.tsx";
import { moment } from "../ui/format.ts";

/** The keys of agents outside Vibey, one per installation. A key is shown only once, when it is created. */
export function AgentKeys() {
  const [asked, setAsked] = createSignal(0);
  const answer = createLatest(asked, listAgentKeys);
  const [name, setName] = createSignal("");
  const [made, setMade] = createSignal<{ readonly id: string; readonly name: string; readonly key: string } | null>(null);
  const [busy, setBusy] = createSignal(false);
  const [problem, setProblem] = createSignal<string | null>(null);
  const keys = () => {
    const now = answer();
    return now?.ok ? now.value.keys : [];
  };
  const unread = () => {
    const now = answer();
    return now?.ok === false ? t.notRead(now.message) : null;
  };

  async function make() {
    const wanted = name().trim();
    if (busy()) return;
    setBusy(true);
    const done = await makeAgentKey(wanted);
    setBusy(false);
    if (!done.ok) return void setProblem(done.message);
    setProblem(null);
    setMade({ id: done.value.id, name: wanted, key: done.value.key });
    setName("");
    setAsked(asked() + 1);
  }
  async function revoke(id: string) {
    const done = await revokeAgentKey(id);
    setProblem(done.ok ? null : done.message);
    // A new key stays visible until it is copied, because it is never shown again.
    if (done.ok && made()?.id === id) setMade(null);
    setAsked(asked() + 1);
  }

  return (
    <div class="agent-keys">
      <h3 id="agent-keys">{t.title}</h3>
      <p class="hint">{t.meaning}</p>
      <Show when={answer()?.ok === true && keys().length === 0 && made() === null}>
        <ol class="agent-steps">
          <For each={t.steps}>{(step) => <li>{step}</li>}</For>
        </ol>
      </Show>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void make();
        }}
      >
        <label>
          <span>{t.name}</span>
          <input value={name()} maxlength={60} placeholder={t.nameLike} onInput={(event) => setName(event.currentTarget.value)} />
        </label>
        <button type="submit" class="tonal" disabled={busy() || name().trim() === ""}>
          {t.make}
        </button>
      </form>
      <Problem text={problem() ?? unread()} />
      <Show when={made()}>
        {(one) => (
          <output class="made-key">
            <p>{t.shownOnce(visible(one().name))}</p>
            <pre>
              <bdi dir="ltr">{one().key}</bdi>
            </pre>
            <p class="hint">{t.inTerminal}</p>
            <pre>
              <bdi dir="ltr">{t.commands(one().key)}</bdi>
            </pre>
            <p class="hint">{t.howToUse}</p>
            <pre>
              <bdi dir="ltr">{t.address(one().key)}</bdi>
            </pre>
          </output>
        )}
      </Show>
      <ul>
        <For each={keys()} fallback={<li class="hint">{answer()?.ok === true ? t.none : ""}</li>}>
          {(key) => (
            <li>
              <span>
                <b>{visible(key.name)}</b>{" "}
                <span class="hint">{key.used === null ? t.madeAt(moment(key.made) ?? "") : t.usedAt(moment(key.used) ?? "")}</span>
              </span>
              <button type="button" class="quiet" aria-label={t.revokeIt(visible(key.name))} onClick={() => void revoke(key.id)}>
                {t.revoke}
              </button>
            </li>
          )}
        </For>
      </ul>
    </div>
  );
}
