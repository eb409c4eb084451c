import { createSignal, For, Show } from "solid-js";
import { readLimits } from "../api/calls.ts";
import { createLatest } from "../api/latest.ts";
import { costLimitWords, money } from "../cost/money.ts";
import { limitWords } from "../docs/limit-words.ts";
import { formatRoute } from "../shell/route.ts";
import { mainDoc } from "../docs/names.ts";

/** The limits that hold now. They are set with a line in doc-main.md, so that they go with the project. */
export function LimitSettings(props: { leave: () => void }) {
  const [asked] = createSignal(0);
  const answer = createLatest(asked, readLimits);
  const limits = () => {
    const got = answer();
    return got?.ok ? got.value : null;
  };
  const failure = () => {
    const got = answer();
    return got?.ok === false ? got.message : null;
  };
  return (
    <section class="limits">
      <h3>Limits</h3>
      <Show when={failure()}>{(why) => <p class="problem">The limits could not be read: {why()}</p>}</Show>
      <Show when={limits()}>
        {(now) => (
          <>
            <ul>
              <For each={now().limits}>
                {(limit) => (
                  <li>
                    <span>{limitWords(limit.name, limit.value)}</span>
                    <small>{limit.from === "default" ? "Vibey's own" : "from main"}</small>
                  </li>
                )}
              </For>
              <Show when={now().cost}>
                {(cost) => (
                  <li>
                    <span>
                      {costLimitWords(cost().nanos, cost().period)} It has cost {money(cost().spent)}.
                    </span>
                    <small>from main</small>
                  </li>
                )}
              </Show>
            </ul>
            <p>
              A line such as <code>&gt; Limit: agents 4</code> in{" "}
              <a href={formatRoute({ tab: "docs", file: { kind: "doc", name: mainDoc } })} onClick={() => props.leave()}>
                main
              </a>{" "}
              sets another one.
            </p>
          </>
        )}
      </Show>
    </section>
  );
}
