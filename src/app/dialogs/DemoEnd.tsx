import { Match, Switch } from "solid-js";
import { formatRoute } from "../model/route.ts";
import * as t from "../texts/demo-end.ts";
import type { DialogList } from "./list.ts";

/** What to do next when a dialog of the demo has ended: its second agent asks for something, or the whole demo is over. */
export default function DemoEnd(props: { list: Pick<DialogList, "dialogs" | "waitingInOrder">; addKey: () => void; guide: () => void }) {
  const isOver = () => props.list.dialogs().every(({ status }) => status === "done");
  return (
    <Switch>
      <Match when={props.list.waitingInOrder()[0]}>
        {(second) => (
          <p class="column strip">
            <span>{t.secondAsks}</span>
            <a class="action tonal" href={formatRoute({ tab: "dialogs", dialogId: second().dialogId })}>
              {t.openSecond}
            </a>
          </p>
        )}
      </Match>
      <Match when={isOver()}>
        <section class="column demo-end" aria-label={t.title}>
          <p>
            <b>{t.title}.</b> {t.about}
          </p>
          <div class="buttons">
            <a
              class="action primary"
              href={formatRoute({ tab: "welcome" })}
              onClick={() => addEventListener("hashchange", focusText, { once: true })}
            >
              {t.ownText}
            </a>
            <button type="button" class="quiet" onClick={() => props.addKey()}>
              {t.addKey}
            </button>
            <button type="button" class="quiet" onClick={() => props.guide()}>
              {t.readGuide}
            </button>
          </div>
        </section>
      </Match>
    </Switch>
  );
}

/** Waits a frame: the field appears only after the page has received the new address. */
const focusText = () => requestAnimationFrame(() => document.getElementById("own-text")?.focus());
