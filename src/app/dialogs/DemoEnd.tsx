import { formatRoute } from "../shell/route.ts";
import * as t from "../texts/demo-end.ts";

/** What to do next, where the demo has come to its end. */
export default function DemoEnd(props: { addKey: () => void; guide: () => void }) {
  return (
    <section class="column demo-end" aria-label={t.title}>
      <p>
        <b>{t.title}.</b> {t.about}
      </p>
      <div class="buttons">
        <a
          class="action primary"
          href={formatRoute({ tab: "welcome" })}
          onClick={() => requestAnimationFrame(() => document.getElementById("own-text")?.focus())}
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
  );
}
