import { createSignal, createUniqueId, For, onMount, Show } from "solid-js";
import type { BridgeAnswer, BridgeBody } from "../../protocol/index.ts";
import { type Answer, body, json } from "../model/api/calls.ts";
import { createListener, type EngineEvents } from "../model/api/events.ts";
import type { Part } from "../texts/part.ts";
import { Parts } from "../texts/Parts.tsx";
import * as t from "../texts/bridge.ts";
import { Problem } from "../ui/Problem.tsx";
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet, which comes with this chunk
import "./bridge.css";

const read = () => json<BridgeAnswer>("bridge");
const write = (bridge: BridgeBody) => json<BridgeAnswer>("bridge", body("PUT", bridge));
const forget = () => json<BridgeAnswer>("bridge", { method: "DELETE" });
const usualAddress = "ws://127.0.0.1:7870";

/** How outside programs reach this project: the key, the connection, and what may come in. The key goes to the engine and never comes back. */
export function BridgeSettings(props: { events: EngineEvents }) {
  const id = createUniqueId();
  const [answer, setAnswer] = createSignal<BridgeAnswer | null>(null);
  /** Why the state can't be read (`unread`), and why the last change was not made (`problem`). Reading again doesn't clear the latter. */
  const [unread, setUnread] = createSignal<string | null>(null);
  const [problem, setProblem] = createSignal<string | null>(null);
  const [key, setKey] = createSignal("");
  const [address, setAddress] = createSignal<string | null>(null);
  let turn = 0;

  async function look(): Promise<void> {
    const mine = ++turn;
    const got = await read();
    if (mine !== turn) return;
    if (got.ok) setAnswer(got.value);
    setUnread(got.ok ? null : t.notRead(got.message));
  }
  /** Resolves to whether it succeeded. */
  async function take(call: Promise<Answer<BridgeAnswer>>, failed: (why: string) => string): Promise<boolean> {
    const mine = ++turn;
    const got = await call;
    setProblem(got.ok ? null : failed(got.message));
    if (got.ok && mine === turn) setAnswer(got.value);
    return got.ok;
  }
  // The events live as long as the page.
  // oxlint-disable-next-line solid/reactivity
  createListener(props.events, ({ type }) => {
    if (type === "bridge" || type === "hello") void look();
  });
  onMount(() => void look());

  async function connect() {
    const typed = key();
    setKey("");
    const wanted = { address: address() ?? answer()?.address ?? usualAddress };
    // From now on, the field shows the stored address.
    if (await take(write(typed === "" ? wanted : { ...wanted, key: typed }), t.notConnected)) setAddress(null);
  }
  async function letAll(box: HTMLInputElement) {
    // The checkbox shows what is in effect.
    if (!(await take(write({ all: box.checked }), t.notSaved))) box.checked = answer()?.all ?? false;
  }
  const isSet = () => answer() !== null && answer()?.state !== "off";

  return (
    <section class="bridge-settings">
      <h3>{t.bridge}</h3>
      <p class="hint">
        <Parts of={t.what} />
      </p>
      <output class="bridge-state" data-state={answer()?.state}>
        {stateWords(answer())}
      </output>
      <For each={hints(answer())}>
        {(hint) => (
          <p class="hint">
            <Parts of={hint} />
          </p>
        )}
      </For>
      <Show when={answer()?.canTakeOver}>
        <p class="bridge-other">
          {t.otherPage}{" "}
          <button type="button" class="tonal" onClick={() => void take(write({ takeOver: true }), t.notConnected)}>
            {t.takeOver}
          </button>
        </p>
      </Show>
      <form
        aria-label={t.bridge}
        onSubmit={(event) => {
          event.preventDefault();
          void connect();
        }}
      >
        <label for={`${id}-key`}>{t.key}</label>
        <input
          id={`${id}-key`}
          type="password"
          autocomplete="off"
          spellcheck={false}
          required={!isSet()}
          placeholder={isSet() ? t.keyKept : undefined}
          value={key()}
          aria-describedby={`${id}-hint`}
          onInput={(event) => setKey(event.currentTarget.value)}
        />
        <p id={`${id}-hint`} class="hint">
          {t.keyHint}
        </p>
        <label for={`${id}-address`}>{t.address}</label>
        <input
          id={`${id}-address`}
          inputmode="url"
          autocomplete="off"
          spellcheck={false}
          value={address() ?? answer()?.address ?? usualAddress}
          onInput={(event) => setAddress(event.currentTarget.value)}
        />
        <p class="buttons">
          <button type="submit" class="primary">
            {t.connect}
          </button>
          <Show when={isSet()}>
            <button type="button" onClick={() => void take(forget(), t.notSaved)}>
              {t.disconnect}
            </button>
          </Show>
        </p>
      </form>
      <Problem text={problem() ?? unread()} />
      <Show when={isSet()}>
        <h4>{t.comesIn}</h4>
        <ul>
          <For each={t.mayDo}>{(line) => <li>{line}</li>}</For>
        </ul>
        <label class="bridge-all">
          <input
            type="checkbox"
            checked={answer()?.all ?? false}
            aria-describedby={`${id}-all`}
            onChange={(event) => void letAll(event.currentTarget)}
          />
          {t.all}
        </label>
        <p id={`${id}-all`} class="hint">
          {t.allHint}
        </p>
      </Show>
    </section>
  );
}

/** What to do in this state, and the address where programs reach the project. */
function hints(now: BridgeAnswer | null): readonly (readonly Part[])[] {
  const address = (now?.address ?? "").replace(/^ws/, "http");
  if (now?.state === "connected") return [t.reachedAt(`${address}${now.path}/api`)];
  if (now?.state !== "connecting" || now.problem === null) return [];
  return address.startsWith("https:") ? [t.notStarted, t.openOnce(`${address}/`)] : [t.notStarted];
}

function stateWords(now: BridgeAnswer | null): string {
  if (now === null) return "";
  switch (now.state) {
    case "off":
      return t.off;
    case "connecting":
      return now.problem === null ? t.connecting : t.connectingAgain(now.problem);
    case "refused":
      return now.problem === null ? t.off : t.refused(now.problem);
    case "connected":
      return `${t.connected(now.address ?? "")} ${t.traffic(now.calls, now.watchers)}`;
  }
}
