import { createSignal, For, Show } from "solid-js";
import { readLimits } from "../model/api/calls.ts";
import { createLatest } from "../model/api/latest.ts";
import { costLimitWords, money } from "../cost/money.ts";
import { limitWords } from "../texts/limits.ts";
import { formatRoute } from "../model/route.ts";
import { mainDoc } from "../docs/names.ts";
import { Parts } from "../texts/Parts.tsx";
import * as t from "../texts/settings.ts";

/** The current limits. They are set with a line in doc-main.md, so that they are part of the project. */
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
      <h3>{t.limits}</h3>
      <Show when={failure()}>{(why) => <p class="problem">{t.limitsNotRead(why())}</p>}</Show>
      <Show when={limits()}>
        {(now) => (
          <>
            <ul>
              <For each={now().limits}>
                {(limit) => (
                  <li>
                    <span>{limitWords(limit.name, limit.value)}</span>
                    <small>{limit.from === "default" ? t.fromVibey : t.fromMain}</small>
                  </li>
                )}
              </For>
              <li>
                <span>{t.runLimits(now().run)}</span>
              </li>
              <Show when={now().cost}>
                {(cost) => (
                  <li>
                    <span>{t.costLimit(costLimitWords(cost().nanos, cost().period), money(cost().spent))}</span>
                    <small>{t.fromMain}</small>
                  </li>
                )}
              </Show>
            </ul>
            <p>
              <Parts
                of={t.setLimit}
                slots={{
                  main: (text) => (
                    <a href={formatRoute({ tab: "docs", file: { kind: "doc", name: mainDoc } })} onClick={() => props.leave()}>
                      {text}
                    </a>
                  ),
                }}
              />
            </p>
          </>
        )}
      </Show>
    </section>
  );
}
