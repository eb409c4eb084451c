import { For, Show } from "solid-js";
import { Visible } from "../calls/Visible.tsx";
import { formatRoute } from "../model/route.ts";
import * as t from "../texts/agents-page.ts";
import type { Instructions } from "./instructions.ts";

/**
 * Files in which other programs look for instructions to agents. Each can be named in main. A row stays while the list is read again, so that a click
 * in progress isn't lost.
 */
export function InstructionFiles(props: { files: readonly Instructions[]; busy: boolean; use: (path: string) => void }) {
  const paths = () => props.files.map(({ path }) => path);
  const isNamed = (path: string) => props.files.some((file) => file.path === path && file.isNamed);
  return (
    <section aria-label={t.instructions}>
      <h3>{t.instructions}</h3>
      <p class="hint">{t.instructionsHint}</p>
      <ul>
        <For each={paths()}>
          {(path) => (
            <li>
              <div class="agent-words">
                <a href={formatRoute({ tab: "docs", file: { kind: "deed", path } })}>
                  <Visible text={path} />
                </a>
              </div>
              <div class="agent-actions">
                <Show when={!isNamed(path)} fallback={<span class="hint">{t.isNamedInMain}</span>}>
                  <button
                    type="button"
                    class="quiet"
                    disabled={props.busy}
                    aria-label={t.useFileInMain(path)}
                    onClick={() => props.use(path)}
                  >
                    {t.useInMain}
                  </button>
                </Show>
              </div>
            </li>
          )}
        </For>
      </ul>
    </section>
  );
}
